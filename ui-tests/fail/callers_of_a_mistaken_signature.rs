use ad_runtime::differentiate;

#[differentiate(reverse)]
fn mistaken((x, y): (f64, f64), z: f64) -> f64 {
    x * y * z
}

fn main() {
    let _: f64 = mistaken((1.0, 2.0), 3.0);
    let _ = mistaken::gradient((1.0, 2.0), 3.0);
}
