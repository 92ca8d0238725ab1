use ad_runtime::custom_rule;

#[custom_rule(zero, wrt(x))]
fn square(x: f64) -> f64 {
    x * x
}

fn main() {}
