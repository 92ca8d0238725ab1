use ad_runtime::differentiate;

#[differentiate(reverse)]
fn last(x: f64) -> f64 {
    let mut y = vec![0.0, 1.0];
    *y.last_mut().unwrap() = x;
    y[1]
}

fn main() {}
