use ad_runtime::differentiate;

#[differentiate(reverse)]
fn product((x, y): (f64, f64)) -> f64 {
    x * y
}

fn main() {}
