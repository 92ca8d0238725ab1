use ad_runtime::{Differentiable, differentiate};

#[derive(Differentiable, Clone)]
struct Spring(f64);

impl Spring {
    #[differentiate(reverse)]
    fn energy(&self, x: f64) -> f64 {
        self.0 * x * x
    }
}

#[differentiate(forward)]
fn loaded(spring: &Spring, x: f64) -> f64 {
    spring.energy(x) * x
}

fn main() {}
