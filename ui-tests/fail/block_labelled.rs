use ad_runtime::differentiate;

#[differentiate(reverse)]
fn cut(x: f64) -> f64 {
    'block: {
        if x < 0.0 {
            break 'block 0.0;
        }
        x * x
    }
}

fn main() {}
