use ad_runtime::differentiate;

#[differentiate(reverse)]
fn printed(x: f64) -> f64 {
    dbg!(x) * x
}

fn main() {}
