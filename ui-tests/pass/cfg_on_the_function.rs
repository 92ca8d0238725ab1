#![deny(warnings)]
#![allow(dead_code)]

use ad_runtime::differentiate;

#[cfg(any())]
#[differentiate(reverse, forward)]
fn square(x: f64) -> f64 {
    this_does_not_exist(x)
}

#[cfg(all())]
#[differentiate(reverse, forward)]
fn square(x: f64) -> f64 {
    x * x
}

#[differentiate(reverse, forward)]
#[cfg(any())]
fn cube(x: f64) -> f64 {
    x
}

#[differentiate(reverse, forward)]
#[cfg(all())]
fn cube(x: f64) -> f64 {
    x * x * x
}

#[cfg_attr(all(), differentiate(reverse, forward))]
fn fourth(x: f64) -> f64 {
    square(square(x))
}

#[cfg_attr(any(), differentiate(reverse, forward))]
fn plain(x: f64) -> f64 {
    x
}

fn main() {
    assert_eq!(square::gradient(3.0), 6.0);
    assert_eq!(cube::gradient(3.0), 27.0);
    assert_eq!(fourth::gradient(2.0), 32.0);
    plain(1.0);
}
