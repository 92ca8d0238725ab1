use ad_runtime::differentiate;

#[differentiate(reverse)]
fn wrong(x: f64) -> f64 {
    let y: usize = x;
    x * y
}

fn main() {}
