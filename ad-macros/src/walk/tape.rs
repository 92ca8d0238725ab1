//! What the statements of the tape mention.

use super::{
    arg_mention, call_mentions, call_operands, call_writes, indices, permutation_operand,
    range_operands, with,
};
use crate::ir::*;

/// Primal variables that the reverse sweep writes.
pub fn restores(stmt: &Stmt) -> Vec<VarId> {
    match stmt {
        Stmt::Tape(
            TapeOp::Restore { place, .. }
            | TapeOp::PushBack { place, .. }
            | TapeOp::PopBack { place, .. }
            | TapeOp::PermuteBack { place, .. },
        ) => place.var().into_iter().collect(),
        Stmt::Tape(TapeOp::SwapBack { a, b, .. }) => a.var().into_iter().chain(b.var()).collect(),
        Stmt::Tape(TapeOp::Pullback(pullback)) => {
            let mutable = pullback.args.iter().filter(|arg| arg.mutable);
            mutable.filter_map(|arg| arg.place.var()).collect()
        }
        Stmt::Tape(TapeOp::Reborrow { place, mutable: true, .. }) => {
            place.var().into_iter().collect()
        }
        Stmt::Tape(TapeOp::Unpack(unpack)) if unpack.mutable => {
            unpack.place.var().into_iter().collect()
        }
        Stmt::Tape(TapeOp::Resplit { place, mutable: true, .. }) => {
            place.var().into_iter().collect()
        }
        Stmt::Tape(TapeOp::Call { call, .. }) => call_writes(&call.args),
        Stmt::Tape(TapeOp::Tangent(tangent) | TapeOp::SecondCall { call: tangent, .. }) => {
            let tangents = tangent.tangents.iter().flatten();
            call_writes(tangent.call.args.iter().chain(tangents))
        }
        Stmt::Tape(TapeOp::SecondPullback(second)) => {
            let args = second.pullback.args.iter().chain(second.tangents.iter().flatten());
            args.filter(|arg| arg.mutable).filter_map(|arg| arg.place.var()).collect()
        }
        Stmt::Tape(TapeOp::SetZero { place }) => place.var().into_iter().collect(),
        Stmt::Tape(TapeOp::UnpackTangent(unpack)) if unpack.mutable && !unpack.adjoint => {
            unpack.place.var().into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// Adjoints that a statement changes after they began.
pub fn grows(stmt: &Stmt) -> Vec<VarId> {
    let Stmt::Tape(op) = stmt else {
        return Vec::new();
    };
    match op {
        TapeOp::Accumulate { adjoint, .. } | TapeOp::AccumulateSum { adjoint, .. } => {
            adjoint.0.var().into_iter().collect()
        }
        TapeOp::AccumulateAll { adjoint, .. }
        | TapeOp::Clear { adjoint }
        | TapeOp::PushAdjoint { adjoint, .. }
        | TapeOp::PermuteAdjoint { adjoint, .. } => adjoint.0.var().into_iter().collect(),
        TapeOp::Reshape { place } => place.var().into_iter().collect(),
        TapeOp::SwapAdjoints { a, b } => a.var().into_iter().chain(b.var()).collect(),
        TapeOp::BeginFrom { other, clear: true, .. } => other.0.var().into_iter().collect(),
        TapeOp::Pullback(pullback) => {
            let active =
                pullback.args.iter().filter(|arg| !matches!(arg.adjoint, Passed::Constant));
            active.filter_map(|arg| arg.place.var()).collect()
        }
        TapeOp::Unpack(unpack) => unpack.place.var().into_iter().collect(),
        TapeOp::UnpackTangent(unpack) if unpack.adjoint => unpack.place.var().into_iter().collect(),
        TapeOp::SecondPullback(second) => {
            let args = second.pullback.args.iter().chain(second.tangents.iter().flatten());
            let active = args.filter(|arg| !matches!(arg.adjoint, Passed::Constant));
            active.filter_map(|arg| arg.place.var()).collect()
        }
        TapeOp::Reborrow { place, .. } | TapeOp::Resplit { place, .. } => {
            place.var().into_iter().collect()
        }
        TapeOp::Record { .. }
        | TapeOp::Restore { .. }
        | TapeOp::Begin { .. }
        | TapeOp::BeginWith { .. }
        | TapeOp::BeginFrom { .. }
        | TapeOp::PushBack { .. }
        | TapeOp::PopBack { .. }
        | TapeOp::PermuteBack { .. }
        | TapeOp::SwapBack { .. }
        | TapeOp::Call { .. }
        | TapeOp::Tangent(_)
        | TapeOp::SetZero { .. }
        | TapeOp::UnpackTangent(_)
        | TapeOp::SecondCall { .. }
        | TapeOp::Repeat { .. }
        | TapeOp::ForRev { .. }
        | TapeOp::Count { .. }
        | TapeOp::CountTo { .. } => Vec::new(),
    }
}

pub(super) fn tape_operands(op: &TapeOp) -> Vec<&Atom> {
    match op {
        TapeOp::Record { value: Saved::Place(place), .. } | TapeOp::Restore { place, .. } => {
            indices(place)
        }
        TapeOp::Record { .. } | TapeOp::Count { .. } | TapeOp::CountTo { .. } => Vec::new(),
        TapeOp::Begin { shape, .. } => match shape {
            Shape::Repeat { len, .. } => vec![len],
            Shape::Like(place) => indices(place),
            Shape::Scalar | Shape::Literal { .. } | Shape::Struct(_) | Shape::Itself => Vec::new(),
        },
        TapeOp::BeginWith { value, .. } => vec![value],
        TapeOp::Accumulate { adjoint, value, .. } => with(indices(&adjoint.0), [value]),
        TapeOp::AccumulateAll { adjoint, other, .. } | TapeOp::AccumulateSum { adjoint, other } => {
            with(indices(&adjoint.0), indices(&other.0))
        }
        TapeOp::Clear { adjoint } | TapeOp::BeginFrom { other: adjoint, .. } => indices(&adjoint.0),
        TapeOp::Reshape { place } | TapeOp::PopBack { place, .. } => indices(place),
        TapeOp::PushBack { place, value, .. } => with(indices(place), [value]),
        TapeOp::PermuteBack { place, how, .. }
        | TapeOp::PermuteAdjoint { adjoint: Adjoint(place), how } => {
            with(indices(place), permutation_operand(how))
        }
        TapeOp::PushAdjoint { adjoint, value } => with(indices(&adjoint.0), value),
        TapeOp::SwapBack { a, b, .. } | TapeOp::SwapAdjoints { a, b } => {
            with(indices(a), indices(b))
        }
        TapeOp::Call { call, .. } => call_operands(&call.args),
        TapeOp::Tangent(tangent) | TapeOp::SecondCall { call: tangent, .. } => {
            call_operands(tangent.call.args.iter().chain(tangent.tangents.iter().flatten()))
        }
        TapeOp::SecondPullback(second) => {
            let args = second.pullback.args.iter().chain(second.tangents.iter().flatten());
            let seeds = second.pullback.seed.iter().chain(&second.seed);
            args.flat_map(|arg| indices(&arg.place)).chain(seeds).collect()
        }
        TapeOp::SetZero { place } => indices(place),
        TapeOp::UnpackTangent(unpack) => indices(&unpack.place),
        TapeOp::Pullback(pullback) => {
            let args = pullback.args.iter().flat_map(|arg| indices(&arg.place));
            args.chain(&pullback.seed).chain(again_operands(&pullback.call)).collect()
        }
        TapeOp::Reborrow { place, .. } => indices(place),
        TapeOp::Resplit { place, mid, .. } => with(indices(place), [mid]),
        TapeOp::Unpack(unpack) => indices(&unpack.place),
        TapeOp::Repeat { .. } => Vec::new(),
        TapeOp::ForRev { range, .. } => range_operands(range),
    }
}

/// What the reverse sweep hands to a call that it runs again, and the value that it gave.
fn again_operands(call: &Call) -> impl Iterator<Item = &Atom> {
    let args = call.written().iter().filter(|_| call.again);
    args.filter_map(|arg| match arg {
        Arg::Value(atom) => Some(atom),
        Arg::Ref { .. } | Arg::Function(_) => None,
    })
}

pub(super) fn tape_mentions(op: &TapeOp) -> Vec<VarId> {
    match op {
        TapeOp::CountTo { end, index } => vec![*end, *index],
        TapeOp::Count { trips } | TapeOp::Repeat { trips, .. } => vec![*trips],
        TapeOp::Record { value, .. } => match value {
            Saved::Moved(var) => vec![*var],
            Saved::Place(place) => place.var().into_iter().collect(),
            Saved::Var(_) | Saved::Literal(_) => Vec::new(),
        },
        TapeOp::Begin { var, shape: Shape::Itself } => vec![*var],
        TapeOp::Begin { shape: Shape::Like(place), .. } => place.var().into_iter().collect(),
        TapeOp::Restore { place, .. }
        | TapeOp::Reshape { place }
        | TapeOp::PushBack { place, .. }
        | TapeOp::PopBack { place, .. }
        | TapeOp::PermuteBack { place, .. } => place.var().into_iter().collect(),
        TapeOp::SwapBack { a, b, .. } => a.var().into_iter().chain(b.var()).collect(),
        TapeOp::Call { call, .. } => call_mentions(call),
        TapeOp::Tangent(tangent) | TapeOp::SecondCall { call: tangent, .. } => {
            let tangents = tangent.tangents.iter().flatten().filter_map(arg_mention);
            call_mentions(&tangent.call).into_iter().chain(tangents).collect()
        }
        TapeOp::SecondPullback(second) => {
            let args = second.pullback.args.iter().chain(second.tangents.iter().flatten());
            args.filter_map(|arg| arg.place.var()).chain([second.pullback.call.pullback]).collect()
        }
        TapeOp::SetZero { place } => place.var().into_iter().collect(),
        TapeOp::UnpackTangent(unpack) if unpack.adjoint => Vec::new(),
        TapeOp::UnpackTangent(unpack) => unpack.place.var().into_iter().collect(),
        TapeOp::Pullback(pullback) => {
            let refs = pullback.args.iter().filter_map(|arg| arg.place.var());
            let value = pullback.call.dest.filter(|_| pullback.call.again);
            refs.chain([pullback.call.pullback]).chain(value).collect()
        }
        TapeOp::Unpack(unpack) => unpack.place.var().into_iter().collect(),
        TapeOp::Reborrow { place, .. } | TapeOp::Resplit { place, .. } => {
            place.var().into_iter().collect()
        }
        TapeOp::Begin { .. }
        | TapeOp::BeginWith { .. }
        | TapeOp::BeginFrom { .. }
        | TapeOp::Accumulate { .. }
        | TapeOp::AccumulateAll { .. }
        | TapeOp::AccumulateSum { .. }
        | TapeOp::Clear { .. }
        | TapeOp::PushAdjoint { .. }
        | TapeOp::PermuteAdjoint { .. }
        | TapeOp::SwapAdjoints { .. }
        | TapeOp::ForRev { .. } => Vec::new(),
    }
}
