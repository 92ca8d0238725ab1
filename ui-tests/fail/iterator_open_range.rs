use ad_runtime::differentiate;

#[differentiate(reverse)]
fn powers(x: f64, n: usize) -> f64 {
    let mut total = 0.0;
    for k in 0.. {
        if k == n {
            break;
        }
        total += x;
    }
    total
}

fn main() {}
