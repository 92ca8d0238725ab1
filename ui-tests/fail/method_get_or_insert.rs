use ad_runtime::differentiate;

#[differentiate(reverse)]
fn filled(x: f64, y: Option<f64>) -> f64 {
    let mut found = y;
    let value = found.get_or_insert(x);
    *value * x
}

fn main() {}
