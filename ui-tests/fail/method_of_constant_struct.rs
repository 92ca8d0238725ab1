use ad_runtime::differentiate;

struct Model {
    weight: f64,
}

impl Model {
    fn at(&self, x: f64) -> f64 {
        self.weight * x
    }
}

#[differentiate(reverse)]
fn loss(#[constant] model: &Model, x: f64) -> f64 {
    let y = model.at(x);
    y * y
}

fn main() {}
