use ad_runtime::differentiate;

#[differentiate(reverse)]
fn waited(x: f64) -> f64 {
    x.await
}

fn main() {}
