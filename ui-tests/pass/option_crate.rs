#![deny(warnings)]
#![allow(dead_code)]

mod vendored {
    pub use ad_runtime as gradients;
}

mod models {
    use crate::vendored::gradients::differentiate;

    #[differentiate(reverse, forward, crate = crate::vendored::gradients)]
    pub fn square(x: f64) -> f64 {
        x * x
    }

    #[differentiate(reverse, forward, crate = super::vendored::gradients)]
    pub fn looped(x: f64, n: usize) -> f64 {
        let mut y = x;
        for _ in 0..n {
            y *= square(x);
        }
        y
    }
}

#[crate::vendored::gradients::differentiate(reverse, forward, crate = vendored::gradients)]
fn relative(x: f64) -> f64 {
    models::square(x)
}

fn main() {
    assert_eq!(models::looped::gradient(1.0, 2), 5.0);
    assert_eq!(relative::gradient(1.0), 2.0);
}
