use ad_runtime::differentiate;

#[differentiate(reverse)]
fn next(r#type: f64) -> f64 {
    let r#match = r#type.next_up();
    r#match * 2.0
}

fn main() {}
