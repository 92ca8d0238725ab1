use ad_runtime::differentiate;

struct Point {
    x: f64,
}

#[differentiate(reverse)]
fn point(x: f64) -> Point {
    Point { x }
}

fn main() {
    let _ = point(1.0).x;
}
