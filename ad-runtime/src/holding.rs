//! `Option` and `Result` alike, for generated code that cannot tell which of them a call gives.

use crate::__private::other_variant;

/// A value that holds another, or does not.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is neither an `Option` nor a `Result`",
    note = "help: unwrap the value in a function of its own, with `#[differentiate(reverse)]`"
)]
pub trait Holding {
    /// What it holds.
    type Held;
    /// Whether it holds something.
    fn holds(&self) -> bool;
    /// What it holds, by reference.
    fn held(&self) -> &Self::Held;
    /// What it holds, by mutable reference.
    fn held_mut(&mut self) -> &mut Self::Held;
    /// What it holds, by value.
    fn into_held(self) -> Self::Held;
}

macro_rules! holding {
    ($($whole:ty, $variant:ident, $is:ident, <$($param:ident),*>);*) => {$(
        impl<$($param),*> Holding for $whole {
            type Held = T;
            #[inline]
            fn holds(&self) -> bool {
                self.$is()
            }
            #[inline]
            #[track_caller]
            fn held(&self) -> &T {
                if let $variant(value) = self { value } else { other_variant() }
            }
            #[inline]
            #[track_caller]
            fn held_mut(&mut self) -> &mut T {
                if let $variant(value) = self { value } else { other_variant() }
            }
            #[inline]
            #[track_caller]
            fn into_held(self) -> T {
                if let $variant(value) = self { value } else { other_variant() }
            }
        }
    )*};
}
holding!(Option<T>, Some, is_some, <T>; Result<T, E>, Ok, is_ok, <T, E>);
