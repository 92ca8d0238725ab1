//! Types that have adjoints and tangents of their own type and shape.

use crate::__private::{different_variants, variant_difference};
use alloc::boxed::Box;
use alloc::{format, string::String, vec::Vec};
use core::borrow::BorrowMut;
use core::marker::PhantomData;

/// A type whose adjoint has its own type and shape.
///
/// Implemented for `f32`, `f64`, integers, `bool` and strings (which carry no derivative and ride
/// along unchanged), tuples, arrays, slices, `Vec`, `Box`, `Option` and `Result`, and derived for
/// structs and enums; for complex numbers with the feature `num-complex`. The adjoint of an enum, an
/// `Option` or a `Result` has its primal's variant.
///
/// ```
/// use ad_runtime::Differentiable;
///
/// let weights = vec![[1.0, 2.0], [3.0, 4.0]];
/// let mut adjoint = weights.zeros_like();
/// adjoint.accumulate(&vec![[0.5, 0.0], [0.0, 0.25]]);
/// adjoint.accumulate(&vec![[0.5, 0.0], [0.0, 0.25]]);
/// assert_eq!(adjoint, vec![[1.0, 0.0], [0.0, 0.5]]);
/// assert_eq!(adjoint.inner_product(&weights), 3.0);
/// adjoint.set_zero();
/// assert_eq!(adjoint, weights.zeros_like());
/// ```
///
/// The derive macro works field by field. A field marked `#[constant]` is cloned and carries no
/// derivative; its type need not be differentiable.
///
/// ```
/// use ad_runtime::Differentiable;
///
/// #[derive(Differentiable, Clone, Debug, PartialEq)]
/// struct Layer {
///     weights: Vec<f64>,
///     bias: f64,
///     #[constant]
///     name: std::rc::Rc<str>,
/// }
///
/// let layer = Layer { weights: vec![0.5, -1.0], bias: 2.0, name: "first".into() };
/// let zero = layer.zeros_like();
/// assert_eq!(zero, Layer { weights: vec![0.0, 0.0], bias: 0.0, name: "first".into() });
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no adjoint: it does not implement `Differentiable`",
    label = "an active value of this type needs `Differentiable`",
    note = "help: put `#[derive(ad_runtime::Differentiable)]` on the type, or \
            `#[differentiate(reverse)]` on the trait of a trait object, or mark what is data as \
            `#[constant]`"
)]
pub trait Differentiable {
    /// The owned form: `Self`, except `Vec<T>` for `[T]` and `Box<dyn Trait>` for `dyn Trait`.
    type Owned: BorrowMut<Self>;

    /// A value of the same shape whose real parts are 0; other parts are copied.
    fn zeros_like(&self) -> Self::Owned;

    /// Sets every real part to 0.
    fn set_zero(&mut self);

    /// Adds the real parts of `other` to those of `self`.
    ///
    /// # Panics
    ///
    /// If the shapes differ.
    fn accumulate(&mut self, other: &Self);

    /// The inner product of the real parts.
    ///
    /// # Panics
    ///
    /// If the shapes differ.
    fn inner_product(&self, other: &Self) -> f64;

    /// Visits the real parts, in the order in which they lie.
    fn for_each_real(&mut self, visit: &mut dyn FnMut(&mut f64));

    /// Says how the shape of `other` differs from that of `self`, if it does.
    fn shape_difference(&self, other: &Self) -> Option<String>;
}

macro_rules! real {
    ($($real:ty),*) => {$(
        impl Differentiable for $real {
            type Owned = Self;
            #[inline]
            fn zeros_like(&self) -> Self {
                0.0
            }
            #[inline]
            fn set_zero(&mut self) {
                *self = 0.0;
            }
            #[inline]
            fn accumulate(&mut self, other: &Self) {
                *self += other;
            }
            #[inline]
            fn inner_product(&self, other: &Self) -> f64 {
                f64::from(*self) * f64::from(*other)
            }
            #[inline]
            fn for_each_real(&mut self, visit: &mut dyn FnMut(&mut f64)) {
                let mut value = f64::from(*self);
                visit(&mut value);
                *self = <Self as crate::Real>::nearest(value);
            }
            #[inline]
            fn shape_difference(&self, _: &Self) -> Option<String> {
                None
            }
        }
    )*};
}
real!(f32, f64);

macro_rules! discrete {
    ($($discrete:ty),*) => {$(
        impl Differentiable for $discrete {
            type Owned = Self;
            #[inline]
            fn zeros_like(&self) -> Self {
                *self
            }
            #[inline]
            fn set_zero(&mut self) {}
            #[inline]
            fn accumulate(&mut self, _: &Self) {}
            #[inline]
            fn inner_product(&self, _: &Self) -> f64 {
                0.0
            }
            fn for_each_real(&mut self, _: &mut dyn FnMut(&mut f64)) {}
            #[inline]
            fn shape_difference(&self, _: &Self) -> Option<String> {
                None
            }
        }
    )*};
}
discrete!((), bool, char, i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize);

