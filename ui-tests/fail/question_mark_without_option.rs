use ad_runtime::differentiate;

#[differentiate(reverse)]
fn first(x: &[f64]) -> f64 {
    let inner = x.first()?;
    inner * inner
}

fn main() {}
