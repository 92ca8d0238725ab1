//! What a call left for its pullback, of a caller that used the result and of one that did not.
//!
//! A caller cannot see whether `step(&mut x);` throws a result away or has none. It keeps whatever `vjp`
//! gives and hands `()` over as the seed; a callee that has a result takes either apart with [`Record`].

use crate::Differentiable;

/// The pullback `P` of a function that gives a `V`, for a caller whose seed is an `S`.
pub trait Record<S, V, P> {
    /// The pullback and its seed.
    fn seeded(self, seed: S) -> (P, V);
}

impl<V, P> Record<V, V, P> for P {
    #[inline]
    fn seeded(self, seed: V) -> (P, V) {
        (self, seed)
    }
}

/// Nothing flows back to a result that was thrown away.
impl<V: Differentiable<Owned = V>, P> Record<(), V, P> for (V, P) {
    #[inline]
    fn seeded(self, (): ()) -> (P, V) {
        let zeros = self.0.zeros_like();
        (self.1, zeros)
    }
}
