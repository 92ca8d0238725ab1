//! What only the sweeps of a derivative contain: values, statements, and where things are kept.

use super::{Arg, Atom, Block, Call, Maker, Operator, Permutation, Place, Range, Ty, VarId};
use proc_macro2::{Ident, TokenStream};

/// Values of the reverse sweep.
#[derive(Clone, Debug)]
pub enum Reverse {
    /// The partial of an elementary operation with respect to argument `arg`.
    Partial { rule: &'static crate::rules::Rule, arg: usize, args: Vec<Atom>, result: Atom },
    /// `adjoint * partial`, 0 if either is.
    Pull(Atom, Atom),
    /// The adjoint of a value that is overwritten: read, and then 0.
    Take(Adjoint),
    /// The adjoint as it is.
    Adjoint(Adjoint),
    /// A recorded value: popped in a loop, taken from its slot elsewhere.
    Recorded(Tape),
    /// The negated adjoint.
    Neg(Atom),
    /// The sum of the elements of an aggregate's adjoint.
    Sum(Adjoint),
    /// The adjoint of a vector's last element, which is removed.
    Popped(Adjoint),
    /// The adjoints of the operands of an operator, as a tuple if there are two.
    Operator { op: Operator, args: Vec<Atom>, seed: Adjoint },
}

/// Values of tangents.
#[derive(Clone, Debug)]
pub enum Tangent {
    /// The tangent of a constant of this type.
    Zero(Ty),
    /// Zeros of the shape of a place.
    Zeros(Place),
    /// The sum of two tangents, or their difference if `negative`.
    Sum { a: Atom, b: Atom, negative: bool },
    /// The negated tangent.
    Neg(Atom),
    /// `tangent * partial`, 0 if either is.
    Scaled(Atom, Atom),
    /// `tangent as T`; nothing if it is that of an integer.
    Cast(Atom, Box<syn::Type>),
    /// A literal in the scalar type of a generic function.
    Literal(TokenStream),
    /// The derivative of `base` to the power of `n`, and its own derivative if `again`.
    PowerSlope { base: Atom, n: Atom, again: bool },
    /// The tangent of an operator on types of the user: operands, and their tangents.
    Operator { op: Operator, args: Vec<Atom>, tangents: Vec<Atom> },
}

/// The adjoint of a place.
#[derive(Clone, Debug)]
pub struct Adjoint(pub Place);

/// Where the forward sweep keeps what the reverse sweep needs.
#[derive(Clone, Debug)]
pub enum Tape {
    /// A stack, for save sites in loops.
    Stack(Ident),
    /// An `Option`, for save sites in branches.
    Slot(Ident),
}

/// Statements that only the sweeps contain.
#[derive(Clone, Debug)]
pub enum TapeOp {
    /// A value for the reverse sweep.
    Record { tape: Tape, value: Saved, when: When },
    /// `place = recorded value`
    Restore { tape: Tape, place: Place, when: When },
    /// `x_adj` begins, as 0 of the shape of `x`.
    Begin { var: VarId, shape: Shape },
    /// `x_adj` begins, as `value`.
    BeginWith { var: VarId, value: Atom },
    /// `x_adj` begins, as the adjoint of an aggregate, which is 0 from then on if `clear`.
    BeginFrom { var: VarId, other: Adjoint, clear: bool },
    /// `adjoint += value`, or `-=`.
    Accumulate { adjoint: Adjoint, value: Atom, negative: bool },
    /// `adjoint += other`, for aggregates; through a copy where both lie in one buffer.
    AccumulateAll { adjoint: Adjoint, other: Adjoint, copied: bool },
    /// `adjoint += Σ other`, for a value that was copied to every element.
    AccumulateSum { adjoint: Adjoint, other: Adjoint },
    /// The adjoint becomes 0.
    Clear { adjoint: Adjoint },
    /// The adjoint becomes 0 of the shape that its primal has again.
    Reshape { place: Place },
    /// `push` on the primal, on the way back from `pop`.
    PushBack { place: Place, value: Atom, when: When },
    /// `pop` on the primal, on the way back from `push`.
    PopBack { place: Place, when: When },
    /// `push` on the adjoint; of 0 if nothing came back to what was popped.
    PushAdjoint { adjoint: Adjoint, value: Option<Atom> },
    /// The inverse of a permutation, on the primal.
    PermuteBack { place: Place, how: Permutation, when: When },
    /// The inverse of a permutation, on the adjoint.
    PermuteAdjoint { adjoint: Adjoint, how: Permutation },
    /// `std::mem::swap` on the primal, on the way back.
    SwapBack { a: Place, b: Place, when: When },
    /// `std::mem::swap` on the adjoints.
    SwapAdjoints { a: Place, b: Place },
    /// A call whose pullback is kept.
    Call { call: Call, restoring: crate::record::Restoring },
    /// The pullback of a call runs.
    Pullback(Box<PullbackCall>),
    /// `let row = &w[a..b]` again, for primal and adjoint.
    Reborrow { var: VarId, mutable: bool, place: Place },
    /// `let (a, b) = w.split_at(mid)` again, for primal and adjoint.
    Resplit { left: VarId, right: VarId, mutable: bool, place: Place, mid: Atom },
    /// `let Shape::Circle(r) = shape else { … }` again, for primal and adjoint.
    Unpack(Box<Unpack>),
    /// A call that gives value and tangent.
    Tangent(Box<TangentCall>),
    /// Every real part of a place becomes 0.
    SetZero { place: Place },
    /// `let Shape::Circle(r_tan) = shape_tan else { … }`
    UnpackTangent(Box<UnpackTangent>),
    /// A call whose pullback is kept, with tangents.
    SecondCall { call: Box<TangentCall>, restoring: crate::record::Restoring },
    /// The pullback of a call runs, with tangents.
    SecondPullback(Box<SecondPullback>),
    /// `for _ in 0..trips`
    Repeat { trips: VarId, body: Block },
    /// A counted loop, backwards.
    ForRev { index: VarId, range: Range, body: Block },
    /// `trips += 1;`
    Count { trips: VarId },
    /// `end = index + 1;`
    CountTo { end: VarId, index: VarId },
}

/// The bindings of a `match` arm, made again.
#[derive(Clone, Debug)]
pub struct Unpack {
    /// The arm's pattern.
    pub pat: syn::Pat,
    /// What it matched.
    pub place: Place,
    /// The references that it binds.
    pub bound: Vec<VarId>,
    /// Whether the place is borrowed mutably.
    pub mutable: bool,
    /// Whether there are other arms.
    pub refutable: bool,
    /// Whether the primal's parts are used.
    pub primal: bool,
    /// Whether the adjoint's parts are used.
    pub adjoint: bool,
}

/// The bindings of a `match` arm, made for the tangent of what it matched.
#[derive(Clone, Debug)]
pub struct UnpackTangent {
    /// The arm's pattern.
    pub pat: syn::Pat,
    /// The tangent of what it matched, or the adjoint of that.
    pub place: Place,
    /// Whether it is the adjoint.
    pub adjoint: bool,
    /// The references that it binds, and their tangents.
    pub bound: Vec<(VarId, VarId)>,
    /// Whether the tangent is borrowed mutably.
    pub mutable: bool,
    /// Whether there are other arms.
    pub refutable: bool,
}

/// A call of a companion that gives value and tangent.
#[derive(Clone, Debug)]
pub struct TangentCall {
    /// The call.
    pub call: Call,
    /// The tangents of its arguments, those that closures capture included; `None` for constants.
    pub tangents: Vec<Option<Arg>>,
    /// The variable that takes the tangent of the result.
    pub dest: Option<VarId>,
}

/// The reverse of a [`TapeOp::SecondCall`].
#[derive(Clone, Debug)]
pub struct SecondPullback {
    /// The call, its reference arguments, and what it is given and gives.
    pub pullback: PullbackCall,
    /// The tangents of the reference arguments, where they are active.
    pub tangents: Vec<Option<PullbackArg>>,
    /// The tangent of the seed.
    pub seed: Option<Atom>,
    /// The variables that receive the tangents of what it gives.
    pub results: Vec<Option<VarId>>,
}

/// What begins an adjoint.
#[derive(Clone, Debug)]
pub enum Shape {
    /// `0.0`
    Scalar,
    /// As many zeros as the aggregate has elements; a tuple, or an array.
    Literal { len: usize, tuple: bool, heap: bool },
    /// A struct whose parts are all zeros.
    Struct(Maker),
    /// `[0.0; len]`
    Repeat { len: Atom, heap: bool },
    /// Zeros of the shape of a parameter's part.
    Like(Place),
    /// Zeros of the shape of the variable itself.
    Itself,
}

/// What is recorded.
#[derive(Clone, Debug)]
pub enum Saved {
    /// A variable; cloned unless it is `Copy`.
    Var(VarId),
    /// A variable that goes out of scope: moved.
    Moved(VarId),
    /// The contents of a place that is about to be overwritten.
    Place(Place),
    /// A literal.
    Literal(TokenStream),
}

/// Whether something is recorded for every caller or only for one that asked for restoring.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum When {
    /// Always.
    Always,
    /// Under `Restored`.
    Restored,
}

/// The reverse of a [`Call`].
#[derive(Clone, Debug)]
pub struct PullbackCall {
    /// The call.
    pub call: Call,
    /// Its reference arguments.
    pub args: Vec<PullbackArg>,
    /// The adjoint of the result, if it has one.
    pub seed: Option<Atom>,
    /// The variables that receive the adjoints of by-value arguments, where they are wanted.
    pub results: Vec<Option<VarId>>,
}

/// A reference argument of a pullback.
#[derive(Clone, Debug)]
pub struct PullbackArg {
    /// The place.
    pub place: Place,
    /// Whether it is passed as `&mut`.
    pub mutable: bool,
    /// How its adjoint is passed.
    pub adjoint: Passed,
}

/// How an adjoint is passed to a pullback.
#[derive(Clone, Debug)]
pub enum Passed {
    /// Not at all: nothing flows.
    Constant,
    /// As it lies in its buffer.
    InPlace,
    /// Through a temporary of this name, since another argument lies in the same buffer.
    Temporary(Ident),
}
