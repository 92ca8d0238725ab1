use ad_runtime::differentiate;

struct Model;

#[differentiate(reverse)]
impl Model {
    fn loss(&self, x: f64) -> f64 {
        x * x
    }
}

fn main() {
    Model.loss(1.0);
}
