use ad_runtime::differentiate;

#[differentiate(reverse)]
fn doubled(x: f64) -> impl Fn(f64) -> f64 {
    move |y| x * y
}

fn main() {}
