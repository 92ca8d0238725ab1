use ad_runtime::differentiate;

#[differentiate(reverse)]
fn product(x: &[f64]) -> f64 {
    x.iter().fold(1.0, |product, x| product * x)
}

fn main() {}
