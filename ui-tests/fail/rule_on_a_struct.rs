use ad_runtime::custom_rule;

#[custom_rule(zero)]
struct Square(f64);

fn main() {}
