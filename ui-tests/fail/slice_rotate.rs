use ad_runtime::differentiate;

#[differentiate(reverse)]
fn rotated(x: &mut [f64]) {
    x.rotate_left(1);
}

fn main() {}
