use ad_runtime::differentiate;

struct Model {
    curve: fn(f64) -> f64,
}

#[differentiate(reverse)]
fn apply(#[constant] model: &Model, x: f64) -> f64 {
    (model.curve)(x)
}

fn main() {}
