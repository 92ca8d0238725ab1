use ad_runtime::{Differentiable, differentiate};
use std::iter::Sum;
use std::ops::Add;

#[derive(Differentiable, Clone, Copy)]
struct Pair(f64, f64);

#[differentiate(reverse)]
impl Add for Pair {
    type Output = Pair;
    fn add(self, other: Pair) -> Pair {
        Pair(self.0 + other.0, self.1 + other.1)
    }
}

impl Sum for Pair {
    fn sum<I: Iterator<Item = Pair>>(items: I) -> Pair {
        items.fold(Pair(0.0, 0.0), |total, item| Pair(total.0 + item.0, total.1.max(item.1)))
    }
}

#[differentiate(reverse)]
fn total(pairs: &[Pair]) -> f64 {
    let total = pairs.iter().copied().sum::<Pair>();
    total.0 * total.1
}

fn main() {}
