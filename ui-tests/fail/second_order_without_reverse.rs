use ad_runtime::differentiate;

#[differentiate(forward, second_order)]
fn square(x: f64) -> f64 {
    x * x
}

fn main() {}
