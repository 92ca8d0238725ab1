//! Vectors of arrays, tuples and vectors.

use ad_runtime::differentiate;
use ad_tests::check::{check, sample};

#[differentiate(reverse, forward, second_order, cross_check)]
fn triangle(x: &[f64]) -> f64 {
    let mut rows = Vec::new();
    for i in 0..x.len() {
        let mut row = Vec::new();
        for j in 0..=i {
            row.push(x[i] * x[j]);
        }
        rows.push(row);
    }
    let mut sum = 0.0;
    for (i, row) in rows.iter().enumerate() {
        for v in row {
            sum += v * v * (i as f64 + 0.5);
        }
    }
    sum
}

#[test]
fn rows_of_different_lengths() {
    let x = sample(4, 0.6);
    let (value, adj) = triangle::value_and_gradient(&x);
    check("triangle", triangle, &x, value, &adj);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn binned(x: &[f64], bins: usize) -> f64 {
    let mut parts: Vec<Vec<f64>> = vec![Vec::new(); bins];
    for (k, v) in x.iter().enumerate() {
        parts[k % bins].push(v * v);
        if k % 3 == 0 {
            parts[0].push(v.sin());
        }
    }
    let mut sum = 0.0;
    for part in &parts {
        let mean = part.iter().sum::<f64>() / part.len() as f64;
        sum += mean * mean;
    }
    parts[1].pop();
    parts[0].truncate(2);
    sum * parts[0][1] + parts[1][0]
}

#[test]
fn elements_of_a_vector_grow() {
    let x = sample(8, 0.7);
    let (value, adj) = binned::value_and_gradient(&x, 2);
    check("binned", |v| binned(v, 2), &x, value, &adj);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn split_up(x: &[f64]) -> f64 {
    let mut open: Vec<Vec<f64>> = Vec::new();
    open.push(x.to_vec());
    let mut sum = 0.0;
    while !open.is_empty() {
        let part = open.pop().unwrap();
        let n = part.len();
        if n == 1 {
            sum += part[0] * part[0];
        } else {
            sum += part[0] * part[n - 1];
            open.push(part[..n / 2].to_vec());
            open.push(part[n / 2..].to_vec());
        }
    }
    sum
}

#[test]
fn a_stack_of_vectors() {
    let x = sample(7, 0.8);
    let (value, adj) = split_up::value_and_gradient(&x);
    check("split up", split_up, &x, value, &adj);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn set_rows(x: &[f64]) -> f64 {
    let mut rows = vec![vec![x[0]; 2]];
    let mut sum = rows[0][0] * rows[0][1];
    rows[0] = vec![x[1]; 3];
    rows.push(vec![x[2] * x[0]; 1]);
    sum += rows[0][2] * rows[1][0];
    rows[1] = vec![sum; 2];
    rows.pop();
    rows[0].push(sum * sum);
    sum + rows[0][3] * rows[0][1]
}

#[test]
fn rows_are_set_and_dropped() {
    let x = [0.9, 0.4, 1.3];
    let (value, adj) = set_rows::value_and_gradient(&x);
    check("set rows", set_rows, &x, value, &adj);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn pairs(x: &[f64]) -> f64 {
    let mut hits = Vec::new();
    for (k, v) in x.iter().enumerate() {
        if *v > 0.0 {
            hits.push((v * v, k as f64 * v));
        }
    }
    let (mut a, mut b) = (0.0, 1.0);
    while hits.len() > 1 {
        let (p, q) = hits.pop().unwrap();
        a += p * b;
        b *= 1.0 + q;
    }
    a * b + hits[0].0
}

#[test]
fn vectors_of_tuples() {
    let x = [0.9, -0.4, 0.3, 0.5, -0.1, 0.2];
    let (value, adj) = pairs::value_and_gradient(&x);
    check("pairs", pairs, &x, value, &adj);
}
