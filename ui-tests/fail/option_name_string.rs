use ad_runtime::differentiate;

#[differentiate(reverse, name = "Loss")]
fn loss(x: f64) -> f64 {
    x * x
}

fn main() {}
