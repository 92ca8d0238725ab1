//! Shared slices in variables that are set anew.

use ad_runtime::differentiate;
use ad_tests::check::{check, sample};

#[differentiate(reverse, forward, second_order, cross_check)]
fn records(data: &[f64]) -> f64 {
    let mut input = &data[..];
    let (mut sum, mut scale) = (0.0, 1.0);
    while input.len() >= 3 {
        let (a, b) = (input[0], input[1]);
        sum += scale * a * b;
        scale *= input[2];
        input = &input[3..];
    }
    if !input.is_empty() {
        sum *= input[0];
    }
    sum
}

#[test]
fn a_slice_gets_shorter_in_a_loop() {
    for n in 3..9 {
        let data = sample(n, 0.7);
        let (value, adj) = records::value_and_gradient(&data);
        check("records", records, &data, value, &adj);
    }
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn layers(weights: &[f64], sizes: &[usize], x: &[f64]) -> f64 {
    let mut rest = weights;
    let mut values = x.to_vec();
    for n in sizes {
        let (layer, others) = rest.split_at(n * values.len());
        rest = others;
        let mut next = Vec::with_capacity(*n);
        for row in layer.chunks_exact(values.len()) {
            next.push(row.iter().zip(&values).map(|(w, v)| w * v).sum::<f64>().tanh());
        }
        values = next;
    }
    values.iter().sum::<f64>() + rest.iter().map(|w| w * w).sum::<f64>()
}

#[test]
fn what_a_split_leaves() {
    let at = sample(2 * 3 + 3 * 2 + 1 + 3, 0.5);
    let sizes = [2, 3];
    let (value, (mut adj, x_adj)) = layers::value_and_gradient(&at[..13], &sizes, &at[13..]);
    adj.extend(x_adj);
    check("layers", |v| layers(&v[..13], &sizes, &v[13..]), &at, value, &adj);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn windows(w: &[f64], n: usize) -> f64 {
    let mut row = &w[0..n];
    let first = row[0] * row[n - 1];
    row = &w[n..=2 * n - 1];
    let second: f64 = row.iter().map(|v| v.sin()).sum();
    let whole = row;
    row = &whole[1..];
    let third = dot(row, &whole[..n - 1]);
    if third > 0.1 {
        row = &row[1..];
    } else {
        row = &w[..2];
    }
    first * second + third * row[0]
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sum = 0.0;
    for (a, b) in a.iter().zip(b) {
        sum += a * b;
    }
    sum
}

#[test]
fn a_row_after_another() {
    for shift in [0.4, 1.9] {
        let w = sample(8, shift);
        let (value, adj) = windows::value_and_gradient(&w, 4);
        check("windows", |v| windows(v, 4), &w, value, &adj);
    }
}

/// Two variables go through one buffer, in nested loops with exits.
#[differentiate(reverse, forward, second_order, cross_check)]
fn merged(a: &[f64], b: &[f64]) -> f64 {
    let (mut left, mut right) = (a, b);
    let mut out = Vec::new();
    loop {
        if left.is_empty() || right.is_empty() {
            break;
        }
        if left[0] < right[0] {
            out.push(left[0]);
            left = &left[1..];
        } else {
            out.push(right[0]);
            right = &right[1..];
            if right.len() == 1 {
                continue;
            }
        }
    }
    out.extend_from_slice(left);
    out.extend_from_slice(right);
    out.iter().enumerate().map(|(k, v)| v * v * (k as f64 + 1.0)).sum()
}

#[test]
fn two_slices_are_merged() {
    let at = [0.1, 0.4, 0.7, 0.2, 0.3, 0.8, 0.9];
    for cut in [0, 3, 7] {
        let (value, (mut a_adj, b_adj)) = merged::value_and_gradient(&at[..cut], &at[cut..]);
        a_adj.extend(b_adj);
        check("merged", |v| merged(&v[..cut], &v[cut..]), &at, value, &a_adj);
    }
}

/// The buffer changes between two uses of the variable.
#[differentiate(reverse, forward, second_order, cross_check)]
fn of_a_local(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let mut part = &v[..2];
    let mut sum = part[0] * part[1];
    part = &part[1..];
    sum += part[0];
    v[1] *= sum;
    v.push(v[0] * v[1]);
    part = &v[1..];
    while let Some(last) = part.last() {
        sum += last * last * part.len() as f64;
        part = &part[..part.len() - 1];
    }
    sum
}

#[test]
fn the_buffer_changes_in_between() {
    let x = [0.7, 0.4, 1.2];
    let (value, adj) = of_a_local::value_and_gradient(&x);
    check("local", of_a_local, &x, value, &adj);
}

/// Points, and a constant beside.
#[differentiate(reverse, forward, second_order, cross_check)]
fn points(data: &[[f64; 2]], #[constant] marks: &[f64]) -> f64 {
    let mut path = data;
    let mut marks = marks;
    let mut sum = 0.0;
    while path.len() > 1 {
        let (from, to) = (path[0], path[1]);
        sum += marks[0] * (from[0] * to[1] - from[1] * to[0]);
        path = &path[1..];
        marks = &marks[1..];
    }
    sum
}

#[test]
fn elements_that_are_arrays() {
    let (at, marks) = (sample(8, 0.3), [1.0, 2.0, -0.5]);
    let pack = |v: &[f64]| v.chunks_exact(2).map(|p| [p[0], p[1]]).collect::<Vec<_>>();
    let (value, adj) = points::value_and_gradient(&pack(&at), &marks);
    check("points", |v| points(&pack(v), &marks), &at, value, adj.as_flattened());
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn out_of_bounds(x: &[f64]) -> f64 {
    let mut part = &x[..2];
    part = &part[..3];
    part[2]
}

#[test]
#[should_panic(expected = "out of range")]
fn ends_are_those_of_the_part() {
    out_of_bounds::gradient(&[1.0, 2.0, 3.0]);
}
