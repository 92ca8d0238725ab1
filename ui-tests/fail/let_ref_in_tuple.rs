use ad_runtime::differentiate;

#[differentiate(reverse)]
fn part(x: f64) -> f64 {
    let (ref a, b) = (x, 2.0 * x);
    a * b
}

fn main() {}
