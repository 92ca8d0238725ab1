use ad_runtime::differentiate;

#[differentiate(reverse)]
fn square(x: f64, y: f64, first: bool) -> f64 {
    let pair: &[f64] = if first { &[x] } else { &[y] };
    pair[0] * pair[0]
}

fn main() {}
