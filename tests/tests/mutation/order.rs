//! Elements that change places: sorts, rotations, insertions and removals.

use ad_runtime::differentiate;
use ad_tests::check::{assert_exact, check_both, sample};
use num_dual::DualNum;

#[differentiate(reverse, forward, second_order, cross_check)]
fn weighted_ranks(x: &[f64], w: &[f64]) -> f64 {
    let mut sorted = x.to_vec();
    sorted.sort_by(|a, b| b.partial_cmp(a).unwrap());
    let mut sum = 0.0;
    for (k, v) in sorted.iter().enumerate() {
        sum += w[k] * v * v;
    }
    sum
}

/// Each value's rank is the number of larger ones.
fn ranks_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let mut sum = D::from(0.0);
    for i in 0..4 {
        let rank = (0..4).filter(|&j| v[j].re() > v[i].re()).count();
        sum += v[4 + rank] * v[i] * v[i];
    }
    sum
}

#[test]
fn sorted_values_keep_their_adjoints() {
    let at = [0.3, 0.9, -0.2, 0.5, 0.1, 0.7, -0.4, 0.6];
    let (value, (mut x_adj, w_adj)) = weighted_ranks::value_and_gradient(&at[..4], &at[4..]);
    x_adj.extend(w_adj);
    let f = |v: &[f64]| weighted_ranks(&v[..4], &v[4..]);
    check_both("ranks", f, ranks_twin, &at, value, &x_adj);
}

/// The median, and what was read before and after the sort.
#[differentiate(reverse, forward, second_order, cross_check)]
fn median(x: &mut [f64]) -> f64 {
    let first = x[0] * x[1];
    x.sort_unstable_by(f64::total_cmp);
    let middle = x[x.len() / 2];
    x[0] *= middle;
    first * middle + x[0]
}

/// The least is the entry 3, and the middle the entry 4.
fn median_twin<D: DualNum<Primitive = f64> + Copy>(x: &[D]) -> D {
    x[4] * (x[0] * x[1] + x[3])
}

#[test]
fn sorts_in_place() {
    let at = [0.8, 0.3, 0.9, -0.2, 0.5];
    let (value, adj) = median::value_and_gradient(&mut at.to_vec());
    check_both("median", |v| median(&mut v.to_vec()), median_twin, &at, value, &adj);
}

#[differentiate(reverse, forward, second_order, cross_check)]
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

/// By the distance of the sine from the limit the order is 3, 0, 1, 2.
fn sorted_pairs_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let mut sum = D::from(0.0);
    for (rank, k) in [3, 0, 1, 2].into_iter().enumerate() {
        sum += v[k].sin() * v[k] * k as f64 / (rank + 1) as f64;
    }
    // The least of 0, v₁, 2 v₂ and 3 v₃ is that of 2.
    sum * v[2].sin() * v[4]
}

#[test]
fn pairs_are_sorted_by_distance_and_by_a_key() {
    let at = [0.3, 0.9, -0.2, 0.5, 0.4];
    let (value, (mut adj, limit_adj)) = sorted_pairs::value_and_gradient(&at[..4], at[4]);
    adj.push(limit_adj);
    check_both("pairs", |v| sorted_pairs(&v[..4], v[4]), sorted_pairs_twin, &at, value, &adj);
}

/// A sort in every trip, of a buffer that changes between.
#[differentiate(reverse, forward, second_order, cross_check)]
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

