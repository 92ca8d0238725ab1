use ad_runtime::differentiate;

#[differentiate(reverse)]
fn mistaken(x: f64, w: &[f64], out: &mut [f64], n: usize) -> f64 {
    out[n] = x;
    w[0] * x.next_up()
}

#[differentiate(reverse)]
fn caller(x: f64, w: &[f64]) -> f64 {
    let mut out = [0.0];
    mistaken(x, w, &mut out, 0)
}

fn main() {
    let (w, mut out) = ([1.0], [0.0]);
    let _: f64 = mistaken(1.0, &w, &mut out, 0);
    let (_, _): (f64, f64) = mistaken::adjoint(1.0, &w, &mut [0.0], &mut out, &mut [0.0], 0, 1.0);
    let (_, _, _): (f64, Vec<f64>, Vec<f64>) = mistaken::gradient(1.0, &w, &mut out, 0);
    let (_, _) = mistaken::value_and_gradient(1.0, &w, &mut out, 0);
    let _: f64 =
        mistaken::value_and_gradient_into(1.0, &mut 0.0, &w, &mut [0.0], &mut out, &mut [0.0], 0);
    let _ = caller::gradient(1.0, &w);
}
