//! The snapshots of expansions in ad-macros, compiled as they stand and run: what the snapshots show
//! is what users get, and it is right without the hygiene that printing loses.

#![allow(
    clippy::needless_range_loop,
    clippy::explicit_counter_loop,
    clippy::only_used_in_recursion,
    clippy::type_complexity,
    missing_docs,
    reason = "the snapshots hold functions as users write them"
)]

use ad_runtime::check;
use ad_tests::check::assert_gradient;

/// `expansion! { snapshot }`: a module with the text of a snapshot.
macro_rules! expansion {
    ($name:ident $(, use $import:path)*) => {
        mod $name {
            $(use $import;)*
            include!(concat!(env!("OUT_DIR"), "/", stringify!($name), ".rs"));
        }
    };
}

expansion!(straight_line_and_branch);
expansion!(while_loop);
expansion!(early_exits);
expansion!(in_place_and_swap);
expansion!(views);
expansion!(calls_with_parts_of_a_buffer, use super::views::affine);
expansion!(recursion);
expansion!(linear_in_place);
expansion!(match_in_a_loop);
expansion!(generic_scalar, use num_traits::Float);
expansion!(exits_of_nested_loops);
expansion!(iterator_chain);
expansion!(struct_state, use super::State);
expansion!(enum_parts, use super::Shape);
expansion!(question_mark);
expansion!(method, use super::Spring);
expansion!(joint_method, use super::Spring);
expansion!(growing_vectors);
expansion!(data_without_derivative);
expansion!(function_parameter);
expansion!(closure_handed_on, use super::function_parameter::heun);
expansion!(forward);
expansion!(forward_calls, use super::forward::decay, use super::relax);
expansion!(cross_check);
expansion!(rule_of_both_modes, use super::total_rule, use super::total_tangent);
expansion!(rule, use super::Plan, use super::filter_rule);
expansion!(generic_rule, use num_traits::Float, use super::norm_rule);
expansion!(rule_by_partials);
expansion!(rule_of_zero);
expansion!(rule_of_a_method, use super::Spring);
expansion!(arrays, use ndarray::Array1, use ndarray::Array2);
expansion!(rules_of_calls, use super::Plan, use super::libm, use super::my);

mod derive_struct {
    include!(concat!(env!("OUT_DIR"), "/derive_struct.rs"));
}

mod derive_enum {
    include!(concat!(env!("OUT_DIR"), "/derive_enum.rs"));
}

use derive_enum::Shape;

#[derive(ad_runtime::Differentiable, Clone, Copy, Debug, PartialEq)]
pub struct State {
    angle: f64,
    speed: f64,
}

#[derive(ad_runtime::Differentiable, Clone, Debug, PartialEq)]
pub struct Spring {
    stiffness: f64,
    rest: f64,
}

#[test]
fn swing() {
    use struct_state::swing;
    let at = [0.9, -0.4, 0.1];
    let (s, h) = swing::gradient(State { angle: at[0], speed: at[1] }, at[2], 4);
    let f = |v: &[f64]| swing(State { angle: v[0], speed: v[1] }, v[2], 4);
    assert_gradient("swing", f, &at, &[s.angle, s.speed, h]);
}

#[test]
fn area() {
    use enum_parts::area;
    let circle = area::gradient(&Shape::Circle(2.0), Some(0.5));
    assert_eq!(circle, (Shape::Circle(6.0), Some(12.0)), "6 r s and 3 r²");
    let rectangle = area::gradient(&Shape::Rectangle { width: 2.0, height: 5.0 }, None);
    assert_eq!(rectangle, (Shape::Rectangle { width: 5.0, height: 2.0 }, None));
}

#[test]
fn ratio() {
    use question_mark::ratio;
    assert_eq!(ratio::value_and_gradient(&[3.0, 1.0], 2.0), Some((1.5, (vec![0.5, 0.0], -0.75))));
    assert_eq!(ratio::value_and_gradient(&[], 2.0), None);
}

#[test]
fn methods() {
    let at = [2.0, 0.5, 1.25];
    let spring = |v: &[f64]| Spring { stiffness: v[0], rest: v[1] };
    let (s, x) = spring(&at).energy_gradient(at[2]);
    let gradient = [s.stiffness, s.rest, x];
    assert_gradient("energy", |v| spring(v).energy(v[2]), &at, &gradient);
    let (s, load) = spring(&at).wear_gradient(at[2]);
    let gradient = [s.stiffness, s.rest, load];
    assert_gradient("wear", |v| spring(v).wear(v[2]), &at, &gradient);
}

