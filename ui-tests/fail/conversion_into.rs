use ad_runtime::differentiate;

#[differentiate(reverse)]
fn widened(x: f32) -> f64 {
    let y: f64 = x.into();
    y * y
}

fn main() {}
