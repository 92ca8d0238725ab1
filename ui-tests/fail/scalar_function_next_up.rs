use ad_runtime::differentiate;

#[differentiate(reverse)]
fn next(x: f64) -> f64 {
    f64::next_up(x)
}

fn main() {}
