use ad_runtime::differentiate;

#[differentiate(reverse)]
fn scaled(x: f64) -> f64 {
    let scale = |y: f64| x * y;
    scale(2.0)
}

fn main() {}
