use ad_runtime::{Differentiable, custom_rule, differentiate};

trait Model {
    #[differentiate(reverse)]
    fn energy(&self) -> f64;
}

#[derive(Differentiable, Clone)]
struct Spring(f64);

impl Model for Spring {
    #[custom_rule(vjp = energy_rule)]
    fn energy(&self) -> f64 {
        0.5 * self.0
    }
}

fn energy_rule(spring: &Spring) -> (f64, impl FnOnce(&Spring, &mut Spring, f64) -> f64 + use<>) {
    (0.5 * spring.0, |_: &Spring, _: &mut Spring, seed: f64| 0.5 * seed)
}

fn main() {}
