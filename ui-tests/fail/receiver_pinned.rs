use ad_runtime::{Differentiable, differentiate};
use std::pin::Pin;

#[derive(Differentiable)]
struct Model(f64);

impl Model {
    #[differentiate(reverse)]
    fn square(self: Pin<&mut Self>, x: f64) -> f64 {
        self.0 * x
    }
}

fn main() {}
