use ad_runtime::differentiate;

#[differentiate(reverse)]
fn either(x: f64, first: bool) -> f64 {
    let (mut a, mut b) = (0.0, 0.0);
    *(if first { &mut a } else { &mut b }) = x;
    a * b
}

fn main() {}
