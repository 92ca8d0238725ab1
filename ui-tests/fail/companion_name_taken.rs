use ad_runtime::differentiate;

mod square {}

#[differentiate(reverse)]
fn square(x: f64) -> f64 {
    x * x
}

fn main() {}
