use ad_runtime::differentiate;

#[differentiate(reverse)]
fn next(r#type: f64) -> f64 {
    let r#match = Some(r#type);
    r#match.unwrap()
}

fn main() {}
