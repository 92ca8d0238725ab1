//! Small things that numeric programs write: a result that is thrown away, an `Option` in a condition, the parts of a
//! slice that have a length.

use ad_runtime::{Differentiable, differentiate};
use ad_tests::check::{check, check_both, sample};
use num_dual::DualNum;

/// Compares a function of a slice with central differences and with its twin.
macro_rules! agree {
    ($name:ident, $twin:ident, $at:expr) => {{
        let at = $at;
        let (value, gradient) = $name::value_and_gradient(&at);
        check_both(stringify!($name), |x| $name(x), $twin, &at, value, &gradient);
    }};
}

/// The same without a twin.
macro_rules! agree_with_differences {
    ($name:ident, $at:expr) => {{
        let at = $at;
        let (value, gradient) = $name::value_and_gradient(&at);
        check(stringify!($name), |x| $name(x), &at, value, &gradient);
    }};
}

#[differentiate(reverse)]
fn scaled(a: &mut f64, by: f64) -> f64 {
    *a *= by;
    by
}

#[differentiate(reverse)]
fn scaled_safely(a: &mut [f64], by: f64) -> bool {
    a[0] *= by;
    by > 0.0
}

#[differentiate(reverse)]
fn is_sound(a: &[f64]) -> bool {
    a.iter().all(|v| v.is_finite())
}

#[derive(Differentiable, Clone)]
struct Filter {
    state: f64,
    taps: Vec<f64>,
}

trait Step {
    #[differentiate(reverse)]
    fn step(&mut self, input: &mut f64) -> Option<f64>;
}

#[differentiate(reverse)]
impl Filter {
    pub fn feed(&mut self, x: f64) -> f64 {
        self.state = self.state * self.taps[1] + x;
        self.state * self.state
    }

    pub fn fed(&mut self, x: f64) -> Filter {
        self.state *= x;
        Filter { state: x, taps: vec![x] }
    }

    pub fn is_high(&self) -> bool {
        self.state > 0.0
    }
}

#[differentiate(reverse)]
impl Step for Filter {
    fn step(&mut self, input: &mut f64) -> Option<f64> {
        *input *= self.state;
        Some(self.state)
    }
}

#[differentiate(reverse)]
fn results_thrown_away(x: &[f64]) -> f64 {
    let mut c = x[0];
    let mut filter = Filter { state: x[1], taps: x.to_vec() };
    let mut buffer = x.to_vec();
    is_sound(x);
    for _ in 0..2 {
        scaled(&mut c, x[1]);
        scaled_safely(&mut buffer, c);
        filter.feed(c);
        filter.is_high();
        filter.fed(x[0]);
        filter.step(&mut c);
    }
    c * filter.state + buffer[0]
}

fn results_thrown_away_twin<D: DualNum<Primitive = f64> + Copy>(x: &[D]) -> D {
    let (mut c, mut state, mut first) = (x[0], x[1], x[0]);
    for _ in 0..2 {
        c *= x[1];
        first *= c;
        state = (state * x[1] + c) * x[0];
        c *= state;
    }
    c * state + first
}

#[test]
fn a_call_as_a_statement_may_have_a_result() {
    agree!(results_thrown_away, results_thrown_away_twin, [0.7, 1.3]);
}
