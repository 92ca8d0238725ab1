use ad_runtime::differentiate;

use std::ops::Add;

#[derive(Clone, Copy)]
struct Vector([f64; 2]);

impl Add for Vector {
    type Output = Vector;
    fn add(self, other: Vector) -> Vector {
        Vector([self.0[0] + other.0[0], self.0[1] + other.0[1]])
    }
}

#[differentiate(reverse)]
fn sum(x: [f64; 2], y: [f64; 2]) -> [f64; 2] {
    x + y
}

fn main() {}
