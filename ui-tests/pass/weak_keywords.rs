#![deny(warnings)]
#![allow(dead_code)]

use ad_runtime::differentiate;

#[differentiate(reverse, forward)]
fn union(auto: f64, default: f64, raw: f64, safe: f64) -> f64 {
    let macro_rules = auto * default;
    macro_rules * raw + safe
}

#[differentiate(reverse, forward)]
fn main_like(constant: f64, checkpoint: f64, reverse: f64, wrt: f64) -> f64 {
    constant * checkpoint + reverse * wrt
}

fn main() {
    assert_eq!(union::gradient(2.0, 3.0, 5.0, 7.0), (15.0, 10.0, 6.0, 1.0));
    assert_eq!(
        main_like::gradient(2.0, 3.0, 5.0, 7.0),
        (3.0, 2.0, 7.0, 5.0)
    );
}
