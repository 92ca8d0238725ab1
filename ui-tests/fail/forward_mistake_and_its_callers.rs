use ad_runtime::differentiate;

#[differentiate(forward)]
fn mistaken(x: f64, w: &[f64], out: &mut [f64], n: usize) -> f64 {
    out[n] = x;
    w[0] * x.next_up()
}

#[differentiate(forward)]
fn caller(x: f64, w: &[f64]) -> f64 {
    let mut out = [0.0];
    mistaken(x, w, &mut out, 0)
}

fn main() {
    let (w, mut out) = ([1.0], [0.0]);
    let (_, _): (f64, f64) = mistaken::tangent(1.0, 1.0, &w, &[0.0], &mut out, &mut [0.0], 0);
    let (_, _): (f64, f64) = caller::tangent(1.0, 1.0, &w, &[0.0]);
}