#[test]
fn derived_adjoints() {
    use ad_runtime::Differentiable;
    let layer = derive_struct::Layer { weights: vec![1.0, 2.0], bias: 3.0, name: "first" };
    let mut adjoint = layer.zeros_like();
    assert_eq!(adjoint, derive_struct::Layer { weights: vec![0.0; 2], bias: 0.0, name: "first" });
    adjoint.accumulate(&layer);
    adjoint.accumulate(&layer);
    assert_eq!((adjoint.weights[1], adjoint.bias), (4.0, 6.0));
    let circle = Shape::Circle(1.0);
    let rectangle = Shape::Rectangle { width: 1.0, height: 2.0 };
    assert_eq!(rectangle.zeros_like(), Shape::Rectangle { width: 0.0, height: 0.0 });
    assert_eq!(
        circle.shape_difference(&rectangle).as_deref(),
        Some("the variant `Rectangle`, not `Circle`")
    );
}

#[test]
fn soft_clip() {
    use straight_line_and_branch::soft_clip;
    for at in [[0.4, 1.3], [2.0, 1.3]] {
        let (x_adj, limit_adj) = soft_clip::gradient(at[0], at[1]);
        assert_gradient("soft_clip", |v| soft_clip(v[0], v[1]), &at, &[x_adj, limit_adj]);
    }
}

#[test]
fn newton_sqrt() {
    use while_loop::newton_sqrt;
    // d√x/dx = 1/(2√x); Newton's last step leaves an error far below rounding.
    let (value, x_adj) = newton_sqrt::adjoint(2.0, 1.0);
    assert!((value - 2f64.sqrt()).abs() < 1e-15);
    assert!((x_adj - 0.353_553_390_593_273_73).abs() < 1e-14);
}

#[test]
fn first_root() {
    use early_exits::first_root;
    assert_eq!(first_root::value_and_gradient(&[], 1.0), (0.0, (vec![], 0.0)));
    for x in [vec![2.0, 3.0, 0.5, 4.0], vec![2.0, 3.0]] {
        let (x_adj, tolerance_adj) = first_root::gradient(&x, 1.0);
        assert_gradient("first_root", |v| first_root(v, 1.0), &x, &x_adj);
        assert_eq!(tolerance_adj, 0.0);
    }
}

#[test]
fn burgers() {
    use in_place_and_swap::burgers;
    let (n, steps) = (6, 4);
    let run = |v: &[f64]| {
        let (mut u, mut work) = (v[..n].to_vec(), vec![0.0; n]);
        burgers(&mut u, &mut work, steps, v[n]);
        u.iter().zip(1..).map(|(v, k)| v * f64::from(k)).sum::<f64>()
    };
    let at: Vec<f64> = (0..n).map(|k| (0.37 * k as f64).sin()).chain([0.3]).collect();
    let (mut u, mut work) = (at[..n].to_vec(), vec![0.0; n]);
    let mut u_adj: Vec<f64> = (1..=n).map(|k| k as f64).collect();
    let c_adj = burgers::adjoint(&mut u, &mut u_adj, &mut work, &mut vec![0.0; n], steps, at[n]);
    u_adj.push(c_adj);
    assert_gradient("burgers", run, &at, &u_adj);
    let (mut expected, mut spare) = (at[..n].to_vec(), vec![0.0; n]);
    burgers(&mut expected, &mut spare, steps, at[n]);
    assert_eq!((u, work), (expected, spare), "`adjoint` leaves what the function leaves");
}

#[test]
fn affine_and_two_layers() {
    use calls_with_parts_of_a_buffer::two_layers;
    let (inputs, hidden, outputs) = (4, 3, 2);
    let weights = hidden * inputs + outputs * hidden;
    let run = |v: &[f64]| {
        let (mut h, mut out) = (vec![0.0; hidden], vec![0.0; outputs]);
        two_layers(&v[..weights], &v[weights..], &mut h, &mut out);
        out[0] + 2.0 * out[1]
    };
    let at: Vec<f64> = (0..weights + inputs).map(|k| (0.7 * k as f64 + 0.1).sin()).collect();
    let (w, x) = at.split_at(weights);
    let (mut h, mut out) = (vec![0.0; hidden], vec![0.0; outputs]);
    let mut gradient = vec![0.0; at.len()];
    let (w_adj, x_adj) = gradient.split_at_mut(weights);
    let (mut h_adj, mut out_adj) = (vec![0.0; hidden], vec![1.0, 2.0]);
    two_layers::adjoint(w, w_adj, x, x_adj, &mut h, &mut h_adj, &mut out, &mut out_adj);
    assert_gradient("two_layers", run, &at, &gradient);
    assert_eq!(out_adj, [0.0, 0.0], "what was in `out` is overwritten");
}

