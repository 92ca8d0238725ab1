use ad_runtime::differentiate;

#[differentiate(reverse)]
fn sorted(x: &mut [f64]) -> f64 {
    let mut comparisons = 0;
    x.sort_by(|a, b| {
        comparisons += 1;
        a.total_cmp(b)
    });
    x[0] * f64::from(comparisons)
}

fn main() {}
