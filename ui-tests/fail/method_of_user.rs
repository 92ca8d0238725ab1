use ad_runtime::differentiate;

trait Square {
    fn square(self) -> f64;
}

impl Square for f64 {
    fn square(self) -> f64 {
        self * self
    }
}

#[differentiate(reverse)]
fn cube(x: f64) -> f64 {
    x * x.square()
}

fn main() {}