fn sorted_again_twin<D: DualNum<Primitive = f64> + Copy>(x: &[D], n: usize) -> D {
    let mut v = x.to_vec();
    let mut sum = D::from(0.0);
    for k in 0..n {
        // By exchanges of neighbours.
        for end in (1..4).rev() {
            for i in 0..end {
                if v[i].re() > v[i + 1].re() {
                    (v[i], v[i + 1]) = (v[i + 1], v[i]);
                }
            }
        }
        sum += v[0] * v[1] - v[3];
        v[0] = v[0] + v[2].cos() * 0.9;
        if k % 2 == 1 {
            (v[1], v[3]) = (v[3], v[1]);
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
        let twin = |v: &[_]| sorted_again_twin(v, n);
        check_both("sorted again", |v| sorted_again(v, n), twin, &x, value, &adj);
    }
}

#[differentiate(reverse, forward, second_order, cross_check)]
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

fn rotated_twin<D: DualNum<Primitive = f64> + Copy>(x: &[D], by: usize) -> D {
    let at = |k: usize| x[(k + by) % 5];
    let (a, b, c, d) = (at(0), at(1) * at(0), at(2), at(3));
    // a d b c e, then e c b d a, then c e b d a
    let sum = x[0] * x[1] + a * c + d.sin() * b;
    sum * c + a
}

#[test]
fn rotations_and_reversals() {
    let at = sample(5, 0.3);
    for by in [0, 1, 3, 5] {
        let mut x = at.clone();
        let (value, adj) = rotated::value_and_gradient(&mut x, by);
        let twin = |v: &[_]| rotated_twin(v, by);
        check_both("rotated", |v| rotated(&mut v.to_vec(), by), twin, &at, value, &adj);
        let mut expected = at.clone();
        rotated(&mut expected, by);
        assert_eq!(x, expected, "`adjoint` leaves what the function leaves");
    }
}

/// A shift register: the newest value in front.
#[differentiate(reverse, forward, second_order, cross_check)]
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

/// As a convolution.
fn filtered_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let mut energy = D::from(0.0);
    for k in 0..6 {
        let mut y = D::from(0.0);
        for lag in 0..=k.min(2) {
            y += v[6 + lag] * v[k - lag];
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
    let f = |v: &[f64]| filtered(&v[..6], &taps(v));
    check_both("filtered", f, filtered_twin, &at, value, &adj);
}

#[differentiate(reverse, forward, second_order, cross_check)]
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

/// In order the entries are 2, 4, 0, 3, 1; the middle is taken out, and so on.
fn inserted_twin<D: DualNum<Primitive = f64> + Copy>(x: &[D]) -> D {
    // `f 2 4 3 1` with a new first, then `f 1 4 3`, then `1 4 3` and the product of what was taken out.
    x[2] * x[3] + (x[1] * x[1] + x[4] * x[4] * 2.0) * x[2] * x[0]
}

#[test]
fn insertions_and_removals() {
    let x = [0.4, 0.9, -0.3, 0.6, 0.1];
    let (value, adj) = inserted::value_and_gradient(&x);
    check_both("inserted", inserted, inserted_twin, &x, value, &adj);
}

#[differentiate(reverse, forward, second_order, cross_check)]
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

/// What goes in comes back two steps later.
fn delayed_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let mut line = vec![D::from(0.5), D::from(0.25)];
    for k in 0..5 {
        let next = v[k] + v[5] * line[k];
        line.push(next);
    }
    let mut out = line[5] * line[6];
    for k in 0..5 {
        out += line[k] * line[k];
    }
    out
}

#[test]
fn a_delay_line() {
    let at = sample(6, 0.9);
    let (value, (mut adj, gain_adj)) = delayed::value_and_gradient(&at[..5], at[5]);
    adj.push(gain_adj);
    check_both("delayed", |v| delayed(&v[..5], v[5]), delayed_twin, &at, value, &adj);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn shifted(x: &mut [f64]) -> f64 {
    let before = x[0] * x[4];
    x.copy_within(1..4, 2);
    x[1] *= x[2];
    x.copy_within(..2, 3);
    let mut v = x.to_vec();
    v.copy_within(3.., 0);
    before + x[3] * x[4] + v[0] * v[1] + x[2]
}

/// `a b c d e` becomes `a b b c d`, then `a bb b a bb`, and its copy starts with `a bb`.
fn shifted_twin<D: DualNum<Primitive = f64> + Copy>(x: &[D]) -> D {
    let (a, b) = (x[0], x[1]);
    let square = b * b;
    a * x[4] + a * square + a * square + b
}

#[test]
fn parts_are_copied_over_each_other() {
    let at = sample(5, 0.6);
    let mut x = at.clone();
    let (value, adj) = shifted::value_and_gradient(&mut x);
    check_both("shifted", |v| shifted(&mut v.to_vec()), shifted_twin, &at, value, &adj);
    let mut expected = at;
    shifted(&mut expected);
    assert_eq!(x, expected);
}

#[differentiate(reverse, forward, second_order, cross_check)]
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

/// The rows 1, 0, 2 by their first elements, and the first of them goes to the end.
fn sorted_rows_twin<D: DualNum<Primitive = f64> + Copy>(x: &[D]) -> D {
    let product = x[2] * x[1] * x[5];
    // 0 p 2 1, without the first and backwards 1 2 p; the last of these takes the place of 1.
    product * x[0] + x[2] * product + x[3]
}

#[test]
fn rows_of_different_lengths_change_places() {
    let x = [0.4, 0.9, 0.3, 0.6, 1.1, 0.8];
    let (value, adj) = sorted_rows::value_and_gradient(&x);
    check_both("rows", sorted_rows, sorted_rows_twin, &x, value, &adj);
}

/// Indices sorted by active values are data.
#[differentiate(reverse, forward, second_order, cross_check)]
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

/// From the largest, which goes to the end: 3, 0, 2, 1.
fn by_index_twin<D: DualNum<Primitive = f64> + Copy>(x: &[D]) -> D {
    x[3] * x[3] + x[0] * x[0] * 2.0 + x[2] * x[2] * 3.0 + x[1] * x[1] * 4.0
}

#[test]
fn indices_are_sorted_by_values() {
    let x = [0.4, 0.9, -0.3, 0.6];
    let (value, adj) = by_index::value_and_gradient(&x);
    check_both("by index", by_index, by_index_twin, &x, value, &adj);
}

#[differentiate(reverse, forward, second_order, cross_check)]
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
#[differentiate(reverse, forward, cross_check)]
fn tied(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    v.sort_by(|a, b| a.total_cmp(b));
    v[0] + 2.0 * v[1] + 3.0 * v[2]
}

#[test]
fn ties_keep_their_order() {
    assert_eq!(tied::gradient(&[1.0, 0.5, 1.0]), [2.0, 1.0, 3.0]);
}
