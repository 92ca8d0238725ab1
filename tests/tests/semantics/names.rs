//! Hygiene: whatever the user's names are, generated names do not meet them.

use crate::{check, check_two};
use ad_runtime::differentiate;
use ad_tests::check::{assert_exact, assert_gradient};

#[differentiate(reverse, forward, second_order, cross_check)]
fn reserved(x_adj: f64, seed: f64, value: f64) -> f64 {
    let t1 = x_adj * seed;
    let pullback = t1.sin();
    let policy = pullback * value;
    let ad = policy + t1;
    let r#type = ad * ad;
    r#type
}

#[test]
fn names_that_generated_code_likes() {
    let (x, s, v) = (0.7, 1.3, 0.4);
    let (value, x_adj, s_adj, v_adj) = reserved::adjoint(x, s, v, 1.0);
    assert_exact("value", &[value], &[reserved(x, s, v)]);
    let t: f64 = x * s;
    let a = t.sin() * v + t;
    let t_adj = 2.0 * a * (t.cos() * v + 1.0);
    assert_exact("reserved", &[x_adj, s_adj, v_adj], &[t_adj * s, t_adj * x, 2.0 * a * t.sin()]);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn variable_and_its_adjoint(x: f64, x_adj: f64) -> f64 {
    x * x_adj * x_adj
}

#[test]
fn a_parameter_named_like_an_adjoint() {
    let (x, y) = (2.0, 3.0);
    check_two(
        variable_and_its_adjoint,
        (x, y),
        variable_and_its_adjoint::adjoint(x, y, 1.0),
        (y * y, 2.0 * x * y),
    );
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn slice_and_its_adjoint(w: &[f64], w_adj: &mut [f64], out: f64) -> f64 {
    let mut s = out;
    for k in 0..w.len() {
        w_adj[k] *= w[k];
        s += w_adj[k];
    }
    s
}

#[test]
fn a_slice_named_like_an_adjoint() {
    let w = [2.0, 3.0];
    let (mut a, mut b, mut b_adj) = ([0.0; 2], [5.0, 7.0], [0.0; 2]);
    let (value, out_adj) = slice_and_its_adjoint::adjoint(&w, &mut a, &mut b, &mut b_adj, 1.0, 1.0);
    assert_eq!((value, out_adj), (32.0, 1.0));
    assert_eq!((a, b, b_adj), ([5.0, 7.0], [10.0, 21.0], [2.0, 3.0]));
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn loop_names(seed: f64, trips: usize) -> f64 {
    let mut value = seed;
    let mut tape = 1.0;
    for k in 0..trips {
        let stack = value * tape;
        let taken = stack > 0.0;
        let branch = if taken { stack.sin() } else { stack };
        let y_values = branch + k as f64 * seed;
        value = y_values;
        tape *= seed;
    }
    value * tape
}

#[test]
fn loops_with_names_that_generated_code_likes() {
    for trips in 0..4 {
        let (value, seed_adj) = loop_names::adjoint(0.8, trips, 1.0);
        assert_exact("value", &[value], &[loop_names(0.8, trips)]);
        assert_gradient("loop", |v| loop_names(v[0], trips), &[0.8], &[seed_adj]);
    }
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn adjoint(vjp: f64) -> f64 {
    let gradient = vjp * vjp;
    gradient * vjp
}

#[test]
fn a_function_named_like_a_generated_one() {
    check(adjoint, 1.5, adjoint::adjoint(1.5, 1.0), 3.0 * 1.5 * 1.5);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn raw(r#in: f64, r#loop: f64) -> f64 {
    let r#fn = r#in * r#loop;
    r#fn * r#in
}

#[test]
fn raw_identifiers() {
    let (x, y) = (1.5, 0.7);
    check_two(raw, (x, y), raw::adjoint(x, y, 1.0), (2.0 * x * y, x * x));
}

/// A user trait with methods named as generated code calls them.
mod interfering {
    #[allow(dead_code, reason = "in scope is all that it has to be")]
    pub trait Noisy {
        fn zeros_like(&self) -> i32 {
            panic!("called by name")
        }
        fn accumulate(&self, _: i32) -> i32 {
            panic!("called by name")
        }
        fn push(&self, _: f64) {
            panic!("called by name")
        }
    }
    impl Noisy for f64 {}
    impl Noisy for [f64] {}
}

#[test]
fn traits_in_scope_do_not_interfere() {
    #[allow(unused_imports, reason = "in scope is all that it has to be")]
    use interfering::Noisy;

    #[differentiate(reverse, forward, cross_check)]
    fn scaled(x: &[f64], s: f64) -> f64 {
        let mut y = 0.0;
        for v in x {
            y = y * s + v;
        }
        y
    }
    let (_, (x_adj, s_adj)) = scaled::value_and_gradient(&[2.0, 3.0], 0.5);
    assert_eq!((x_adj, s_adj), (vec![0.5, 1.0], 2.0));
}

/// Names of the prelude that a user may take.
mod shadowed_prelude {
    use ad_runtime::differentiate;

    #[allow(dead_code, reason = "it is there to be in the way")]
    pub struct Vec;
    #[allow(dead_code, non_camel_case_types, reason = "it is there to be in the way")]
    pub struct Option;

    #[differentiate(reverse, forward, cross_check)]
    pub fn powers(x: f64, n: usize) -> f64 {
        let mut y = x;
        for _ in 0..n {
            y = y * y;
        }
        y
    }
}

#[test]
fn names_of_the_prelude_may_be_taken() {
    let x = 1.1_f64;
    let (_, x_adj) = shadowed_prelude::powers::adjoint(x, 2, 1.0);
    assert_exact("powers", &[x_adj], &[4.0 * x.powi(3)]);
}

macro_rules! times_three {
    ($name:ident, $x:ident, $body:expr) => {
        #[differentiate(reverse, forward, cross_check)]
        fn $name($x: f64) -> f64 {
            let t = 3.0 * $x;
            let y = $body;
            t * y
        }
    };
}

times_three!(plain_expression, x, x * x);
// The caller's parameter has the name of the macro's own variable; they are two.
times_three!(same_name, t, t * t);
// The caller's block has a variable of that name, too.
times_three!(block_with_same_name, x, {
    let t = x * x;
    t + x
});

#[test]
fn functions_made_by_a_macro() {
    let x = 0.7;
    check(plain_expression, x, plain_expression::adjoint(x, 1.0), 9.0 * x * x);
    check(same_name, x, same_name::adjoint(x, 1.0), 9.0 * x * x);
    let want = 9.0 * x * x + 6.0 * x;
    check(block_with_same_name, x, block_with_same_name::adjoint(x, 1.0), want);
}

mod first {
    use ad_runtime::differentiate;

    #[differentiate(reverse, forward, cross_check)]
    pub fn shape(x: f64) -> f64 {
        x * x
    }
}

mod second {
    use ad_runtime::differentiate;

    #[differentiate(reverse, forward, cross_check)]
    pub fn shape(x: f64) -> f64 {
        super::first::shape(x) * x
    }
}

mod third {
    use super::second::shape as cube;
    use ad_runtime::differentiate;

    #[differentiate(reverse, forward, cross_check)]
    pub(crate) fn shape(x: f64) -> f64 {
        cube(x) + crate::names::first::shape(x)
    }
}

#[test]
fn functions_of_one_name_that_call_each_other() {
    let x = 1.4;
    check(first::shape, x, first::shape::adjoint(x, 1.0), 2.0 * x);
    check(second::shape, x, second::shape::adjoint(x, 1.0), 3.0 * x * x);
    check(third::shape, x, third::shape::adjoint(x, 1.0), 3.0 * x * x + 2.0 * x);
}

#[test]
fn functions_inside_a_body() {
    #[differentiate(reverse, forward, cross_check)]
    fn inner(x: f64) -> f64 {
        x.exp() * x
    }
    #[differentiate(reverse, forward, cross_check)]
    fn outer(x: f64) -> f64 {
        inner(x * x)
    }
    let x = 0.6_f64;
    let y = x * x;
    check(outer, x, outer::adjoint(x, 1.0), y.exp() * (y + 1.0) * 2.0 * x);
}

const GRAVITY: f64 = 9.81;

/// Attributes and documentation of the function stay its own.
#[inline]
#[must_use]
#[differentiate(reverse, forward, second_order, cross_check)]
fn period(length: f64) -> f64 {
    const TURN: f64 = 2.0 * std::f64::consts::PI;
    TURN * (length / GRAVITY).sqrt()
}

#[test]
fn constants_and_other_attributes() {
    let x = 2.0;
    let want = std::f64::consts::PI / (x * GRAVITY).sqrt();
    check(period, x, period::adjoint(x, 1.0), want);
}
