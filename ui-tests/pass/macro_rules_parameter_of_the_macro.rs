#![deny(warnings)]
#![allow(dead_code)]

use ad_runtime::differentiate;

macro_rules! scaled {
    ($name:ident, |$y:ident| $body:expr) => {
        #[differentiate(reverse, forward)]
        fn $name($y: f64) -> f64 {
            let y = 2.0;
            y * $body
        }
    };
}
scaled!(doubled_square, |y| y * y);

fn main() {
    assert_eq!(doubled_square(3.0), 18.0);
    assert_eq!(doubled_square::gradient(3.0), 12.0);
}
