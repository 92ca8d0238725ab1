use ad_runtime::differentiate;

#[differentiate(reverse)]
fn powers(x: f64, n: usize) -> f64 {
    let mut y = 1.0;
    #[checkpoint(every = 8)]
    for _ in 0..n {
        y *= x;
    }
    y
}

fn main() {}
