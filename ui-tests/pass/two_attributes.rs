#![deny(warnings)]
#![allow(dead_code)]

use ad_runtime::differentiate;

#[differentiate(reverse, forward)]
#[differentiate(reverse, forward, wrt(y), name = by_y)]
fn product(x: f64, y: f64) -> f64 {
    x * y * y
}

fn main() {
    assert_eq!(product::gradient(2.0, 3.0), (9.0, 12.0));
    assert_eq!(by_y::gradient(2.0, 3.0), 12.0);
}
