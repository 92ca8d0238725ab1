use ad_runtime::differentiate;

#[differentiate(reverse)]
fn sum(f: &[fn(f64) -> f64; 2], x: f64) -> f64 {
    f[0](x) + f[1](x)
}

fn main() {}
