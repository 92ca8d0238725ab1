use ad_runtime::differentiate;

struct Model {
    weight: f64,
}

#[differentiate(reverse)]
fn mistaken(x: f64, model: &Model) -> f64 {
    x * model.weight
}

#[differentiate(reverse)]
fn caller(x: f64, #[constant] model: &Model) -> f64 {
    mistaken(x, model)
}

fn main() {
    let model = Model { weight: 1.0 };
    let _: f64 = mistaken(1.0, &model);
    let _: f64 = caller::gradient(1.0, &model);
}
