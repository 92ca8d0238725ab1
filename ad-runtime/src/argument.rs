//! How a caller hands its reference arguments, and their adjoints, to a callee's pullback.
//!
//! A caller cannot see which parameters of the callee are constant, and the callee cannot see
//! which arguments of the caller are. So the caller passes a pair `(&x, &mut x_adj)` for an active
//! argument and [`Constant`] for another one, and the companion's `reverse` takes from it what its
//! pullback wants: an adjoint nobody asked for goes to a temporary that is dropped.

use crate::Differentiable;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::borrow::BorrowMut;

/// `&Self` coerces to `&T`, as `&Vec<U>` does to `&[U]` and `&Box<T>` to `&T`.
pub trait View<T: ?Sized> {
    /// The coercion of `&self`.
    fn view(&self) -> &T;
    /// The coercion of `&mut self`.
    fn view_mut(&mut self) -> &mut T;
}

impl<T: ?Sized> View<T> for T {
    #[inline]
    fn view(&self) -> &T {
        self
    }
    #[inline]
    fn view_mut(&mut self) -> &mut T {
        self
    }
}

impl<T> View<[T]> for Vec<T> {
    #[inline]
    fn view(&self) -> &[T] {
        self
    }
    #[inline]
    fn view_mut(&mut self) -> &mut [T] {
        self
    }
}

impl<T, const N: usize> View<[T]> for [T; N] {
    #[inline]
    fn view(&self) -> &[T] {
        self
    }
    #[inline]
    fn view_mut(&mut self) -> &mut [T] {
        self
    }
}

impl<T: ?Sized> View<T> for Box<T> {
    #[inline]
    fn view(&self) -> &T {
        self
    }
    #[inline]
    fn view_mut(&mut self) -> &mut T {
        self
    }
}

/// A reference argument that no derivative flows through on the caller's side.
#[derive(Debug)]
pub struct Constant<R>(pub R);

/// Stands for the adjoint of a by-value argument that is constant in the callee. There is none: an
/// active value handed to such a parameter does not compile, rather than losing its derivative.
#[derive(Clone, Copy, Debug)]
pub struct ConstantInCallee;

/// An argument for a parameter `&T` that is constant in the callee.
#[diagnostic::on_unimplemented(
    message = "an active value is passed to a parameter that is `#[constant]` in the callee",
    note = "help: if no derivative should flow here, pass a constant: `#[constant] let d = …;`"
)]
pub trait Primal<T: ?Sized> {
    /// The primal value.
    fn primal(&self) -> &T;
}

/// An argument for a parameter `&mut T` that is constant in the callee.
#[diagnostic::on_unimplemented(
    message = "an active buffer is passed to a parameter that is `#[constant]` in the callee",
    note = "help: if no derivative should flow here, copy the data into a constant buffer"
)]
pub trait PrimalMut<T: ?Sized> {
    /// The primal value.
    fn primal_mut(&mut self) -> &mut T;
}

/// An argument for an active parameter `&T`.
pub trait Active<T: ?Sized> {
    /// Runs `call` on the primal value and the adjoint to add to.
    fn with<R>(self, call: impl FnOnce(&T, &mut T) -> R) -> R;
}

/// An argument for an active parameter `&mut T`.
pub trait ActiveMut<T: ?Sized> {
    /// Runs `call` on the primal value and its adjoint.
    fn with<R>(self, call: impl FnOnce(&mut T, &mut T) -> R) -> R;
}

impl<T: ?Sized, V: View<T> + ?Sized> Primal<T> for Constant<&V> {
    #[inline]
    fn primal(&self) -> &T {
        self.0.view()
    }
}

impl<T: ?Sized, V: View<T> + ?Sized> PrimalMut<T> for Constant<&mut V> {
    #[inline]
    fn primal_mut(&mut self) -> &mut T {
        self.0.view_mut()
    }
}

impl<T: ?Sized, V: View<T> + ?Sized, W: View<T> + ?Sized> Active<T> for (&V, &mut W) {
    #[inline]
    fn with<R>(self, call: impl FnOnce(&T, &mut T) -> R) -> R {
        call(self.0.view(), self.1.view_mut())
    }
}

