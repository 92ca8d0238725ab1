use ad_runtime::differentiate;

#[differentiate(reverse)]
fn mistaken(x: f64, w: &[f64]) -> f64 {
    let y = x.next_up();
    let z = Some(w[0]);
    y * z.unwrap()
}

fn main() {}
