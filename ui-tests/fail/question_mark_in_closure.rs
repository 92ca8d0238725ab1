use ad_runtime::differentiate;

#[differentiate(reverse)]
fn first(x: &[f64]) -> f64 {
    let y = (|| -> Option<f64> { Some(x.first()? * x.last()?) })();
    y.unwrap()
}

fn main() {}
