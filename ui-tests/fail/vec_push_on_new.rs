use ad_runtime::differentiate;

#[differentiate(reverse)]
fn pushed(x: f64) -> f64 {
    let mut y = Vec::new();
    y.push(x * x);
    y[0]
}

fn main() {}
