use ad_runtime::differentiate;

use std::ops::Mul;

#[derive(Clone, Copy)]
struct Scale(f64);

impl Mul<f64> for Scale {
    type Output = f64;
    fn mul(self, x: f64) -> f64 {
        self.0 * x
    }
}

#[differentiate(reverse)]
fn scaled(x: f64, #[constant] scale: Scale) -> f64 {
    scale * x
}

fn main() {}
