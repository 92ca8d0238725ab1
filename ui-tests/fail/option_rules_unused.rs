use ad_runtime::differentiate;

#[differentiate(reverse, rules(libm::erf = my::erf, .process = my::fft))]
fn square(x: f64) -> f64 {
    x * x
}

fn main() {}
