use ad_runtime::differentiate;
use std::sync::Mutex;

#[differentiate(reverse)]
fn through(#[constant] shared: &Mutex<f64>, x: f64) -> f64 {
    {
        let mut held = shared.lock().unwrap();
        *held = x;
    }
    *shared.lock().unwrap() * 2.0
}

fn main() {}
