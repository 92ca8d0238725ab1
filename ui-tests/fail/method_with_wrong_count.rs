use ad_runtime::differentiate;

#[differentiate(reverse)]
fn power(x: f64) -> f64 {
    x.powi()
}

fn main() {}