impl<T: Differentiable<Owned = T>> Differentiable for [T] {
    type Owned = Vec<T>;

    fn zeros_like(&self) -> Vec<T> {
        self.iter().map(T::zeros_like).collect()
    }

    fn set_zero(&mut self) {
        self.iter_mut().for_each(T::set_zero);
    }

    #[track_caller]
    fn accumulate(&mut self, other: &Self) {
        assert_eq!(
            self.len(),
            other.len(),
            "an adjoint of {} elements cannot be added to one of {}",
            other.len(),
            self.len()
        );
        for (total, part) in self.iter_mut().zip(other) {
            total.accumulate(part);
        }
    }

    #[track_caller]
    fn inner_product(&self, other: &Self) -> f64 {
        assert_eq!(
            self.len(),
            other.len(),
            "the inner product of {} elements with {}",
            self.len(),
            other.len()
        );
        self.iter().zip(other).map(|(a, b)| a.inner_product(b)).sum()
    }

    fn for_each_real(&mut self, visit: &mut dyn FnMut(&mut f64)) {
        self.iter_mut().for_each(|part| part.for_each_real(visit));
    }

    fn shape_difference(&self, other: &Self) -> Option<String> {
        if self.len() != other.len() {
            return Some(format!("{} elements, not {}", other.len(), self.len()));
        }
        let mut pairs = self.iter().zip(other).enumerate();
        pairs.find_map(|(k, (a, b))| Some(format!("at [{k}]: {}", a.shape_difference(b)?)))
    }
}

impl<T: Differentiable<Owned = T>, const N: usize> Differentiable for [T; N] {
    type Owned = Self;

    #[inline]
    fn zeros_like(&self) -> Self {
        core::array::from_fn(|k| self[k].zeros_like())
    }

    #[inline]
    fn set_zero(&mut self) {
        self.as_mut_slice().set_zero();
    }

    #[inline]
    fn accumulate(&mut self, other: &Self) {
        for (total, part) in self.iter_mut().zip(other) {
            total.accumulate(part);
        }
    }

    #[track_caller]
    fn inner_product(&self, other: &Self) -> f64 {
        self.as_slice().inner_product(other)
    }

    fn for_each_real(&mut self, visit: &mut dyn FnMut(&mut f64)) {
        self.as_mut_slice().for_each_real(visit);
    }

    fn shape_difference(&self, other: &Self) -> Option<String> {
        self.as_slice().shape_difference(other)
    }
}

impl<T: Differentiable<Owned = T>> Differentiable for Vec<T> {
    type Owned = Self;

    fn zeros_like(&self) -> Self {
        self.as_slice().zeros_like()
    }

    fn set_zero(&mut self) {
        self.as_mut_slice().set_zero();
    }

    #[track_caller]
    fn accumulate(&mut self, other: &Self) {
        self.as_mut_slice().accumulate(other);
    }

    #[track_caller]
    fn inner_product(&self, other: &Self) -> f64 {
        self.as_slice().inner_product(other)
    }

    fn for_each_real(&mut self, visit: &mut dyn FnMut(&mut f64)) {
        self.as_mut_slice().for_each_real(visit);
    }

    fn shape_difference(&self, other: &Self) -> Option<String> {
        self.as_slice().shape_difference(other)
    }
}

