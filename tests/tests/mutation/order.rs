//! Elements that change places: sorts, rotations, insertions and removals.

use ad_runtime::differentiate;
use ad_tests::check::{assert_exact, check, sample};

#[differentiate(reverse)]
fn weighted_ranks(x: &[f64], w: &[f64]) -> f64 {
    let mut sorted = x.to_vec();
    sorted.sort_by(|a, b| b.partial_cmp(a).unwrap());
    let mut sum = 0.0;
    for (k, v) in sorted.iter().enumerate() {
        sum += w[k] * v * v;
    }
    sum
}

#[test]
fn sorted_values_keep_their_adjoints() {
    let at = [0.3, 0.9, -0.2, 0.5, 0.1, 0.7, -0.4, 0.6];
    let (value, (mut x_adj, w_adj)) = weighted_ranks::value_and_gradient(&at[..4], &at[4..]);
    x_adj.extend(w_adj);
    check("ranks", |v| weighted_ranks(&v[..4], &v[4..]), &at, value, &x_adj);
}

/// The median, and what was read before and after the sort.
#[differentiate(reverse)]
fn median(x: &mut [f64]) -> f64 {
    let first = x[0] * x[1];
    x.sort_unstable_by(f64::total_cmp);
    let middle = x[x.len() / 2];
    x[0] *= middle;
    first * middle + x[0]
}

#[test]
fn sorts_in_place() {
    let at = [0.8, 0.3, 0.9, -0.2, 0.5];
    let (value, adj) = median::value_and_gradient(&mut at.to_vec());
    check("median", |v| median(&mut v.to_vec()), &at, value, &adj);
}

#[differentiate(reverse)]
fn sorted_pairs(x: &[f64], limit: f64) -> f64 {
    let mut pairs = Vec::new();
    for (k, v) in x.iter().enumerate() {
        pairs.push((v.sin(), v * k as f64));
    }
    pairs.sort_by(|a, b| (a.0 - limit).abs().total_cmp(&(b.0 - limit).abs()));
    let mut sum = 0.0;
    for (k, pair) in pairs.iter().enumerate() {
        sum += pair.0 * pair.1 / (k as f64 + 1.0);
    }
    pairs.sort_by_key(|pair| (pair.1 * 1000.0) as i64);
    sum * pairs[0].0 * limit
}

#[test]
fn pairs_are_sorted_by_distance_and_by_a_key() {
    let at = [0.3, 0.9, -0.2, 0.5, 0.4];
    let (value, (mut adj, limit_adj)) = sorted_pairs::value_and_gradient(&at[..4], at[4]);
    adj.push(limit_adj);
    check("pairs", |v| sorted_pairs(&v[..4], v[4]), &at, value, &adj);
}

/// A sort in every trip, of a buffer that changes between.
#[differentiate(reverse)]
fn sorted_again(x: &[f64], n: usize) -> f64 {
    let mut v = x.to_vec();
    let mut sum = 0.0;
    for k in 0..n {
        v.sort_by(|a, b| a.total_cmp(b));
        sum += v[0] * v[1] - v[v.len() - 1];
        v[0] += 0.9 * v[2].cos();
        if k % 2 == 1 {
            v[1..].reverse();
            v[1] *= sum;
        }
    }
    sum
}

#[test]
fn sorts_in_loops() {
    let x = [0.3, 0.9, -0.2, 0.5];
    for n in 0..5 {
        if n == 0 {
            continue;
        }
        let (value, adj) = sorted_again::value_and_gradient(&x, n);
        check("sorted again", |v| sorted_again(v, n), &x, value, &adj);
    }
}

#[differentiate(reverse)]
fn rotated(x: &mut [f64], by: usize) -> f64 {
    let mut sum = x[0] * x[1];
    x.rotate_left(by);
    sum += x[0] * x[2];
    x[1] *= x[0];
    x[1..4].rotate_right(1);
    sum += x[1].sin() * x[2];
    x.reverse();
    x[..2].rotate_left(1);
    sum * x[0] + x[x.len() - 1]
}

#[test]
fn rotations_and_reversals() {
    let at = sample(5, 0.3);
    for by in [0, 1, 3, 5] {
        let mut x = at.clone();
        let (value, adj) = rotated::value_and_gradient(&mut x, by);
        check("rotated", |v| rotated(&mut v.to_vec(), by), &at, value, &adj);
        let mut expected = at.clone();
        rotated(&mut expected, by);
        assert_eq!(x, expected, "`adjoint` leaves what the function leaves");
    }
}

/// A shift register: the newest value in front.
#[differentiate(reverse)]
fn filtered(signal: &[f64], taps: &[f64; 3]) -> f64 {
    let mut register = [0.0; 3];
    let mut energy = 0.0;
    for s in signal {
        register.rotate_right(1);
        register[0] = *s;
        let mut y = 0.0;
        for k in 0..3 {
            y += taps[k] * register[k];
        }
        energy += y * y;
    }
    energy
}

#[test]
fn a_register_is_rotated() {
    let at = sample(9, 0.8);
    let taps = |v: &[f64]| [v[6], v[7], v[8]];
    let (value, (mut adj, taps_adj)) = filtered::value_and_gradient(&at[..6], &taps(&at));
    adj.extend(taps_adj);
    check("filtered", |v| filtered(&v[..6], &taps(v)), &at, value, &adj);
}

