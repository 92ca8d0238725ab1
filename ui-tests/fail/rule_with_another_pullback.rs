use ad_runtime::custom_rule;

#[custom_rule(vjp = product_rule)]
fn product(x: f64, w: &[f64]) -> f64 {
    x * w[0]
}

fn product_rule(x: f64, w: &[f64]) -> (f64, impl FnOnce(f64) -> f64 + use<>) {
    let slope = w[0];
    (x * slope, move |seed| seed * slope)
}

#[custom_rule(vjp = scale_rule)]
fn scale(x: f64, w: &mut [f64]) {
    w[0] *= x;
}

fn scale_rule(x: f64, w: &mut [f64]) -> impl FnOnce(&mut [f64]) -> f64 + use<> {
    w[0] *= x;
    move |_: &mut [f64]| x
}

#[custom_rule(vjp = square_rule)]
fn square(x: f64) -> f64 {
    x * x
}

fn square_rule(x: f64) -> (f64, impl FnOnce(f64)) {
    (x * x, move |_seed| ())
}

fn main() {}
