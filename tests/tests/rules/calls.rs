//! `rules(…)`: companions for calls that cannot be wrapped.

use ad_runtime::{custom_rule, differentiate};
use ad_tests::check::{assert_exact, assert_gradient};
use std::cell::Cell;

/// Stands for a crate that knows nothing of derivatives.
mod foreign {
    pub mod special {
        pub fn sinc(x: f64) -> f64 {
            if x == 0.0 { 1.0 } else { x.sin() / x }
        }

        pub fn count(n: usize) -> usize {
            n + 1
        }
    }

    pub trait Softplus {
        fn softplus(self) -> f64;
    }

    impl Softplus for f64 {
        fn softplus(self) -> f64 {
            self.exp().ln_1p()
        }
    }

    pub struct Filter {
        pub taps: Vec<f64>,
        pub calls: std::cell::Cell<usize>,
    }

    impl Filter {
        pub fn gain(&self) -> f64 {
            self.taps.iter().sum()
        }

        pub fn process(&self, data: &mut [f64]) {
            self.calls.set(self.calls.get() + 1);
            for k in (0..data.len()).rev() {
                let from = |tap: usize| k.checked_sub(tap).map_or(0.0, |at| data[at]);
                data[k] = self.taps.iter().enumerate().map(|(tap, c)| c * from(tap)).sum();
            }
        }
    }
}

use foreign::{Filter, Softplus, special};

/// Rules for that crate.
mod my {
    use super::foreign::{Filter, Softplus};
    use ad_runtime::custom_rule;

    #[custom_rule(partials(x = if x == 0.0 { 0.0 } else { (x.cos() - value) / x }))]
    pub fn sinc(x: f64) -> f64 {
        super::special::sinc(x)
    }

    #[custom_rule(partials(x = 1.0 / (1.0 + (-x).exp())))]
    pub fn softplus(x: f64) -> f64 {
        x.softplus()
    }

    #[custom_rule(vjp = process_rule)]
    pub fn process(#[constant] filter: &Filter, data: &mut [f64]) {
        filter.process(data);
    }

    fn process_rule(
        filter: &Filter,
        data: &mut [f64],
    ) -> impl FnOnce(&Filter, &mut [f64], &mut [f64]) + use<> {
        filter.process(data);
        |filter: &Filter, _: &mut [f64], data_adj: &mut [f64]| {
            for k in 0..data_adj.len() {
                let taps =
                    filter.taps.iter().enumerate().filter(|(tap, _)| k + tap < data_adj.len());
                data_adj[k] = taps.map(|(tap, c)| c * data_adj[k + tap]).sum();
            }
        }
    }
}

#[differentiate(reverse, rules(special::sinc = my::sinc, .softplus = my::softplus))]
fn mixed(x: &[f64], n: usize) -> f64 {
    let mut total = 0.0;
    for v in x.iter().take(special::count(n)) {
        total += special::sinc(v * v) * (v + total).softplus() + v.softplus();
    }
    total
}

#[test]
fn paths_and_methods() {
    let at = [0.4, -1.2, 0.9, 2.0];
    let gradient = mixed::gradient(&at, 2);
    assert_gradient("mixed", |x| mixed(x, 2), &at, &gradient);
}

#[differentiate(reverse, rules(.process = my::process))]
fn filtered(#[constant] filter: &Filter, x: &[f64]) -> f64 {
    let mut data = x.to_vec();
    let mut total = 0.0;
    for _ in 0..3 {
        total += data[0] * data[data.len() - 1] * filter.gain();
        filter.process(&mut data);
        filter.process(&mut data[1..]);
    }
    total + data.iter().map(|v| v * v).sum::<f64>() * filter.gain()
}

#[test]
fn a_plan_and_a_buffer() {
    let filter = Filter { taps: vec![0.9, -0.4, 0.2], calls: Cell::new(0) };
    let at = [0.5, 1.1, -0.7, 0.3, 0.8];
    let gradient = filtered::gradient(&filter, &at);
    assert_gradient("filtered", |x| filtered(&filter, x), &at, &gradient);
}

