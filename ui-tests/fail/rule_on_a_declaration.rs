use ad_runtime::custom_rule;

trait Shape {
    #[custom_rule(zero)]
    fn area(&self, scale: f64) -> f64;
}

fn main() {}
