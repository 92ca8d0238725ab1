use ad_runtime::differentiate;

trait Model {
    #[differentiate(reverse)]
    fn loss(x: f64) -> f64;
}

fn main() {
    fn _uses<M: Model>() -> f64 {
        M::loss(1.0)
    }
}
