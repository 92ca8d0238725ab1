//! What generated code calls, as `ad::…`. Not for direct use.

pub use crate::argument::{
    Active, ActiveMut, Constant, ConstantInCallee, ConstantReceiver, Holder, Primal, PrimalMut,
    Receiver, View,
};
pub use crate::count::{ahead, length, length_inclusive};
pub use crate::drivers;
pub use crate::holding::Holding;
pub use crate::operator::{
    Operator, OperatorTangent, UnaryOperator, UnaryOperatorTangent, marker as operator,
};
pub use crate::part::Part;
pub use crate::policy::AnyPolicy;
pub use crate::record::Record;
pub use crate::second::{Data, DataMut, Reference, ReferenceMut, SecondMut, SecondRef, SecondSeed};
pub use crate::shared::Shared;
pub use crate::tangent::{
    Cast, Pair, SameMut, SameRef, Takes, TangentHolder, TangentHolderMut, TangentMut,
    TangentReceiver, TangentRef,
};
pub use crate::{Differentiable, Real, Restore, Restored, Stack, Unspecified};

/// Companions of methods of other crates, which generated code brings into scope where it calls
/// methods. They have no names, so that they hide none.
pub mod siblings {
    #[cfg(feature = "num-complex")]
    pub use crate::complex::ComplexSiblings as _;
    pub use crate::siblings::RealSiblings as _;
}
#[path = "methods.rs"]
pub mod methods;

use alloc::format;
use core::any::Any;
use core::borrow::{Borrow, BorrowMut};
use core::cmp::Ordering;

/// `adjoint * partial`, where a factor that is exactly 0 absorbs an infinite or NaN one.
#[inline]
pub fn pull<T: Real>(adjoint: T, partial: T) -> T {
    // Without branches, which `||` and a product in one of them would make.
    let product = adjoint * partial;
    if (adjoint == T::zero()) | (partial == T::zero()) { T::zero() } else { product }
}

/// A constant of a rule, in the scalar type of the function.
#[inline]
pub fn real<T: Real>(value: f64) -> T {
    T::nearest(value)
}

/// The derivative of `base.powi(n)`; 0 for `n = 0`, whatever the base.
#[inline]
pub fn power_slope<T: Real>(base: T, n: i32) -> T {
    if n == 0 { T::zero() } else { T::nearest(f64::from(n)) * base.powi(n.saturating_sub(1)) }
}

/// The derivative of `n xⁿ⁻¹`: `n (n - 1) xⁿ⁻²`.
#[inline]
pub fn power_curvature<T: Real>(base: T, n: i32) -> T {
    match n {
        0 | 1 => T::zero(),
        2 => real(2.0),
        _ => real::<T>(f64::from(n) * (f64::from(n) - 1.0)) * base.powi(n.saturating_sub(2)),
    }
}

/// A number, or what a reference to one refers to, through which operators see.
pub trait Number {
    /// The number's type.
    type Plain;
    /// The number.
    fn plain(self) -> Self::Plain;
}

macro_rules! number {
    ($($number:ty),*) => {$(
        impl Number for $number {
            type Plain = Self;
            #[inline]
            fn plain(self) -> Self {
                self
            }
        }
    )*};
}
number!(f32, f64, i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize);

impl<T: Number + Copy> Number for &T {
    type Plain = T::Plain;
    #[inline]
    fn plain(self) -> T::Plain {
        (*self).plain()
    }
}

impl<T: Number + Copy> Number for &mut T {
    type Plain = T::Plain;
    #[inline]
    fn plain(self) -> T::Plain {
        (*self).plain()
    }
}

/// The items of data, collected.
pub fn items<I: IntoIterator>(data: I) -> Vec<I::Item> {
    data.into_iter().collect()
}

/// What carried code gave, as a number.
#[inline]
pub fn number<T: Number>(value: T) -> T::Plain {
    value.plain()
}

pub use crate::summed::{no_product, no_sum, product_of_none, sum_of_none};

/// Zero, in the scalar type of the function.
#[inline]
pub fn zero<T: Real>() -> T {
    T::zero()
}

/// The adjoint of a value that is overwritten: returned, and 0 afterwards.
#[inline]
pub fn take<T: Real>(adjoint: &mut T) -> T {
    core::mem::take(adjoint)
}

/// The same for arrays, vectors and tuples.
#[inline]
pub fn take_all<T: Differentiable<Owned = T>>(adjoint: &mut T) -> T {
    let zeros = adjoint.zeros_like();
    core::mem::replace(adjoint, zeros)
}

