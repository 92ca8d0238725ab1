use ad_runtime::differentiate;

#[differentiate(reverse)]
fn doubled(x: &[f64]) -> Vec<f64> {
    x.iter().map(|x| 2.0 * x).collect()
}

fn main() {}
