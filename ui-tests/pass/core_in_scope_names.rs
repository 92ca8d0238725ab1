#![deny(warnings)]
#![allow(dead_code, non_camel_case_types)]

use ad_runtime::differentiate;

mod core {}
mod std {}
mod alloc {}
mod ad {}
mod ad_macros {}
mod num_traits {}

struct Vec;
struct Option;
struct Some;
struct None;
struct Box;
struct Default;
struct Clone;
struct Restore;
struct Real;
struct String;
struct usize_;
trait Iterator {}
trait ToOwned {}
trait Into {}

fn pull() {}
fn take() {}
fn zeros() {}
fn drop() {}

macro_rules! vec {
    () => {};
}

#[differentiate(reverse, forward)]
fn straight(x: f64, w: &[f64; 2]) -> f64 {
    w[0] * x + w[1]
}

#[differentiate(reverse, forward)]
fn looped(x: f64, w: &[f64], out: &mut [f64], n: usize) -> f64 {
    let mut y = x;
    for k in 0..n {
        if y > 50.0 {
            break;
        }
        y = y.exp() * w[k];
        out[k] = y;
    }
    y
}

#[differentiate(reverse, forward)]
fn recursive(x: f64, n: u32) -> f64 {
    if n == 0 { x } else { recursive(x * x, n - 1) }
}

fn main() {
    vec!();
    assert_eq!(straight::gradient(2.0, &[3.0, 4.0]), (3.0, [2.0, 1.0]));
    assert_eq!(looped::gradient(0.0, &[2.0], &mut [0.0], 1).0, 2.0);
    assert_eq!(recursive::gradient(1.0, 3), 8.0);
}
