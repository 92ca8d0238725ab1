#![deny(warnings)]
#![allow(dead_code, non_snake_case)]

use ad_runtime::differentiate;

#[differentiate(forward)]
fn parameters(x: f64, x_tan: f64, value: f64, value_tan: f64, t1: f64, ad: f64) -> f64 {
    x * x_tan + value * value_tan + t1 * ad
}

#[differentiate(forward)]
fn references(x_tan: &[f64], x: &mut [f64], x_tan_tan: &f64, call: f64) -> f64 {
    x[0] *= x_tan[0];
    x[0] * x_tan_tan * call
}

#[differentiate(forward)]
fn locals(x: f64) -> f64 {
    let x_tan = x * x;
    let t_tan = x_tan * x;
    let value = t_tan + 1.0;
    let value_tan = value * x;
    let t1_tan = value_tan - x;
    let tangent = t1_tan * 2.0;
    tangent
}

#[differentiate(forward)]
fn in_pattern(x: &[Option<f64>]) -> f64 {
    let mut popped = Vec::new();
    for part in x {
        if let Some(found_tan) = part {
            popped.push(found_tan * found_tan);
        }
    }
    popped.pop().unwrap() * 2.0
}

#[differentiate(forward)]
fn tangent(forward: f64) -> f64 {
    forward * forward
}

#[differentiate(forward)]
fn forward(tangent: f64) -> f64 {
    self::tangent(tangent) * tangent
}

#[differentiate(forward)]
fn x_tan(x: f64) -> f64 {
    forward(x) + tangent(x)
}

#[differentiate(forward)]
fn handed(f: impl Fn(f64) -> f64, f_tangent: f64) -> f64 {
    f(f_tangent) * f_tangent
}

#[differentiate(forward)]
fn hands(value: f64, tangent: f64) -> f64 {
    handed(|x_tan| x_tan * value, tangent) + handed(self::tangent, value)
}

struct Tank {
    level: f64,
}

impl Tank {
    #[differentiate(forward)]
    fn tangent(#[constant] &self, forward: f64) -> f64 {
        self.level * forward
    }

    #[differentiate(forward)]
    fn forward(#[constant] &self, tangent: f64) -> f64 {
        self.tangent(tangent) * tangent
    }
}

fn main() {
    assert_eq!(
        parameters::tangent(1.0, 1.0, 2.0, 0.0, 3.0, 0.0, 4.0, 1.0, 5.0, 0.0, 6.0, 1.0),
        (44.0, 2.0 + 3.0 + 5.0)
    );
    let found = references::tangent(&[2.0], &[1.0], &mut [3.0], &mut [0.0], &5.0, &0.0, 7.0, 0.0);
    assert_eq!(found, (210.0, 105.0));
    // 2 ((x³ + 1) x - x) = 2 x⁴
    assert_eq!(locals::tangent(2.0, 1.0), (32.0, 64.0));
    assert_eq!(
        in_pattern::tangent(&[Some(1.0), None, Some(3.0)], &[Some(0.0), None, Some(1.0)]),
        (18.0, 12.0)
    );
    assert_eq!(tangent::tangent(3.0, 1.0), (9.0, 6.0));
    assert_eq!(forward::tangent(2.0, 1.0), (8.0, 12.0));
    assert_eq!(x_tan::tangent(2.0, 1.0), (12.0, 16.0));
    // value · tangent² + value³
    assert_eq!(hands::tangent(2.0, 1.0, 3.0, 0.0), (26.0, 9.0 + 12.0));
    assert_eq!(Tank { level: 5.0 }.forward_tangent(2.0, 1.0), (20.0, 20.0));
}
