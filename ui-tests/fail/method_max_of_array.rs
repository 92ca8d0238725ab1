use ad_runtime::differentiate;

#[differentiate(reverse)]
fn either(x: [f64; 2], y: [f64; 2]) -> f64 {
    let z = x.map(|x| x * x);
    z[0] * y[0]
}

fn main() {}
