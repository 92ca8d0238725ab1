use ad_runtime::differentiate;

struct Sum(f64);

impl Sum {
    fn add(&mut self, x: f64) {
        self.0 += x;
    }
    fn total(&self) -> f64 {
        self.0
    }
}

#[differentiate(reverse)]
fn added(x: f64, #[constant] sum: &mut Sum) -> f64 {
    sum.add(x);
    sum.total() * 2.0
}

fn main() {}
