use ad_runtime::differentiate;

#[differentiate(reverse, rules())]
fn square(x: f64) -> f64 {
    x * x
}

fn main() {}
