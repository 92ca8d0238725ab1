use ad_runtime::differentiate;

struct Start(Vec<f64>);

#[differentiate(reverse)]
fn pushed(x: f64, #[constant] start: Start) -> f64 {
    let mut y = start.0;
    y.push(x * x);
    y[0]
}

fn main() {}
