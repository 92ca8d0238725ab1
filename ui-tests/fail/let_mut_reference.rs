use ad_runtime::differentiate;

#[differentiate(reverse)]
fn second(x: &[f64]) -> f64 {
    let mut tail = &x[0..];
    tail = &x[1..];
    tail[0]
}

fn main() {}
