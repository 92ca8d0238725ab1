use ad_runtime::differentiate;

#[differentiate(reverse)]
fn written(x: f64, out: &mut [f64]) {
    macro_rules! set {
        ($place:expr, $value:expr) => {
            $place = $value
        };
    }
    set!(out[0], x * x);
}

fn main() {}
