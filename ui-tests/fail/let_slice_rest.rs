use ad_runtime::differentiate;

#[differentiate(reverse)]
fn first(x: [f64; 3]) -> f64 {
    let [a, ..] = x;
    a * a
}

fn main() {}
