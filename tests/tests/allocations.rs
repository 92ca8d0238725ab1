//! What is promised of memory: straight-line code, branches, and loops that record nothing allocate
//! nothing, and `value_and_gradient_into` writes into the caller's buffers.

use ad_runtime::{Unspecified, differentiate};
use std::hint::black_box;

/// How often `run` asks the allocator for memory.
fn allocations<T>(run: impl FnOnce() -> T) -> u64 {
    let counted = allocation_counter::measure(|| {
        black_box(run());
    });
    counted.count_total
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn call_price(spot: f64, strike: f64, rate: f64, volatility: f64, time: f64) -> f64 {
    let spread = volatility * time.sqrt();
    let d1 = ((spot / strike).ln() + (rate + 0.5 * volatility * volatility) * time) / spread;
    let d2 = d1 - spread;
    let cdf1 = 1.0 / (1.0 + (-1.702 * d1).exp());
    let cdf2 = 1.0 / (1.0 + (-1.702 * d2).exp());
    spot * cdf1 - strike * (-rate * time).exp() * cdf2
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn huber(x: f64, width: f64) -> f64 {
    if x.abs() <= width {
        return 0.5 * x * x;
    }
    let excess = x.abs() - 0.5 * width;
    match width > 1.0 {
        true => width * excess,
        false => excess.tanh() * width,
    }
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn weighted(w: &[f64], x: &[f64; 3], scale: f64) -> f64 {
    let mut sum = 0.0;
    for i in 0..w.len() {
        sum += w[i] * x[i % 3];
    }
    scale * sum
}

#[test]
fn straight_line_code_allocates_nothing() {
    let count = allocations(|| call_price::adjoint(100.0, 95.0, 0.02, 0.3, 1.5, 1.0));
    assert_eq!(count, 0);
}

#[test]
fn branches_and_early_returns_allocate_nothing() {
    for (x, width) in [(0.3, 0.5), (2.0, 0.5), (-3.0, 1.5)] {
        assert_eq!(allocations(|| huber::value_and_gradient(x, width)), 0);
    }
}

#[test]
fn loops_that_are_linear_in_their_data_allocate_nothing() {
    let w = [0.5; 9];
    let (mut w_adj, mut x_adj, mut scale_adj) = ([0.0; 9], [0.0; 3], 0.0);
    let count = allocations(|| {
        weighted::value_and_gradient_into(
            &w,
            &mut w_adj,
            &[1.0, 2.0, 3.0],
            &mut x_adj,
            2.0,
            &mut scale_adj,
        )
    });
    assert_eq!(count, 0);
    assert_eq!((x_adj, scale_adj), ([3.0; 3], 9.0));
}

#[test]
fn the_counter_counts() {
    assert_eq!(allocations(|| vec![1.0; 8]), 1);
}

/// A triangular product, built up in the elements of a buffer that every trip fills anew.
#[differentiate(reverse, forward, second_order, cross_check)]
fn triangular(l: &[f64], x: &[f64], n: usize) -> f64 {
    let mut y = vec![0.0; n];
    let mut sum = 0.0;
    for row in x.chunks_exact(n) {
        for j in 0..n {
            y[j] = 2.0 * row[j];
        }
        for j in 0..n {
            for k in 0..j {
                y[j] += l[j * n + k] * row[k];
            }
        }
        sum += y.iter().map(|v| v * v).sum::<f64>();
    }
    sum
}

#[test]
fn sums_in_a_buffer_that_is_filled_anew_are_not_recorded() {
    let (l, x, n) = (vec![0.5; 1024], vec![0.25; 320], 32);
    let kept = allocation_counter::measure(|| {
        std::mem::forget(triangular::vjp(Unspecified, &l, &x, n));
    });
    // The buffer, and its elements as they were in front of each trip; a stack of 320 has room for 512.
    assert!(kept.bytes_current <= 8 * (32 + 512), "{}", kept.bytes_current);
}

/// A factor that the inner loop reads and the outer one changes.
#[differentiate(reverse, forward, second_order, cross_check)]
fn discounted(x: &[f64], rate: f64, n: usize) -> f64 {
    let (mut factor, mut sum) = (1.0, 0.0);
    for row in x.chunks_exact(n) {
        for v in row {
            sum += factor * v;
        }
        factor *= rate;
    }
    sum
}

#[test]
fn what_an_inner_loop_only_reads_is_recorded_once() {
    let x = vec![0.25; 320];
    let kept = allocation_counter::measure(|| {
        std::mem::forget(discounted::vjp(Unspecified, &x, 0.9, 32));
    });
    // Ten factors for each of the two products; a stack of ten has room for 16.
    assert!(kept.bytes_current <= 8 * 2 * 16, "{}", kept.bytes_current);
}
