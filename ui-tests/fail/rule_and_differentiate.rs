use ad_runtime::{custom_rule, differentiate};

#[custom_rule(zero)]
#[differentiate(reverse)]
fn square(x: f64) -> f64 {
    x * x
}

#[differentiate(reverse)]
#[custom_rule(zero)]
fn cube(x: f64) -> f64 {
    x * x * x
}

fn main() {
    square::gradient(1.0);
    cube::gradient(1.0);
}
