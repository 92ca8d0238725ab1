use ad_runtime::differentiate;

#[differentiate(reverse)]
fn pairs(x: &[f64]) -> f64 {
    x.iter().flat_map(|a| x.iter().map(move |b| a * b)).sum()
}

fn main() {}
