#![deny(warnings)]
#![allow(dead_code)]

use ad_runtime::differentiate;

mod a {
    #[ad_runtime::differentiate(reverse, forward)]
    pub fn loss(x: f64) -> f64 {
        x * x
    }
}

mod b {
    #[ad_runtime::differentiate(reverse, forward)]
    pub fn loss(x: f64) -> f64 {
        super::a::loss(x) * x
    }
}

#[differentiate(reverse, forward)]
fn loss(x: f64) -> f64 {
    a::loss(x) + b::loss(x)
}

fn main() {
    assert_eq!(loss::gradient(2.0), 16.0);
}
