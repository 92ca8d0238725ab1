use ad_runtime::{Differentiable, differentiate};

#[derive(Differentiable)]
struct Model(f64);

impl Model {
    #[differentiate(reverse)]
    pub fn square(#[constant] &self, x: f64) -> f64 {
        self.0 * x * x
    }
}

#[differentiate(reverse)]
fn loss(model: &Model, x: f64) -> f64 {
    model.square(x)
}

fn main() {}
