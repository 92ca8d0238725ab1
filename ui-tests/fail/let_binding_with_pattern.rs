use ad_runtime::differentiate;

#[differentiate(reverse)]
fn product(x: &(f64, f64)) -> f64 {
    let whole @ (a, b) = x;
    whole.0 * *a * *b
}

fn main() {}
