#![deny(warnings)]
#![allow(dead_code)]

use ad_runtime::differentiate;

struct Model {
    weight: f64,
}

impl Model {
    fn slope(&self, x: f64) -> f64 {
        #[differentiate(reverse, forward, wrt(x))]
        fn loss(weight: f64, x: f64) -> f64 {
            weight * x * x
        }
        loss::gradient(self.weight, x)
    }
}

fn main() {
    assert_eq!(Model { weight: 2.0 }.slope(3.0), 12.0);
}
