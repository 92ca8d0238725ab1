use ad_runtime::differentiate;

#[differentiate(reverse)]
fn tripled(x: f64) -> f64 {
    #[cfg(not(all()))]
    let x = x * 3.0;
    x * x
}

fn main() {}
