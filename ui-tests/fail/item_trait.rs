use ad_runtime::differentiate;

#[differentiate(reverse)]
trait Model {
    fn loss(&self, x: f64) -> f64;
}

fn main() {
    fn _uses<M: Model>(model: M) -> f64 {
        model.loss(1.0)
    }
}
