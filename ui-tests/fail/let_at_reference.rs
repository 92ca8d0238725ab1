use ad_runtime::differentiate;

#[differentiate(reverse)]
fn ends(x: &[f64; 3]) -> f64 {
    let [first, .., last] = x;
    first * last
}

fn main() {}
