use ad_runtime::differentiate;

struct Point {
    x: f64,
}

#[differentiate(reverse)]
fn square(x: f64) -> f64 {
    let point = Point { x };
    point.x * point.x
}

fn main() {}
