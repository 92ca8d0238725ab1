use ad_runtime::differentiate;

#[derive(Clone)]
pub enum Failure {
    Negative(f64),
}

#[differentiate(reverse)]
fn root(x: f64) -> Result<f64, Failure> {
    if x < 0.0 { Err(Failure::Negative(x)) } else { Ok(x.sqrt()) }
}

#[differentiate(reverse)]
fn penalty(x: f64) -> f64 {
    match root(x) {
        Ok(root) => root,
        Err(Failure::Negative(by)) => by * by,
    }
}

#[differentiate(reverse)]
fn local(x: f64) -> f64 {
    let checked = if x > 1.0 { Ok(x) } else { Err(x * x) };
    if let Err(square) = checked {
        return square;
    }
    x
}

#[differentiate(reverse)]
fn called(x: f64) -> f64 {
    match root(x) {
        Ok(root) => root,
        Err(failure) => size(&failure),
    }
}

fn size(failure: &Failure) -> f64 {
    let Failure::Negative(by) = failure;
    *by
}

#[differentiate(reverse)]
fn returned(x: f64) -> Result<f64, (f64, usize)> {
    if x < 0.0 { Err((x, 1)) } else { Ok(x.sqrt()) }
}

#[differentiate(reverse)]
fn replaced(x: f64, failure: f64) -> f64 {
    root(x).unwrap_or_else(|failure| size(&failure)) * failure
}

fn main() {
    let _ = (penalty(1.0), local(1.0), called(1.0), replaced(1.0, 2.0), returned(1.0).is_ok());
}
