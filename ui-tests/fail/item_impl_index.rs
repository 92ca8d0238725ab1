use ad_runtime::differentiate;
use std::ops::Index;

struct Model(Vec<f64>);

#[differentiate(reverse)]
impl Index<usize> for Model {
    type Output = f64;
    fn index(&self, k: usize) -> &f64 {
        &self.0[k]
    }
}

fn main() {
    let _: f64 = Model(vec![1.0])[0];
}
