use ad_runtime::differentiate;

#[differentiate(reverse)]
fn next(x: f64) -> f64 {
    x.next_up()
}

fn main() {}
