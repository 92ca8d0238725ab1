use ad_runtime::custom_rule;

#[custom_rule(partials(x = 2.0 * z))]
fn square(x: f64) -> f64 {
    x * x
}

fn main() {}
