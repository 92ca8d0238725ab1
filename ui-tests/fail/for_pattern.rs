use ad_runtime::differentiate;

#[differentiate(reverse)]
fn sum(x: &[(f64, f64)]) -> f64 {
    let mut total = 0.0;
    for (a, ..) in x {
        total += a * a;
    }
    total
}

fn main() {}
