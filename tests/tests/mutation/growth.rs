//! Vectors that are built by `push` and `extend`.

use ad_runtime::differentiate;
use ad_tests::check::{check_both, sample};
use num_dual::DualNum;

#[differentiate(reverse, forward, second_order, cross_check)]
fn prefix_sums(x: &[f64]) -> Vec<f64> {
    let mut sums = Vec::with_capacity(x.len());
    let mut sum = 0.0;
    for v in x {
        sum += v * v;
        sums.push(sum);
    }
    sums
}

/// A square counts in its own sum and in all behind it.
fn prefix_sums_twin<D: DualNum<Primitive = f64> + Copy>(x: &[D]) -> D {
    let seed = sample(6, 0.9);
    let mut sum = D::from(0.0);
    for k in 0..6 {
        let weight: f64 = seed[k..].iter().sum();
        sum += x[k] * x[k] * weight;
    }
    sum
}

#[test]
fn prefix_sums_by_push() {
    let (x, seed) = (sample(6, 0.3), sample(6, 0.9));
    let mut x_adj = vec![0.0; 6];
    let sums = prefix_sums::adjoint(&x, &mut x_adj, seed.clone());
    assert_eq!(sums, prefix_sums(&x));
    let weighted = |x: &[f64]| prefix_sums(x).iter().zip(&seed).map(|(a, b)| a * b).sum::<f64>();
    check_both("prefix sums", weighted, prefix_sums_twin, &x, weighted(&x), &x_adj);
}

/// The vector is read while it grows, by an index that is not the last.
#[differentiate(reverse, forward, second_order, cross_check)]
fn recurrence(x: f64, y: f64, n: usize) -> f64 {
    let mut terms = Vec::new();
    terms.push(x);
    terms.push(y);
    for k in 2..n {
        terms.push(terms[k - 1] * terms[k - 2] + x.sin() * terms[k / 2]);
    }
    terms[n - 1] + terms[n / 2] * terms[0]
}

fn recurrence_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let mut terms = vec![v[0], v[1]];
    for k in 2..9 {
        terms.push(terms[k - 1] * terms[k - 2] + v[0].sin() * terms[k / 2]);
    }
    terms[8] + terms[4] * terms[0]
}

#[test]
fn a_vector_is_read_while_it_grows() {
    let at = [0.8, 0.6];
    let (value, (x_adj, y_adj)) = recurrence::value_and_gradient(at[0], at[1], 9);
    let f = |v: &[f64]| recurrence(v[0], v[1], 9);
    check_both("recurrence", f, recurrence_twin, &at, value, &[x_adj, y_adj]);
}

/// What is pushed in one loop is overwritten in the next, and read in a third.
#[differentiate(reverse, forward, second_order, cross_check)]
fn staged(x: &[f64]) -> f64 {
    let mut stage: Vec<f64> = vec![];
    for &v in x {
        stage.push(v.exp());
    }
    for k in 1..stage.len() {
        stage[k] *= stage[k - 1];
    }
    stage.push(stage[0] + stage[1]);
    let mut sum = 0.0;
    for (k, v) in stage.iter().enumerate() {
        sum += v * v * (k as f64 + 1.0);
    }
    sum
}

fn staged_twin<D: DualNum<Primitive = f64> + Copy>(x: &[D]) -> D {
    let (mut exponent, mut sum) = (D::from(0.0), D::from(0.0));
    for k in 0..x.len() {
        exponent += x[k];
        sum += (exponent * 2.0).exp() * (k + 1) as f64;
    }
    let last = x[0].exp() + (x[0] + x[1]).exp();
    sum + last * last * (x.len() + 1) as f64
}

#[test]
fn stages_of_one_vector() {
    let x = sample(5, 0.1);
    let (value, x_adj) = staged::value_and_gradient(&x);
    check_both("staged", staged, staged_twin, &x, value, &x_adj);
}

/// Which elements there are depends on the data.
#[differentiate(reverse, forward, second_order, cross_check)]
fn filtered(x: &[f64], limit: f64) -> f64 {
    let mut kept = Vec::new();
    for &v in x {
        if v < limit {
            continue;
        }
        kept.push(v * v);
        if kept.len() == 3 {
            break;
        }
    }
    if kept.is_empty() {
        return x[0] * limit;
    }
    let mut product = 1.0;
    for v in &kept {
        product *= v;
    }
    product + kept[kept.len() - 1]
}

fn filtered_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let limit = v[6];
    let (mut product, mut last, mut count) = (D::from(1.0), limit, 0);
    for k in 0..6 {
        if v[k].re() >= limit.re() && count < 3 {
            last = v[k] * v[k];
            product *= last;
            count += 1;
        }
    }
    if count == 0 { v[0] * limit } else { product + last }
}

