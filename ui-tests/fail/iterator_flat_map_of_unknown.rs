use ad_runtime::differentiate;

#[differentiate(reverse)]
fn halves(x: &[f64]) -> f64 {
    x.iter().flat_map(|v| half(*v)).sum()
}

fn half(v: f64) -> Option<f64> {
    (v > 1.0).then_some(0.5 * v)
}

fn main() {}
