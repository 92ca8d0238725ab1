use ad_runtime::differentiate;

#[differentiate(reverse)]
fn backwards(x: &[f64]) -> f64 {
    let mut y = 0.0;
    for v in x.iter().filter(|v| **v > 0.0).rev() {
        y = y * 0.5 + v;
    }
    y
}

fn main() {}
