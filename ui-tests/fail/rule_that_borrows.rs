use ad_runtime::custom_rule;

#[custom_rule(vjp = first_rule)]
fn first(x: &[f64]) -> f64 {
    x[0]
}

fn first_rule(x: &[f64]) -> (f64, impl FnOnce(&[f64], &mut [f64], f64)) {
    (x[0], move |_: &[f64], x_adj: &mut [f64], seed: f64| x_adj[0] += seed * x[0])
}

fn main() {}
