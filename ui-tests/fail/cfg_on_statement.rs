use ad_runtime::differentiate;

#[differentiate(reverse)]
fn tripled(x: f64) -> f64 {
    let mut y = x * x;
    #[cfg(any())]
    {
        y *= 3.0;
    }
    y += x;
    y
}

fn main() {}
