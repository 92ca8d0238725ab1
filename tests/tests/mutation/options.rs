//! `pop` whose `Option` is taken apart, or goes on as it is.

use ad_runtime::differentiate;
use ad_tests::check::{check, sample};

/// Pairs from the end, until one is missing or the sum is large.
#[differentiate(reverse, forward, second_order, cross_check)]
fn taken_from_the_end(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let mut sum = 0.0;
    while let Some(a) = v.pop() {
        if let Some(b) = v.pop() {
            sum += a * b;
            if b > 0.8 {
                v.push(0.1 * a);
            }
        } else {
            sum += a * a * a;
        }
        if sum > 3.0 {
            break;
        }
    }
    sum + v.len() as f64
}

#[test]
fn loops_until_nothing_is_left() {
    for n in 1..8 {
        let x = sample(n, 1.1);
        let (value, adj) = taken_from_the_end::value_and_gradient(&x);
        check("from the end", taken_from_the_end, &x, value, &adj);
    }
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn depth_first(weight: &[f64], children: &[[usize; 2]]) -> f64 {
    let mut open = vec![(0_usize, weight[0])];
    let mut sum = 0.0;
    while let Some((node, above)) = open.pop() {
        sum += above * weight[node];
        for &child in &children[node] {
            if child > 0 {
                open.push((child, above * weight[child].sin()));
            }
        }
    }
    sum
}

#[test]
fn a_stack_of_indices_and_values() {
    let children = [[1, 2], [3, 0], [4, 5], [0, 0], [0, 0], [0, 0]];
    let weight = [0.7, 1.2, 0.4, 0.9, 1.1, 0.8];
    let (value, adj) = depth_first::value_and_gradient(&weight, &children);
    check("depth first", |v| depth_first(v, &children), &weight, value, &adj);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn indices_only(weight: &[f64], edges: &[Vec<usize>]) -> f64 {
    let mut open = vec![0];
    let mut product = 1.0;
    while let Some(node) = open.pop() {
        product *= 1.0 + weight[node];
        for &next in &edges[node] {
            open.push(next);
        }
        if product > 20.0 {
            return product * weight[node];
        }
    }
    product
}

#[test]
fn a_stack_of_integers() {
    let edges = [vec![1, 2], vec![3], vec![3, 4], vec![], vec![]];
    let weight = [0.7, 1.2, 0.4, 0.9, 1.1];
    for scale in [0.5, 1.0] {
        let weight = weight.map(|w| scale * w);
        let (value, adj) = indices_only::value_and_gradient(&weight, &edges);
        check("integers", |v| indices_only(v, &edges), &weight, value, &adj);
    }
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn or_else(x: &[f64], y: f64) -> f64 {
    let mut v = x.to_vec();
    let Some(top) = v.pop() else {
        return y * y;
    };
    let second = match v.pop() {
        Some(value) if value > 0.5 => value * y,
        Some(value) => value,
        None => y,
    };
    let third = v.pop();
    let rest = if let Some(value) = third { value } else { 2.0 };
    top * second * rest + y
}

#[test]
fn whatever_there_is() {
    let at = [0.9, 0.7, 0.4, 0.3, 1.2];
    for n in 0..5 {
        let (value, (mut adj, y_adj)) = or_else::value_and_gradient(&at[..n], at[4]);
        let mut point = at[..n].to_vec();
        point.push(at[4]);
        adj.push(y_adj);
        check("or else", |v| or_else(&v[..n], v[n]), &point, value, &adj);
    }
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn last_of(v: &mut Vec<f64>) -> Option<f64> {
    let last = v.pop()?;
    Some(last * last)
}

#[test]
fn what_is_popped_is_returned() {
    let (mut v, mut v_adj) = (vec![2.0, 3.0], vec![0.5]);
    let value = last_of::adjoint(&mut v, &mut v_adj, Some(1.0));
    assert_eq!((value, v, v_adj), (Some(9.0), vec![2.0], vec![0.5, 6.0]));
    let (mut v, mut v_adj) = (vec![], vec![]);
    assert_eq!(last_of::adjoint(&mut v, &mut v_adj, None), None);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn rows(x: &[f64]) -> f64 {
    let mut open = vec![x.to_vec()];
    let mut sum = 0.0;
    while let Some(mut part) = open.pop() {
        if let Some(last) = part.pop() {
            sum += last * last * (part.len() as f64 + 1.0);
            if part.len() > 2 {
                open.push(part[..1].to_vec());
            }
            part.push(sum);
            sum += part[0];
            part.pop();
            open.push(part);
        }
    }
    sum
}

#[test]
fn a_stack_of_vectors() {
    let x = sample(4, 0.2);
    let (value, adj) = rows::value_and_gradient(&x);
    check("rows", rows, &x, value, &adj);
}
