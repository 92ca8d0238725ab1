//! Ranges of any integers, by position.
//!
//! The macro does not know the type of the integers in a range. Where it needs the value at a position,
//! or the number of values, it asks here.

/// Integers that ranges count.
pub trait Count: Copy {
    /// The value `k` places behind this one, which is in the range and so can be represented.
    fn ahead(self, k: usize) -> Self;

    /// How many values are in `self..end`.
    fn until(self, end: Self) -> usize;

    /// How many values are in `self..=last`.
    fn through(self, last: Self) -> usize;
}

macro_rules! count {
    ($($int:ty, $unsigned:ty;)*) => {$(
        impl Count for $int {
            #[inline]
            fn ahead(self, k: usize) -> Self {
                self.wrapping_add(k as $int)
            }

            #[inline]
            fn until(self, end: Self) -> usize {
                if self < end { end.wrapping_sub(self) as $unsigned as usize } else { 0 }
            }

            #[inline]
            fn through(self, last: Self) -> usize {
                if self <= last {
                    (last.wrapping_sub(self) as $unsigned as usize).saturating_add(1)
                } else {
                    0
                }
            }
        }
    )*};
}

count! {
    u8, u8; u16, u16; u32, u32; u64, u64; u128, u128; usize, usize;
    i8, u8; i16, u16; i32, u32; i64, u64; i128, u128; isize, usize;
}

/// The value at position `k` of a range that begins at `first`.
#[inline]
pub fn ahead<T: Count>(first: T, k: usize) -> T {
    first.ahead(k)
}

/// How many values are in `first..end`.
#[inline]
pub fn length<T: Count>(first: T, end: T) -> usize {
    first.until(end)
}

/// How many values are in `first..=last`.
#[inline]
pub fn length_inclusive<T: Count>(first: T, last: T) -> usize {
    first.through(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signed_ranges_are_counted_across_zero() {
        assert_eq!(length(-128_i8, 127), 255);
        assert_eq!(length_inclusive(-128_i8, 127), 256);
        assert_eq!(ahead(-128_i8, 255), 127);
        assert_eq!(ahead(250_u8, 5), 255);
    }

    #[test]
    fn ranges_that_end_before_they_begin_are_empty() {
        assert_eq!(length(3, 3), 0);
        assert_eq!(length(3_u32, 1), 0);
        assert_eq!(length_inclusive(3_i64, 2), 0);
    }
}
