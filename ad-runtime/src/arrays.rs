//! Arrays of other crates.
//!
//! What a method computes and its adjoint are implementations of [`Unary`], [`Binary`] and the like, with a
//! marker for the method, on the *core* of an array: the type to which an array and its views dereference.
//! [`Methods`] makes of these what callers ask for: `dot_vjp`, which gives the value, and `dot_reverse`, which
//! adds to adjoints. Nothing is kept between the two, since a reverse sweep hands the operands over again.

mod methods;

pub use methods::{Methods, name};

use crate::Differentiable;
use crate::argument::Constant;
use core::borrow::Borrow;

/// An array of another crate, or a view of one.
pub trait Foreign {
    /// What it dereferences to.
    type Core: Differentiable + ?Sized;
    /// The dereferenced array.
    fn core(&self) -> &Self::Core;
}

/// An array of another crate whose elements can be changed.
pub trait ForeignMut: Foreign {
    /// The dereferenced array.
    fn core_mut(&mut self) -> &mut Self::Core;
}

/// Where an adjoint goes: to one that is added to, or nowhere.
pub trait Sink<T: Differentiable + ?Sized> {
    /// Lets `add` add to the adjoint, if anybody asked for it.
    fn add(self, add: impl FnOnce(&mut T));
}

impl<T: Differentiable + ?Sized, U: ForeignMut<Core = T> + ?Sized> Sink<T> for &mut U {
    #[inline]
    fn add(self, add: impl FnOnce(&mut T)) {
        add(self.core_mut());
    }
}

impl<T: Differentiable + ?Sized> Sink<T> for Constant<()> {
    #[inline]
    fn add(self, _: impl FnOnce(&mut T)) {}
}

/// An argument that a method takes by reference.
pub trait Argument<T: Differentiable + ?Sized> {
    /// Lets `add` add to the adjoint, which it gets behind the value, if anybody asked for it.
    fn add(self, add: impl FnOnce(&T, &mut T));
    /// The value.
    fn value(&self) -> &T;
}

impl<T, V, W> Argument<T> for (&V, &mut W)
where
    T: Differentiable + ?Sized,
    V: Foreign<Core = T> + ?Sized,
    W: ForeignMut<Core = T> + ?Sized,
{
    #[inline]
    fn add(self, add: impl FnOnce(&T, &mut T)) {
        add(self.0.core(), self.1.core_mut());
    }
    #[inline]
    fn value(&self) -> &T {
        self.0.core()
    }
}

impl<T: Differentiable + ?Sized, V: Foreign<Core = T> + ?Sized> Argument<T> for Constant<&V> {
    #[inline]
    fn add(self, _: impl FnOnce(&T, &mut T)) {}
    #[inline]
    fn value(&self) -> &T {
        self.0.core()
    }
}

/// A method without arguments.
#[diagnostic::on_unimplemented(
    message = "the method `{Name}` of `{Self}` has no derivative",
    note = "help: write it with methods that have one, or as a function with `#[ad_runtime::custom_rule]`"
)]
pub trait Unary<Name>: Differentiable {
    /// The type of the result.
    type Output;
    /// The result.
    fn value(&self) -> Self::Output;
    /// The adjoint of the array, for a result whose adjoint is `seed`.
    fn adjoint(&self, seed: &Self::Output) -> Self::Owned;
}

/// A method with another array as its argument.
#[diagnostic::on_unimplemented(
    message = "the method `{Name}` of `{Self}` has no derivative for an argument `{Rhs}`",
    note = "help: write it with methods that have one, or as a function with `#[ad_runtime::custom_rule]`"
)]
pub trait Binary<Name, Rhs: Differentiable + ?Sized>: Differentiable {
    /// The type of the result.
    type Output;
    /// The result.
    fn value(&self, rhs: &Rhs) -> Self::Output;
    /// The adjoint of the array, for a result whose adjoint is `seed`.
    fn adjoint(&self, rhs: &Rhs, seed: &Self::Output) -> Self::Owned;
    /// The adjoint of the argument.
    fn rhs_adjoint(&self, rhs: &Rhs, seed: &Self::Output) -> Rhs::Owned;
    /// Adds the adjoint of the array.
    #[inline]
    fn add_adjoint(&self, rhs: &Rhs, seed: &Self::Output, total: &mut Self) {
        total.accumulate(self.adjoint(rhs, seed).borrow());
    }
    /// Adds the adjoint of the argument.
    #[inline]
    fn add_rhs_adjoint(&self, rhs: &Rhs, seed: &Self::Output, total: &mut Rhs) {
        total.accumulate(self.rhs_adjoint(rhs, seed).borrow());
    }
}

/// A method with data as its argument, such as the number of a row.
#[diagnostic::on_unimplemented(
    message = "the method `{Name}` of `{Self}` has no derivative for an argument `{Data}`",
    note = "help: write it with methods that have one, or as a function with `#[ad_runtime::custom_rule]`"
)]
pub trait Picked<Name, Data>: Differentiable {
    /// The type of the result.
    type Output;
    /// The result.
    fn value(&self, data: &Data) -> Self::Output;
    /// Adds to the adjoint of the array, for a result whose adjoint is `seed`.
    fn add_adjoint(&self, data: &Data, seed: &Self::Output, total: &mut Self);
}

/// A method whose result has no derivative, such as the number of rows.
pub trait Asked<Name> {
    /// The type of the result.
    type Output;
    /// The result.
    fn value(&self) -> Self::Output;
}

/// A method with a function of its elements as its argument.
#[diagnostic::on_unimplemented(
    message = "the method `{Name}` of `{Self}` has no derivative",
    note = "help: write it with methods that have one, or as a function with `#[ad_runtime::custom_rule]`"
)]
pub trait Mapped<Name>: Differentiable {
    /// The type of the elements.
    type Element;
    /// What `f` makes of all elements, in the order of [`Mapped::adjoint`].
    fn value(&self, f: impl FnMut(Self::Element) -> Self::Element) -> Self::Owned;
    /// The adjoint of the array; `f` gives that of the next element for the seed of its value.
    fn adjoint(
        &self,
        seed: &Self::Owned,
        f: impl FnMut(Self::Element) -> Self::Element,
    ) -> Self::Owned;
}
