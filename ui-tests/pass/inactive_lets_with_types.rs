#![deny(warnings)]
#![allow(dead_code)]

use ad_runtime::differentiate;

#[differentiate(reverse, forward)]
fn typed(x: f64, text: &str, n: usize) -> f64 {
    let parsed: f64 = text.parse().unwrap();
    let squares: Vec<f64> = (0..n).map(|k| (k * k) as f64).collect();
    let total: f64 = squares.iter().sum();
    let count: usize = squares.iter().filter(|square| **square > 0.0).count();
    let (low, high): (Vec<f64>, Vec<f64>) = squares.iter().partition(|square| **square < 2.0);
    let narrow: u8 = n.try_into().unwrap();
    x * (parsed + total + (count + low.len() + high.len()) as f64 + f64::from(narrow))
}

fn main() {
    assert_eq!(typed::gradient(1.0, "2.5", 3), 2.5 + 5.0 + 5.0 + 3.0);
}
