use ad_runtime::custom_rule;

#[custom_rule(vjp = square_rule, jvp = square_tangent)]
fn square(x: f64) -> f64 {
    x * x
}

fn square_rule(x: f64) -> (f64, impl FnOnce(f64) -> f64) {
    (x * x, move |seed| 2.0 * x * seed)
}

fn square_tangent(x: f64) -> (f64, f64) {
    (x * x, 2.0 * x)
}

fn main() {}
