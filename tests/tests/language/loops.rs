//! Ranges in all directions, nested and conditional loops, loops over elements.

use ad_runtime::differentiate;
use ad_tests::check::check_both;

use num_dual::DualNum;

#[differentiate(reverse, forward, second_order, cross_check)]
fn horner(c: &[f64], x: f64) -> f64 {
    let mut y = 0.0;
    for k in (0..c.len()).rev() {
        y = y * x + c[k];
    }
    y
}

#[test]
fn a_reversed_loop() {
    fn twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
        let (x, c) = v.split_last().expect("a point");
        c.iter().rev().fold(D::from(0.0), |y, c| y * *x + *c)
    }
    let at = [1.0, -0.5, 0.25, 2.0, 0.7];
    let (value, (c_adj, x_adj)) = horner::value_and_gradient(&at[..4], at[4]);
    let gradient = [c_adj, vec![x_adj]].concat();
    check_both("horner", |v| horner(&v[..4], v[4]), twin, &at, value, &gradient);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn derivative_and_value(c: &[f64], x: f64) -> f64 {
    let (mut y, mut dy) = (0.0, 0.0);
    for &k in c.iter() {
        dy = dy * x + y;
        y = y * x + k;
    }
    y + dy * dy
}

/// By powers.
fn derivative_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let (c, x) = (&v[..4], v[4]);
    let value = c[0] * x * x * x + c[1] * x * x + c[2] * x + c[3];
    let slope = c[0] * x * x * 3.0 + c[1] * x * 2.0 + c[2];
    value + slope * slope
}

#[test]
fn two_carried_values() {
    let at = [1.0, -0.5, 0.25, 2.0, 0.7];
    let (value, (c_adj, x_adj)) = derivative_and_value::value_and_gradient(&at[..4], at[4]);
    let f = |v: &[f64]| derivative_and_value(&v[..4], v[4]);
    let gradient = [c_adj, vec![x_adj]].concat();
    check_both("derivative", f, derivative_twin, &at, value, &gradient);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn newton_root(a: f64, n: f64) -> f64 {
    let mut x = 1.0 + a / n;
    let mut trips = 0;
    while (x.powf(n) - a).abs() > 1e-12 && trips < 50 {
        x -= (x.powf(n) - a) / (n * x.powf(n - 1.0));
        trips += 1;
    }
    x
}

/// What the iteration converges to.
fn root_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    (v[0].ln() / v[1]).exp()
}