#[test]
fn haar() {
    use recursion::haar;
    let n = 8;
    let run = |v: &[f64]| {
        let mut data = v[..n].to_vec();
        haar(&mut data, v[n]);
        data.iter().zip(1..).map(|(v, k)| v * v * f64::from(k)).sum::<f64>()
    };
    let at: Vec<f64> = (0..n).map(|k| (0.4 + 0.37 * k as f64).sin()).chain([0.3]).collect();
    let mut data = at[..n].to_vec();
    haar(&mut data, at[n]);
    let mut data_adj: Vec<f64> =
        data.iter().zip(1..).map(|(v, k)| 2.0 * v * f64::from(k)).collect();
    let mut start = at[..n].to_vec();
    let angle_adj = haar::adjoint(&mut start, &mut data_adj, at[n]);
    assert_eq!(start, data);
    data_adj.push(angle_adj);
    assert_gradient("haar", run, &at, &data_adj);
}

#[test]
fn lower_times() {
    use linear_in_place::lower_times;
    let n = 5;
    let entries = n * (n - 1) / 2;
    let run = |v: &[f64]| {
        let mut out = vec![0.0; n];
        lower_times(&v[..entries], &v[entries..], &mut out);
        out.iter().zip(0..).map(|(v, k)| v * f64::from(k)).sum::<f64>()
    };
    let at: Vec<f64> = (0..entries + n).map(|k| (0.9 * k as f64).cos()).collect();
    let (l, x) = at.split_at(entries);
    let mut gradient = vec![0.0; at.len()];
    let (l_adj, x_adj) = gradient.split_at_mut(entries);
    let mut out_adj: Vec<f64> = (0..n).map(|k| k as f64).collect();
    lower_times::adjoint(l, l_adj, x, x_adj, &mut vec![0.0; n], &mut out_adj);
    assert_gradient("lower_times", run, &at, &gradient);
}

#[test]
fn run_program() {
    use match_in_a_loop::run_program;
    let literal = [0.8; 7];
    for code in [[0, 2, 1, 4, 2, 1, 2], [0, 2, 3, 1, 5, 3, 1]] {
        let x = [0.3, 0.9, 0.4, -0.2, 1.1, 0.5, 0.7];
        let x_adj = run_program::gradient(&code, &literal, &x);
        assert_gradient("run_program", |v| run_program(&code, &literal, v), &x, &x_adj);
    }
}

#[test]
fn logistic() {
    use generic_scalar::logistic;
    let at = [0.7, 2.5];
    let (x_adj, steepness_adj) = logistic::gradient(at[0], at[1]);
    assert_gradient("logistic", |v| logistic(v[0], v[1]), &at, &[x_adj, steepness_adj]);
    let single = logistic::gradient(0.7_f32, 2.5_f32);
    assert!((f64::from(single.0) - x_adj).abs() < 1e-6, "f32 has 24 bits");
}

#[test]
fn sum_until() {
    use exits_of_nested_loops::sum_until;
    let at = [0.5, 0.2, 0.9, 1.1, -0.3, 0.8, 0.7, 1.2, 0.4, 0.9, 0.6, 0.1];
    for limit in [0.2, 1.0, 100.0] {
        let rows = |v: &[f64]| -> Vec<[f64; 3]> {
            v.chunks_exact(3).map(|row| [row[0], row[1], row[2]]).collect()
        };
        let (rows_adj, limit_adj) = sum_until::gradient(&rows(&at), limit);
        let f = |v: &[f64]| sum_until(&rows(v), limit);
        assert_gradient("sum_until", f, &at, rows_adj.as_flattened());
        assert_eq!(limit_adj, 0.0);
    }
}

#[test]
fn rope() {
    use growing_vectors::rope;
    let angles = [0.3, 0.8, 0.5, 0.9];
    for kept in [0, 2, 4] {
        let angles_adj = rope::gradient(&angles, kept);
        assert_gradient("rope", |v| rope(v, kept), &angles, &angles_adj);
    }
}

#[test]
fn nearest() {
    use iterator_chain::nearest;
    let (x, y) = ([0.3, 2.0], [1.4, -1.0]);
    for at in [0.5, 1.1, 3.0] {
        let (x_adj, y_adj, at_adj) = nearest::gradient(&x, &y, at);
        let f = |v: &[f64]| nearest(&v[..2], &v[2..4], v[4]);
        let all = [x[0], x[1], y[0], y[1], at];
        assert_gradient("nearest", f, &all, &[x_adj, y_adj, vec![at_adj]].concat());
    }
}

