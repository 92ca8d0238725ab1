use ad_runtime::custom_rule;

#[custom_rule(partials(x = slope(x)))]
fn sampled(g: impl Fn(f64) -> f64, #[constant] slope: impl Fn(f64) -> f64, x: f64) -> f64 {
    g(x) + 0.0 * slope(x)
}

fn main() {}
