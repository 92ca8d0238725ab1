use ad_runtime::differentiate;

#[differentiate(reverse, cross_check)]
fn square(x: f64) -> f64 {
    x * x
}

fn main() {}