#[test]
fn a_newton_iteration() {
    let at = [3.0, 2.5];
    let (value, a_adj, n_adj) = newton_root::adjoint(at[0], at[1], 1.0);
    // The limit a^(1/n) has a derivative in closed form; convergence is quadratic.
    assert!((value - 3.0_f64.powf(0.4)).abs() < 1e-12);
    let f = |v: &[f64]| newton_root(v[0], v[1]);
    check_both("newton", f, root_twin, &at, value, &[a_adj, n_adj]);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn logistic_map(x0: f64, r: f64, steps: usize) -> f64 {
    let mut x = x0;
    for _ in 0..steps {
        x = r * x * (1.0 - x);
    }
    x
}

#[test]
fn a_recurrence() {
    fn twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
        (0..5).fold(v[0], |x, _| v[1] * x * (-x + 1.0))
    }
    let at = [0.31, 3.2];
    let (value, x_adj, r_adj) = logistic_map::adjoint(at[0], at[1], 5, 1.0);
    let f = |v: &[f64]| logistic_map(v[0], v[1], 5);
    check_both("logistic", f, twin, &at, value, &[x_adj, r_adj]);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn signed_offsets(u: &[f64], reach: isize) -> f64 {
    let n = u.len() as isize;
    let mut s = 0.0;
    for i in 0..n {
        for d in -reach..=reach {
            let j = (i + d).rem_euclid(n);
            if d != 0 {
                s += u[i as usize] * u[j as usize] * u[j as usize] / d as f64;
            }
        }
    }
    s
}

fn offsets_twin<D: DualNum<Primitive = f64> + Copy>(u: &[D]) -> D {
    let mut s = D::from(0.0);
    for i in 0..5 {
        let (one, two) = (u[(i + 1) % 5], u[(i + 2) % 5]);
        let (minus_one, minus_two) = (u[(i + 4) % 5], u[(i + 3) % 5]);
        s += u[i] * (one * one - minus_one * minus_one);
        s += u[i] * (two * two - minus_two * minus_two) / 2.0;
    }
    s
}

#[test]
fn signed_and_inclusive_ranges() {
    let u = [0.4, -0.7, 1.2, 0.9, 0.1];
    let (value, gradient) = signed_offsets::value_and_gradient(&u, 2);
    check_both("offsets", |v| signed_offsets(v, 2), offsets_twin, &u, value, &gradient);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn every_other(x: &[f64]) -> f64 {
    let n = x.len();
    let mut s = 1.0;
    for i in (1..n).step_by(2) {
        s *= x[i];
    }
    for i in (0..n).rev().step_by(3) {
        s += x[i] * s;
    }
    for i in (0..n).step_by(2).rev() {
        s -= x[i] * x[i];
    }
    s
}

fn every_other_twin<D: DualNum<Primitive = f64> + Copy>(x: &[D]) -> D {
    let n = x.len();
    let (mut product, mut squares) = (D::from(1.0), D::from(0.0));
    for i in 0..n {
        if i % 2 == 1 {
            product *= x[i];
        } else {
            squares += x[i] * x[i];
        }
    }
    for i in 0..n {
        if (n - 1 - i).is_multiple_of(3) {
            product *= x[i] + 1.0;
        }
    }
    product - squares
}

#[test]
fn stepped_and_reversed_ranges() {
    for n in [1, 2, 5, 8] {
        let x = crate::sample(n, 0.4);
        let (value, gradient) = every_other::value_and_gradient(&x);
        check_both("every other", every_other, every_other_twin, &x, value, &gradient);
    }
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn pairwise_energy(q: &[[f64; 3]], charge: &[f64]) -> f64 {
    let mut e = 0.0;
    for i in 0..q.len() {
        for j in 0..i {
            let mut d2 = 0.0;
            for k in 0..3 {
                let d = q[i][k] - q[j][k];
                d2 += d * d;
            }
            if d2 > 9.0 {
                continue;
            }
            e += charge[i] * charge[j] / d2.sqrt();
        }
    }
    e
}

fn pairs_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let mut e = D::from(0.0);
    // The last is far from all others.
    for (i, j) in [(0, 1), (0, 2), (1, 2)] {
        let d = [0, 1, 2].map(|k| v[3 * i + k] - v[3 * j + k]);
        e += v[12 + i] * v[12 + j] * (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).powf(-0.5);
    }
    e
}

#[test]
fn triangular_loops_with_a_cutoff() {
    let at = [0.0, 0.1, 0.2, 1.0, 0.3, -0.4, 0.5, 1.2, 0.7, 5.0, 5.0, 5.0, 1.0, -0.5, 0.8, 2.0];
    let split = |v: &[f64]| -> Vec<[f64; 3]> { v[..12].as_chunks().0.to_vec() };
    let (value, (q, charge)) = pairwise_energy::value_and_gradient(&split(&at), &at[12..]);
    let f = |v: &[f64]| pairwise_energy(&split(v), &v[12..]);
    check_both("pairs", f, pairs_twin, &at, value, &[q.concat(), charge].concat());
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn normalise(x: &mut [f64], floor: f64) -> f64 {
    let mut total = 0.0;
    for v in x.iter() {
        total += v * v;
    }
    let norm = total.sqrt().max(floor);
    for v in x.iter_mut() {
        *v /= norm;
    }
    for (i, v) in x.iter_mut().enumerate() {
        *v += 0.1 * i as f64 * norm;
    }
    for (i, v) in x.iter().enumerate() {
        total += v * i as f64;
    }
    total
}

fn normalise_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let total = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    let norm = total.sqrt();
    let x = [v[0] / norm, v[1] / norm + norm * 0.1, v[2] / norm + norm * 0.2];
    total + x[1] + x[2] * 2.0 + x[0] - x[1] * 2.0 + x[2] * 3.0
}

#[test]
fn loops_over_elements() {
    let at = [0.7, -0.2, 0.5];
    let (mut x, mut x_adj) = (at, [1.0, -2.0, 3.0]);
    let (value, floor_adj) = normalise::adjoint(&mut x, &mut x_adj, 0.1, 1.0);
    let f = |v: &[f64]| {
        let mut x = v.to_vec();
        let value = normalise(&mut x, 0.1);
        value + crate::combine(&x)
    };
    check_both("normalise", f, normalise_twin, &at, value + crate::combine(&x), &x_adj);
    assert_eq!(floor_adj, 0.0);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn rows_of_mutable(m: &mut [[f64; 2]], s: f64) -> f64 {
    let mut trace = 0.0;
    for (i, row) in m.iter_mut().enumerate() {
        row[0] *= s + i as f64;
        for v in row.iter_mut() {
            *v += s * s;
        }
        trace += row[0] * row[1];
    }
    trace
}

fn rows_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let s = v[4];
    let square = s * s;
    (v[0] * s + square) * (v[1] + square) + (v[2] * (s + 1.0) + square) * (v[3] + square)
}

#[test]
fn loops_over_rows() {
    let at = [0.3, 0.9, -0.4, 1.1, 0.6];
    let split = |v: &[f64]| [[v[0], v[1]], [v[2], v[3]]];
    let (mut m, mut m_adj) = (split(&at), [[0.0; 2]; 2]);
    let (value, s_adj) = rows_of_mutable::adjoint(&mut m, &mut m_adj, at[4], 1.0);
    let f = |v: &[f64]| rows_of_mutable(&mut split(v), v[4]);
    check_both("rows", f, rows_twin, &at, value, &[m_adj.concat(), vec![s_adj]].concat());
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn first_crossing(u: &[f64], level: f64) -> f64 {
    let mut k = 0;
    loop {
        if k + 1 >= u.len() {
            return 0.0;
        }
        if u[k] <= level && u[k + 1] > level {
            break;
        }
        k += 1;
    }
    k as f64 + (level - u[k]) / (u[k + 1] - u[k])
}

/// Between the entries 2 and 3.
fn crossing_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    (v[5] - v[2]) / (v[3] - v[2]) + 2.0
}

#[test]
fn a_search_with_interpolation() {
    let at = [0.1, 0.4, 0.3, 0.9, 1.4, 0.7];
    let (value, (u, level)) = first_crossing::value_and_gradient(&at[..5], at[5]);
    let f = |v: &[f64]| first_crossing(&v[..5], v[5]);
    check_both("crossing", f, crossing_twin, &at, value, &[u, vec![level]].concat());
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn continued_fraction(x: f64, tolerance: f64) -> f64 {
    let (mut a, mut b) = (1.0, x);
    let mut n = 1.0;
    'refine: loop {
        let mut inner = 0;
        while inner < 3 {
            let next = b * x + n * a;
            a = b / next;
            b = 1.0;
            n += 1.0;
            if (a - b).abs() < tolerance || n > 20.0 {
                break 'refine;
            }
            inner += 1;
        }
        b += 0.5 * a;
    }
    a * b + x
}

fn fraction_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let x = v[0];
    let (mut a, mut b) = (D::from(1.0), x);
    for n in 1..=20 {
        a = b / (b * x + a * f64::from(n));
        b = D::from(1.0);
        if n == 20 || (a - b).re().abs() < 1e-9 {
            break;
        }
        if n % 3 == 0 {
            b += a / 2.0;
        }
    }
    a * b + x
}

#[test]
fn labelled_loops_over_carried_values() {
    let (value, x_adj, _) = continued_fraction::adjoint(0.8, 1e-9, 1.0);
    let f = |v: &[f64]| continued_fraction(v[0], 1e-9);
    check_both("fraction", f, fraction_twin, &[0.8], value, &[x_adj]);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn checked_mean(x: &[f64], scale: f64) -> f64 {
    assert!(!x.is_empty(), "nothing to average");
    debug_assert!(scale > 0.0);
    let mut s = 0.0;
    for v in x {
        assert_ne!(*v, 100.0, "value {v} is reserved");
        s += scale * v * v;
    }
    s / x.len() as f64
}

fn mean_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    (v[0] * v[0] + v[1] * v[1]) * v[2] / 2.0
}

#[test]
fn assertions_are_kept() {
    let at = [0.3, 0.9, 1.7];
    let (value, (x, scale)) = checked_mean::value_and_gradient(&at[..2], at[2]);
    let f = |v: &[f64]| checked_mean(&v[..2], v[2]);
    check_both("mean", f, mean_twin, &at, value, &[x, vec![scale]].concat());
    let empty = std::panic::catch_unwind(|| checked_mean::adjoint(&[], &mut [], 1.0, 1.0));
    assert!(empty.is_err());
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn sums_of_slices(x: &[f64], k: usize) -> f64 {
    let head = &x[..k];
    let tail = &x[k..];
    let total = head.iter().sum::<f64>();
    total * x.iter().sum::<f64>() + tail.iter().sum::<f64>()
}

fn sums_twin<D: DualNum<Primitive = f64> + Copy>(x: &[D], k: usize) -> D {
    let (mut head, mut tail) = (D::from(0.0), D::from(0.0));
    for i in 0..4 {
        *(if i < k { &mut head } else { &mut tail }) += x[i];
    }
    head * (head + tail) + tail
}

#[test]
fn sums() {
    let at = [0.3, 0.9, -1.7, 0.4];
    for k in 0..=4 {
        let (value, gradient) = sums_of_slices::value_and_gradient(&at, k);
        let twin = |v: &[_]| sums_twin(v, k);
        check_both("sums", |v| sums_of_slices(v, k), twin, &at, value, &gradient);
    }
}
