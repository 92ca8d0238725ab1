//! How a caller hands arguments with tangents to a companion's pullback, and to the sweep in front of
//! it: the counterpart of [`crate::argument`] for second derivatives.

use crate::argument::{Constant, View};
use crate::tangent::Takes;
use crate::{Differentiable, Real};
use core::borrow::BorrowMut;

/// An active parameter `&T`, with the tangent if the caller has one.
#[derive(Debug)]
pub struct Reference<'a, T: ?Sized>(pub &'a T, pub Option<&'a T>);

/// An active parameter `&mut T`, with the tangent if the caller has one.
#[derive(Debug)]
pub struct ReferenceMut<'a, T: ?Sized>(pub &'a mut T, pub Option<&'a mut T>);

/// A parameter `&T` that is constant in the callee.
#[derive(Debug)]
pub struct Data<'a, T: ?Sized>(pub &'a T);

/// A parameter `&mut T` that is constant in the callee.
#[derive(Debug)]
pub struct DataMut<'a, T: ?Sized>(pub &'a mut T);

impl<'a, T: ?Sized, V: View<T> + ?Sized, W: View<T> + ?Sized> Takes<(&'a V, &'a W)>
    for Reference<'a, T>
{
    #[inline]
    fn take((value, tangent): (&'a V, &'a W)) -> Self {
        Reference(value.view(), Some(tangent.view()))
    }
}

impl<'a, T: ?Sized, V: View<T> + ?Sized, W: View<T> + ?Sized> Takes<(&'a mut V, &'a mut W)>
    for Reference<'a, T>
{
    #[inline]
    fn take((value, tangent): (&'a mut V, &'a mut W)) -> Self {
        Reference((*value).view(), Some((*tangent).view()))
    }
}

impl<'a, T: ?Sized, V: View<T> + ?Sized> Takes<Constant<&'a V>> for Reference<'a, T> {
    #[inline]
    fn take(Constant(value): Constant<&'a V>) -> Self {
        Reference(value.view(), None)
    }
}

impl<'a, T: ?Sized, V: View<T> + ?Sized> Takes<Constant<&'a mut V>> for Reference<'a, T> {
    #[inline]
    fn take(Constant(value): Constant<&'a mut V>) -> Self {
        Reference((*value).view(), None)
    }
}

impl<'a, T: ?Sized, V: View<T> + ?Sized, W: View<T> + ?Sized> Takes<(&'a mut V, &'a mut W)>
    for ReferenceMut<'a, T>
{
    #[inline]
    fn take((value, tangent): (&'a mut V, &'a mut W)) -> Self {
        ReferenceMut(value.view_mut(), Some(tangent.view_mut()))
    }
}

impl<'a, T: ?Sized, V: View<T> + ?Sized> Takes<Constant<&'a mut V>> for ReferenceMut<'a, T> {
    #[inline]
    fn take(Constant(value): Constant<&'a mut V>) -> Self {
        ReferenceMut(value.view_mut(), None)
    }
}

impl<'a, T: ?Sized, V: View<T> + ?Sized> Takes<Constant<&'a V>> for Data<'a, T> {
    #[inline]
    fn take(Constant(value): Constant<&'a V>) -> Self {
        Data(value.view())
    }
}

impl<'a, T: ?Sized, V: View<T> + ?Sized> Takes<Constant<&'a mut V>> for Data<'a, T> {
    #[inline]
    fn take(Constant(value): Constant<&'a mut V>) -> Self {
        Data((*value).view())
    }
}

impl<'a, T: ?Sized, V: View<T> + ?Sized> Takes<Constant<&'a mut V>> for DataMut<'a, T> {
    #[inline]
    fn take(Constant(value): Constant<&'a mut V>) -> Self {
        DataMut(value.view_mut())
    }
}

/// An argument of a pullback for an active parameter `&T`.
pub trait SecondRef<T: ?Sized> {
    /// Runs `call` on the value, its tangent, the adjoint to add to, and the tangent of that.
    fn with<R>(self, call: impl FnOnce(&T, &T, &mut T, &mut T) -> R) -> R;
}

/// An argument of a pullback for an active parameter `&mut T`.
pub trait SecondMut<T: ?Sized> {
    /// Runs `call` on the value, its tangent, its adjoint, and the tangent of that.
    fn with<R>(self, call: impl FnOnce(&mut T, &mut T, &mut T, &mut T) -> R) -> R;
}

impl<T, V, W, A, B> SecondRef<T> for (&V, &W, &mut A, &mut B)
where
    T: ?Sized,
    V: View<T> + ?Sized,
    W: View<T> + ?Sized,
    A: View<T> + ?Sized,
    B: View<T> + ?Sized,
{
    #[inline]
    fn with<R>(self, call: impl FnOnce(&T, &T, &mut T, &mut T) -> R) -> R {
        call(self.0.view(), self.1.view(), self.2.view_mut(), self.3.view_mut())
    }
}

impl<T, V, W, A, B> SecondRef<T> for (&mut V, &mut W, &mut A, &mut B)
where
    T: ?Sized,
    V: View<T> + ?Sized,
    W: View<T> + ?Sized,
    A: View<T> + ?Sized,
    B: View<T> + ?Sized,
{
    #[inline]
    fn with<R>(self, call: impl FnOnce(&T, &T, &mut T, &mut T) -> R) -> R {
        call((*self.0).view(), (*self.1).view(), self.2.view_mut(), self.3.view_mut())
    }
}

impl<T, V, W, A, B> SecondMut<T> for (&mut V, &mut W, &mut A, &mut B)
where
    T: ?Sized,
    V: View<T> + ?Sized,
    W: View<T> + ?Sized,
    A: View<T> + ?Sized,
    B: View<T> + ?Sized,
{
    #[inline]
    fn with<R>(self, call: impl FnOnce(&mut T, &mut T, &mut T, &mut T) -> R) -> R {
        call(self.0.view_mut(), self.1.view_mut(), self.2.view_mut(), self.3.view_mut())
    }
}

impl<T: Differentiable + ?Sized, V: View<T> + ?Sized> SecondRef<T> for Constant<&V> {
    #[inline]
    fn with<R>(self, call: impl FnOnce(&T, &T, &mut T, &mut T) -> R) -> R {
        let value = self.0.view();
        let [mut tangent, mut adjoint, mut adjoint_tan] = [(); 3].map(|()| value.zeros_like());
        call(value, tangent.borrow_mut(), adjoint.borrow_mut(), adjoint_tan.borrow_mut())
    }
}

impl<T: Differentiable + ?Sized, V: View<T> + ?Sized> SecondMut<T> for Constant<&mut V> {
    #[inline]
    fn with<R>(self, call: impl FnOnce(&mut T, &mut T, &mut T, &mut T) -> R) -> R {
        let value = self.0.view_mut();
        let [mut tangent, mut adjoint, mut adjoint_tan] = [(); 3].map(|()| value.zeros_like());
        call(value, tangent.borrow_mut(), adjoint.borrow_mut(), adjoint_tan.borrow_mut())
    }
}

/// The seed of a result of type `T`, with its tangent; `()` for a result that was thrown away.
pub trait SecondSeed<T> {
    /// The seed and its tangent.
    fn seeds(self) -> (T, T);
}

impl<T> SecondSeed<T> for (T, T) {
    #[inline]
    fn seeds(self) -> (T, T) {
        self
    }
}

impl<T: Real> SecondSeed<T> for () {
    #[inline]
    fn seeds(self) -> (T, T) {
        (T::zero(), T::zero())
    }
}
