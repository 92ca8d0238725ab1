use ad_runtime::differentiate;

fn double(x: &mut [f64]) {
    x[0] *= 2.0;
}

#[differentiate(reverse)]
fn doubled(x: &mut [f64]) {
    double(x);
}

fn main() {}