#[test]
fn population() {
    use closure_handed_on::population;
    let at = [0.8, 2.0, 3.0, 2.5, 0.5];
    let (growth_adj, capacity_adj, start_adj) = population::gradient(at[0], &at[1..4], at[4]);
    let f = |v: &[f64]| population(v[0], &v[1..4], v[4]);
    let gradient = [&[growth_adj], &capacity_adj[..], &[start_adj]].concat();
    assert_gradient("population", f, &at, &gradient);
}

#[test]
fn heun() {
    use function_parameter::heun;
    let vjp = |_: ad_runtime::Unspecified, t: f64, y: f64| {
        (y * (t - y), move |seed: f64| (seed * y, seed * (t - 2.0 * y)))
    };
    let (y_adj, h_adj) = heun::gradient(vjp, 0.7, 0.2, 5);
    let f = |v: &[f64]| heun(|t, y| y * (t - y), v[0], v[1], 5);
    assert_gradient("heun", f, &[0.7, 0.2], &[y_adj, h_adj]);
}

/// Data of a rule.
pub struct Plan(f64);

impl Plan {
    fn process(&self, gain: f64, data: &mut [f64]) -> f64 {
        data.iter_mut().for_each(|v| *v *= gain * self.0);
        data.iter().sum()
    }
}

fn filter_rule(
    plan: &Plan,
    gain: f64,
    data: &mut [f64],
) -> (f64, impl FnOnce(&Plan, &mut [f64], &mut [f64], f64) -> f64 + use<>) {
    let before = data.to_vec();
    let value = plan.process(gain, data);
    let pullback = move |plan: &Plan, _: &mut [f64], data_adj: &mut [f64], seed: f64| {
        let mut gain_adj = 0.0;
        for (adj, v) in data_adj.iter_mut().zip(before) {
            *adj += seed;
            gain_adj += *adj * plan.0 * v;
            *adj *= gain * plan.0;
        }
        gain_adj
    };
    (value, pullback)
}

fn norm_rule<T: num_traits::Float>(x: &[T]) -> (T, impl FnOnce(&[T], &mut [T], T) + use<T>) {
    let norm = generic_rule::norm(x);
    let pullback = move |x: &[T], x_adj: &mut [T], seed: T| {
        x_adj.iter_mut().zip(x).for_each(|(adj, v)| *adj = *adj + seed * *v / norm);
    };
    (norm, pullback)
}

impl Spring {
    fn stretch_rule(&mut self, load: f64) -> impl FnOnce(&mut Self, &mut Self) -> f64 + use<> {
        self.stretch(load);
        move |this: &mut Self, adj: &mut Self| {
            adj.stiffness -= adj.rest * load / (this.stiffness * this.stiffness);
            adj.rest / this.stiffness
        }
    }
}

/// Stands for a crate without derivatives.
mod libm {
    pub fn erf(x: f64) -> f64 {
        x.tanh()
    }
}

/// Its rules.
mod my {
    pub use super::rule::filter as process;

    #[ad_runtime::custom_rule(partials(x = 1.0 - value * value))]
    pub fn erf(x: f64) -> f64 {
        super::libm::erf(x)
    }
}

#[test]
fn rules() {
    let (plan, mut data) = (Plan(0.5), [1.0, 2.0]);
    let found = rule::filter::value_and_gradient(&plan, 4.0, &mut data);
    assert_eq!((found, data), ((6.0, (1.5, vec![2.0, 2.0])), [2.0, 4.0]));
    assert_eq!(generic_rule::norm::gradient(&[3.0, 4.0]), [0.6, 0.8]);
    let at = [1.7, 2.3];
    let (x, n) = rule_by_partials::power::gradient(at[0], at[1]);
    assert_gradient("power", |v| rule_by_partials::power(v[0], v[1]), &at, &[x, n]);
    let (mut out, mut out_adj) = (vec![7.0], vec![1.0, 1.0]);
    let found = rule_of_zero::ranks::adjoint(&at, &mut [0.0; 2], 0.5, &mut out, &mut out_adj);
    assert_eq!((found, out, out_adj), ((2, 0.0), vec![2.0, 2.0], vec![0.0]));
}

