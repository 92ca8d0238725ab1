//! How a caller hands arguments with their tangents to a callee's companion.
//!
//! The counterpart of [`crate::argument`] in forward mode: the caller passes a pair `(x, x_tan)` for
//! an active argument and [`Constant`] for another one, and the companion's `forward` takes from it
//! what its `tangent` wants. The tangent of a constant is 0.

use crate::Differentiable;
use crate::argument::{Constant, View};
use alloc::boxed::Box;
use core::borrow::BorrowMut;

/// A value and its tangent.
#[derive(Clone, Copy, Debug)]
pub struct Pair<T>(pub T, pub T);

/// A by-value parameter, a [`Pair`] if it is active, else a [`Constant`], that takes an argument `A`.
pub trait Takes<A> {
    /// The argument as the callee takes it.
    fn take(argument: A) -> Self;
}

impl<T> Takes<(T, T)> for Pair<T> {
    #[inline]
    fn take((value, tangent): (T, T)) -> Self {
        Pair(value, tangent)
    }
}

impl<T: Differentiable<Owned = T>> Takes<Constant<T>> for Pair<T> {
    #[inline]
    fn take(Constant(value): Constant<T>) -> Self {
        let tangent = value.zeros_like();
        Pair(value, tangent)
    }
}

impl<T> Takes<Constant<T>> for Constant<T> {
    #[inline]
    fn take(argument: Constant<T>) -> Self {
        argument
    }
}

/// What a call gave may be an integer, of which its caller does not know that.
impl<T: Discrete> Takes<(T, T)> for Constant<T> {
    #[inline]
    fn take((value, _): (T, T)) -> Self {
        Constant(value)
    }
}

/// Types that no derivative flows through.
#[diagnostic::on_unimplemented(
    message = "an active value is passed to a parameter that is `#[constant]` in the callee",
    label = "a value of type `{Self}` carries a derivative",
    note = "help: if no derivative should flow here, pass a constant: `#[constant] let d = …;`"
)]
pub trait Discrete {}

/// An argument for an active parameter `&T`.
pub trait TangentRef<T: ?Sized> {
    /// Runs `call` on the value and its tangent.
    fn with<R>(self, call: impl FnOnce(&T, &T) -> R) -> R;
}

/// An argument for an active parameter `&mut T`.
pub trait TangentMut<T: ?Sized> {
    /// Runs `call` on the value and its tangent.
    fn with<R>(self, call: impl FnOnce(&mut T, &mut T) -> R) -> R;
}

impl<T: ?Sized, V: View<T> + ?Sized, W: View<T> + ?Sized> TangentRef<T> for (&V, &W) {
    #[inline]
    fn with<R>(self, call: impl FnOnce(&T, &T) -> R) -> R {
        call(self.0.view(), self.1.view())
    }
}

impl<T: ?Sized, V: View<T> + ?Sized, W: View<T> + ?Sized> TangentRef<T> for (&mut V, &mut W) {
    #[inline]
    fn with<R>(self, call: impl FnOnce(&T, &T) -> R) -> R {
        call((*self.0).view(), (*self.1).view())
    }
}

impl<T: Differentiable + ?Sized, V: View<T> + ?Sized> TangentRef<T> for Constant<&V> {
    #[inline]
    fn with<R>(self, call: impl FnOnce(&T, &T) -> R) -> R {
        let value = self.0.view();
        call(value, value.zeros_like().borrow_mut())
    }
}

impl<T: Differentiable + ?Sized, V: View<T> + ?Sized> TangentRef<T> for Constant<&mut V> {
    #[inline]
    fn with<R>(self, call: impl FnOnce(&T, &T) -> R) -> R {
        TangentRef::with(Constant(&*self.0), call)
    }
}

impl<T: ?Sized, V: View<T> + ?Sized, W: View<T> + ?Sized> TangentMut<T> for (&mut V, &mut W) {
    #[inline]
    fn with<R>(self, call: impl FnOnce(&mut T, &mut T) -> R) -> R {
        call(self.0.view_mut(), self.1.view_mut())
    }
}

impl<T: Differentiable + ?Sized, V: View<T> + ?Sized> TangentMut<T> for Constant<&mut V> {
    #[inline]
    fn with<R>(self, call: impl FnOnce(&mut T, &mut T) -> R) -> R {
        let value = self.0.view_mut();
        let mut tangent = value.zeros_like();
        call(value, tangent.borrow_mut())
    }
}

/// An argument for an active parameter `&T` whose type `T` is a parameter itself: there is no coercion
/// to it, and nothing else tells what it is.
pub trait SameRef<T: ?Sized> {
    /// Runs `call` on the value and its tangent.
    fn with<R>(self, call: impl FnOnce(&T, &T) -> R) -> R;
}

/// The same for `&mut T`.
pub trait SameMut<T: ?Sized> {
    /// Runs `call` on the value and its tangent.
    fn with<R>(self, call: impl FnOnce(&mut T, &mut T) -> R) -> R;
}

