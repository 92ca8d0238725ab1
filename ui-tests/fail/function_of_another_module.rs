use ad_runtime::differentiate;

mod library {
    pub fn square(x: f64) -> f64 {
        x * x
    }
}

#[differentiate(reverse)]
fn cube(x: f64) -> f64 {
    x * library::square(x)
}

fn main() {}
