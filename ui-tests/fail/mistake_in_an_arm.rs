use ad_runtime::differentiate;

#[differentiate(reverse)]
fn choose(x: f64, n: usize) -> f64 {
    match n {
        0 => x,
        n if n > 10 => {
            let mut y = x;
            for _ in 0..n {
                y *= y.next_up();
            }
            y
        }
        _ => x * x,
    }
}

fn main() {}
