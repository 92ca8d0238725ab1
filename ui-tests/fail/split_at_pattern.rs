use ad_runtime::differentiate;

#[differentiate(reverse)]
fn halves(x: &[f64]) -> f64 {
    let ([..], b) = x.split_at(1);
    b[0] * b[1]
}

fn main() {}
