use ad_runtime::differentiate;

static SCALE: [f64; 1] = [2.0];

#[differentiate(reverse)]
fn written(x: f64) -> f64 {
    let cell = std::cell::Cell::new(x);
    cell.set(x * x);
    cell.get() * SCALE[0]
}

fn main() {}
