use ad_runtime::custom_rule;

#[custom_rule(vjp = square_rule)]
fn square(x: f64) -> f64 {
    x * x
}

fn square_rule(x: f64) -> f64 {
    2.0 * x
}

fn main() {}
