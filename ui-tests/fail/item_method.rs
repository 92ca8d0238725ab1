use ad_runtime::differentiate;

struct Model {
    weight: f64,
}

impl Model {
    #[differentiate(reverse)]
    fn loss(&self, x: f64) -> f64 {
        self.weight * x
    }
}

fn main() {
    Model { weight: 1.0 }.loss(1.0);
}
