use ad_runtime::differentiate;

#[differentiate(reverse)]
fn changed(x: &[f64]) -> f64 {
    let mut y = x.to_vec();
    y.dedup();
    y[0]
}

fn main() {}
