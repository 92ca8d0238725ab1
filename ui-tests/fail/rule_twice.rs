use ad_runtime::custom_rule;

#[custom_rule(zero, zero)]
fn step(x: f64) -> f64 {
    x.floor()
}

fn main() {}
