use ad_runtime::differentiate;

#[differentiate(reverse)]
extern "C" fn square(x: f64) -> f64 {
    x * x
}

fn main() {}