#[test]
fn pushes_under_conditions_and_exits() {
    for x in [[0.1, 0.9, 0.7, -0.3, 0.8, 0.6], [-0.5, 0.9, -0.1, -0.3, -0.2, 0.1], [-0.2; 6]] {
        let (value, (x_adj, limit_adj)) = filtered::value_and_gradient(&x, 0.4);
        let mut at = x.to_vec();
        at.push(0.4);
        let mut all = x_adj.clone();
        all.push(limit_adj);
        let f = |v: &[f64]| filtered(&v[..6], v[6]);
        check_both("filtered", f, filtered_twin, &at, value, &all);
    }
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn polyline(turns: &[f64], step: f64) -> f64 {
    let mut points: Vec<[f64; 2]> = Vec::new();
    points.push([0.0, 0.0]);
    let mut heading = 0.0;
    for turn in turns {
        heading += turn;
        let [px, py] = points[points.len() - 1];
        points.push([px + step * heading.cos(), py + step * heading.sin()]);
    }
    let mut area = 0.0;
    for pair in points.windows(2) {
        area += pair[0][0] * pair[1][1] - pair[0][1] * pair[1][0];
    }
    0.5 * area
}

/// The sum of the triangles at the origin.
fn polyline_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let step = v[5];
    let (mut x, mut y, mut heading) = (D::from(0.0), D::from(0.0), D::from(0.0));
    let mut area = D::from(0.0);
    for turn in &v[..5] {
        heading += *turn;
        let (dx, dy) = (step * heading.cos(), step * heading.sin());
        area += (x * dy - y * dx) / 2.0;
        x += dx;
        y += dy;
    }
    area
}

#[test]
fn vectors_of_points() {
    let mut at = sample(5, 0.4);
    at.push(0.7);
    let (value, (mut all, step_adj)) = polyline::value_and_gradient(&at[..5], at[5]);
    all.push(step_adj);
    let f = |v: &[f64]| polyline(&v[..5], v[5]);
    check_both("polyline", f, polyline_twin, &at, value, &all);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn merged(a: &[f64], b: &[f64]) -> f64 {
    let mut all = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        if a[i] <= b[j] {
            all.push(a[i]);
            i += 1;
        } else {
            all.push(b[j]);
            j += 1;
        }
    }
    all.extend_from_slice(&a[i..]);
    all.extend_from_slice(&b[j..]);
    let mut sum = 0.0;
    for k in 0..all.len() {
        sum += all[k].powi(2) * (k as f64).cos();
    }
    sum
}

/// Sorted by insertion, unless there is one list only.
fn merged_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D], cut: usize) -> D {
    let mut all: Vec<D> = v.to_vec();
    if cut > 0 && cut < v.len() {
        for end in 1..all.len() {
            let mut k = end;
            while k > 0 && all[k].re() < all[k - 1].re() {
                all.swap(k, k - 1);
                k -= 1;
            }
        }
    }
    let mut sum = D::from(0.0);
    for k in 0..all.len() {
        sum += all[k] * all[k] * (k as f64).cos();
    }
    sum
}

#[test]
fn two_sorted_lists_are_merged() {
    let at = [0.1, 0.4, 0.7, 0.2, 0.3, 0.8, 0.9];
    for cut in [0, 3, 7] {
        let (value, (mut a_adj, b_adj)) = merged::value_and_gradient(&at[..cut], &at[cut..]);
        a_adj.extend(b_adj);
        let f = |v: &[f64]| merged(&v[..cut], &v[cut..]);
        check_both("merged", f, |v| merged_twin(v, cut), &at, value, &a_adj);
    }
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn extended(x: &[f64], y: &[f64]) -> f64 {
    let mut all = x.to_vec();
    all.extend(y.iter().map(|v| v * v));
    all.extend(x);
    all.extend_from_slice(y);
    all[0] *= all[x.len()];
    all.iter().enumerate().map(|(k, v)| v * v * k as f64).sum::<f64>() + all[0]
}

fn extended_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D], cut: usize) -> D {
    let mut all = Vec::new();
    for k in 0..cut {
        all.push(v[k]);
    }
    for k in cut..v.len() {
        all.push(v[k] * v[k]);
    }
    for k in 0..v.len() {
        all.push(v[k]);
    }
    let first = all[0] * all[cut];
    let mut sum = first;
    for k in 1..all.len() {
        sum += all[k] * all[k] * k as f64;
    }
    sum
}

#[test]
fn extended_by_slices_and_chains() {
    let at = sample(5, 0.2);
    for cut in [1, 2, 5] {
        let (x, y) = at.split_at(cut);
        if y.is_empty() {
            continue;
        }
        let (value, (mut x_adj, y_adj)) = extended::value_and_gradient(x, y);
        x_adj.extend(y_adj);
        let f = |v: &[f64]| extended(&v[..cut], &v[cut..]);
        check_both("extended", f, |v| extended_twin(v, cut), &at, value, &x_adj);
    }
}

/// A vector that is handed in grows, and is handed back.
#[differentiate(reverse, forward, second_order, cross_check)]
fn grown(path: &mut Vec<f64>, slope: f64, n: usize) {
    for _ in 0..n {
        let last = path[path.len() - 1];
        path.push(last + slope * last * last);
    }
}

