use ad_runtime::Differentiable;
use std::collections::HashMap;

#[derive(Differentiable)]
struct Model {
    weight: f64,
    names: HashMap<String, usize>,
}

fn main() {
    let _ = Model { weight: 1.0, names: HashMap::new() };
}
