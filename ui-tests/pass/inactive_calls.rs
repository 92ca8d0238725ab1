#![deny(warnings)]
#![allow(dead_code)]

use ad_runtime::differentiate;

use std::collections::HashMap;

fn opaque(n: usize) -> f64 {
    n as f64
}

fn log(_: f64) {}

struct Table(Vec<f64>);

impl Table {
    fn at(&self, k: usize) -> f64 {
        self.0[k]
    }
    fn default_scale() -> f64 {
        2.0
    }
}

#[differentiate(reverse, forward)]
fn all_constant(
    x: f64,
    n: usize,
    #[constant] table: &Table,
    #[constant] map: &HashMap<String, f64>,
    #[constant] scale: Option<f64>,
) -> f64 {
    #[constant]
    let a = opaque(n);
    #[constant]
    let b = table.at(n) + Table::default_scale();
    let c = scale.unwrap_or(1.0);
    let d = map.get("d").copied().unwrap_or(4.0);
    let e = if let Some(scale) = scale { scale } else { 0.0 };
    let f = match scale {
        Some(scale) => scale,
        None => 3.0,
    };
    let total: f64 = (0..n).map(|k| k as f64).sum();
    let square = |y: f64| y * y;
    let g = square(2.0);
    x * (a + b + c + d + e + f + total + g) + const { 1.0 + 1.0 }
}

#[differentiate(reverse, forward)]
fn observed(x: f64) -> f64 {
    #[constant]
    let seen = x;
    log(seen);
    println!("{x} {:?}", x * 2.0);
    assert!(x > 0.0, "x is {x}");
    debug_assert_eq!(x, x);
    dbg!(());
    x * x
}

fn main() {
    let slope = all_constant::gradient(1.0, 2, &Table(vec![0.0, 0.0, 5.0]), &HashMap::new(), None);
    // 2 + (5 + 2) + 1 + 4 + 0 + 3 + 1 + 4
    assert_eq!(slope, 22.0);
    assert_eq!(observed::gradient(3.0), 6.0);
}
