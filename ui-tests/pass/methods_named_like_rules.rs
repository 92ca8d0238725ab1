#![deny(warnings)]
#![allow(dead_code)]

use ad_runtime::differentiate;

struct Journal(Vec<usize>);

impl Journal {
    fn log(&mut self, entry: usize) {
        self.0.push(entry);
    }
    fn max(&mut self) -> usize {
        self.0.push(100);
        self.0.len()
    }
}

#[differentiate(reverse, forward)]
fn journalled(x: f64, #[constant] journal: &mut Journal) -> f64 {
    journal.log(7);
    let n = journal.max();
    x * n as f64
}

fn main() {
    let mut journal = Journal(vec![]);
    assert_eq!(
        journalled::value_and_gradient(3.0, &mut journal),
        (6.0, 2.0)
    );
    assert_eq!(journal.0, [7, 100]);
}
