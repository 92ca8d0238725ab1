use ad_runtime::custom_rule;

struct Spring(f64);

impl Spring {
    #[custom_rule(vjp = Self::energy_vjp)]
    fn energy(#[constant] &self, x: f64) -> f64 {
        0.5 * self.0 * x * x
    }
}

fn main() {}
