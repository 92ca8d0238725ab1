use ad_runtime::differentiate;
use std::ops::Mul;

struct Plane(f64, f64);

#[differentiate(reverse)]
impl Mul<f64> for Plane {
    type Output = Plane;
}

fn main() {
    let _ = Plane(1.0, 2.0);
}
