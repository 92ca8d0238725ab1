use ad_runtime::custom_rule;

#[custom_rule]
fn square(x: f64) -> f64 {
    x * x
}

fn main() {}
