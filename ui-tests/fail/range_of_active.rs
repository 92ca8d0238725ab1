use ad_runtime::differentiate;

#[differentiate(reverse)]
fn inside(x: f64) -> f64 {
    let range = 0.0..x;
    range.end * x
}

fn main() {}
