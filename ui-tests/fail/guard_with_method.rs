use ad_runtime::differentiate;

struct Scale(std::cell::Cell<f64>);

impl Scale {
    fn exceeds(&self, x: f64) -> bool {
        self.0.get() > x
    }
}

#[differentiate(reverse)]
fn choose(x: f64, n: usize, #[constant] scale: Scale) -> f64 {
    match n {
        0 if scale.exceeds(x) => x,
        _ => x * x,
    }
}

fn main() {}
