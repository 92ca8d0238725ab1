use ad_runtime::differentiate;

macro_rules! double {
    ($x:ident) => {
        $x *= 2.0
    };
}

#[differentiate(reverse)]
fn doubled(x: f64) -> f64 {
    let mut y = x;
    double!(y);
    y
}

fn main() {}
