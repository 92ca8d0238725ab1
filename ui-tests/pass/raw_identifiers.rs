#![deny(warnings)]
#![allow(dead_code)]

use ad_runtime::differentiate;

#[differentiate(reverse, forward)]
fn product(r#type: f64, r#fn: &[f64], r#mut: &mut [f64]) -> f64 {
    let r#let = r#type * r#fn[0];
    r#mut[0] += r#let;
    r#mut[0] * r#let
}

#[differentiate(reverse, forward)]
fn r#match(x: f64) -> f64 {
    let mut r#loop = x;
    for r#in in 0..2 {
        r#loop *= x + r#in as f64;
    }
    r#loop
}

#[differentiate(reverse, forward)]
fn caller(x: f64) -> f64 {
    r#match(x) + self::r#match(x)
}

#[differentiate(reverse, forward, wrt(r#type))]
fn chosen(r#type: f64, y: f64) -> f64 {
    r#type * y
}

#[differentiate(reverse, forward)]
fn plain_and_raw(x: f64, r#y: f64) -> f64 {
    r#x * y
}

fn main() {
    let (type_adj, fn_adj, mut_adj) = product::gradient(2.0, &[3.0], &mut [1.0]);
    assert_eq!((type_adj, fn_adj, mut_adj), (39.0, vec![26.0], vec![6.0]));
    // x * x * (x + 1)
    assert_eq!(r#match::gradient(2.0), 16.0);
    assert_eq!(caller::gradient(2.0), 32.0);
    assert_eq!(chosen::gradient(2.0, 3.0), 3.0);
    assert_eq!(plain_and_raw::gradient(2.0, 3.0), (3.0, 2.0));
}
