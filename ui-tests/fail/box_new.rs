use ad_runtime::differentiate;

#[differentiate(reverse)]
fn square(x: f64) -> f64 {
    let y = Box::new(x);
    *y * *y
}

fn main() {}
