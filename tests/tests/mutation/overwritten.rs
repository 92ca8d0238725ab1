//! Buffers that every trip of a loop fills anew, and those that only seem to be.
//!
//! What is read of a buffer before it is overwritten comes back when the overwriting is undone, and
//! other writes need no record then. Each function here reads a buffer in the reverse sweep as it
//! was in an earlier trip, so that a record too few gives a wrong gradient.

use ad_runtime::{Restored, differentiate};
use ad_tests::check::{check, sample};

/// Compares a function of a slice with differences, at a point of 12 entries.
macro_rules! checked {
    ($name:ident) => {
        let at = sample(12, 0.4);
        let (value, gradient) = $name::value_and_gradient(&at);
        check(stringify!($name), |x| $name(x), &at, value, &gradient);
    };
}

/// Sums in the elements, squared afterwards.
#[differentiate(reverse, forward, second_order, cross_check)]
fn filled_anew(x: &[f64]) -> f64 {
    let mut y = vec![0.0; 3];
    let mut sum = 0.0;
    for i in 0..4 {
        for j in 0..3 {
            y[j] = x[3 * i + j] * x[j];
        }
        for j in 0..3 {
            for k in 0..j {
                y[j] += x[k] * x[i];
            }
        }
        sum += y[0] * y[1] * y[2];
    }
    sum
}

#[test]
fn a_buffer_that_is_filled_anew_keeps_its_derivatives() {
    checked!(filled_anew);
}

