use ad_runtime::differentiate;

#[differentiate(reverse)]
fn double(n: usize) -> usize {
    2 * n
}

fn main() {}
