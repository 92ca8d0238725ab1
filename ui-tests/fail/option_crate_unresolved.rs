use ad_runtime::differentiate;

#[differentiate(reverse, crate = nowhere::ad_runtime)]
fn square(x: f64) -> f64 {
    x * x
}

fn main() {}
