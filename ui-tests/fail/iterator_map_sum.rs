use ad_runtime::differentiate;

#[differentiate(reverse)]
fn squares(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum()
}

fn main() {}
