use ad_runtime::differentiate;

use num_traits::Float;

#[differentiate(reverse)]
fn mistaken<T: Float>(x: T) -> T {
    let (y, _, _) = x.integer_decode();
    x * T::from(y).unwrap()
}

#[differentiate(reverse)]
fn wrong<T: Float>(x: T) -> T {
    x.to_degrees().max(T::epsilon()).next()
}

fn main() {
    let _: f64 = mistaken::gradient(1.0);
    let _: f32 = wrong::gradient(1.0);
}
