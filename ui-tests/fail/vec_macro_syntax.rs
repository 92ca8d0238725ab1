use ad_runtime::differentiate;

#[differentiate(reverse)]
fn pair(x: f64) -> f64 {
    let y = vec![x => x];
    y[0]
}

fn main() {}
