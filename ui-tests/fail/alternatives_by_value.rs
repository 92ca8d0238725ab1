use ad_runtime::differentiate;

#[differentiate(reverse)]
fn part(pair: &(f64, f64), w: f64) -> f64 {
    if let (0.5, x) | (x, 1.0) = pair { x * w } else { w }
}

fn main() {}
