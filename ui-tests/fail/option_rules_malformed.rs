use ad_runtime::differentiate;

#[differentiate(reverse, rules(my::erf))]
fn square(x: f64) -> f64 {
    x * x
}

fn main() {}
