//! Rules with `partials(…)`.

use ad_runtime::{custom_rule, differentiate};
use ad_tests::check::{assert_exact, assert_gradient};
use num_traits::Float;

/// The logistic function, by the value itself.
#[custom_rule(partials(x = value * (1.0 - value)))]
fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

#[custom_rule(partials(
    rate = time * value,
    time = *rate * value,
))]
fn growth(rate: &f64, time: f64, #[constant] start: &[f64]) -> f64 {
    start[0] * (rate * time).exp()
}

#[differentiate(reverse)]
fn population(x: &[f64], #[constant] start: &[f64]) -> f64 {
    let mut total = 0.0;
    for v in x {
        total += logistic(growth(&x[0], *v, start) - total);
    }
    total
}

#[test]
fn rows_use_parameters_and_the_value() {
    let value = logistic(0.3);
    assert_eq!(logistic::value_and_gradient(0.3), (value, value * (1.0 - value)));
    let (mut rate_adj, start) = (10.0, [2.0]);
    let (value, time_adj) = growth::adjoint(&0.5, &mut rate_adj, 3.0, &start, 1.0);
    assert_eq!(value, 2.0 * 1.5_f64.exp());
    assert_exact("growth", &[rate_adj, time_adj], &[10.0 + 3.0 * value, 0.5 * value]);
}

/// A function is data, and may come by reference.
#[custom_rule(partials(x = slope(x)))]
fn tabled(#[constant] g: fn(f64) -> f64, #[constant] slope: &impl Fn(f64) -> f64, x: f64) -> f64 {
    g(x) + 0.0 * slope(x)
}

#[test]
fn functions_are_data() {
    assert_eq!(tabled::gradient(|x| x * x, &|x: f64| 2.0 * x, 3.0), 6.0);
}

#[test]
fn in_loops_of_other_functions() {
    let at = [0.4, -0.9, 0.2, 1.1];
    let gradient = population::gradient(&at, &[0.7]);
    assert_gradient("population", |x| population(x, &[0.7]), &at, &gradient);
}

#[custom_rule(partials(x = 0.5 / value, y = f64::INFINITY))]
fn root(x: f64, y: f64) -> f64 {
    x.sqrt() + 0.0 * y
}

#[differentiate(reverse)]
fn unused_root(x: f64) -> f64 {
    x + 0.0 * root(x, x)
}

#[test]
fn a_seed_of_zero_absorbs_an_infinite_partial() {
    assert_eq!(root::adjoint(0.0, 1.0, 0.0), (0.0, 0.0, 0.0));
    assert_eq!(unused_root::gradient(0.0), 1.0);
}

/// Constants of the rule come in the function's own scalar type.
#[custom_rule(partials(x = T::one() / (T::one() + x * x)))]
fn angle<T: Float>(x: T) -> T {
    x.atan()
}

#[custom_rule(partials(x = *y, y = *x))]
fn area<T: Float>(x: &T, y: &T) -> T {
    *x * *y
}

#[differentiate(reverse)]
fn square<T: Float>(x: T) -> T {
    area(&x, &x)
}

#[test]
fn scalar_type_parameters() {
    assert_eq!(area::gradient(&2.0_f32, &3.0), (3.0, 2.0));
    assert_eq!(square::gradient(3.0_f64), 6.0);
    assert_eq!(angle::gradient(2.0_f64), 0.2);
    assert_eq!(angle::gradient(2.0_f32), 0.2_f32);
}

/// A parameter with the name of the seed, and a local of the name of an adjoint.
#[custom_rule(partials(seed = { let x_adj = x; x_adj * ad }, x = seed * ad))]
fn product(seed: f64, x: f64, #[constant] ad: f64) -> f64 {
    seed * x * ad
}

#[test]
fn names_of_generated_code() {
    assert_eq!(product::gradient(2.0, 3.0, 5.0), (15.0, 10.0));
}

macro_rules! squared {
    ($name:ident, $x:ident, $partial:expr) => {
        #[custom_rule(partials($x = $partial))]
        fn $name($x: f64) -> f64 {
            $x * $x
        }
    };
}

squared!(tile, side, side + value / side);

#[test]
fn rows_from_a_macro() {
    assert_eq!(tile::gradient(3.0), 3.0 + 9.0 / 3.0);
}