macro_rules! carried {
    ($($carried:ty),*) => {$(
        impl Differentiable for $carried {
            type Owned = Self;
            fn zeros_like(&self) -> Self {
                self.clone()
            }
            fn set_zero(&mut self) {}
            fn accumulate(&mut self, _: &Self) {}
            fn inner_product(&self, _: &Self) -> f64 {
                0.0
            }
            fn for_each_real(&mut self, _: &mut dyn FnMut(&mut f64)) {}
            fn shape_difference(&self, _: &Self) -> Option<String> {
                None
            }
        }
    )*};
}
carried!(String, &'static str);

impl<T: ?Sized> Differentiable for PhantomData<T> {
    type Owned = Self;
    fn zeros_like(&self) -> Self {
        PhantomData
    }
    fn set_zero(&mut self) {}
    fn accumulate(&mut self, _: &Self) {}
    fn inner_product(&self, _: &Self) -> f64 {
        0.0
    }
    fn for_each_real(&mut self, _: &mut dyn FnMut(&mut f64)) {}
    fn shape_difference(&self, _: &Self) -> Option<String> {
        None
    }
}

impl<T: Differentiable + ?Sized> Differentiable for Box<T>
where
    T::Owned: Into<Box<T>>,
{
    type Owned = Self;

    fn zeros_like(&self) -> Self {
        (**self).zeros_like().into()
    }

    fn set_zero(&mut self) {
        (**self).set_zero();
    }

    #[track_caller]
    fn accumulate(&mut self, other: &Self) {
        (**self).accumulate(other);
    }

    #[track_caller]
    fn inner_product(&self, other: &Self) -> f64 {
        (**self).inner_product(other)
    }

    fn for_each_real(&mut self, visit: &mut dyn FnMut(&mut f64)) {
        (**self).for_each_real(visit);
    }

    fn shape_difference(&self, other: &Self) -> Option<String> {
        (**self).shape_difference(other)
    }
}

impl<T: Differentiable<Owned = T>> Differentiable for Option<T> {
    type Owned = Self;

    #[inline]
    fn zeros_like(&self) -> Self {
        self.as_ref().map(T::zeros_like)
    }

    #[inline]
    fn set_zero(&mut self) {
        if let Some(value) = self {
            value.set_zero();
        }
    }

    #[inline]
    #[track_caller]
    fn accumulate(&mut self, other: &Self) {
        let name = |is_some| if is_some { "Some" } else { "None" };
        match (self, other) {
            (Some(total), Some(part)) => total.accumulate(part),
            (None, None) => {}
            (total, part) => different_variants(name(total.is_some()), name(part.is_some())),
        }
    }

    #[track_caller]
    fn inner_product(&self, other: &Self) -> f64 {
        let name = |is_some| if is_some { "Some" } else { "None" };
        match (self, other) {
            (Some(a), Some(b)) => a.inner_product(b),
            (None, None) => 0.0,
            (a, b) => different_variants(name(a.is_some()), name(b.is_some())),
        }
    }

    fn for_each_real(&mut self, visit: &mut dyn FnMut(&mut f64)) {
        self.iter_mut().for_each(|part| part.for_each_real(visit));
    }

    fn shape_difference(&self, other: &Self) -> Option<String> {
        let name = |is_some| if is_some { "Some" } else { "None" };
        match (self, other) {
            (Some(a), Some(b)) => a.shape_difference(b),
            (None, None) => None,
            (a, b) => Some(variant_difference(name(a.is_some()), name(b.is_some()))),
        }
    }
}

/// An error carries no derivative: it rides along.
impl<T: Differentiable<Owned = T>, E: Clone> Differentiable for Result<T, E> {
    type Owned = Self;

    #[inline]
    fn zeros_like(&self) -> Self {
        match self {
            Ok(value) => Ok(value.zeros_like()),
            Err(error) => Err(error.clone()),
        }
    }

    #[inline]
    fn set_zero(&mut self) {
        if let Ok(value) = self {
            value.set_zero();
        }
    }

    #[inline]
    #[track_caller]
    fn accumulate(&mut self, other: &Self) {
        let name = |is_ok| if is_ok { "Ok" } else { "Err" };
        match (self, other) {
            (Ok(total), Ok(part)) => total.accumulate(part),
            (Err(_), Err(_)) => {}
            (total, part) => different_variants(name(total.is_ok()), name(part.is_ok())),
        }
    }

    #[track_caller]
    fn inner_product(&self, other: &Self) -> f64 {
        let name = |is_ok| if is_ok { "Ok" } else { "Err" };
        match (self, other) {
            (Ok(a), Ok(b)) => a.inner_product(b),
            (Err(_), Err(_)) => 0.0,
            (a, b) => different_variants(name(a.is_ok()), name(b.is_ok())),
        }
    }

    fn for_each_real(&mut self, visit: &mut dyn FnMut(&mut f64)) {
        self.iter_mut().for_each(|part| part.for_each_real(visit));
    }

    fn shape_difference(&self, other: &Self) -> Option<String> {
        let name = |is_ok| if is_ok { "Ok" } else { "Err" };
        match (self, other) {
            (Ok(a), Ok(b)) => a.shape_difference(b),
            (Err(_), Err(_)) => None,
            (a, b) => Some(variant_difference(name(a.is_ok()), name(b.is_ok()))),
        }
    }
}

macro_rules! tuple {
    ($($part:ident $index:tt),+) => {
        impl<$($part: Differentiable<Owned = $part>),+> Differentiable for ($($part,)+) {
            type Owned = Self;
            #[inline]
            fn zeros_like(&self) -> Self {
                ($(self.$index.zeros_like(),)+)
            }
            #[inline]
            fn set_zero(&mut self) {
                $(self.$index.set_zero();)+
            }
            #[inline]
            fn accumulate(&mut self, other: &Self) {
                $(self.$index.accumulate(&other.$index);)+
            }
            fn inner_product(&self, other: &Self) -> f64 {
                0.0 $(+ self.$index.inner_product(&other.$index))+
            }
            fn for_each_real(&mut self, visit: &mut dyn FnMut(&mut f64)) {
                $(self.$index.for_each_real(visit);)+
            }
            fn shape_difference(&self, other: &Self) -> Option<String> {
                $(
                    if let Some(found) = self.$index.shape_difference(&other.$index) {
                        return Some(format!("at .{}: {found}", $index));
                    }
                )+
                None
            }
        }
    };
}
tuple!(A 0);
tuple!(A 0, B 1);
tuple!(A 0, B 1, C 2);
tuple!(A 0, B 1, C 2, D 3);
tuple!(A 0, B 1, C 2, D 3, E 4);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);
