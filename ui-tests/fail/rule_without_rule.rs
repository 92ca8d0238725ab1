use ad_runtime::custom_rule;

#[custom_rule(name = Square)]
fn square(x: f64) -> f64 {
    x * x
}

fn main() {}
