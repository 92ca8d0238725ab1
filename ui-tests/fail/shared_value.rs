use ad_runtime::differentiate;
use std::rc::Rc;

#[differentiate(reverse)]
fn doubled(x: f64) -> f64 {
    let shared = Rc::new(x * x);
    *shared * 2.0
}

fn main() {}
