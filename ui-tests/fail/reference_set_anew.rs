use ad_runtime::differentiate;

#[differentiate(reverse)]
fn either(x: f64, y: f64, first: bool) -> f64 {
    let chosen;
    if first {
        chosen = &x;
    } else {
        chosen = &y;
    }
    *chosen * *chosen
}

fn main() {}