/// The adjoint of the last element of a vector, which is removed.
///
/// # Panics
///
/// If there is none, which means that the two sweeps did not run the same statements.
#[inline]
#[track_caller]
pub fn popped<T>(adjoint: &mut Vec<T>) -> T {
    adjoint.pop().expect("an adjoint is as long as its primal")
}

/// The order into which `items.sort_by(compare)` brings `items`: which element comes to each place.
#[inline]
pub fn order_by<T>(items: &[T], mut compare: impl FnMut(&T, &T) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..items.len()).collect();
    order.sort_by(|a, b| compare(&items[*a], &items[*b]));
    order
}

/// The same for `sort_by_key`.
#[inline]
pub fn order_by_key<T, K: Ord>(items: &[T], mut key: impl FnMut(&T) -> K) -> Vec<usize> {
    let mut order: Vec<usize> = (0..items.len()).collect();
    order.sort_by_key(|k| key(&items[*k]));
    order
}

/// Brings `items` into an order.
pub fn permute<T>(items: &mut [T], order: &[usize]) {
    let mut placed = alloc::vec![false; order.len()];
    for start in 0..order.len() {
        // The elements of one cycle move up, the first of them by way of all places.
        let mut place = start;
        while !core::mem::replace(&mut placed[place], true) && order[place] != start {
            items.swap(place, order[place]);
            place = order[place];
        }
    }
}

/// Brings `items` back into the order from before `permute`.
pub fn unpermute<T>(items: &mut [T], order: &[usize]) {
    let mut inverse = alloc::vec![0; order.len()];
    for (place, from) in order.iter().enumerate() {
        inverse[*from] = place;
    }
    permute(items, &inverse);
}

/// The sum of all adjoints of copies of one value.
#[inline]
pub fn sum<T: Real>(adjoints: &[T]) -> T {
    adjoints.iter().fold(T::zero(), |total, part| total + *part)
}

/// Adds every adjoint of a copy to the adjoint of the value that was copied.
#[inline]
pub fn add_sum<T: Differentiable<Owned = T>>(total: &mut T, adjoints: &[T]) {
    for part in adjoints {
        total.accumulate(part);
    }
}

/// What the forward sweep recorded outside of loops.
///
/// # Panics
///
/// If it did not, which means that the two sweeps did not run the same statements.
#[inline]
#[track_caller]
pub fn recorded<T>(slot: Option<T>) -> T {
    slot.expect("the reverse sweep needs a value that the forward sweep did not record")
}

/// Panics unless the adjoint handed in for `name` has the shape of its primal.
#[inline]
#[track_caller]
pub fn assert_shape<T: Differentiable + ?Sized>(name: &str, primal: &T, adjoint: &T) {
    if let Some(found) = primal.shape_difference(adjoint) {
        shape_mismatch(name, "adj", &found);
    }
}

/// A by-value argument as the callee takes it.
#[inline]
pub fn handed<A, P: Takes<A>>(argument: A) -> P {
    P::take(argument)
}

/// Panics unless the tangent handed in for `name` has the shape of its primal.
#[inline]
#[track_caller]
pub fn assert_tangent<T: Differentiable + ?Sized>(name: &str, primal: &T, tangent: &T) {
    if let Some(found) = primal.shape_difference(tangent) {
        shape_mismatch(name, "tan", &found);
    }
}

#[cold]
#[track_caller]
fn shape_mismatch(name: &str, derivative: &str, found: &str) -> ! {
    panic!("`{name}_{derivative}` does not have the shape of `{name}`: {found}")
}

/// Writes `value` over an adjoint that lies in the caller's buffer.
#[inline]
pub fn overwrite<T: Overwrite + ?Sized, O: Borrow<T>>(target: &mut T, value: &O) {
    target.overwrite(value.borrow());
}

/// Copies contents without a change of length.
pub trait Overwrite {
    /// Makes the contents those of `source`.
    fn overwrite(&mut self, source: &Self);
}

impl<T: Clone> Overwrite for [T] {
    #[inline]
    fn overwrite(&mut self, source: &Self) {
        self.clone_from_slice(source);
    }
}

impl<T: Clone> Overwrite for T {
    #[inline]
    fn overwrite(&mut self, source: &Self) {
        self.clone_from(source);
    }
}

pub use alloc::boxed::Box;
pub use alloc::string::String;
pub use alloc::vec::Vec;
pub use core::option::Option::{self, None, Some};
pub use num_traits::Float;

