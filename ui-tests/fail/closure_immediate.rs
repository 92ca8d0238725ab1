use ad_runtime::differentiate;

#[differentiate(reverse)]
fn square(x: f64) -> f64 {
    (|y: f64| y * y)(x)
}

fn main() {}
