#![deny(warnings)]
#![allow(dead_code)]

use ad_runtime::differentiate;

macro_rules! both {
    ($name:ident, $x:ident) => {
        #[differentiate(reverse, forward)]
        fn $name($x: f64, x: f64) -> f64 {
            $x * $x * x
        }
    };
}
both!(product, x);

fn main() {
    assert_eq!(product::gradient(3.0, 5.0), (30.0, 9.0));
}
