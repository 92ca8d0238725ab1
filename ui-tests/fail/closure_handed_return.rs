use ad_runtime::differentiate;

#[differentiate(reverse)]
fn apply(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    f(x)
}

#[differentiate(reverse)]
fn clipped(k: f64, x: f64) -> f64 {
    apply(
        |y| {
            if y < 0.0 {
                return 0.0;
            }
            k * y
        },
        x,
    )
}

fn main() {}
