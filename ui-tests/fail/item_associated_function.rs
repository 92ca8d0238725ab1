use ad_runtime::differentiate;

struct Model;

impl Model {
    #[differentiate(reverse)]
    fn loss(x: f64) -> f64 {
        x * x
    }
}

fn main() {
    Model::loss(1.0);
}
