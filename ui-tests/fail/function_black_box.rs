use ad_runtime::differentiate;

#[differentiate(reverse)]
fn kept(x: f64) -> f64 {
    std::hint::black_box(x)
}

fn main() {}
