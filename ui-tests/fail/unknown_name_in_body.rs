use ad_runtime::differentiate;

#[differentiate(reverse)]
fn wrong(x: f64) -> f64 {
    x * missing
}

fn main() {}
