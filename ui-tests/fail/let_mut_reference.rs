use ad_runtime::differentiate;

#[differentiate(reverse)]
fn second(x: &f64, y: &mut [f64]) -> f64 {
    let mut one = x;
    let mut tail = &mut y[0..];
    tail = &mut tail[1..];
    tail[0] * one
}

fn main() {}
