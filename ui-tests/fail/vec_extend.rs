use ad_runtime::differentiate;

#[differentiate(reverse)]
fn extended(x: f64) -> f64 {
    let mut y = vec![x];
    let mut next = x;
    y.extend(std::iter::from_fn(|| {
        next *= 2.0;
        (next < 9.0).then_some(next)
    }));
    y[1]
}

fn main() {}
