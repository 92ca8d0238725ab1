use ad_runtime::differentiate;

#[differentiate(reverse)]
fn halves(x: &Vec<f64>) -> f64 {
    let (a, b) = x.as_slice().split_at(1);
    a[0] * b[0]
}

fn main() {}
