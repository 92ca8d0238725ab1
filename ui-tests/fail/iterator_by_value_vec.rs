use ad_runtime::differentiate;

#[differentiate(reverse)]
fn total(x: Vec<f64>) -> f64 {
    let mut total = 0.0;
    for x in x.into_iter() {
        total += x;
    }
    total
}

fn main() {}
