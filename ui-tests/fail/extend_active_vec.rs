use ad_runtime::differentiate;

#[differentiate(reverse)]
fn extended(x: f64) -> f64 {
    let mut y = vec![x];
    y.extend([x * x]);
    y.truncate(1);
    y[0]
}

fn main() {}