/// Zeros of the shape of `primal`.
#[inline]
pub fn zeros<T: Differentiable + ?Sized>(primal: &T) -> T::Owned {
    primal.zeros_like()
}

/// The inner product of derivatives.
#[inline]
#[track_caller]
pub fn dot<T: Differentiable + ?Sized>(a: &T, b: &T) -> f64 {
    a.inner_product(b)
}

/// Panics unless both modes agree: along the gradient, the tangent is the square of its length.
///
/// Twelve digits, or what single precision has, of terms that are all of one sign in the square.
#[track_caller]
pub fn assert_modes_agree<T: Real>(name: &str, tangent: T, square: f64) {
    let tangent = tangent.to_f64().expect("a real scalar is an f64");
    let tolerance = if size_of::<T>() < 8 { 1e-5 } else { 1e-12 };
    let distance = (tangent - square).abs();
    assert!(
        distance <= tolerance * square.max(tangent.abs()) || !square.is_finite(),
        "the modes of `{name}` disagree: along the gradient, the tangent is {tangent}, but the \
         square of the gradient is {square}"
    );
}

/// `value + step * direction`
pub fn moved<T: Differentiable + ?Sized>(value: &T, direction: &T, step: f64) -> T::Owned {
    let [mut sum, mut scaled] = [(); 2].map(|()| value.zeros_like());
    let (sum_of, scaled_of): (&mut T, &mut T) = (sum.borrow_mut(), scaled.borrow_mut());
    scaled_of.accumulate(direction);
    scaled_of.for_each_real(&mut |real| *real *= step);
    sum_of.accumulate(value);
    sum_of.accumulate(scaled_of);
    sum
}

/// Panics unless the curvature along a direction of unit length agrees with that of differences.
///
/// `slope(h)` is the derivative along the direction, `h` along it. With a step of 1e-4, fourth-order
/// differences err by about 1e-12 of the slope from rounding; the tolerance leaves room for that, and for
/// sixth derivatives up to 1e8.
#[track_caller]
pub fn assert_curvature<T: Real>(name: &str, _: &T, curvature: f64, slope: impl Fn(f64) -> f64) {
    if size_of::<T>() < 8 {
        // Differences in single precision have no digits left.
        return;
    }
    const STEP: f64 = 1e-4;
    let near = slope(STEP) - slope(-STEP);
    let far = slope(2.0 * STEP) - slope(-2.0 * STEP);
    let difference = (8.0 * near - far) / (12.0 * STEP);
    let distance = (curvature - difference).abs();
    assert!(
        distance <= 1e-7 * (difference.abs() + slope(0.0).abs() + 1.0) || !difference.is_finite(),
        "the second derivative of `{name}` along its gradient is {curvature}, but differences give \
         {difference}"
    );
}

/// Panics unless there is a place for every result.
#[inline]
#[track_caller]
pub fn assert_results(value: usize, buffer: usize) {
    assert_eq!(value, buffer, "a value of {value} entries does not fit a buffer of {buffer}");
}

/// The entries of a buffer as an array.
///
/// # Panics
///
/// If there are more or fewer.
#[inline]
#[track_caller]
pub fn array_of<T: Copy, const N: usize>(buffer: &[T]) -> [T; N] {
    assert_results(N, buffer.len());
    core::array::from_fn(|k| buffer[k])
}

/// How many real numbers a value holds.
pub fn reals<T: Differentiable + ?Sized>(value: &T) -> usize {
    let mut count = 0;
    BorrowMut::<T>::borrow_mut(&mut value.zeros_like()).for_each_real(&mut |_| count += 1);
    count
}

/// A value of the same parts, whose type need not be `Clone`.
pub fn duplicate<T: Differentiable<Owned = T>>(value: &T) -> T {
    let mut copy = value.zeros_like();
    copy.accumulate(value);
    copy
}

/// The direction of the real part at `at`, counted from there on; `at` becomes what remains behind it.
pub fn unit_direction<T: Differentiable + ?Sized>(value: &T, at: &mut usize) -> T::Owned {
    let mut direction = value.zeros_like();
    BorrowMut::<T>::borrow_mut(&mut direction).for_each_real(&mut |real| {
        if *at == 0 {
            *real = 1.0;
        }
        // Behind the one, no other is at 0 again.
        *at = at.wrapping_sub(1);
    });
    direction
}

