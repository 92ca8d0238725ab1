//! Stacks, queues and work lists: `pop`, `truncate`, `clear`, `resize`.

use ad_runtime::differentiate;
use ad_tests::check::{assert_dual, check, check_both, sample};
use num_dual::DualNum;

/// Reverse Polish notation: 0 pushes the next value, 1 adds, 2 multiplies, 3 takes the sine.
#[differentiate(reverse, forward, second_order, cross_check)]
fn calculated(values: &[f64], program: &[u8]) -> f64 {
    let mut stack = Vec::new();
    let mut next = 0;
    for op in program {
        match *op {
            0 => {
                stack.push(values[next]);
                next += 1;
            }
            1 => {
                let b = stack.pop().unwrap();
                let a = stack.pop().unwrap();
                stack.push(a + b);
            }
            2 => {
                let (b, a) = (stack.pop().unwrap(), stack.pop().expect("an operand"));
                stack.push(a * b);
            }
            _ => {
                let a: f64 = stack.pop().unwrap();
                stack.push(a.sin());
            }
        }
    }
    stack.pop().unwrap()
}

fn calculated_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    ((v[0] + v[1]) * v[2]).sin() * (v[3] * v[3].sin())
}

#[test]
fn a_stack_machine() {
    let at = [0.4, 0.8, 0.9, 1.3, 1.3];
    let program = [0, 0, 1, 0, 2, 3, 0, 0, 3, 2, 2];
    let (value, adj) = calculated::value_and_gradient(&at, &program);
    check("calculated", |v| calculated(v, &program), &at, value, &adj);
    let both = [adj[0], adj[1], adj[2], adj[3] + adj[4]];
    assert_dual("calculated", value, calculated_twin, &at[..4], &both);
}

/// An integer stack gives the order in which a tree is visited.
#[differentiate(reverse, forward, second_order, cross_check)]
fn depth_first(weight: &[f64], children: &[[usize; 2]]) -> f64 {
    let mut open = vec![0_usize];
    let (mut sum, mut scale) = (0.0, 1.0);
    while !open.is_empty() {
        let node = open.pop().unwrap();
        sum += scale * weight[node] * weight[node];
        scale *= weight[node];
        for &child in &children[node] {
            if child > 0 {
                open.push(child);
            }
        }
    }
    sum
}

/// The last child first.
fn depth_first_twin<D: DualNum<Primitive = f64> + Copy>(w: &[D]) -> D {
    let (mut sum, mut scale) = (D::from(0.0), D::from(1.0));
    for node in [0, 2, 5, 4, 1, 3] {
        sum += scale * w[node] * w[node];
        scale *= w[node];
    }
    sum
}

#[test]
fn a_stack_of_indices() {
    let children = [[1, 2], [3, 0], [4, 5], [0, 0], [0, 0], [0, 0]];
    let weight = [0.7, 1.2, 0.4, 0.9, 1.1, 0.8];
    let (value, adj) = depth_first::value_and_gradient(&weight, &children);
    let f = |v: &[f64]| depth_first(v, &children);
    check_both("depth first", f, depth_first_twin, &weight, value, &adj);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn queue(x: &[f64], rate: f64) -> f64 {
    let mut waiting = x.to_vec();
    let mut later = Vec::new();
    let mut total = 0.0;
    for _ in 0..3 {
        while !waiting.is_empty() {
            let v = waiting.pop().unwrap();
            total += v.sin();
            if v > 0.1 {
                later.push(v * rate);
            }
        }
        std::mem::swap(&mut waiting, &mut later);
    }
    total
}

/// A value goes round as long as it is above 0.1, for three rounds at most.
fn queue_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let mut total = D::from(0.0);
    for k in 0..4 {
        let mut value = v[k];
        for _ in 0..3 {
            total += value.sin();
            if value.re() <= 0.1 {
                break;
            }
            value *= v[4];
        }
    }
    total
}

