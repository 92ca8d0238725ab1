use ad_runtime::differentiate;

#[differentiate(reverse)]
fn sum(x: &[&f64]) -> f64 {
    *x[0] + *x[1]
}

fn main() {}
