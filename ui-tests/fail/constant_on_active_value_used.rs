use ad_runtime::differentiate;

#[differentiate(reverse)]
fn half(x: f64) -> f64 {
    #[constant]
    let mut scale = x;
    scale *= x;
    scale
}

fn main() {}
