use ad_runtime::custom_rule;

#[custom_rule(vjp = square_rule, forward)]
fn square(x: f64) -> f64 {
    x * x
}

fn square_rule(x: f64) -> (f64, impl FnOnce(f64) -> f64 + use<>) {
    (x * x, move |seed| 2.0 * x * seed)
}

#[custom_rule(jvp = cube_tangent, reverse)]
fn cube(x: f64) -> f64 {
    x * x * x
}

fn cube_tangent(x: f64, x_tan: f64) -> (f64, f64) {
    (x * x * x, 3.0 * x * x * x_tan)
}

fn main() {
    let _ = (square::tangent(1.0, 1.0), cube::gradient(1.0));
}
