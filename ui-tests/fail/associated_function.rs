use ad_runtime::differentiate;

struct Model;

impl Model {
    fn square(x: f64) -> f64 {
        x * x
    }
}

#[differentiate(reverse)]
fn cube(x: f64) -> f64 {
    x * Model::square(x)
}

fn main() {}
