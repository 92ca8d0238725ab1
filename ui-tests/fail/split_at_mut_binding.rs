use ad_runtime::differentiate;

#[differentiate(reverse)]
fn halves(x: &[f64]) -> f64 {
    let (mut a, b) = x.split_at(1);
    a = &a[..1];
    a[0] * b[0]
}

fn main() {}
