use ad_runtime::{custom_rule, differentiate};

#[custom_rule(zero)]
fn my(x: f64) -> f64 {
    x
}

#[differentiate(reverse, rules(their = my, their = my))]
fn square(x: f64) -> f64 {
    x * their(x)
}

fn their(x: f64) -> f64 {
    x
}

fn main() {}
