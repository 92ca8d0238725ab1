use ad_runtime::differentiate;

#[differentiate(reverse)]
const WEIGHT: f64 = 2.0;

fn main() {
    let _ = WEIGHT;
}
