use ad_runtime::differentiate;

use std::cell::Cell;

#[differentiate(reverse)]
fn through(x: f64, #[constant] cell: &Cell<f64>) -> f64 {
    cell.set(x);
    cell.get() * 2.0
}

fn main() {}
