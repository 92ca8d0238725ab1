use ad_runtime::{Differentiable, differentiate};

#[derive(Differentiable, Clone, Copy)]
struct Point {
    x: f64,
    y: f64,
}

#[differentiate(reverse)]
fn area(x: &[f64]) -> f64 {
    let ends: [Point; 2] = std::array::from_fn(|k| Point { x: x[k], y: x[k + 1] });
    ends[0].x * ends[1].y
}

fn main() {}
