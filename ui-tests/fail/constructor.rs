use ad_runtime::differentiate;

#[differentiate(reverse)]
fn square(x: f64) -> f64 {
    let y = Some(x);
    y.unwrap() * x
}

fn main() {}
