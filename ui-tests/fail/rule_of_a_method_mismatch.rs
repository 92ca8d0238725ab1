use ad_runtime::custom_rule;

struct Spring(f64);

impl Spring {
    #[custom_rule(vjp = Self::energy_rule)]
    pub fn energy(#[constant] &self, x: f64) -> f64 {
        0.5 * self.0 * x * x
    }

    fn energy_rule(&self, x: f32) -> (f64, impl FnOnce(&Self, f64) -> f64 + use<>) {
        let x = f64::from(x);
        (self.energy(x), move |this: &Self, seed: f64| seed * this.0 * x)
    }
}

fn main() {}
