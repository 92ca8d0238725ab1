use ad_runtime::differentiate;

#[differentiate(reverse)]
fn apply(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    f(x)
}

struct Model;

impl Model {
    fn of(x: f64) -> f64 {
        x * x
    }
}

#[differentiate(reverse)]
fn value(x: f64) -> f64 {
    apply(Model::of, x)
}

fn main() {}
