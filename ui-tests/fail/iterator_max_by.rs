use ad_runtime::differentiate;

#[differentiate(reverse)]
fn largest(x: &[f64]) -> f64 {
    *x.iter().max_by(|a, b| a.total_cmp(b)).unwrap()
}

fn main() {}