#[differentiate(reverse, rules(sinc = my::sinc))]
fn by_name(x: f64) -> f64 {
    use foreign::special::sinc;
    sinc(x) + sinc(2.0 * x)
}

#[test]
fn the_name_alone() {
    let x: f64 = 0.7;
    let slope = |x: f64| (x.cos() - x.sin() / x) / x;
    assert_exact("by name", &[by_name::gradient(x)], &[slope(x) + 2.0 * slope(2.0 * x)]);
}

/// A type's own function, whose siblings serve.
struct Special;

impl Special {
    #[custom_rule(vjp = Self::sinc_rule)]
    pub fn sinc(x: f64) -> f64 {
        special::sinc(x)
    }

    fn sinc_rule(x: f64) -> (f64, impl FnOnce(f64) -> f64 + use<>) {
        (special::sinc(x), move |seed| seed * (x.cos() - special::sinc(x)) / x)
    }
}

#[differentiate(reverse, rules(special::sinc = Special::sinc))]
fn by_type(x: f64) -> f64 {
    special::sinc(x)
}

#[test]
fn companions_of_associated_functions() {
    assert_eq!(by_type::gradient(1.5), my::sinc::gradient(1.5));
}

#[differentiate(reverse, rules(.max = my_max))]
fn largest(x: &[f64]) -> f64 {
    x[0].max(x[1])
}

/// Splits ties.
#[custom_rule(partials(
    x = if x == y { 0.5 } else { f64::from(x > y) },
    y = if x == y { 0.5 } else { f64::from(y > x) },
))]
fn my_max(x: f64, y: f64) -> f64 {
    x.max(y)
}

#[test]
fn a_rule_goes_before_what_is_built_in() {
    assert_eq!(largest::gradient(&[2.0, 2.0]), [0.5, 0.5]);
    assert_eq!(largest::gradient(&[1.0, 2.0]), [0.0, 1.0]);
}

#[differentiate(reverse, rules(special::sinc = my::sinc, .softplus = my::softplus))]
fn in_chains(x: &[f64], scale: f64) -> f64 {
    let bumps: Vec<f64> = x.iter().map(|v| special::sinc(scale * v)).collect();
    let widest = |v: f64| v.softplus() + special::sinc(v);
    bumps.iter().zip(x).map(|(a, b)| a * b.softplus()).sum::<f64>() + widest(x[0])
}

#[test]
fn in_closures_of_chains() {
    let at = [0.4, -1.2, 0.9, 1.5];
    let (mut gradient, scale) = in_chains::gradient(&at[..3], at[3]);
    gradient.push(scale);
    assert_gradient("in chains", |v| in_chains(&v[..3], v[3]), &at, &gradient);
}

/// Each rule is for some function of the `impl`.
#[differentiate(reverse, rules(special::sinc = my::sinc, .softplus = my::softplus))]
impl Special {
    pub fn product(x: f64) -> f64 {
        x * special::sinc(x)
    }

    pub fn sum(x: f64) -> f64 {
        x + x.softplus()
    }
}

#[test]
fn rules_for_an_impl() {
    let (x, logistic) = (0.8_f64, 1.0 / (1.0 + (-0.8_f64).exp()));
    assert_exact("product", &[Special::product_gradient(x)], &[x.cos()]);
    assert_exact("sum", &[Special::sum_gradient(x)], &[1.0 + logistic]);
}

#[differentiate(reverse, rules(.softplus = my::softplus))]
fn of_data(x: f64, #[constant] d: f64) -> f64 {
    let steady = d.softplus();
    println!("{}", x.softplus());
    x * steady
}

#[test]
fn calls_on_data_are_left_alone() {
    assert_eq!(of_data::gradient(2.0, 0.5), 0.5_f64.exp().ln_1p());
}