#[differentiate(reverse)]
fn inserted(x: &[f64]) -> f64 {
    let mut sorted: Vec<f64> = Vec::new();
    for &v in x {
        let mut at = 0;
        while at < sorted.len() && sorted[at] < v {
            at += 1;
        }
        sorted.insert(at, v);
    }
    let middle = sorted.remove(sorted.len() / 2);
    sorted.insert(0, middle * sorted[0]);
    let second = sorted.swap_remove(1);
    sorted.remove(0);
    sorted.insert(sorted.len(), second * middle);
    let tail = sorted.split_off(2);
    let mut sum = second * tail[0];
    for (k, v) in sorted.iter().enumerate() {
        sum += v * v * (k as f64 + 1.0) * tail[tail.len() - 1];
    }
    sum
}

#[test]
fn insertions_and_removals() {
    let x = [0.4, 0.9, -0.3, 0.6, 0.1];
    let (value, adj) = inserted::value_and_gradient(&x);
    check("inserted", inserted, &x, value, &adj);
}

#[differentiate(reverse)]
fn delayed(signal: &[f64], gain: f64) -> f64 {
    let mut queue = vec![0.5, 0.25];
    let mut out = 0.0;
    for s in signal {
        let oldest = queue.remove(0);
        queue.push(s + gain * oldest);
        out += oldest * oldest;
    }
    out + queue[0] * queue[1]
}

#[test]
fn a_delay_line() {
    let at = sample(6, 0.9);
    let (value, (mut adj, gain_adj)) = delayed::value_and_gradient(&at[..5], at[5]);
    adj.push(gain_adj);
    check("delayed", |v| delayed(&v[..5], v[5]), &at, value, &adj);
}

#[differentiate(reverse)]
fn shifted(x: &mut [f64]) -> f64 {
    let before = x[0] * x[4];
    x.copy_within(1..4, 2);
    x[1] *= x[2];
    x.copy_within(..2, 3);
    let mut v = x.to_vec();
    v.copy_within(3.., 0);
    before + x[3] * x[4] + v[0] * v[1] + x[2]
}

#[test]
fn parts_are_copied_over_each_other() {
    let at = sample(5, 0.6);
    let mut x = at.clone();
    let (value, adj) = shifted::value_and_gradient(&mut x);
    check("shifted", |v| shifted(&mut v.to_vec()), &at, value, &adj);
    let mut expected = at;
    shifted(&mut expected);
    assert_eq!(x, expected);
}

#[differentiate(reverse)]
fn sorted_rows(x: &[f64]) -> f64 {
    let mut rows = vec![vec![x[0], x[1]], vec![x[2]], vec![x[3], x[4], x[5]]];
    rows.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let mut product = 1.0;
    for row in &rows {
        product *= row[row.len() - 1];
    }
    rows.rotate_left(1);
    rows.insert(1, vec![product; 2]);
    let first = rows.remove(0);
    rows.reverse();
    let last = rows.swap_remove(0);
    product * first[0] + last[0] * rows[0][0] + rows[1][0]
}

#[test]
fn rows_of_different_lengths_change_places() {
    let x = [0.4, 0.9, 0.3, 0.6, 1.1, 0.8];
    let (value, adj) = sorted_rows::value_and_gradient(&x);
    check("rows", sorted_rows, &x, value, &adj);
}

/// Indices sorted by active values are data.
#[differentiate(reverse)]
fn by_index(x: &[f64]) -> f64 {
    let mut order: Vec<usize> = (0..x.len()).collect();
    order.sort_by(|&a, &b| x[a].partial_cmp(&x[b]).unwrap());
    order.reverse();
    order.rotate_left(1);
    let mut sum = 0.0;
    for (k, &i) in order.iter().enumerate() {
        sum += x[i] * x[i] * (k as f64 + 1.0);
    }
    sum
}

#[test]
fn indices_are_sorted_by_values() {
    let x = [0.4, 0.9, -0.3, 0.6];
    let (value, adj) = by_index::value_and_gradient(&x);
    check("by index", by_index, &x, value, &adj);
}

#[differentiate(reverse)]
fn generic_median<T: ad_runtime::Real + PartialOrd>(x: &[T]) -> T {
    let mut v = x.to_vec();
    v.sort_by(|a, b| a.partial_cmp(b).unwrap());
    v[v.len() / 2] * v[0]
}

#[test]
fn sorts_of_a_type_parameter() {
    assert_exact("median", &generic_median::gradient(&[0.5, 0.2, 0.9]), &[0.2, 0.5, 0.0]);
    assert_eq!(generic_median::gradient(&[0.5_f32, 0.25, 1.0]), [0.25, 0.5, 0.0]);
}

/// Ties keep the order in which they came, as `sort_by` does.
#[differentiate(reverse)]
fn tied(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    v.sort_by(|a, b| a.total_cmp(b));
    v[0] + 2.0 * v[1] + 3.0 * v[2]
}

#[test]
fn ties_keep_their_order() {
    assert_eq!(tied::gradient(&[1.0, 0.5, 1.0]), [2.0, 1.0, 3.0]);
}
