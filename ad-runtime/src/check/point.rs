//! Points: arguments and results as lists of their real parts, with names.

use alloc::{boxed::Box, format, vec::Vec};

/// Where a function is tested: arguments, and the gradient by them.
///
/// Implemented for `f64`, arrays, `Vec`, `Box`, `Option` and tuples of points. A type of your own
/// hands on its parts:
///
/// ```
/// use ad_runtime::check::Point;
///
/// struct Spring {
///     stiffness: f64,
///     coils: Vec<f64>,
/// }
///
/// impl Point for Spring {
///     fn parts(&mut self, name: &str, visit: &mut dyn FnMut(&str, &mut f64)) {
///         self.stiffness.parts(&format!("{name}.stiffness"), visit);
///         self.coils.parts(&format!("{name}.coils"), visit);
///     }
/// }
/// ```
pub trait Point {
    /// Calls `visit` on every real part in order, with a name that begins with `name`.
    fn parts(&mut self, name: &str, visit: &mut dyn FnMut(&str, &mut f64));
}

impl Point for f64 {
    fn parts(&mut self, name: &str, visit: &mut dyn FnMut(&str, &mut f64)) {
        visit(name, self);
    }
}

impl<T: Point> Point for [T] {
    fn parts(&mut self, name: &str, visit: &mut dyn FnMut(&str, &mut f64)) {
        for (k, part) in self.iter_mut().enumerate() {
            part.parts(&format!("{name}[{k}]"), visit);
        }
    }
}

impl<T: Point, const N: usize> Point for [T; N] {
    fn parts(&mut self, name: &str, visit: &mut dyn FnMut(&str, &mut f64)) {
        self.as_mut_slice().parts(name, visit);
    }
}

impl<T: Point> Point for Vec<T> {
    fn parts(&mut self, name: &str, visit: &mut dyn FnMut(&str, &mut f64)) {
        self.as_mut_slice().parts(name, visit);
    }
}

impl<T: Point + ?Sized> Point for Box<T> {
    fn parts(&mut self, name: &str, visit: &mut dyn FnMut(&str, &mut f64)) {
        (**self).parts(name, visit);
    }
}

impl<T: Point> Point for Option<T> {
    fn parts(&mut self, name: &str, visit: &mut dyn FnMut(&str, &mut f64)) {
        if let Some(part) = self {
            part.parts(name, visit);
        }
    }
}

macro_rules! tuples {
    ($(($($T:ident $k:tt),+))*) => {
        $(
            impl<$($T: Point),+> Point for ($($T,)+) {
                fn parts(&mut self, name: &str, visit: &mut dyn FnMut(&str, &mut f64)) {
                    $(self.$k.parts(&format!("{name}.{}", $k), visit);)+
                }
            }
        )*
    };
}

tuples! {
    (A 0)
    (A 0, B 1)
    (A 0, B 1, C 2)
    (A 0, B 1, C 2, D 3)
    (A 0, B 1, C 2, D 3, E 4)
    (A 0, B 1, C 2, D 3, E 4, F 5)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7)
}
