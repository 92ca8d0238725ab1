#![deny(warnings)]

use ad_runtime::differentiate;

#[differentiate(reverse, forward)]
fn used_only_itself(x: f64) -> f64 {
    x * x
}

fn main() {
    used_only_itself(1.0);
}
