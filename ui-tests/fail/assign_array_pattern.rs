use ad_runtime::differentiate;

#[differentiate(reverse)]
fn swapped(x: f64, y: f64) -> f64 {
    let (mut a, mut b) = (x, y);
    [a, b] = [b, a];
    a - 2.0 * b
}

fn main() {}
