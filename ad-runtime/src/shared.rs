//! Adjoints that several pullbacks of a closure add to.

use core::cell::Cell;

/// What the pullbacks of a closure add to, one after the other: each takes it and gives it back.
pub struct Shared<T>(Cell<Option<T>>);

impl<T> core::fmt::Debug for Shared<T> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Shared").finish_non_exhaustive()
    }
}

impl<T> Shared<T> {
    /// A cell with `adjoint` in it.
    #[inline]
    pub fn new(adjoint: T) -> Self {
        Shared(Cell::new(Some(adjoint)))
    }

    /// What is in the cell.
    ///
    /// # Panics
    ///
    /// If it is taken already: pullbacks of one closure do not run inside of each other.
    #[inline]
    #[track_caller]
    pub fn take(&self) -> T {
        self.0.take().expect("pullbacks of a closure run one after the other")
    }

    /// Puts back what was taken.
    #[inline]
    pub fn give(&self, adjoint: T) {
        self.0.set(Some(adjoint));
    }
}
