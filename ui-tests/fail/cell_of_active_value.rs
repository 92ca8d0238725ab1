use ad_runtime::differentiate;

use std::cell::Cell;

#[differentiate(reverse)]
fn written(x: f64) -> f64 {
    let cell = Cell::new(x);
    cell.set(x * x);
    cell.get()
}

fn main() {}
