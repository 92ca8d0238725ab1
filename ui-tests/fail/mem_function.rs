use ad_runtime::differentiate;

#[differentiate(reverse)]
fn kept(x: f64) -> f64 {
    let y = std::mem::ManuallyDrop::new(x);
    std::mem::drop(x);
    *y
}

fn main() {}
