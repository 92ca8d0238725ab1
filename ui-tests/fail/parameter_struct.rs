use ad_runtime::differentiate;

struct Model {
    weight: f64,
}

#[differentiate(reverse)]
fn loss(model: &Model, x: f64) -> f64 {
    model.weight * x
}

fn main() {}
