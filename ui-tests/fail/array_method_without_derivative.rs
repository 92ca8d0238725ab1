use ad_runtime::differentiate;
use nalgebra::DMatrix;

#[differentiate(reverse)]
fn largest(m: &DMatrix<f64>) -> f64 {
    m.clone().symmetric_eigen().eigenvalues[0]
}

fn main() {}