fn path_twin<D: DualNum<Primitive = f64> + Copy>(path: &mut Vec<D>, slope: D, n: usize) {
    for _ in 0..n {
        let last = *path.last().unwrap();
        path.push(last * (slope * last + 1.0));
    }
}

fn grown_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let mut path = v[..2].to_vec();
    path_twin(&mut path, v[2], 3);
    path[0] * 0.2 - path[1] * 0.7 + path[2] * 0.4 + path[3] * 1.1 + path[4] * 0.3
}

#[test]
fn a_parameter_grows() {
    let (mut path, seed) = (vec![0.5, 0.3], [0.2, -0.7, 0.4, 1.1, 0.3]);
    let mut path_adj = seed.to_vec();
    let slope_adj = grown::adjoint(&mut path, &mut path_adj, 0.6, 3);
    let run = |v: &[f64]| {
        let mut path = v[..2].to_vec();
        grown(&mut path, v[2], 3);
        path.iter().zip(&seed).map(|(a, b)| a * b).sum::<f64>()
    };
    let at = [0.5, 0.3, 0.6];
    assert_eq!(path.len(), 5);
    assert_eq!(path_adj.len(), 2);
    path_adj.push(slope_adj);
    let value = path.iter().zip(&seed).map(|(a, b)| a * b).sum();
    check_both("grown", run, grown_twin, &at, value, &path_adj);
}

/// The caller goes on with what the callee has made longer.
#[differentiate(reverse, forward, second_order, cross_check)]
fn grown_twice(x: &[f64], slope: f64) -> f64 {
    let mut path = vec![x[0]; 2];
    path[1] = x[1];
    grown(&mut path, slope, 2);
    path[2] *= path[3];
    path.push(slope);
    grown(&mut path, x[0], 1);
    path.iter().map(|v| v * v * v).sum()
}

fn grown_twice_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let mut path = v[..2].to_vec();
    path_twin(&mut path, v[2], 2);
    path[2] = path[2] * path[3];
    path.push(v[2]);
    path_twin(&mut path, v[0], 1);
    let mut sum = D::from(0.0);
    for p in path {
        sum += p.powi(3);
    }
    sum
}

#[test]
fn calls_that_grow_a_vector() {
    let at = [0.5, 0.3, 0.6];
    let (value, (mut x_adj, slope_adj)) = grown_twice::value_and_gradient(&at[..2], at[2]);
    x_adj.push(slope_adj);
    let f = |v: &[f64]| grown_twice(&v[..2], v[2]);
    check_both("grown twice", f, grown_twice_twin, &at, value, &x_adj);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn grown_by_value(mut path: Vec<f64>, slope: f64) -> f64 {
    path.push(path[0] * slope);
    path.push(path[1] * path[2]);
    path[0] = slope;
    path.iter().map(|v| v * v).sum()
}

fn grown_by_value_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let third = v[0] * v[2];
    v[2] * v[2] + v[1] * v[1] + third * third * (v[1] * v[1] + 1.0)
}

#[test]
fn a_parameter_by_value_grows() {
    let at = [0.5, 0.3, 0.6];
    let (value, (mut path_adj, slope_adj)) =
        grown_by_value::value_and_gradient(at[..2].to_vec(), at[2]);
    assert_eq!(path_adj.len(), 2);
    path_adj.push(slope_adj);
    let f = |v: &[f64]| grown_by_value(v[..2].to_vec(), v[2]);
    check_both("by value", f, grown_by_value_twin, &at, value, &path_adj);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn generic_powers<T: ad_runtime::Real>(x: T, n: usize) -> T {
    let mut powers = Vec::new();
    powers.push(T::one());
    for k in 0..n {
        powers.push(powers[k] * x);
    }
    let mut sum = T::zero();
    for p in &powers {
        sum += *p * *p;
    }
    sum
}

#[test]
fn vectors_of_a_type_parameter() {
    // 1 + x² + x⁴ + x⁶
    let derivative = |x: f64| 2.0 * x + 4.0 * x.powi(3) + 6.0 * x.powi(5);
    ad_tests::check::assert_exact(
        "powers",
        &[generic_powers::gradient(0.7, 3)],
        &[derivative(0.7)],
    );
    assert_eq!(generic_powers::gradient(2.0_f32, 3), derivative(2.0) as f32);
}

/// The last element is never used: the adjoint takes its shape from what is there in the end.
#[differentiate(reverse, forward, second_order, cross_check)]
fn unused_last(x: f64) -> f64 {
    let mut v = Vec::new();
    v.push(x.sin());
    v.push(x.cos());
    let product = v[0] * v[1];
    v.push(3.0);
    v.push(x);
    product
}

fn unused_last_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    (v[0] * 2.0).sin() / 2.0
}

#[test]
fn elements_that_nobody_reads() {
    let value = unused_last(0.4);
    let gradient = [unused_last::gradient(0.4)];
    check_both("unused", |v| unused_last(v[0]), unused_last_twin, &[0.4], value, &gradient);
}
