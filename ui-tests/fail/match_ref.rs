use ad_runtime::differentiate;

#[differentiate(reverse)]
fn square(x: f64) -> f64 {
    match x {
        ref y => y * y,
    }
}

fn main() {}
