use ad_runtime::differentiate;

#[differentiate(reverse)]
fn weighted(x: &[f64], w: &[f64]) -> f64 {
    x.iter().zip(w.iter().cycle()).map(|(x, w)| x * w).sum()
}

fn main() {}
