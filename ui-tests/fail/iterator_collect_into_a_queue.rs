use ad_runtime::differentiate;
use std::collections::VecDeque;

#[differentiate(reverse)]
fn queue(x: &[f64]) -> f64 {
    let squares: VecDeque<f64> = x.iter().map(|v| v * v).collect();
    squares[0]
}

fn main() {}
