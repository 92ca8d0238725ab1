use ad_runtime::differentiate;

#[differentiate(reverse)]
fn one() -> f64 {
    1.0
}

fn main() {}
