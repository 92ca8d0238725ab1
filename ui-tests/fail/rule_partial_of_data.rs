use ad_runtime::custom_rule;

#[custom_rule(partials(x = f64::from(n), n = x))]
fn times(x: f64, n: i32) -> f64 {
    x * f64::from(n)
}

fn main() {}
