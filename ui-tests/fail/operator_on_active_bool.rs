use ad_runtime::differentiate;

#[differentiate(reverse)]
fn shifted(x: f64, n: u32) -> f64 {
    let y = x * f64::from(1 << n);
    y ^ y
}

fn main() {}
