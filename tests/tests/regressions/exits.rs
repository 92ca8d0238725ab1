//! What an exit was decided by must be known before anything behind it is reversed.

use crate::check;
use ad_runtime::{Restored, differentiate};

#[differentiate(reverse, forward, second_order, cross_check)]
fn returns_by_an_element(x: f64, mut c: [f64; 3]) -> f64 {
    if x < c[2] {
        return c[1] * x;
    }
    c[2] = 0.5;
    c[0] * c[2] * x
}

#[test]
fn the_element_that_decided_is_overwritten_behind_the_return() {
    for at in [[1.0, 1.0, 2.0, 3.0], [1.0, 1.0, 2.0, 0.7], [0.4, 1.0, 2.0, 0.3]] {
        let c = [at[1], at[2], at[3]];
        let (value, (x_adj, c_adj)) = returns_by_an_element::value_and_gradient(at[0], c);
        let f = |v: &[f64]| returns_by_an_element(v[0], [v[1], v[2], v[3]]);
        check("returns_by_an_element", f, &at, value, &[x_adj, c_adj[0], c_adj[1], c_adj[2]]);
    }
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn restores(b: &mut [f64], z: f64) -> f64 {
    if z > 0.75 + b[1] {
        return z;
    }
    b[1] -= b[0].atan();
    b[0] * b[0] * b[1]
}

#[test]
fn buffers_are_restored_whichever_branch_ran() {
    for z in [0.1, 2.0] {
        let before = [0.8, 0.3];
        let mut b = before;
        let (_, pullback) = restores::vjp(Restored, &mut b, z);
        pullback(&mut b, &mut [0.0; 2], 1.0);
        assert_eq!(b, before);
    }
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn continues_by_an_element(x: &[f64], o: &mut [f64; 2]) -> f64 {
    let mut s = 0.0;
    for &v in x {
        if v > s + o[1] {
            o[0] += v;
            continue;
        }
        o[1] = v * o[0];
        s += o[1] * v;
    }
    s + o[0]
}

#[test]
fn elements_that_decide_trips_are_overwritten_in_later_trips() {
    let at = [0.9, 0.2, 0.7, 0.4, 1.5, 0.3, 0.5, 0.4];
    let mut o = [at[6], at[7]];
    let (value, (x_adj, o_adj)) = continues_by_an_element::value_and_gradient(&at[..6], &mut o);
    let f = |v: &[f64]| continues_by_an_element(&v[..6], &mut [v[6], v[7]]);
    check("continues_by_an_element", f, &at, value, &[&x_adj[..], &o_adj].concat());
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn breaks_a_reversed_loop(x: &[f64], limit: f64) -> f64 {
    let mut s = 1.0;
    for i in (0..x.len()).rev() {
        if x[i] > limit {
            break;
        }
        s *= x[i] + i as f64;
    }
    s
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn breaks_a_stepped_loop(x: &[f64], limit: f64) -> f64 {
    let mut s: f64 = 1.0;
    for i in (1..=x.len() - 1).step_by(2) {
        if x[i] > limit {
            break;
        }
        for j in (0..=i as u64).rev().step_by(3) {
            if x[j as usize] > limit {
                break;
            }
            s += x[j as usize] * s.sin();
        }
        s *= x[i] + i as f64;
    }
    s
}

#[test]
fn loops_of_every_direction_break() {
    let at = [0.5, 0.8, 0.3, 0.9, 0.2, 0.6, 0.7];
    for limit in [0.1, 0.65, 0.85, 2.0] {
        let (value, (x_adj, _)) = breaks_a_reversed_loop::value_and_gradient(&at, limit);
        if limit > 0.7 {
            check("reversed", |v| breaks_a_reversed_loop(v, limit), &at, value, &x_adj);
        }
        let (value, (x_adj, _)) = breaks_a_stepped_loop::value_and_gradient(&at, limit);
        if limit > 0.8 {
            check("stepped", |v| breaks_a_stepped_loop(v, limit), &at, value, &x_adj);
        }
    }
    assert_eq!(breaks_a_reversed_loop::gradient(&at, 0.1).0, [0.0; 7]);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn leaves_a_loop_without_derivatives(mut x: f64) -> f64 {
    'rows: for _ in 0..3 {
        x = x * 0.5;
        let mut k = 0;
        while k < 4 {
            k += 1;
            if x < 1.25 {
                continue 'rows;
            }
        }
        for j in 0..k {
            if x + f64::from(j) > 3.0 {
                break 'rows;
            }
        }
    }
    x * x
}

#[test]
fn loops_that_only_decide_leave_outer_ones() {
    for x in [-0.9, 2.3, 9.0, 40.0] {
        let (value, x_adj) = leaves_a_loop_without_derivatives::value_and_gradient(x);
        let f = |v: &[f64]| leaves_a_loop_without_derivatives(v[0]);
        check("leaves_a_loop_without_derivatives", f, &[x], value, &[x_adj]);
    }
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn loop_value_or_return(x: f64, y: f64, n: u32) -> f64 {
    let mut k = 0;
    let q = loop {
        if k >= 2 {
            break square(x) * y;
        }
        if k == n {
            return y * y;
        }
        k += 1;
    };
    q * y
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn square(x: f64) -> f64 {
    x * x
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn array_behind_a_return(x: f64) -> f64 {
    if x < 0.3 {
        let mut q = square(x);
        return q;
    }
    let mut a = [x, 0.75];
    let mut s = a.iter().sum::<f64>();
    for i in 0..a.len() {
        s += a[i];
    }
    s
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn scaled(u: &mut [f64], x: f64, c: [f64; 3]) -> [f64; 3] {
    u[0] *= x;
    [u[0], x, c[0]]
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn unused_aggregate(x: f64, b: &mut [f64]) {
    for _ in 0..2 {
        if x < 0.3 {
            let mut unused = scaled(b, x, [x; 3]);
        }
    }
}

#[test]
fn what_stands_behind_or_in_an_early_return() {
    for n in [0, 5] {
        let (value, (x_adj, y_adj)) = loop_value_or_return::value_and_gradient(0.7, 1.2, n);
        let f = |v: &[f64]| loop_value_or_return(v[0], v[1], n);
        check("loop_value_or_return", f, &[0.7, 1.2], value, &[x_adj, y_adj]);
    }
    for x in [0.1, 0.9] {
        let (value, x_adj) = array_behind_a_return::value_and_gradient(x);
        check("array_behind_a_return", |v| array_behind_a_return(v[0]), &[x], value, &[x_adj]);
    }
    let (mut b, mut b_adj) = ([2.0], [1.0]);
    let x_adj = unused_aggregate::adjoint(0.2, &mut b, &mut b_adj);
    assert!((b[0] - 0.08).abs() < 1e-15 && (x_adj - 0.8).abs() < 1e-15, "b x², by hand");
    assert!((b_adj[0] - 0.04).abs() < 1e-15);
}

/// The value of a branch whose other branch leaves, used behind it.
#[differentiate(reverse, forward, second_order, cross_check)]
fn powers_until(x: &[f64]) -> f64 {
    let mut t = 0.0;
    for v in x {
        let y = if *v < 0.0 { break } else { v * v };
        t += y * y;
    }
    t
}

#[test]
fn the_adjoint_of_a_branch_lives_for_one_trip() {
    let (value, x) = powers_until::value_and_gradient(&[1.0, 2.0, 3.0, -1.0, 2.0]);
    // The sum of fourth powers up to the first negative number.
    assert_eq!((value, x), (98.0, vec![4.0, 32.0, 108.0, 0.0, 0.0]));
}

/// Branches that leave for several places, or give a value that is recorded.
#[differentiate(reverse, forward, second_order, cross_check)]
fn sifted(x: &[f64], c: f64) -> f64 {
    let mut t = 0.0;
    for v in x {
        let y = if *v < 0.0 {
            return t;
        } else if *v > 2.0 {
            continue;
        } else {
            v * c.sin()
        };
        let z = if *v > 1.5 { y.sin() } else { continue };
        t += z * y;
    }
    t
}

#[test]
fn values_behind_branches_that_leave_for_several_places() {
    let at = [1.0, 1.95, 1.7, 3.0, 1.9, -1.0, 1.6, 0.3];
    let (value, (x, c)) = sifted::value_and_gradient(&at[..7], at[7]);
    let gradient = [x, vec![c]].concat();
    ad_tests::check::check("sifted", |v| sifted(&v[..7], v[7]), &at, value, &gradient);
}