/// The first loop leaves one element as it was.
#[differentiate(reverse, forward, second_order, cross_check)]
fn all_but_one(x: &[f64]) -> f64 {
    let mut y = vec![1.0; 3];
    let mut sum = 0.0;
    for i in 0..4 {
        for j in 0..2 {
            y[j] = x[3 * i + j];
        }
        for j in 0..3 {
            y[j] += x[i + j] * x[j];
        }
        sum += y[0] * y[1] * y[2] * y[2];
    }
    sum
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn all_but_the_first(x: &[f64]) -> f64 {
    let mut y = [1.0; 3];
    let mut sum = 0.0;
    for i in 0..4 {
        for j in 1..3 {
            y[j] = x[3 * i + j];
        }
        for j in 0..3 {
            y[j] += x[i + j] * x[j];
        }
        sum += y[0] * y[0] * y[1] * y[2];
    }
    sum
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn every_other(x: &[f64]) -> f64 {
    let mut y = vec![1.0; 4];
    let mut sum = 0.0;
    for i in 0..3 {
        for j in (0..4).step_by(2) {
            y[j] = x[3 * i + j];
        }
        for j in 0..4 {
            y[j] += x[i + j] * x[j];
        }
        sum += y[0] * y[1] * y[2] * y[3];
    }
    sum
}

/// Always the same element, whatever the index.
#[differentiate(reverse, forward, second_order, cross_check)]
fn one_again_and_again(x: &[f64]) -> f64 {
    let mut y = vec![1.0; 3];
    let mut sum = 0.0;
    for i in 0..4 {
        for j in 0..3 {
            y[i % 3] = x[3 * i + j];
        }
        for j in 0..3 {
            y[j] += x[i + j] * x[j];
        }
        sum += y[0] * y[1] * y[2];
    }
    sum
}

#[test]
fn a_buffer_that_is_filled_in_part_keeps_the_rest() {
    checked!(all_but_one);
    checked!(all_but_the_first);
    checked!(every_other);
    checked!(one_again_and_again);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn left_early(x: &[f64]) -> f64 {
    let mut y = vec![1.0; 3];
    let mut sum = 0.0;
    for i in 0..4 {
        for j in 0..3 {
            if j > i {
                break;
            }
            y[j] = x[3 * i + j];
        }
        for j in 0..3 {
            y[j] += x[i + j] * x[j];
        }
        sum += y[0] * y[1] * y[2];
    }
    sum
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn skipped(x: &[f64]) -> f64 {
    let mut y = vec![1.0; 3];
    let mut sum = 0.0;
    for i in 0..4 {
        for j in 0..3 {
            if j == i {
                continue;
            }
            y[j] = x[3 * i + j];
        }
        for j in 0..3 {
            y[j] += x[i + j] * x[j];
        }
        sum += y[0] * y[1] * y[2];
    }
    sum
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn sometimes(x: &[f64]) -> f64 {
    let mut y = vec![1.0; 3];
    let mut sum = 0.0;
    for i in 0..4 {
        if i % 2 == 0 {
            for j in 0..3 {
                y[j] = x[3 * i + j];
            }
        }
        for j in 0..3 {
            y[j] += x[i + j] * x[j];
        }
        sum += y[0] * y[1] * y[2];
    }
    sum
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn under_a_condition(x: &[f64]) -> f64 {
    let mut y = vec![1.0; 3];
    let mut sum = 0.0;
    for i in 0..4 {
        for j in 0..3 {
            if x[3 * i + j] > 0.0 {
                y[j] = x[3 * i + j];
            }
        }
        for j in 0..3 {
            y[j] += x[i + j] * x[j];
        }
        sum += y[0] * y[1] * y[2];
    }
    sum
}

#[test]
fn a_buffer_that_is_not_always_filled_keeps_the_rest() {
    checked!(left_early);
    checked!(skipped);
    checked!(sometimes);
    checked!(under_a_condition);
}

/// What the second loop reads was made by the first, in the same trip.
#[differentiate(reverse, forward, second_order, cross_check)]
fn read_in_between(x: &[f64]) -> f64 {
    let mut y = vec![0.0; 3];
    let mut sum = 0.0;
    for i in 0..4 {
        for j in 0..3 {
            y[j] = x[3 * i + j];
        }
        sum += y[0] * y[1];
        for j in 0..3 {
            y[j] *= y[j] * x[i];
        }
        sum += y[1] * y[2];
    }
    sum
}

/// The loop that fills the buffer reads what it has filled.
#[differentiate(reverse, forward, second_order, cross_check)]
fn read_while_it_is_filled(x: &[f64]) -> f64 {
    let mut y = vec![1.0; 3];
    let mut sum = 0.0;
    for i in 0..4 {
        for j in 0..3 {
            y[j] = x[3 * i + j] * y[(j + 2) % 3];
        }
        for j in 0..3 {
            y[j] += x[i + j] * x[j];
        }
        sum += y[0];
    }
    sum
}

/// The loop that adds reads what it adds to.
#[differentiate(reverse, forward, second_order, cross_check)]
fn read_while_it_is_added_to(x: &[f64]) -> f64 {
    let mut y = vec![0.0; 3];
    let mut sum = 0.0;
    for i in 0..4 {
        for j in 0..3 {
            y[j] = x[3 * i + j];
        }
        for j in 1..3 {
            y[j] += x[i] * y[j - 1] * y[j];
        }
        sum += y[2];
    }
    sum
}

#[test]
fn what_is_read_between_two_writes_is_kept() {
    checked!(read_in_between);
    checked!(read_while_it_is_filled);
    checked!(read_while_it_is_added_to);
}

/// Filled once, before the loop.
#[differentiate(reverse, forward, second_order, cross_check)]
fn filled_outside(x: &[f64]) -> f64 {
    let mut y = vec![0.0; 3];
    for j in 0..3 {
        y[j] = x[j];
    }
    let mut sum = 0.0;
    for i in 0..4 {
        for j in 0..3 {
            y[j] *= x[3 * i + j];
        }
        sum += y[0] * y[1] * y[2];
    }
    sum
}

/// Filled in the outer loop, changed and read in the inner one.
#[differentiate(reverse, forward, second_order, cross_check)]
fn filled_one_loop_further_out(x: &[f64]) -> f64 {
    let mut y = vec![0.0; 3];
    let mut sum = 0.0;
    for i in 0..3 {
        for j in 0..3 {
            y[j] = x[3 * i + j];
        }
        for k in 0..3 {
            sum += y[0] * y[1] * y[2];
            for j in 0..3 {
                y[j] += x[k + j] * x[i];
            }
        }
    }
    sum
}

/// The buffer is read behind the loop as the last trip left it.
#[differentiate(reverse, forward, second_order, cross_check)]
fn read_behind(x: &[f64]) -> f64 {
    let mut y = vec![0.0; 3];
    let mut sum = 1.0;
    for i in 0..4 {
        sum *= 1.0 + y[0] * y[1];
        for j in 0..3 {
            y[j] = x[3 * i + j];
        }
        for j in 0..3 {
            y[j] += x[i + j];
        }
    }
    sum * y[0] * y[2]
}

#[test]
fn the_loop_that_fills_and_the_one_that_reads_may_differ() {
    checked!(filled_outside);
    checked!(filled_one_loop_further_out);
    checked!(read_behind);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn by_iterators(x: &[f64]) -> f64 {
    let mut y = [0.0; 3];
    let mut sum = 0.0;
    for row in x.chunks_exact(3) {
        for v in y.iter_mut().rev() {
            *v = row[0] * row[1];
        }
        for (v, r) in y[1..].iter_mut().zip(row) {
            *v += r * row[2];
        }
        sum += y.iter().map(|v| v * v).sum::<f64>();
    }
    sum
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn by_methods(x: &[f64]) -> f64 {
    let (mut y, mut z) = (vec![0.0; 3], [0.0; 3]);
    let mut sum = 0.0;
    for row in x.chunks_exact(3) {
        y.copy_from_slice(row);
        z.fill(row[0]);
        for j in 0..3 {
            y[j] += row[1] * x[j];
            z[j] += row[2] * x[j];
        }
        sum += y[0] * y[1] * y[2] + z[0] * z[1] * z[2];
    }
    sum
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn as_a_whole(x: &[f64]) -> f64 {
    let mut y = [1.0; 3];
    let mut sum = 0.0;
    for row in x.chunks_exact(3) {
        let before = y[0] * y[1] * y[2];
        y = [row[0], row[1], row[2]];
        for j in 0..3 {
            y[j] += row[1] * x[j];
        }
        sum += y[0] * y[1] * y[2] * before;
    }
    sum
}

#[test]
fn iterators_methods_and_whole_arrays_fill_buffers_too() {
    checked!(by_iterators);
    checked!(by_methods);
    checked!(as_a_whole);
}

/// Longer in every trip, so that the loop over the first length leaves a rest.
#[differentiate(reverse, forward, second_order, cross_check)]
fn grown(x: &[f64]) -> f64 {
    let n = 2;
    let mut y = vec![1.0; n];
    let mut sum = 0.0;
    for i in 0..4 {
        y.push(x[i]);
        for j in 0..n {
            y[j] = x[3 * i + j];
        }
        for j in 0..y.len() {
            y[j] += x[i + j] * x[j];
        }
        sum += y[0] * y[1] * y[i + 2] * y[2];
    }
    sum
}

/// Two buffers take turns.
#[differentiate(reverse, forward, second_order, cross_check)]
fn swapped(x: &[f64]) -> f64 {
    let (mut y, mut z) = (vec![1.0; 3], vec![0.5; 3]);
    let mut sum = 0.0;
    for i in 0..4 {
        for j in 0..3 {
            y[j] = x[3 * i + j];
        }
        std::mem::swap(&mut y, &mut z);
        for j in 0..3 {
            y[j] += x[i + j] * x[j];
        }
        sum += y[0] * y[1] * z[2];
    }
    sum
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn swapped_arrays(x: &[f64]) -> f64 {
    let (mut y, mut z) = ([1.0; 3], [0.5; 3]);
    let mut sum = 0.0;
    for i in 0..4 {
        for j in 0..3 {
            y[j] = x[3 * i + j];
        }
        std::mem::swap(&mut y, &mut z);
        for j in 0..3 {
            y[j] += x[i + j] * x[j];
        }
        sum += y[0] * y[1] * z[2];
    }
    sum
}

#[test]
fn buffers_that_grow_or_are_swapped_are_not_taken_for_filled() {
    checked!(grown);
    checked!(swapped);
    checked!(swapped_arrays);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn product(y: &[f64]) -> f64 {
    y.iter().product()
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn scale(y: &mut [f64], by: f64) {
    for v in y.iter_mut() {
        *v *= by * *v;
    }
}

/// The pullbacks of the calls read the buffer again.
#[differentiate(reverse, forward, second_order, cross_check)]
fn handed_to_calls(x: &[f64]) -> f64 {
    let mut y = vec![0.0; 3];
    let mut sum = 0.0;
    for i in 0..4 {
        for j in 0..3 {
            y[j] = x[3 * i + j];
        }
        for j in 0..3 {
            y[j] += x[i + j] * x[j];
        }
        sum += product(&y);
        scale(&mut y, x[i]);
        sum += product(&y);
    }
    sum
}

#[test]
fn calls_see_their_buffers_as_they_were() {
    checked!(handed_to_calls);
}

/// A buffer of the caller, whose contents come back if the caller asks for that.
#[differentiate(reverse, forward, second_order, cross_check)]
fn work(y: &mut [f64], x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..4 {
        for j in 0..y.len() {
            y[j] = x[3 * i + j];
        }
        for j in 0..y.len() {
            y[j] += x[i + j] * x[j];
        }
        sum += y[0] * y[1] * y[2];
    }
    sum
}

#[test]
fn the_buffer_of_a_caller_comes_back() {
    let (x, mut y) = (sample(12, 0.4), sample(3, 0.9));
    let before = y.clone();
    let (value, pullback) = work::vjp(Restored, &mut y, &x);
    let (mut y_adj, mut x_adj) = (vec![0.0; 3], vec![0.0; 12]);
    pullback(&mut y, &mut y_adj, &x, &mut x_adj, 1.0);
    assert_eq!(y, before);
    assert_eq!(y_adj, [0.0; 3]);
    check("work", |x| work(&mut before.clone(), x), &x, value, &x_adj);
}
