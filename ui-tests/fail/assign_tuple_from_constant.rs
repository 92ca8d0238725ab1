use ad_runtime::differentiate;

const START: (f64, f64) = (1.0, 2.0);

#[differentiate(reverse)]
fn start(x: f64) -> f64 {
    let (mut a, mut b) = (x, x);
    if x < 0.0 {
        (a, b) = START;
    }
    a * b
}

fn main() {}
