use ad_runtime::differentiate;

#[differentiate(reverse)]
fn sign(x: f64) -> bool {
    x > 0.0
}

fn main() {}
