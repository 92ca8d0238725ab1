use ad_runtime::{Differentiable, differentiate};

#[derive(Differentiable, Clone, Copy)]
struct Meters(f64);

#[differentiate(reverse)]
impl std::ops::Mul<f64> for Meters {
    type Output = Meters;
    fn mul(self, by: f64) -> Meters {
        Meters(self.0 * by)
    }
}

impl Meters {
    #[differentiate(reverse)]
    pub fn squared(&self) -> f64 {
        self.0 * self.0
    }
}

#[differentiate(reverse)]
fn twice(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    f(f(x))
}

#[differentiate(reverse, second_order)]
fn halved(x: f64, n: usize) -> f64 {
    if n == 0 { x * x } else { halved(0.5 * x, n - 1) }
}

#[differentiate(reverse, second_order)]
fn all(length: Meters, x: f64) -> f64 {
    let longer = length * x;
    longer.squared() + twice(|v| v * x, x)
}

#[differentiate(reverse, second_order)]
fn of_a_function(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    f(x) * x
}

fn main() {}
