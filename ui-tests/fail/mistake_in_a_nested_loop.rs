use ad_runtime::differentiate;

#[differentiate(reverse)]
fn sum(x: &[f64], n: usize) -> f64 {
    let mut total = 0.0;
    for k in 0..n {
        while total < 10.0 {
            total += x[k].next_up();
        }
    }
    total
}

fn main() {}
