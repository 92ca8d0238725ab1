use ad_runtime::differentiate;

use num_traits::Float;

#[differentiate(reverse)]
fn mistaken<T: Float, const N: usize>(x: [T; N]) -> T {
    let y = unsafe { *x.get_unchecked(0) };
    x[1].max(T::epsilon()) * y
}

fn main() {
    let _: [f64; 3] = mistaken::gradient([1.0; 3]);
    let _: (f32, [f32; 2]) = mistaken::value_and_gradient([1.0; 2]);
}
