use ad_runtime::custom_rule;

#[custom_rule(partials(value = 2.0 * value))]
fn square(value: f64) -> f64 {
    value * value
}

fn main() {}
