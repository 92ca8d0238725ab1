#![deny(warnings)]
#![allow(dead_code)]

use ad_runtime::differentiate;

#[differentiate(reverse, forward)]
fn outer(x: f64) -> f64 {
    #[differentiate(reverse, forward)]
    fn square(x: f64) -> f64 {
        x * x
    }
    const SCALE: f64 = 2.0;
    fn offset() -> f64 {
        1.0
    }
    let y = square(x) * SCALE;
    y + offset()
}

fn main() {
    #[differentiate(reverse, forward)]
    fn local(x: f64) -> f64 {
        x * x * x
    }
    assert_eq!(outer::gradient(3.0), 12.0);
    assert_eq!(local::gradient(2.0), 12.0);
    {
        #[differentiate(reverse, forward)]
        fn local(x: f64) -> f64 {
            5.0 * x
        }
        assert_eq!(local::gradient(2.0), 5.0);
    }
}
