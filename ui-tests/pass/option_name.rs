#![deny(warnings)]
#![allow(dead_code)]

mod loss {
    #[ad_runtime::differentiate(reverse, forward, name = Loss)]
    pub fn loss(x: f64) -> f64 {
        x * x
    }
}

use loss::{Loss, loss};

fn main() {
    assert_eq!(loss(3.0), 9.0);
    assert_eq!(Loss::gradient(3.0), 6.0);
}
