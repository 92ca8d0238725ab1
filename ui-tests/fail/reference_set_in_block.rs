use ad_runtime::differentiate;

#[differentiate(reverse)]
fn third(x: &[f64]) -> f64 {
    let mut part = x;
    'skip: {
        if part.len() < 3 {
            break 'skip;
        }
        part = &part[2..];
    }
    part[0] * part[0]
}

fn main() {}
