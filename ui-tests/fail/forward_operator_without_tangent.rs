use ad_runtime::{Differentiable, differentiate};

#[derive(Differentiable, Clone, Copy)]
struct Meters(f64);

#[differentiate(reverse)]
impl std::ops::Add for Meters {
    type Output = Meters;
    fn add(self, other: Meters) -> Meters {
        Meters(self.0 + other.0)
    }
}

#[differentiate(forward)]
fn twice(x: Meters) -> Meters {
    x + x
}

fn main() {}