/// Appends the real parts of a derivative to a row.
pub fn push_reals<T: Differentiable>(row: &mut Vec<f64>, mut derivative: T) {
    derivative.for_each_real(&mut |real| row.push(*real));
}

/// The scalar nearest to a number.
pub fn nearest_real<T: Real>(value: f64) -> T {
    T::nearest(value)
}

/// Rows of a known number as an array.
pub fn square<T: Real, const N: usize>(rows: Vec<Vec<f64>>) -> [[T; N]; N] {
    core::array::from_fn(|i| core::array::from_fn(|j| T::nearest(rows[i][j])))
}

/// Sets an adjoint to 0.
#[inline]
pub fn clear<T: Differentiable + ?Sized>(adjoint: &mut T) {
    adjoint.set_zero();
}

/// Adds one adjoint to another.
#[inline]
#[track_caller]
pub fn accumulate<T: ?Sized, U: Part<T> + ?Sized>(total: &mut T, part: &U) {
    part.add_to(total);
}

/// What an iterator over a range gives, backwards, whatever the type of its integers.
#[inline]
pub fn reversed<I: Iterator + Clone>(iter: I) -> impl Iterator<Item = I::Item> {
    let trips = iter.size_hint().0;
    let item = move |k| iter.clone().nth(k).expect("ranges know how long they are");
    (0..trips).rev().map(item)
}

/// An owned copy.
#[inline]
pub fn copied<T: alloc::borrow::ToOwned + ?Sized>(value: &T) -> T::Owned {
    value.to_owned()
}

/// How the shape of a field differs, with the field's name in front.
#[inline]
pub fn shape_difference_at<T: Differentiable + ?Sized>(
    at: &str,
    primal: &T,
    adjoint: &T,
) -> Option<String> {
    Some(alloc::format!("at {at}: {}", primal.shape_difference(adjoint)?))
}

/// How two variants of one enum differ.
#[must_use]
pub fn variant_difference(primal: &str, adjoint: &str) -> String {
    alloc::format!("the variant `{adjoint}`, not `{primal}`")
}

/// Panics, since an adjoint has the variant of its primal.
#[cold]
#[track_caller]
pub fn different_variants(total: &str, part: &str) -> ! {
    panic!("an adjoint of variant `{part}` cannot be added to one of variant `{total}`")
}

/// Panics, since an adjoint has the variant of its primal.
#[cold]
#[track_caller]
pub fn other_variant() -> ! {
    panic!("an adjoint does not have the variant of its primal")
}

/// The seed 1 for a result that may hold a real number.
#[inline]
pub fn unit<W>(value: &W) -> W
where
    W: Holding + Differentiable<Owned = W>,
    W::Held: Real,
{
    let mut seed = value.zeros_like();
    if seed.holds() {
        *seed.held_mut() = W::Held::nearest(1.0);
    }
    seed
}

/// Panics unless a method that is run again gives the value that it gave.
#[inline]
#[track_caller]
pub fn assert_same<T: Real>(name: &str, value: T, again: T) {
    if value != again && !(value.is_nan() && again.is_nan()) {
        let [value, again] = [value, again].map(|v| v.to_f64().unwrap_or(f64::NAN));
        panic!(
            "`{name}` gave {value}, and {again} when the reverse sweep ran it again: it depends on more \
             than its arguments, such as random numbers; hand them in as `&mut`, or write a function"
        );
    }
}

/// The adjoint of a trait object, as that of the type behind its primal.
///
/// # Panics
///
/// If another type is behind it.
#[track_caller]
pub fn behind_object<T: Any>(adjoint: &mut dyn Any) -> &mut T {
    adjoint.downcast_mut().unwrap_or_else(|| other_object::<T>())
}

/// The same, to be read.
#[track_caller]
pub fn seen_object<T: Any>(adjoint: &dyn Any) -> &T {
    adjoint.downcast_ref().unwrap_or_else(|| other_object::<T>())
}

#[track_caller]
fn other_object<T>() -> ! {
    panic!(
        "the adjoint of a trait object is one of `{}`, as its primal is, but another type was found",
        core::any::type_name::<T>()
    )
}

/// How a trait object differs in shape from a primal of type `T`.
pub fn object_difference<T: Differentiable + Any>(primal: &T, adjoint: &dyn Any) -> Option<String> {
    match adjoint.downcast_ref::<T>() {
        Some(adjoint) => primal.shape_difference(adjoint),
        None => Some(format!(
            "behind the trait object is another type than `{}`",
            core::any::type_name::<T>()
        )),
    }
}
