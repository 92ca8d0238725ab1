use ad_runtime::differentiate;

macro_rules! info {
    ($x:ident) => {
        $x *= 2.0
    };
}

#[differentiate(reverse)]
fn doubled(x: f64) -> f64 {
    let mut y = x;
    info!(y);
    y
}

fn main() {}
