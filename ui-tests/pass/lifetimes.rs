#![deny(warnings)]
#![allow(dead_code)]

use ad_runtime::differentiate;

#[differentiate(reverse, forward)]
fn named<'a>(x: &'a [f64], y: &'a mut [f64]) -> f64 {
    y[0] *= x[0];
    y[0]
}

#[differentiate(reverse, forward)]
fn bounded<'a, 'b: 'a>(x: &'a [f64], y: &'b [f64]) -> f64
where
    'b: 'a,
{
    x[0] * y[0]
}

#[differentiate(reverse, forward)]
fn fixed(x: f64, #[constant] table: &'static [f64]) -> f64 {
    x * table[0]
}

#[differentiate(reverse, forward)]
fn nested<'a>(x: f64, #[constant] words: &[&'a str], names: &'a str) -> f64 {
    if words[0] == names { x * x } else { x }
}

#[differentiate(reverse, forward)]
fn elided(x: f64, #[constant] words: &[&str]) -> f64 {
    x * words.len() as f64
}

fn main() {
    assert_eq!(named::gradient(&[2.0], &mut [3.0]), (vec![3.0], vec![2.0]));
    assert_eq!(bounded::gradient(&[2.0], &[3.0]), (vec![3.0], vec![2.0]));
    assert_eq!(fixed::gradient(1.0, &[5.0]), 5.0);
    assert_eq!(nested::gradient(3.0, &["a"], "a"), 6.0);
    assert_eq!(elided::gradient(3.0, &["a", "b"]), 2.0);
}
