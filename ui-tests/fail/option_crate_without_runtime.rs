mod empty {}

#[ad_runtime::differentiate(reverse, crate = crate::empty)]
fn square(x: f64) -> f64 {
    x * x
}

fn main() {}
