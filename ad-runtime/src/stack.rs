//! The tape of one save site: values go on in the forward sweep and come off in reverse order.

use alloc::vec::Vec;

/// Last-in first-out record of one save site; the element type is inferred from what is pushed.
///
/// ```
/// let mut values = ad_runtime::Stack::new();
/// values.push(1.5);
/// values.push(2.5);
/// assert_eq!(values.pop(), 2.5);
/// assert_eq!(values.pop(), 1.5);
/// ```
#[derive(Debug)]
pub struct Stack<T>(Vec<T>);

impl<T> Stack<T> {
    /// An empty stack; the first push allocates.
    #[must_use]
    pub const fn new() -> Self {
        Stack(Vec::new())
    }

    /// Records `value`.
    #[inline]
    pub fn push(&mut self, value: T) {
        self.0.push(value);
    }

    /// Takes back the value recorded last.
    ///
    /// # Panics
    ///
    /// If nothing is left, which means that the two sweeps did not run the same statements.
    #[inline]
    #[track_caller]
    pub fn pop(&mut self) -> T {
        match self.0.pop() {
            Some(value) => value,
            None => underflow(),
        }
    }
}

impl<T> Default for Stack<T> {
    fn default() -> Self {
        Self::new()
    }
}

#[cold]
#[track_caller]
fn underflow() -> ! {
    panic!("tape underflow: the reverse sweep popped a value that the forward sweep never pushed")
}
