use ad_runtime::differentiate;

#[differentiate(reverse)]
fn larger(x: f64) -> f64 {
    let y = std::convert::identity(x);
    y * y
}

fn main() {}
