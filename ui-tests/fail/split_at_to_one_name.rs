use ad_runtime::differentiate;

#[differentiate(reverse)]
fn halves(x: &[f64]) -> f64 {
    let halves = x.split_at(1);
    halves.0[0] * halves.1[0]
}

fn main() {}
