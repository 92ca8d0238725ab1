use ad_runtime::differentiate;

#[differentiate(reverse)]
fn first(x: &[f64]) -> f64 {
    unsafe { *x.get_unchecked(0) }
}

fn main() {}
