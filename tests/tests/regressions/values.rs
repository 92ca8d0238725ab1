//! Values that are needed again after the variable that held them has changed.

use crate::check;
use ad_runtime::differentiate;

/// `scalar! { name, |y| change }`: `let mut y = e(x); change; y`
macro_rules! scalar {
    ($($name:ident: $first:expr, $x:ident => $y:ident, $change:expr;)*) => {$(
        #[differentiate(reverse, forward, cross_check)]
        fn $name($x: f64) -> f64 {
            let mut $y = $first;
            $change;
            $y
        }
    )*
        #[test]
        fn partials_see_the_result_as_it_was() {
            $(
                let (value, x_adj) = $name::value_and_gradient(0.7);
                check(stringify!($name), |v| $name(v[0]), &[0.7], value, &[x_adj]);
            )*
        }
    };
}

scalar! {
    exp: x.exp(), x => y, y -= 0.5;
    quotient: 1.25 / x, x => y, y -= 0.5;
    tanh: x.tanh(), x => y, y *= y;
    root: x.sqrt(), x => y, y = y + x;
    power: x.powf(x), x => y, y += 2.0;
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn branch_in_an_operand(z: f64, mut c: [f64; 3]) -> f64 {
    c[0] = (if c[0] > 0.5 { 0.75_f64 } else { z }).cos();
    c[0] * c[1]
}

#[test]
fn an_overwritten_adjoint_is_taken_on_every_branch() {
    for at in [[0.3, 0.6, 0.3, 0.4], [0.3, 0.2, 0.3, 0.4]] {
        let c = [at[1], at[2], at[3]];
        let (value, (z_adj, c_adj)) = branch_in_an_operand::value_and_gradient(at[0], c);
        let f = |v: &[f64]| branch_in_an_operand(v[0], [v[1], v[2], v[3]]);
        check("branch_in_an_operand", f, &at, value, &[z_adj, c_adj[0], c_adj[1], c_adj[2]]);
    }
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn square(x: f64) -> f64 {
    x * x
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn unused_results(x: f64, n: usize) -> f64 {
    let mut s = x;
    for k in 0..n {
        let unused = square(x + k as f64);
        if x < 0.3 {
            let other = square(s);
        }
        let _ = square(s);
        s *= x;
    }
    s
}

#[test]
fn results_of_calls_may_go_unused() {
    let (value, x_adj) = unused_results::value_and_gradient(0.2, 3);
    check("unused_results", |v| unused_results(v[0], 3), &[0.2], value, &[x_adj]);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn triple(x: f64, k: [f64; 3]) -> [f64; 3] {
    [x * k[0], k[1].sin(), x * x * k[2]]
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn loop_over_a_result(x: f64) -> f64 {
    let a: [f64; 3] = triple(x, [1.0, 2.0, 0.5]);
    let mut s = 0.0;
    for &e in a.iter().rev() {
        s += e * e;
    }
    s
}

#[test]
fn a_written_type_tells_what_a_call_returns() {
    let (value, x_adj) = loop_over_a_result::value_and_gradient(0.6);
    check("loop_over_a_result", |v| loop_over_a_result(v[0]), &[0.6], value, &[x_adj]);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn guard_with_a_choice(x: f64, y: f64, n: u32) -> f64 {
    match n {
        _ if y < if n == 1 { x } else { y } => x * y,
        2 => x.sin(),
        _ => y * y,
    }
}

#[test]
fn guards_may_choose() {
    for (n, x) in [(1, 0.9), (1, 0.1), (2, 0.9), (3, 0.9)] {
        let (value, (x_adj, y_adj)) = guard_with_a_choice::value_and_gradient(x, 0.4, n);
        let f = |v: &[f64]| guard_with_a_choice(v[0], v[1], n);
        check("guard_with_a_choice", f, &[x, 0.4], value, &[x_adj, y_adj]);
    }
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn clamped_neighbours(u: &[f64], c: f64) -> f64 {
    let n = u.len();
    let mut s = 0.0;
    for i in 0..n {
        let left = if i == 0 { 0 } else { i - 1 };
        let right = if i + 1 == n { i } else { i + 1 };
        s += c * (u[left] - 2.0 * u[i] + u[right]) * u[i];
    }
    s
}

#[test]
fn indices_are_chosen_again() {
    let at = [0.3, -0.4, 0.8, 0.5, 1.3];
    let (value, (u_adj, c_adj)) = clamped_neighbours::value_and_gradient(&at[..4], at[4]);
    let gradient = [&u_adj[..], &[c_adj]].concat();
    check("clamped_neighbours", |v| clamped_neighbours(&v[..4], v[4]), &at, value, &gradient);
}

fn table(k: usize, row: &[f64]) -> f64 {
    row[k % row.len()] + k as f64
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn constants_from_calls(x: f64, n: usize) -> f64 {
    let mut rows = vec![[x, 1.0]; n];
    let mut s = 0.0;
    for k in 0..n {
        if k > 0 {
            let weight = table(k, &[0.5, -0.3]);
            s += weight * x * rows[k][0];
        }
        rows[0].fill(square(x + s));
        s = (s + table(k, &[0.1])) * rows[0][1];
    }
    s
}

#[test]
fn results_of_calls_without_derivative_are_factors() {
    let (value, x_adj) = constants_from_calls::value_and_gradient(0.2, 3);
    check("constants_from_calls", |v| constants_from_calls(v[0], 3), &[0.2], value, &[x_adj]);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn halves(x: f64, y: f64) -> [f64; 2] {
    [x * y, x - y]
}

/// What the calls return is read only for what is thrown away.
#[differentiate(reverse, forward, second_order, cross_check)]
fn throws_results_away(mut x: f64, mut y: f64) -> f64 {
    if x < 2.0 {
        (x, y) = (y, x);
        let mut parts: [f64; 2] = halves(x, y);
        parts[0] *= y;
        y += parts[0];
    }
    x * x
}

#[test]
fn results_of_calls_may_be_thrown_away_later() {
    for x in [0.7, 2.5] {
        let (value, (x_adj, y_adj)) = throws_results_away::value_and_gradient(x, 0.4);
        let f = |v: &[f64]| throws_results_away(v[0], v[1]);
        check("thrown away", f, &[x, 0.4], value, &[x_adj, y_adj]);
    }
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn scale_first(a: &mut [f64], x: f64) -> [f64; 2] {
    a[0] *= x;
    a[1] += x * x;
    [a[0] * x, x]
}

/// Nobody reads what the calls return, but they write their buffers.
#[differentiate(reverse, forward, second_order, cross_check)]
fn keeps_the_writes(w: &mut [f64], x: f64, n: usize) -> f64 {
    for _ in 0..n {
        let part = &mut w[..];
        let _unread = scale_first(part, x);
    }
    let returned = scale_first(w, x);
    if returned[0] > 100.0 {
        return x;
    }
    w[0] * w[1]
}

#[test]
fn calls_of_unread_results_still_write() {
    let at = [0.6, -0.4, 1.2];
    for n in 0..3 {
        let (value, (w_adj, x_adj)) =
            keeps_the_writes::value_and_gradient(&mut at[..2].to_vec(), at[2], n);
        let f = |v: &[f64]| keeps_the_writes(&mut v[..2].to_vec(), v[2], n);
        check("writes", f, &at, value, &[w_adj, vec![x_adj]].concat());
    }
}
