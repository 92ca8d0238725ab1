use ad_runtime::differentiate;

#[differentiate(reverse)]
fn apply(mut f: impl FnMut(f64) -> f64, x: f64) -> f64 {
    f(x)
}

#[differentiate(reverse)]
fn counted(k: f64, x: f64) -> f64 {
    let mut total = 0.0;
    let value = apply(
        |y| {
            total += k;
            k * y
        },
        x,
    );
    value + total
}

fn main() {}
