use ad_runtime::differentiate;

#[differentiate(reverse)]
fn first(x: &[f64]) -> &f64 {
    &x[0]
}

fn main() {}
