use ad_runtime::custom_rule;

#[custom_rule(partials = square_rule)]
fn square(x: f64) -> f64 {
    x * x
}

#[custom_rule(vjp = |x| x)]
fn cube(x: f64) -> f64 {
    x * x * x
}

#[custom_rule(partials(x))]
fn double(x: f64) -> f64 {
    x + x
}

fn main() {}
