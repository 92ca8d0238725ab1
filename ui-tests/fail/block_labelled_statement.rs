use ad_runtime::differentiate;

#[differentiate(reverse)]
fn cut(x: f64) -> f64 {
    let mut y = x;
    'block: {
        if x < 0.0 {
            break 'block;
        }
        y = x * x;
    }
    y
}

fn main() {}
