use ad_runtime::differentiate;

struct Metres(f64);

#[differentiate(reverse)]
fn square(x: f64) -> f64 {
    let y = Metres(x);
    y.0 * x
}

fn main() {}
