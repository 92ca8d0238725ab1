use ad_runtime::differentiate;

#[differentiate(reverse)]
fn copied(x: &mut [f64]) {
    x.copy_within(0..1, 1);
}

fn main() {}
