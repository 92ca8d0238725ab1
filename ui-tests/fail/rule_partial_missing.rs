use ad_runtime::custom_rule;

#[custom_rule(partials(x = y))]
fn product(x: f64, y: f64) -> f64 {
    x * y
}

fn main() {}