impl<T: Differentiable + ?Sized, V: View<T> + ?Sized> Active<T> for Constant<&V> {
    #[inline]
    fn with<R>(self, call: impl FnOnce(&T, &mut T) -> R) -> R {
        let primal = self.0.view();
        call(primal, primal.zeros_like().borrow_mut())
    }
}

impl<T: ?Sized, V: View<T> + ?Sized, W: View<T> + ?Sized> ActiveMut<T> for (&mut V, &mut W) {
    #[inline]
    fn with<R>(self, call: impl FnOnce(&mut T, &mut T) -> R) -> R {
        call(self.0.view_mut(), self.1.view_mut())
    }
}

impl<T: Differentiable + ?Sized, V: View<T> + ?Sized> ActiveMut<T> for Constant<&mut V> {
    #[inline]
    fn with<R>(self, call: impl FnOnce(&mut T, &mut T) -> R) -> R {
        let primal = self.0.view_mut();
        let mut adjoint = primal.zeros_like();
        call(primal, adjoint.borrow_mut())
    }
}

// A `&mut` variable of the caller may be handed to a `&` parameter.

impl<T: ?Sized, V: View<T> + ?Sized> Primal<T> for Constant<&mut V> {
    #[inline]
    fn primal(&self) -> &T {
        (*self.0).view()
    }
}

impl<T: ?Sized, V: View<T> + ?Sized, W: View<T> + ?Sized> Active<T> for (&mut V, &mut W) {
    #[inline]
    fn with<R>(self, call: impl FnOnce(&T, &mut T) -> R) -> R {
        call((*self.0).view(), self.1.view_mut())
    }
}

impl<T: Differentiable + ?Sized, V: View<T> + ?Sized> Active<T> for Constant<&mut V> {
    #[inline]
    fn with<R>(self, call: impl FnOnce(&T, &mut T) -> R) -> R {
        Active::with(Constant(&*self.0), call)
    }
}

/// How a caller hands over the adjoint of a receiver: as `&mut self_adj`, or not at all, as
/// `Constant(())`.
pub trait Receiver<T: ?Sized> {
    /// What holds the adjoint while the method is reversed.
    type Holder: Holder<T>;
    /// The adjoint to add to, for a receiver like `primal`.
    fn adjoint(self, primal: &T) -> Self::Holder;
}

/// What holds the adjoint of a receiver.
pub trait Holder<T: ?Sized> {
    /// The adjoint.
    fn get(&mut self) -> &mut T;
}

/// A receiver whose adjoint nobody asked for.
#[derive(Debug)]
pub struct Dropped<T>(T);

impl<T: ?Sized, O: BorrowMut<T>> Holder<T> for Dropped<O> {
    #[inline]
    fn get(&mut self) -> &mut T {
        self.0.borrow_mut()
    }
}

impl<T: ?Sized> Holder<T> for &mut T {
    #[inline]
    fn get(&mut self) -> &mut T {
        self
    }
}

impl<T: ?Sized> Receiver<T> for &mut T {
    type Holder = Self;
    #[inline]
    fn adjoint(self, _: &T) -> Self {
        self
    }
}

impl<'a, T: ?Sized> Receiver<T> for &'a mut Box<T> {
    type Holder = &'a mut T;
    #[inline]
    fn adjoint(self, _: &T) -> &'a mut T {
        self
    }
}

impl<T: Differentiable + ?Sized> Receiver<T> for Constant<()> {
    type Holder = Dropped<T::Owned>;
    #[inline]
    fn adjoint(self, primal: &T) -> Dropped<T::Owned> {
        Dropped(primal.zeros_like())
    }
}

/// A receiver for a method whose `self` is constant.
#[diagnostic::on_unimplemented(
    message = "an active value is the receiver of a method whose `self` is `#[constant]`",
    note = "help: if no derivative should flow here, bind a constant: `#[constant] let d = …;`"
)]
pub trait ConstantReceiver {}

impl ConstantReceiver for Constant<()> {}
