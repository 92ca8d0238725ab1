#![deny(warnings)]
#![allow(dead_code)]

use ad_runtime::differentiate;

#[differentiate(reverse, forward)]
fn fourth(x: f64) -> f64 {
    let x = x * x;
    let x = x * x;
    x
}

#[differentiate(reverse, forward)]
fn inner(x: f64) -> f64 {
    let y = {
        let x = 3.0 * x;
        x * x
    };
    y + x
}

#[differentiate(reverse, forward)]
fn in_loop(x: f64, n: usize) -> f64 {
    let mut y = x;
    for x in 0..n {
        let x = x as f64;
        y *= x + 1.0;
    }
    y * x
}

#[differentiate(reverse, forward)]
fn in_arm(x: f64, n: usize) -> f64 {
    match n {
        0 => x,
        x => x as f64 * 2.0,
    }
}

fn main() {
    assert_eq!(fourth::gradient(2.0), 32.0);
    assert_eq!(inner::gradient(2.0), 37.0);
    assert_eq!(in_loop::gradient(2.0, 3), 24.0);
    assert_eq!(
        (in_arm::gradient(2.0, 0), in_arm::gradient(2.0, 5)),
        (1.0, 0.0)
    );
}