#[test]
fn rules_of_methods_and_calls() {
    let mut spring = Spring { stiffness: 2.0, rest: 1.0 };
    let mut spring_adj = Spring { stiffness: 0.0, rest: 1.0 };
    assert_eq!(spring.stretch_adjoint(&mut spring_adj, 3.0), 0.5);
    assert_eq!(spring, Spring { stiffness: 2.0, rest: 2.5 });
    assert_eq!(spring_adj, Spring { stiffness: -0.75, rest: 1.0 });
    let (plan, at) = (Plan(0.5), [0.4, -1.1, 0.3]);
    let f = |x: &[f64]| rules_of_calls::smoothed(&plan, x);
    let gradient = rules_of_calls::smoothed::gradient(&plan, &at);
    assert_gradient("smoothed", f, &at, &gradient);
}

#[test]
fn stretched() {
    use data_without_derivative::stretched;
    let bonds = [((0, 1), 0.5), ((1, 0), 2.0), ((1, 2), 3.0)].into();
    let at = [0.3, 1.1, -0.4];
    let gradient = stretched::gradient(&bonds, &at);
    assert_gradient("stretched", |x| stretched(&bonds, x), &at, &gradient);
}

#[test]
fn misfit() {
    use arrays::misfit;
    use ndarray::{Array1, Array2};
    let data = Array2::from_shape_fn((3, 2), |(i, j)| (1.3 * (i + 2 * j) as f64).sin());
    let make = |x: &[f64]| {
        let w = Array2::from_shape_vec((2, 2), x[..4].to_vec()).unwrap();
        (w, Array1::from_vec(x[4..6].to_vec()), x[6])
    };
    let f = |x: &[f64]| {
        let (w, b, step) = make(x);
        misfit(&w, &b, &data, step)
    };
    let at = [0.4, -0.3, 0.8, 0.6, 0.2, -0.7, 0.5];
    let (w, b, step) = make(&at);
    let (w_adj, b_adj, step_adj) = misfit::gradient(&w, &b, &data, step);
    let gradient: Vec<f64> = w_adj.iter().chain(&b_adj).copied().chain([step_adj]).collect();
    assert_gradient("misfit", f, &at, &gradient);
}

#[ad_runtime::differentiate(forward)]
fn relax(f: impl Fn(f64) -> f64, start: f64, n: usize) -> f64 {
    let mut x = start;
    for _ in 0..n {
        x = 0.5 * (x + f(x));
    }
    x
}

fn total_rule(x: &[f64], gain: f64) -> (f64, impl FnOnce(&[f64], &mut [f64], f64) -> f64 + use<>) {
    let pullback = move |x: &[f64], x_adj: &mut [f64], seed: f64| {
        x_adj.iter_mut().for_each(|adj| *adj += seed * gain);
        seed * x.iter().sum::<f64>()
    };
    (rule_of_both_modes::total(x, gain), pullback)
}

fn total_tangent(x: &[f64], x_tan: &[f64], gain: f64, gain_tan: f64) -> (f64, f64) {
    let sum: f64 = x.iter().sum();
    (gain * sum, gain * x_tan.iter().sum::<f64>() + gain_tan * sum)
}

#[test]
fn forward_mode() {
    use forward::decay;
    use forward_calls::cooled;
    for start in [0.4, 1.5] {
        check::tangent(
            ([start, 0.3], 0.7, 0.2),
            |(x, rate, h)| {
                let mut x = *x;
                let value = decay(&mut x, *rate, *h);
                (x, value)
            },
            |(x, rate, h), (x_tan, rate_tan, h_tan)| {
                let (mut x, mut x_tan) = (*x, *x_tan);
                let (value, tangent) =
                    decay::tangent(&mut x, &mut x_tan, *rate, *rate_tan, *h, *h_tan);
                ((x, value), (x_tan, tangent))
            },
        );
    }
    check::tangent(
        (vec![0.4, 1.1, -0.3], 0.7),
        |(x, rate)| cooled(x, *rate, 3),
        |(x, rate), (x_tan, rate_tan)| cooled::tangent(x, x_tan, *rate, *rate_tan, 3),
    );
}

#[test]
fn both_modes() {
    use cross_check::hinge;
    use rule_of_both_modes::total;
    let (value, (x_adj, w_adj)) = hinge::value_and_gradient(&mut vec![3.0, -1.0], [5.0, 2.0], 0);
    assert_eq!((value, x_adj, w_adj), (6.0, vec![2.0, 0.0], [0.0, 3.0]));
    check::test_rule_in_both_modes(
        (vec![1.0, 2.5], 0.5),
        |(x, gain)| total(x, *gain),
        |(x, gain)| total::value_and_gradient(x, *gain),
        |(x, gain), (x_tan, gain_tan)| total::tangent(x, x_tan, *gain, *gain_tan),
    );
}
