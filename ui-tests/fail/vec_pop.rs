use ad_runtime::differentiate;

#[differentiate(reverse)]
fn changed(x: &[f64]) -> f64 {
    let mut y = x.to_vec();
    let last = y.pop();
    last.map_or(0.0, |v| v)
}

fn main() {}