impl<T: ?Sized> SameRef<T> for (&T, &T) {
    #[inline]
    fn with<R>(self, call: impl FnOnce(&T, &T) -> R) -> R {
        call(self.0, self.1)
    }
}

impl<T: ?Sized> SameRef<T> for (&mut T, &mut T) {
    #[inline]
    fn with<R>(self, call: impl FnOnce(&T, &T) -> R) -> R {
        call(self.0, self.1)
    }
}

impl<T: Differentiable + ?Sized> SameRef<T> for Constant<&T> {
    #[inline]
    fn with<R>(self, call: impl FnOnce(&T, &T) -> R) -> R {
        TangentRef::with(self, call)
    }
}

impl<T: ?Sized> SameMut<T> for (&mut T, &mut T) {
    #[inline]
    fn with<R>(self, call: impl FnOnce(&mut T, &mut T) -> R) -> R {
        call(self.0, self.1)
    }
}

impl<T: Differentiable + ?Sized> SameMut<T> for Constant<&mut T> {
    #[inline]
    fn with<R>(self, call: impl FnOnce(&mut T, &mut T) -> R) -> R {
        TangentMut::with(self, call)
    }
}

/// How a caller hands over the tangent of a receiver: as a reference, or not at all, as
/// `Constant(())`.
pub trait TangentReceiver<T: ?Sized> {
    /// What holds the tangent while the method runs.
    type Holder: TangentHolder<T>;
    /// The tangent of a receiver like `value`.
    fn tangent(self, value: &T) -> Self::Holder;
}

/// What holds the tangent of a receiver.
pub trait TangentHolder<T: ?Sized> {
    /// The tangent.
    fn get(&self) -> &T;
}

/// The same for a receiver that the method may change.
pub trait TangentHolderMut<T: ?Sized>: TangentHolder<T> {
    /// The tangent.
    fn get_mut(&mut self) -> &mut T;
}

/// The tangent of a receiver that is constant: 0.
#[derive(Debug)]
pub struct Zeros<O>(O);

impl<T: ?Sized, O: BorrowMut<T>> TangentHolder<T> for Zeros<O> {
    #[inline]
    fn get(&self) -> &T {
        self.0.borrow()
    }
}

impl<T: ?Sized, O: BorrowMut<T>> TangentHolderMut<T> for Zeros<O> {
    #[inline]
    fn get_mut(&mut self) -> &mut T {
        self.0.borrow_mut()
    }
}

impl<T: ?Sized> TangentHolder<T> for &T {
    #[inline]
    fn get(&self) -> &T {
        self
    }
}

impl<T: ?Sized> TangentHolder<T> for &mut T {
    #[inline]
    fn get(&self) -> &T {
        self
    }
}

impl<T: ?Sized> TangentHolderMut<T> for &mut T {
    #[inline]
    fn get_mut(&mut self) -> &mut T {
        self
    }
}

impl<T: ?Sized> TangentReceiver<T> for &T {
    type Holder = Self;
    #[inline]
    fn tangent(self, _: &T) -> Self {
        self
    }
}

impl<T: ?Sized> TangentReceiver<T> for &mut T {
    type Holder = Self;
    #[inline]
    fn tangent(self, _: &T) -> Self {
        self
    }
}

impl<'a, T: ?Sized> TangentReceiver<T> for &'a Box<T> {
    type Holder = &'a T;
    #[inline]
    fn tangent(self, _: &T) -> &'a T {
        self
    }
}

impl<'a, T: ?Sized> TangentReceiver<T> for &'a mut Box<T> {
    type Holder = &'a mut T;
    #[inline]
    fn tangent(self, _: &T) -> &'a mut T {
        self
    }
}

impl<T: Differentiable + ?Sized> TangentReceiver<T> for Constant<()> {
    type Holder = Zeros<T::Owned>;
    #[inline]
    fn tangent(self, value: &T) -> Zeros<T::Owned> {
        Zeros(value.zeros_like())
    }
}

/// The tangent of a cast: that of an integer is nothing.
pub trait Cast<T> {
    /// The tangent of `self as T`.
    fn cast_tangent(self) -> T;
}

macro_rules! casts {
    ($($from:ty => $to:ty: |$tangent:ident| $cast:expr;)*) => {$(
        impl Cast<$to> for $from {
            #[inline]
            fn cast_tangent(self) -> $to {
                let $tangent = self;
                $cast
            }
        }
    )*};
}
casts! {
    f64 => f64: |tangent| tangent;
    f32 => f32: |tangent| tangent;
    f32 => f64: |tangent| f64::from(tangent);
}

impl Cast<f32> for f64 {
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "the tangent of an f32 is an f32")]
    fn cast_tangent(self) -> f32 {
        self as f32
    }
}

macro_rules! discrete {
    ($($discrete:ty),*) => {$(
        impl Discrete for $discrete {}
        casts! {
            $discrete => f64: |_tangent| 0.0;
            $discrete => f32: |_tangent| 0.0;
        }
    )*};
}
discrete!(bool, char, i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize);
