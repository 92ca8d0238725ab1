use ad_runtime::custom_rule;

#[custom_rule(partials(x = 1.0))]
fn sum(x: &[f64]) -> f64 {
    x.iter().sum()
}

#[custom_rule(partials(x = 1.0))]
fn twice(x: f64) -> (f64, f64) {
    (x, x)
}

fn main() {}
