use ad_runtime::differentiate;

fn square(x: f64) -> f64 {
    x * x
}

#[differentiate(reverse)]
fn cube(x: f64) -> f64 {
    x * square(x)
}

fn main() {}
