use ad_runtime::differentiate;

#[differentiate(reverse)]
fn pairs(x: &[f64]) -> f64 {
    let mut total = 0.0;
    for pair in x.chunks_exact(2) {
        total += pair[0] * pair[1];
    }
    total
}

fn main() {}
