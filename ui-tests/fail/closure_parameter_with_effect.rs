use ad_runtime::differentiate;

#[differentiate(reverse)]
fn through<F: FnMut(f64) -> f64>(x: f64, #[constant] mut f: F) -> f64 {
    f(x);
    f(0.0)
}

fn main() {}
