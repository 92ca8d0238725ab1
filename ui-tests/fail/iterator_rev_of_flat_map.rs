use ad_runtime::differentiate;

#[differentiate(reverse)]
fn backwards(x: &[f64]) -> f64 {
    let mut y = 0.0;
    for v in x.iter().flat_map(|a| x.iter().map(move |b| a * b)).rev() {
        y = y * 0.5 + v;
    }
    y
}

fn main() {}
