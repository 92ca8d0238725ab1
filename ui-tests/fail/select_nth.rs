use ad_runtime::differentiate;

#[differentiate(reverse)]
fn median(x: &mut [f64]) -> f64 {
    let middle = x.len() / 2;
    x.select_nth_unstable_by(middle, f64::total_cmp);
    x[middle]
}

fn main() {}
