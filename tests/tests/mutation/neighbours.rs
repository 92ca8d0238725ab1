//! The same statements behind references, in scopes, closures and exits, on data and on constants.

use ad_runtime::differentiate;
use ad_tests::check::{check, sample};

#[differentiate(reverse, forward, second_order, cross_check)]
fn through_a_reference(x: &[f64]) -> f64 {
    let mut v = vec![x[0]];
    let mut pair = (Vec::new(), vec![x[1]]);
    {
        let target = &mut v;
        target.push(x[1] * x[2]);
        target.push(x[2]);
        target[0] *= target[1];
    }
    pair.0.push(v[0] * v[2]);
    pair.1.extend_from_slice(&v);
    let mut both = [Vec::new(), Vec::new()];
    both[0].push(pair.0[0]);
    both[1].push(pair.1[2]);
    both[1].push(both[0][0] * x[0]);
    v[0] * both[1][1] + both[1][0] * pair.1[0]
}

#[test]
fn vectors_behind_references_and_in_aggregates() {
    let x = [0.7, 1.2, 0.4];
    let (value, adj) = through_a_reference::value_and_gradient(&x);
    check("reference", through_a_reference, &x, value, &adj);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn scoped(x: &[f64], n: usize) -> f64 {
    let mut total = 0.0;
    for k in 0..n {
        let mut near = Vec::new();
        for v in x {
            if *v > 0.2 * k as f64 {
                near.push(v * v);
            }
        }
        if near.is_empty() {
            continue;
        }
        near.push(total);
        let most = near[0] * near[near.len() - 1];
        near.truncate(1);
        total += most + near[0];
        if total > 4.0 {
            return total * x[0];
        }
    }
    total
}

#[test]
fn vectors_of_one_trip_and_exits() {
    let x = [0.7, 0.3, 0.9, 0.1];
    for n in [1, 3, 6, 9] {
        let (value, adj) = scoped::value_and_gradient(&x, n);
        check("scoped", |v| scoped(v, n), &x, value, &adj);
    }
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn set_anew(x: &[f64]) -> f64 {
    let mut v = Vec::new();
    let mut sum = 0.0;
    for k in 0..x.len() {
        if k % 2 == 0 {
            v = vec![x[k]];
        } else {
            v.push(x[k] * v[0]);
            v.push(v[1] * v[1]);
        }
        sum += v[v.len() - 1] * v[0];
        v.push(sum);
    }
    let old = std::mem::take(&mut v);
    v.push(old[0]);
    let last = std::mem::replace(&mut v, old);
    sum * last[0] + v[v.len() - 1]
}

#[test]
fn vectors_that_are_set_anew() {
    for n in 1..6 {
        let x = sample(n, 0.9);
        let (value, adj) = set_anew::value_and_gradient(&x);
        check("set anew", set_anew, &x, value, &adj);
    }
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn late(x: f64, y: f64) -> f64 {
    let mut v;
    if x > y {
        v = Vec::new();
        v.push(x);
    } else {
        v = vec![y, x];
    }
    v.push(x * y);
    let w = v.clone();
    v.pop();
    v.push(w[0] * w[w.len() - 1]);
    v[v.len() - 1] * v[0] + w[1]
}

#[test]
fn vectors_that_are_declared_first() {
    for at in [[0.7, 0.4], [0.4, 0.7]] {
        let (value, (x_adj, y_adj)) = late::value_and_gradient(at[0], at[1]);
        check("late", |v| late(v[0], v[1]), &at, value, &[x_adj, y_adj]);
    }
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn closures(x: &[f64]) -> f64 {
    let mut squares = Vec::new();
    x.iter().for_each(|v| squares.push(v * v));
    let mut sums = vec![0.0];
    let mut add = |v: f64| {
        let last = sums[sums.len() - 1];
        sums.push(last + v);
    };
    for v in &squares {
        add(*v);
    }
    add(x[0]);
    sums.iter().map(|v| v.sin()).sum()
}

#[test]
fn closures_that_push() {
    let x = sample(4, 0.3);
    let (value, adj) = closures::value_and_gradient(&x);
    check("closures", closures, &x, value, &adj);
}

/// Vectors of integers are data, whatever is done to them.
#[differentiate(reverse, forward, second_order, cross_check)]
fn integers(x: &[f64], start: usize) -> f64 {
    let mut open = vec![start];
    let mut seen = Vec::new();
    let mut product = 1.0;
    while let Some(top) = open.last().copied() {
        open.truncate(open.len() - 1);
        seen.push(top);
        if top > 1 {
            open.push(top / 2);
        }
    }
    seen.insert(0, 0);
    seen.sort();
    seen.dedup();
    let mut order: Vec<usize> = Vec::with_capacity(seen.len());
    order.extend(seen.iter().rev());
    while order.len() > 1 {
        let k = order.pop().unwrap();
        product *= x[k] + x[order[0]];
    }
    order.clear();
    order.resize(3, seen.len());
    product * x[order[2]]
}

#[test]
fn vectors_of_indices() {
    let x = sample(7, 0.4);
    let (value, adj) = integers::value_and_gradient(&x, 6);
    check("integers", |v| integers(v, 6), &x, value, &adj);
}

/// A vector that only tests read has no derivative.
#[differentiate(reverse, forward, second_order, cross_check)]
fn watched(x: f64, n: usize) -> f64 {
    let mut history = Vec::new();
    let mut y = x;
    for _ in 0..n {
        y = 0.5 * (y + x / y);
        history.push(y);
        if history.len() > 2 && history[history.len() - 1] == history[history.len() - 2] {
            break;
        }
    }
    y
}

#[test]
fn vectors_that_only_tests_read() {
    let value = watched(0.7, 5);
    check("watched", |v| watched(v[0], 5), &[0.7], value, &[watched::gradient(0.7, 5)]);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn zero_trips(x: &[f64], n: usize) -> f64 {
    let mut v: Vec<f64> = Vec::new();
    for k in 0..n {
        v.push(x[k]);
    }
    for _ in 0..v.len() {
        let last = v.pop().unwrap();
        v.push(last * last);
    }
    let mut none: Vec<f64> = Vec::new();
    none.extend(&v);
    none.append(&mut v);
    none.push(x[0]);
    none[0] * x[1]
}

#[test]
fn nothing_to_push_or_pop() {
    let x = [0.7, 0.4, 1.2];
    for n in [0, 1, 3] {
        let (value, adj) = zero_trips::value_and_gradient(&x, n);
        check("zero trips", |v| zero_trips(v, n), &x, value, &adj);
    }
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn single(x: &[f32]) -> f32 {
    let mut v = Vec::new();
    for a in x {
        v.push(a * 2.0);
    }
    let b = v.pop().unwrap();
    v[0] * b
}

#[test]
fn single_precision() {
    assert_eq!(single::gradient(&[3.0, 1.0, 5.0]), [20.0, 0.0, 12.0]);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn own_elements(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    v.push(v[0]);
    v.push(v[v.len() - 1] * v[1]);
    let copy = v.to_vec();
    v.extend_from_slice(&copy[1..]);
    v.extend(copy.iter().zip(x).map(|(a, b)| a * b));
    let n = v.len();
    v.push(v[n - 1]);
    v[n] * v[n - 2] + v[n / 2]
}

#[test]
fn a_vector_is_extended_by_what_it_holds() {
    let x = [0.7, 0.4, 1.2];
    let (value, adj) = own_elements::value_and_gradient(&x);
    check("own", own_elements, &x, value, &adj);
}

#[differentiate(reverse, forward, cross_check)]
fn recursive(v: &mut Vec<f64>, depth: usize) {
    if depth == 0 {
        return;
    }
    let last = v[v.len() - 1];
    v.push(last * last + v[0]);
    recursive(v, depth - 1);
    let last = v.pop().unwrap();
    v[0] *= last;
}

#[test]
fn a_function_that_calls_itself_on_a_growing_vector() {
    let at = [0.7, 0.4];
    let run = |v: &[f64]| {
        let mut v = v.to_vec();
        recursive(&mut v, 3);
        v[0] + 2.0 * v[1]
    };
    let (mut v, mut v_adj) = (at.to_vec(), vec![1.0, 2.0]);
    recursive::adjoint(&mut v, &mut v_adj, 3);
    check("recursive", run, &at, v[0] + 2.0 * v[1], &v_adj);
}
