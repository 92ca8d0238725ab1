use ad_runtime::differentiate;

#[derive(Clone, Copy)]
struct Metres(f64);

impl From<Metres> for f64 {
    fn from(metres: Metres) -> f64 {
        metres.0
    }
}

#[differentiate(reverse)]
fn square(x: f64) -> f64 {
    let y = f64::from(Metres(x));
    y * y
}

fn main() {}
