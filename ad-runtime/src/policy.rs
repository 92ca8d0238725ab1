//! What a `vjp` promises about its `&mut` primal arguments once its pullback has run.
//!
//! A caller whose own reverse sweep reads a buffer from before the call asks for [`Restored`];
//! everybody else asks for [`Unspecified`], under which in-place code that is linear in its
//! buffers records nothing.

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Restored {}
    impl Sealed for super::Unspecified {}
    impl<P: super::Restore> Sealed for &'static P {}
}

/// The promise of a `vjp` about the contents of its `&mut` primal arguments after the pullback.
pub trait Restore: Copy + 'static + sealed::Sealed {
    /// Whether every overwritten element has its value from before the call again.
    const RESTORE: bool;
    /// The policy, for callers of methods, who cannot know whether a policy is a type there.
    #[doc(hidden)]
    const BORROWED: &'static Self;
}

/// Any policy, for methods that do not ask which.
#[doc(hidden)]
pub trait AnyPolicy {}

impl<P: Restore> AnyPolicy for P {}

/// Every element that the call overwrote has its value from before the call again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Restored;

/// Overwritten elements hold unspecified values; the caller will not read them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unspecified;

impl Restore for Restored {
    const RESTORE: bool = true;
    const BORROWED: &'static Self = &Restored;
}

impl Restore for Unspecified {
    const RESTORE: bool = false;
    const BORROWED: &'static Self = &Unspecified;
}

impl<P: Restore> Restore for &'static P {
    const RESTORE: bool = P::RESTORE;
    const BORROWED: &'static Self = &P::BORROWED;
}
