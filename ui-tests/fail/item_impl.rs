use ad_runtime::differentiate;

struct Model(f64);

#[differentiate(reverse)]
impl From<f64> for Model {
    fn from(x: f64) -> Self {
        Model(x * x)
    }
}

fn main() {
    Model::from(1.0).0;
}
