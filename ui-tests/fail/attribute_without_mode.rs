use ad_runtime::differentiate;

#[differentiate]
fn square(x: f64) -> f64 {
    x * x
}

fn main() {}
