use ad_runtime::differentiate;

#[differentiate(reverse)]
fn choose(x: f64, n: usize, calls: &mut usize) -> f64 {
    match n {
        0 if {
            *calls += 1;
            x > 0.0
        } =>
        {
            x
        }
        _ => x * x,
    }
}

fn main() {}
