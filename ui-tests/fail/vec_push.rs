use ad_runtime::differentiate;

#[differentiate(reverse)]
fn pushed(x: f64) -> f64 {
    let mut y = vec![x];
    y.push(x * x);
    y[1]
}

fn main() {}
