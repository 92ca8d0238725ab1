use ad_runtime::differentiate;

#[differentiate(reverse)]
fn negated(x: (f64, f64)) -> f64 {
    let y = -x;
    y.0
}

fn main() {}
