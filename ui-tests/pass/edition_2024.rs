#![deny(warnings)]
#![allow(dead_code)]

use ad_runtime::differentiate;

#[differentiate(reverse, forward)]
fn r#gen(x: f64) -> f64 {
    let r#gen = x * x;
    r#gen
}

#[differentiate(reverse, forward)]
fn tail_temporaries(x: &[f64], n: usize) -> f64 {
    let y = {
        let z = [x[0], x[1]];
        z[n] * 2.0
    };
    if y > 0.0 { y * x[0] } else { x[1] }
}

#[differentiate(reverse, forward)]
const fn constant(x: f64) -> f64 {
    x * x
}

const NINE: f64 = constant(3.0);

fn main() {
    assert_eq!(r#gen::gradient(3.0), 6.0);
    assert_eq!(tail_temporaries::gradient(&[2.0, 3.0], 1), vec![6.0, 4.0]);
    assert_eq!(constant::gradient(NINE), 18.0);
}
