use ad_runtime::differentiate;

#[differentiate(reverse)]
fn squares(x: [f64; 2]) -> f64 {
    let y = x.map(|x| x * x);
    y[0] * y[1]
}

fn main() {}
