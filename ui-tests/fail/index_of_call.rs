use ad_runtime::differentiate;

#[differentiate(reverse)]
fn first(x: &[f64]) -> f64 {
    let y = x.get(0..2).unwrap()[1];
    y * y
}

fn main() {}
