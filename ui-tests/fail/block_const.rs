use ad_runtime::differentiate;

#[differentiate(reverse)]
fn twice(x: f64) -> f64 {
    x * const { 1.0 + 1.0 }
}

fn main() {}
