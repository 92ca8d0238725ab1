use ad_runtime::differentiate;

#[differentiate(reverse)]
fn pushed(x: &[f64]) -> f64 {
    let mut y = Vec::with_capacity(x.len());
    y.extend_from_slice(x);
    y[0]
}

fn main() {}
