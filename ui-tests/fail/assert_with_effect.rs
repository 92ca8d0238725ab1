use ad_runtime::differentiate;

#[differentiate(reverse)]
fn tripled(x: f64) -> f64 {
    let mut y = x;
    assert!({
        y *= 3.0;
        y > 0.0
    });
    y
}

fn main() {}
