use ad_runtime::differentiate;

#[differentiate(reverse)]
fn extended(x: f64) -> f64 {
    let mut y = vec![x];
    y.extend(std::iter::successors(Some(x), |v| (*v < 1.0).then_some(2.0 * v)));
    y[1]
}

fn main() {}
