use ad_runtime::custom_rule;

#[custom_rule(vjp = scaled_rule)]
fn scaled(x: f64, w: &[f64]) -> f64 {
    x * w[0]
}

fn scaled_rule(x: f64) -> (f64, impl FnOnce(&[f64], &mut [f64], f64) -> f64) {
    (x, move |_: &[f64], _: &mut [f64], seed: f64| seed)
}

#[custom_rule(vjp = single_rule)]
fn single(x: f64, w: &[f64]) -> f64 {
    x * w[0]
}

fn single_rule(
    x: f64,
    w: &[f32],
) -> (f64, impl FnOnce(&[f64], &mut [f64], f64) -> f64 + use<>) {
    (x * f64::from(w[0]), move |_: &[f64], _: &mut [f64], seed: f64| seed)
}

fn main() {}
