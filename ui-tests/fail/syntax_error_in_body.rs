use ad_runtime::differentiate;

#[differentiate(reverse)]
fn wrong(x: f64) -> f64 {
    let y = x *;
    y
}

fn main() {
    wrong(1.0);
}
