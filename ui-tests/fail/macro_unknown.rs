use ad_runtime::differentiate;

macro_rules! square {
    ($x:expr) => {
        $x * $x
    };
}

#[differentiate(reverse)]
fn cube(x: f64) -> f64 {
    x * square!(x)
}

fn main() {}
