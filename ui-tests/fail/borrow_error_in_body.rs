use ad_runtime::differentiate;

#[differentiate(reverse)]
fn wrong(x: Vec<f64>) -> f64 {
    let y = x;
    x[0] * y[0]
}

fn main() {}
