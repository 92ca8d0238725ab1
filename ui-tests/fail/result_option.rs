use ad_runtime::differentiate;

#[differentiate(reverse)]
fn root(x: f64) -> Option<f64> {
    if x < 0.0 { None } else { Some(x.sqrt()) }
}

fn main() {}
