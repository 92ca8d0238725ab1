#![deny(warnings)]
#![allow(dead_code)]

use ad_runtime::differentiate;

#[differentiate(reverse)]
fn through(x: f64, #[constant] scratch: &mut [f64]) -> f64 {
    scratch[0] = x * x;
    scratch[0] * 2.0 + scratch[1]
}

fn main() {
    let mut scratch = [1.0, 5.0];
    assert_eq!(through::value_and_gradient(3.0, &mut scratch), (23.0, 12.0));
}
