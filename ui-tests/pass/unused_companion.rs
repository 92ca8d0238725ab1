#![deny(warnings)]

use ad_runtime::differentiate;

#[differentiate(reverse)]
fn used_only_itself(x: f64) -> f64 {
    x * x
}

fn main() {
    used_only_itself(1.0);
}
