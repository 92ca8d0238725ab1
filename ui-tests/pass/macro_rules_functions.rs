#![deny(warnings)]
#![allow(dead_code)]

use ad_runtime::differentiate;

macro_rules! power {
    ($name:ident, $x:ident, $body:expr) => {
        #[differentiate(reverse, forward)]
        fn $name($x: f64) -> f64 {
            // The macro's `y` is not the caller's.
            let y = $x * $x;
            y * $body
        }
    };
}
power!(square, x, 1.0);
power!(cube, x, x);
power!(with_local, x, {
    let y = x + 1.0;
    y
});

macro_rules! same_name {
    ($name:ident, $y:ident) => {
        #[differentiate(reverse, forward)]
        fn $name($y: f64) -> f64 {
            let y = 10.0 * $y;
            y * $y
        }
    };
}
same_name!(ten_squares, y);

macro_rules! typed {
    ($($name:ident: $scalar:ty),*) => {$(
        #[differentiate(reverse, forward)]
        fn $name(x: $scalar, w: &[$scalar]) -> $scalar {
            x * w[0]
        }
    )*};
}
typed!(single: f32, double: f64);

macro_rules! with_options {
    ($name:ident, $companion:ident, ($($wrt:ident),*)) => {
        #[differentiate(reverse, forward, name = $companion, wrt($($wrt),*))]
        fn $name(x: f64, y: f64) -> f64 {
            x * y
        }
    };
}
with_options!(product, Product, (x));

fn main() {
    assert_eq!(square::gradient(3.0), 6.0);
    assert_eq!(cube::gradient(3.0), 27.0);
    // x^3 + x^2
    assert_eq!(with_local::gradient(1.0), 5.0);
    assert_eq!(ten_squares::gradient(2.0), 40.0);
    assert_eq!(single::gradient(2.0, &[3.0]), (3.0, vec![2.0]));
    assert_eq!(double::gradient(2.0, &[3.0]), (3.0, vec![2.0]));
    assert_eq!(Product::gradient(2.0, 3.0), 3.0);
}
