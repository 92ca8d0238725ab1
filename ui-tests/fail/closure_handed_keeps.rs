use ad_runtime::differentiate;
use std::cell::Cell;

#[differentiate(reverse)]
fn apply(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    f(x)
}

#[differentiate(reverse)]
fn through(#[constant] cell: &Cell<f64>, x: f64) -> f64 {
    let y = apply(
        |u| {
            cell.set(u * x);
            u
        },
        x,
    );
    y * cell.get()
}

fn main() {}
