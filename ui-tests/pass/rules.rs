//! Rules as they may be written: unused, with odd names, in functions, with other attributes.
#![deny(warnings, missing_docs, unused_qualifications)]
#![deny(rust_2018_idioms)]
#![allow(clippy::type_complexity, non_snake_case)]
#![forbid(unsafe_code)]

extern crate ad_runtime as ad;

use ad_runtime::{custom_rule, differentiate};

/// A trait, a type and a function with names of generated code.
trait Rule {}
struct Restore;
impl Rule for Restore {}

#[custom_rule(vjp = unused_rule)]
fn unused(x: f64, _rule: &Restore, #[constant] _pullback: &dyn Rule) -> f64 {
    x
}

fn unused_rule(
    x: f64,
    _rule: &Restore,
    _pullback: &dyn Rule,
) -> (f64, impl FnOnce(&Restore, &mut Restore, &dyn Rule, f64) -> f64 + use<>) {
    (x, |_: &Restore, _: &mut Restore, _: &dyn Rule, seed: f64| seed)
}

impl ad_runtime::Differentiable for Restore {
    type Owned = Self;
    fn zeros_like(&self) -> Self {
        Restore
    }
    fn set_zero(&mut self) {}
    fn accumulate(&mut self, _: &Self) {}
    fn for_each_real(&mut self, _: &mut dyn FnMut(&mut f64)) {}
    fn inner_product(&self, _: &Self) -> f64 {
        0.0
    }
    fn shape_difference(&self, _: &Self) -> Option<String> {
        None
    }
}

mod inner {
    /// Documented, since it is public.
    #[ad_runtime::custom_rule(vjp = super::raw_rule, crate = ::ad_runtime)]
    #[inline]
    #[must_use]
    pub fn r#fn(r#type: f64, P: &mut [f64]) -> f64 {
        P[0] *= r#type;
        P[0]
    }
}

fn raw_rule(
    x: f64,
    buffer: &mut [f64],
) -> (f64, impl FnOnce(&mut [f64], &mut [f64], f64) -> f64 + use<>) {
    let before = buffer[0];
    buffer[0] *= x;
    let pullback = move |_: &mut [f64], buffer_adj: &mut [f64], seed: f64| {
        let total = buffer_adj[0] + seed;
        buffer_adj[0] = total * x;
        total * before
    };
    (buffer[0], pullback)
}

#[differentiate(reverse, rules(inner::r#fn = inner::r#fn))]
fn twice(x: f64) -> f64 {
    let mut buffer = [x, 1.0];
    inner::r#fn(x, &mut buffer) + inner::r#fn(2.0, &mut buffer[1..])
}

/// Qualifiers that a rule does not mind.
#[custom_rule(partials(x = 2.0 * x))]
const fn square(x: f64) -> f64 {
    x * x
}

macro_rules! ruled {
    ($name:ident, $rule:path, $written:path, $companion:path) => {
        #[custom_rule(vjp = $rule)]
        fn $name(x: f64, buffer: &mut [f64]) -> f64 {
            buffer[0] *= x;
            buffer[0]
        }

        mod by_macro {
            #[ad_runtime::differentiate(reverse, rules($written = $companion))]
            pub fn call(x: f64) -> f64 {
                $written(x, &mut [x])
            }
        }
    };
}

ruled!(scale, raw_rule, super::raw_scale, super::scale);

fn raw_scale(x: f64, buffer: &mut [f64]) -> f64 {
    buffer[0] * x
}

macro_rules! scaled {
    ($name:ident, $factor:literal) => {
        #[custom_rule(partials(x = $factor + 0.0 * value))]
        fn $name(x: f64) -> f64 {
            $factor * x
        }
    };
}

scaled!(triple, 3.0);

fn main() {
    #[custom_rule(zero)]
    fn local(x: f64) -> f64 {
        x.floor()
    }
    assert_eq!(local::gradient(1.5), 0.0);
    assert_eq!(twice::gradient(3.0), 6.0);
    assert_eq!(square::gradient(3.0), 6.0);
    assert_eq!(by_macro::call::gradient(3.0), 6.0);
    assert_eq!(triple::gradient(1.0), 3.0);
    let (_, pullback) = inner::r#fn::vjp(ad::Restored, 2.0, &mut [1.0]);
    assert_eq!(pullback(&mut [2.0], &mut [0.0], 1.0), 1.0);
}
