use ad_runtime::differentiate;

#[differentiate(reverse)]
fn both(x: f64) -> (f64, f64) {
    (x, x * x)
}

fn main() {
    let _ = both::gradient(1.0);
}
