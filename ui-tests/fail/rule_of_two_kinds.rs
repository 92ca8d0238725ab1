use ad_runtime::custom_rule;

#[custom_rule(partials(x = 2.0 * x), vjp = square_rule)]
fn square(x: f64) -> f64 {
    x * x
}

fn square_rule(x: f64) -> (f64, impl FnOnce(f64) -> f64) {
    (x * x, move |seed| 2.0 * x * seed)
}

fn main() {}
