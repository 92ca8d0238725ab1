use ad_runtime::differentiate;

#[differentiate(reverse)]
fn product(x: f64, #[cfg(all())] y: f64) -> f64 {
    x * y
}

fn main() {}
