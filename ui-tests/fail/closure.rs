use ad_runtime::differentiate;

#[differentiate(reverse)]
fn square(x: f64) -> f64 {
    let square = |y: f64| y * y;
    square(x)
}

fn main() {}
