use ad_runtime::custom_rule;

#[custom_rule(zero)]
fn double(n: usize) -> usize {
    n + n
}

fn main() {}
