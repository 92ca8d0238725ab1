use ad_runtime::differentiate;

#[differentiate(reverse)]
fn first(mut x: &[f64], n: usize) -> f64 {
    x = &x[n..];
    x[0]
}

fn main() {}
