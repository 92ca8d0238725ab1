use ad_runtime::custom_rule;

#[custom_rule(partials(x = y, y = x, x = 1.0))]
fn product(x: f64, y: f64) -> f64 {
    x * y
}

fn main() {}
