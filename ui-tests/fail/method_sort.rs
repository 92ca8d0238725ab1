use ad_runtime::differentiate;

#[differentiate(reverse)]
fn sorted(x: &mut [f64]) {
    x.sort_by(f64::total_cmp);
}

fn main() {}
