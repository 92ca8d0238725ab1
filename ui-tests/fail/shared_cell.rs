use ad_runtime::differentiate;
use std::cell::RefCell;
use std::rc::Rc;

#[differentiate(reverse)]
fn through_two_handles(t: &[f64]) -> f64 {
    let writer = Rc::new(RefCell::new(vec![0.0; t.len()]));
    let reader = Rc::clone(&writer);
    for (i, v) in t.iter().enumerate() {
        writer.borrow_mut()[i] = v * v;
    }
    let total = reader.borrow().iter().sum();
    total
}

fn main() {}