#[test]
fn queues_that_are_swapped() {
    let at = [0.9, 0.3, -0.2, 0.5, 0.6];
    let (value, (mut adj, rate)) = queue::value_and_gradient(&at[..4], at[4]);
    adj.push(rate);
    check_both("queue", |v| queue(&v[..4], v[4]), queue_twin, &at, value, &adj);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn reused(x: &[f64], n: usize) -> f64 {
    let mut buffer = Vec::new();
    let mut state = x[0];
    for k in 0..n {
        buffer.clear();
        for v in x {
            buffer.push(v * state);
        }
        buffer.truncate(x.len() - k % 2);
        state = buffer.iter().map(|v: &f64| v.cos()).sum::<f64>() / x.len() as f64;
    }
    state + buffer[0] * buffer[buffer.len() - 1]
}

fn reused_twin<D: DualNum<Primitive = f64> + Copy>(x: &[D], n: usize) -> D {
    let (mut state, mut before, mut kept) = (x[0], x[0], 0);
    for k in 0..n {
        before = state;
        kept = 4 - k % 2;
        let mut sum = D::from(0.0);
        for v in &x[..kept] {
            sum += (*v * before).cos();
        }
        state = sum / 4.0;
    }
    state + x[0] * x[kept - 1] * before * before
}

#[test]
fn a_buffer_is_cleared_and_filled_again() {
    let x = sample(4, 0.5);
    for n in 1..5 {
        let (value, adj) = reused::value_and_gradient(&x, n);
        let twin = |v: &[_]| reused_twin(v, n);
        check_both("reused", |v| reused(v, n), twin, &x, value, &adj);
    }
}

/// What falls off at the end was read in front, and what comes after has the same places.
#[differentiate(reverse, forward, second_order, cross_check)]
fn cut_and_filled(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let mut sum = v[2] * v[3] * v[4];
    v.truncate(3);
    v.truncate(9);
    v[2] *= v[0];
    v.resize(5, x[1] * x[1]);
    sum += v[2] * v[3] * v[4];
    v.resize(1, 0.0);
    v.pop();
    v.pop();
    v.push(sum * x[0]);
    v[0] + sum
}

fn cut_and_filled_twin<D: DualNum<Primitive = f64> + Copy>(x: &[D]) -> D {
    let sum = x[2] * x[3] * x[4] + x[2] * x[0] * x[1].powi(4);
    sum * x[0] + sum
}

#[test]
fn lengths_go_down_and_up() {
    let x = [0.7, 0.4, 1.2, 0.8, 0.3];
    let (value, adj) = cut_and_filled::value_and_gradient(&x);
    check_both("cut", cut_and_filled, cut_and_filled_twin, &x, value, &adj);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn defaults(x: &[f64], other: f64) -> f64 {
    let mut v = x.to_vec();
    let mut sum = 0.0;
    for k in 0..4 {
        let top = v.pop().unwrap_or(other * k as f64);
        sum += top * top;
    }
    sum
}

fn defaults_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let n = v.len() - 1;
    let mut sum = D::from(0.0);
    for k in 0..4 {
        let top = if k < n { v[n - 1 - k] } else { v[n] * k as f64 };
        sum += top * top;
    }
    sum
}

#[test]
fn a_default_instead_of_nothing() {
    let at = [0.7, 0.4, 1.2];
    for cut in 0..3 {
        let (value, (mut adj, other)) = defaults::value_and_gradient(&at[..cut], at[2]);
        let mut point = at[..cut].to_vec();
        point.push(at[2]);
        adj.push(other);
        let f = |v: &[f64]| defaults(&v[..cut], v[cut]);
        check_both("defaults", f, defaults_twin, &point, value, &adj);
    }
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn joined(x: &[f64]) -> f64 {
    let (mut a, mut b) = (vec![x[0] * x[1]], vec![x[1], x[2].exp()]);
    a.append(&mut b);
    b.push(a[2] * a[0]);
    a.append(&mut b);
    b.extend_from_slice(&a);
    a.iter().map(|v| v * v).sum::<f64>() * b[3] + b.len() as f64 * a.len() as f64
}

/// `a` is `v₀v₁, v₁, exp v₂` and the product of its ends; `b` is the same.
fn joined_twin<D: DualNum<Primitive = f64> + Copy>(x: &[D]) -> D {
    let (p, e) = (x[0] * x[1], x[2].exp());
    let last = e * p;
    (p * p + x[1] * x[1] + e * e + last * last) * last + 16.0
}

#[test]
fn one_vector_goes_to_the_end_of_another() {
    let x = [0.7, 0.4, 1.2];
    let (value, adj) = joined::value_and_gradient(&x);
    check_both("joined", joined, joined_twin, &x, value, &adj);
}

/// `&mut` parameters take and give.
#[differentiate(reverse, forward, second_order, cross_check)]
fn moved_over(from: &mut Vec<f64>, to: &mut Vec<f64>, n: usize) -> f64 {
    let mut last = 1.0;
    for _ in 0..n {
        let v = from.pop().unwrap();
        last *= v;
        to.push(v * last);
    }
    last
}

/// The last two of three go over to one more.
fn moved_over_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let (first, second) = (v[2] * v[2], v[1] * v[2] * v[1]);
    v[1] * v[2] + v[0] * 0.3 + v[3] * 0.9 - first * 0.4 + second * 0.7
}

#[test]
fn parameters_of_new_lengths() {
    let at = [0.7, 0.4, 1.2, 0.5];
    let (from_seed, to_seed) = ([0.3], [0.9, -0.4, 0.7]);
    let run = |v: &[f64]| {
        let (mut from, mut to) = (v[..3].to_vec(), v[3..].to_vec());
        let last = moved_over(&mut from, &mut to, 2);
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        last + dot(&from, &from_seed) + dot(&to, &to_seed)
    };
    let (mut from, mut to) = (at[..3].to_vec(), at[3..].to_vec());
    let (mut from_adj, mut to_adj) = (from_seed.to_vec(), to_seed.to_vec());
    moved_over::adjoint(&mut from, &mut from_adj, &mut to, &mut to_adj, 2, 1.0);
    assert_eq!((from.len(), to.len()), (1, 3));
    from_adj.extend(to_adj);
    check_both("moved over", run, moved_over_twin, &at, run(&at), &from_adj);
}

/// The caller reads the vector from before the call in its reverse sweep.
#[differentiate(reverse, forward, second_order, cross_check)]
fn read_around_a_call(x: &[f64]) -> f64 {
    let (mut a, mut b) = (x.to_vec(), Vec::new());
    b.push(x[0].sin());
    let before = a[2] * a[1] * b[0];
    let last = moved_over(&mut a, &mut b, 2);
    before * last + a[0] * b[2] * b[1]
}

fn read_around_a_call_twin<D: DualNum<Primitive = f64> + Copy>(x: &[D]) -> D {
    let product = x[2] * x[1];
    product * x[0].sin() * product + x[0] * (product * x[1]) * (x[2] * x[2])
}

#[test]
fn callers_read_what_the_callee_popped() {
    let x = [0.7, 0.4, 1.2];
    let (value, adj) = read_around_a_call::value_and_gradient(&x);
    let twin = read_around_a_call_twin;
    check_both("around a call", read_around_a_call, twin, &x, value, &adj);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn value_of_resized(v: &mut Vec<f64>) -> f64 {
    let last = v.pop().unwrap();
    v.push(last * v[0]);
    v.push(last);
    v[1] * v[2]
}

#[test]
fn gradients_of_functions_that_resize() {
    // b a b
    let (value, adj) = value_of_resized::value_and_gradient(&mut vec![3.0, 2.0]);
    assert_eq!((value, adj), (12.0, vec![4.0, 12.0]));
    let (mut v, mut v_adj) = (vec![3.0, 2.0], vec![]);
    let value = value_of_resized::value_and_gradient_into(&mut v, &mut v_adj);
    assert_eq!((value, v_adj), (12.0, vec![4.0, 12.0]));
    assert_eq!(v, [3.0, 6.0, 2.0]);
}

/// The parameter itself has no derivative, but its adjoint has the length that it came with.
#[differentiate(reverse, forward, second_order, cross_check)]
fn thrown_away(mut v: Vec<f64>, x: f64) -> f64 {
    v.push(x);
    v.clear();
    x * x
}

#[test]
fn zeros_have_the_length_of_the_argument() {
    assert_eq!(thrown_away::gradient(vec![1.0, 2.0], 3.0), (vec![0.0, 0.0], 6.0));
}
