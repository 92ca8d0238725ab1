use ad_runtime::differentiate;

#[differentiate(reverse)]
fn later(x: f64) -> f64 {
    let y = async { x };
    drop(y);
    x
}

fn main() {}
