#![deny(warnings)]
#![allow(dead_code)]

mod functions {
    use ad_runtime::differentiate;

    #[differentiate(reverse, forward)]
    pub fn pull(x: f64) -> f64 {
        x * x
    }

    #[differentiate(reverse, forward)]
    pub fn vec(x: f64) -> f64 {
        pull(x) * x
    }

    #[differentiate(reverse, forward)]
    pub fn gradient(x: f64) -> f64 {
        vec(x) + pull(x)
    }

    #[differentiate(reverse, forward)]
    pub fn __private(x: f64) -> f64 {
        gradient(x)
    }
}

fn main() {
    assert_eq!(functions::pull::gradient(3.0), 6.0);
    assert_eq!(functions::vec::gradient(3.0), 27.0);
    assert_eq!(functions::gradient::gradient(3.0), 33.0);
    assert_eq!(functions::__private::gradient(3.0), 33.0);
}
