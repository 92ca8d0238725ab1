//! Sparse Jacobians and Hessians against formulas, and the number of runs that they take.

use ad_runtime::differentiate;
use ad_runtime::drivers::sparse::{Pattern, SparseHessian, SparseJacobian};
use ad_runtime::drivers::{hessian, jacobian};
use ad_tests::check::{assert_exact, sample};

/// Broyden's tridiagonal function.
#[differentiate(reverse, forward)]
fn broyden(x: &[f64], y: &mut [f64]) {
    let n = x.len();
    for i in 0..n {
        let before = if i > 0 { x[i - 1] } else { 0.0 };
        let after = if i + 1 < n { x[i + 1] } else { 0.0 };
        y[i] = (3.0 - 2.0 * x[i]) * x[i] - before - 2.0 * after + 1.0;
    }
}

fn tridiagonal(n: usize) -> Pattern {
    let entries = (0..n).flat_map(|i| (i.saturating_sub(1)..(i + 2).min(n)).map(move |j| (i, j)));
    Pattern::new(n, n, entries)
}

#[test]
fn a_banded_jacobian_takes_three_runs() {
    for n in [1, 2, 5, 1000] {
        let x = sample(n, 0.2);
        let mut sparse = SparseJacobian::new(tridiagonal(n));
        assert!(sparse.runs() <= 3, "{} runs for {n} columns", sparse.runs());
        let mut y = vec![0.0; n];
        sparse.evaluate::<broyden>(&x, &(), &mut y);
        for i in 0..n {
            assert_exact("diagonal", &[sparse.get(i, i)], &[3.0 - 4.0 * x[i]]);
            if i > 0 {
                assert_eq!((sparse.get(i, i - 1), sparse.get(i - 1, i)), (-1.0, -2.0));
            }
        }
        assert_eq!(sparse.triplets().count(), 3 * n - 2);
        let (starts, rows, values) = sparse.csc();
        assert_eq!((starts[0], starts[n], rows.len()), (0, values.len(), values.len()));
    }
}

#[test]
fn a_pattern_is_detected() {
    let n = 6;
    assert_eq!(Pattern::detect::<broyden>(&sample(n, 0.2), &(), n), tridiagonal(n));
}

#[differentiate(reverse, forward)]
fn arrow(x: &[f64], y: &mut [f64]) {
    for i in 0..y.len() {
        y[i] = x[0] * x[i];
    }
}

/// One full column costs one run more, and dense rows many.
#[test]
fn an_arrow_takes_two_runs() {
    let n = 9;
    let pattern = Pattern::new(n, n, (0..n).flat_map(|i| [(i, 0), (i, i)]));
    let mut sparse = SparseJacobian::new(pattern);
    assert_eq!(sparse.runs(), 2);
    let (x, mut y) = (sample(n, 0.7), vec![0.0; n]);
    sparse.evaluate::<arrow>(&x, &(), &mut y);
    let (mut dense, mut again) = (vec![0.0; n * n], vec![0.0; n]);
    jacobian::<arrow>(&x, &(), &mut again, &mut dense);
    for (k, value) in dense.iter().enumerate() {
        assert_eq!(sparse.get(k / n, k % n), *value, "entry {k}");
    }
    assert_eq!(y, again);
}

#[differentiate(reverse, second_order)]
fn chain(x: &[f64], stiffness: f64) -> f64 {
    let mut energy = 0.0;
    for i in 1..x.len() {
        let stretch = x[i] - x[i - 1];
        energy += stretch * stretch + stiffness * stretch.powi(4);
    }
    energy
}

/// `chain` with its stiffness as data.
#[differentiate(reverse, second_order)]
fn springs(x: &[f64], #[constant] stiffness: f64) -> f64 {
    chain(x, stiffness)
}

#[test]
fn a_tridiagonal_hessian_in_ten_thousand_dimensions() {
    let mut counts = Vec::new();
    for n in [10, 10_000] {
        let x = sample(n, 0.4);
        let mut sparse = SparseHessian::new(tridiagonal(n));
        counts.push(sparse.runs());
        let mut gradient = vec![0.0; n];
        let value = sparse.evaluate::<springs>(&x, &0.3, &mut gradient);
        assert_eq!(value, springs(&x, 0.3));
        let curvature = |i: usize| 2.0 + 12.0 * 0.3 * (x[i] - x[i - 1]).powi(2);
        for i in 1..n {
            assert_exact("off", &[sparse.get(i, i - 1), sparse.get(i - 1, i)], &[-curvature(i); 2]);
            let next = if i + 1 < n { curvature(i + 1) } else { 0.0 };
            assert_exact("diagonal", &[sparse.get(i, i)], &[curvature(i) + next]);
        }
    }
    assert_eq!(counts[0], counts[1], "the number of products grows with the size");
    assert!(counts[0] <= 3, "{counts:?}");
}

#[differentiate(reverse, second_order)]
fn crossed(x: &[f64], #[constant] pairs: &[(usize, usize)]) -> f64 {
    let mut sum = 0.0;
    for (i, j) in pairs {
        sum += (x[*i] * x[*j]).sin() + x[*i] * x[*i];
    }
    sum
}

/// Star colourings of grids, stars, cycles and random patterns tell every entry apart.
#[test]
fn hessians_of_many_patterns() {
    let grid = (0..16).flat_map(|k| {
        let right = (k % 4 < 3).then_some((k, k + 1));
        let below = (k < 12).then_some((k, k + 4));
        [right, below].into_iter().flatten()
    });
    let star = (1..16).map(|k| (0, k));
    let cycle = (0..16).map(|k| (k, (k + 1) % 16));
    let mut state = 7usize;
    let random: Vec<(usize, usize)> = (0..30)
        .map(|_| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            ((state >> 33) % 16, (state >> 45) % 16)
        })
        .filter(|(i, j)| i != j)
        .collect();
    for pairs in [grid.collect::<Vec<_>>(), star.collect(), cycle.collect(), random] {
        let n = 16;
        let x = sample(n, 1.3);
        let diagonal = (0..n).map(|k| (k, k));
        let entries: Vec<_> = pairs.iter().copied().chain(diagonal).collect();
        let mut sparse = SparseHessian::new(Pattern::new(n, n, entries));
        let mut gradient = vec![0.0; n];
        sparse.evaluate::<crossed>(&x, &&pairs[..], &mut gradient);
        let (mut again, mut dense) = (vec![0.0; n], vec![0.0; n * n]);
        hessian::<crossed>(&x, &&pairs[..], &mut again, &mut dense);
        assert_eq!(gradient, again);
        for (k, value) in dense.iter().enumerate() {
            assert_exact("entry", &[sparse.get(k / n, k % n)], &[*value]);
        }
    }
}

#[test]
#[should_panic(expected = "the entry (2, 0) lies outside of a matrix of 2 rows and 3 columns")]
fn an_entry_outside_is_refused() {
    Pattern::new(2, 3, [(2, 0)]);
}
