use ad_runtime::differentiate;

#[differentiate(reverse)]
fn wrong(x: f64) -> f64 {
    missing(x)
}

fn main() {}
