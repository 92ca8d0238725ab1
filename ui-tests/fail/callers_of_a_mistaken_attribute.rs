use ad_runtime::differentiate;

#[differentiate(reverse, only(x))]
fn mistaken(x: f64, y: f64) -> f64 {
    x * y
}

fn main() {
    let _: (f64, f64) = mistaken::gradient(1.0, 2.0);
}
