use ad_runtime::differentiate;

struct Pair {
    a: f64,
    b: f64,
}

#[differentiate(reverse)]
fn product(x: f64, #[constant] pair: Pair) -> f64 {
    let Pair { a, b } = pair;
    a * b * x
}

fn main() {}
