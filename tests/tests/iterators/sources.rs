//! Where items come from: slices, arrays, vectors, ranges, windows and chunks.

use crate::{and_number, in_place, one, positive, sample, two};
use ad_runtime::differentiate;

#[differentiate(reverse, forward, second_order, cross_check)]
fn over_range(x: &[f64], n: usize) -> f64 {
    (0..n).map(|i| x[i] * x[i] * (i + 1) as f64).sum::<f64>()
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn inclusive(x: f64, n: u32) -> f64 {
    (1..=n).map(|k| x.powi(k as i32) / f64::from(k)).sum()
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn pairs_by_index(x: &[f64]) -> f64 {
    (1..x.len()).map(|i| x[i - 1] * x[i].sin()).sum()
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn inclusive_backwards(x: &[f64]) -> f64 {
    (1..=x.len() - 1).rev().map(|i| x[i].exp() * x[i - 1]).sum::<f64>()
}

#[test]
fn ranges() {
    one!(over_range, sample(5, 0.3), 4);
    assert_eq!(over_range::value_and_gradient(&[1.0], 0), (0.0, vec![0.0]));
    let (value, x_adj) = inclusive::adjoint(0.6, 5, 1.0);
    crate::check("inclusive", |v| inclusive(v[0], 5), &[0.6], value, &[x_adj]);
    one!(pairs_by_index, sample(5, 0.3));
    one!(inclusive_backwards, sample(5, 0.3));
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn roughness(x: &[f64]) -> f64 {
    x.windows(2).map(|w| (w[1] - w[0]).powi(2)).sum()
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn curvature(x: &[f64], h: f64) -> f64 {
    x.windows(3).map(|w| (w[0] - 2.0 * w[1] + w[2]) / (h * h)).map(|c| c * c).sum::<f64>()
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn window_sums(x: &[f64], width: usize) -> f64 {
    x.windows(width).map(|w| w.iter().sum::<f64>().powi(2)).sum()
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn total_variation(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for (i, w) in x.windows(2).enumerate() {
        s += (i + 1) as f64 * ((w[1] - w[0]).powi(2) + 1e-2).sqrt();
    }
    s
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn windows_of_part(x: &[f64]) -> f64 {
    x[1..].windows(2).zip(&x[..x.len() - 2]).map(|(w, v)| w[0] * w[1] * v).sum()
}

#[test]
fn windows() {
    one!(roughness, sample(6, 0.1));
    and_number!(curvature, sample(6, 0.1), 0.5);
    one!(window_sums, sample(6, 0.4), 3);
    one!(total_variation, sample(6, 0.4));
    one!(windows_of_part, sample(6, 0.4));
    assert_eq!(roughness::value_and_gradient(&[3.0]), (0.0, vec![0.0]));
    assert_eq!(roughness::value_and_gradient(&[]).0, 0.0);
    assert_eq!(window_sums::value_and_gradient(&[1.0, 2.0], 3), (0.0, vec![0.0; 2]));
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn complex_moduli(x: &[f64]) -> f64 {
    x.chunks_exact(2).map(|z| z[0].hypot(z[1])).sum()
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn ragged(x: &[f64], size: usize) -> f64 {
    x.chunks(size).enumerate().map(|(i, c)| (i + 1) as f64 * c.iter().product::<f64>()).sum()
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn ragged_means(x: &[f64], size: usize) -> f64 {
    x.chunks(size).map(|c| c.iter().sum::<f64>() / c.len() as f64).map(|m| m * m).sum()
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn rotate_pairs(x: &mut [f64], angle: f64) -> f64 {
    let (s, c) = angle.sin_cos();
    for z in x.chunks_exact_mut(2) {
        let (a, b) = (z[0], z[1]);
        z[0] = c * a - s * b;
        z[1] = s * a + c * b;
    }
    x.iter().enumerate().map(|(i, v)| v * v * i as f64).sum()
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn scale_chunks(x: &mut [f64]) -> f64 {
    for (i, c) in x.chunks_mut(3).enumerate() {
        let first = c[0];
        for v in c.iter_mut() {
            *v *= first + i as f64;
        }
    }
    x.iter().map(|v| v.sin()).sum()
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn chunk_pairs(x: &[f64], y: &[f64]) -> f64 {
    x.chunks_exact(2)
        .zip(y.chunks_exact(2))
        .map(|(a, b)| a[0] * b[1] - a[1] * b[0])
        .map(|cross| cross * cross)
        .sum()
}

#[test]
fn chunks() {
    one!(complex_moduli, sample(7, 0.2));
    one!(ragged, sample(7, 0.2), 3);
    one!(ragged_means, sample(7, 0.2), 3);
    in_place!(scale_chunks, sample(7, 0.2));
    two!(chunk_pairs, sample(6, 0.2), sample(5, 0.7));
    let at = sample(7, 0.5);
    let f = |v: &[f64]| rotate_pairs(&mut v[..6].to_vec(), v[6]);
    let (value, (mut gradient, angle_adj)) =
        rotate_pairs::value_and_gradient(&mut at[..6].to_vec(), at[6]);
    gradient.push(angle_adj);
    crate::check("rotation", f, &at, value, &gradient);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn local_buffers(x: &[f64], rate: f64) -> f64 {
    let squares: Vec<f64> = x.iter().map(|v| v * v).collect();
    let weights = [rate, rate * rate, 1.0];
    let mut copy = x.to_vec();
    copy.iter_mut().for_each(|v| *v += rate);
    let a: f64 = squares.iter().zip(weights.iter()).map(|(s, w)| s * w).sum();
    let b: f64 = copy.into_iter().zip(weights).map(|(c, w)| c * w).sum();
    let c = squares.into_iter().map(|s| s.sqrt()).sum::<f64>();
    a * b + c
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn by_reference(x: &Vec<f64>, y: &[f64; 3]) -> f64 {
    let mut s = 0.0;
    for (a, b) in x.iter().zip(y) {
        s += a * b.exp();
    }
    s + y.iter().rev().zip(x).map(|(b, a)| a * a * b).sum::<f64>()
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn rows(m: &[[f64; 3]; 2], x: &[f64; 3]) -> f64 {
    m.iter().map(|row| row.iter().zip(x).map(|(a, b)| a * b).sum::<f64>().powi(2)).sum()
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn nested_rows(m: &[[f64; 2]]) -> f64 {
    let mut s = 0.0;
    for row in m {
        for (j, v) in row.iter().enumerate() {
            s += v.powi(j as i32 + 2);
        }
    }
    s
}

#[test]
fn arrays_and_vectors() {
    and_number!(local_buffers, positive(4, 0.3), 0.8);
    let at = sample(6, 0.2);
    let split = |v: &[f64]| (v[..3].to_vec(), [v[3], v[4], v[5]]);
    let (x, y) = split(&at);
    let f = |v: &[f64]| {
        let (x, y) = split(v);
        by_reference(&x, &y)
    };
    let (mut x_adj, mut y_adj) = (vec![0.0; 3], [0.0; 3]);
    let value = by_reference::adjoint(&x, &mut x_adj, &y, &mut y_adj, 1.0);
    crate::check("by reference", f, &at, value, &[&x_adj[..], &y_adj].concat());

    let at = sample(9, 0.2);
    let split = |v: &[f64]| ([[v[0], v[1], v[2]], [v[3], v[4], v[5]]], [v[6], v[7], v[8]]);
    let (m, x) = split(&at);
    let f = |v: &[f64]| {
        let (m, x) = split(v);
        rows(&m, &x)
    };
    let (mut m_adj, mut x_adj) = ([[0.0; 3]; 2], [0.0; 3]);
    let value = rows::adjoint(&m, &mut m_adj, &x, &mut x_adj, 1.0);
    crate::check("rows", f, &at, value, &[m_adj.concat(), x_adj.to_vec()].concat());

    let m = [[0.3, -0.4], [0.7, 0.2]];
    let mut m_adj = [[0.0; 2]; 2];
    let value = nested_rows::adjoint(&m, &mut m_adj, 1.0);
    let f = |v: &[f64]| nested_rows(&[[v[0], v[1]], [v[2], v[3]]]);
    crate::check("nested rows", f, &m.concat(), value, &m_adj.concat());
}
