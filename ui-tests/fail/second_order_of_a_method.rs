use ad_runtime::{Differentiable, differentiate};

#[derive(Differentiable, Clone)]
struct Spring(f64);

impl Spring {
    #[differentiate(reverse, second_order)]
    pub fn energy(&self, x: f64) -> f64 {
        self.0 * x * x
    }
}

fn main() {}
