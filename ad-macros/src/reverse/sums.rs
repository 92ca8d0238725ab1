//! Adds up in a variable what one place receives in a loop.
//!
//! An addition to memory waits until the one in the trip before has been stored, and adjoints may
//! overlap as far as the compiler can tell. So the sum is added behind the loop. Indices lead to its
//! place then only if it is not 0: the loop has come by there, so that they are within bounds.
//! Additions commute but for rounding; nothing else in the loop may touch that adjoint.

use super::Reversal;
use crate::ir::*;
use crate::layout::definitions;
use crate::names;
use crate::walk::{self, Access};
use proc_macro2::Span;
use quote::{format_ident, quote};
use std::collections::HashSet;

impl Reversal<'_, '_> {
    /// Treats the loops of a block, inner ones first; `begun` are the adjoints that there are.
    pub(super) fn sum_in_loops(&mut self, block: Block, begun: &HashSet<VarId>) -> Block {
        let mut begun = begun.clone();
        let mut out = Vec::new();
        for mut stmt in block.stmts {
            begun.extend(begins(&stmt));
            for inner in walk::blocks_mut(&mut stmt) {
                *inner = self.sum_in_loops(std::mem::take(inner), &begun);
            }
            let mut inside: HashSet<VarId> = index(&stmt).into_iter().collect();
            let mut sums = Vec::new();
            if let Stmt::Tape(TapeOp::ForRev { body, .. } | TapeOp::Repeat { body, .. }) = &mut stmt
            {
                walk::each_stmt(body, &mut |stmt| {
                    inside.extend(definitions(stmt).into_iter().chain(index(stmt)));
                });
                let summed = self.only_added_to(body, &begun);
                self.redirect(body, &summed, &inside, &mut sums);
            }
            for (_, sum) in &sums {
                out.push(Stmt::Tape(TapeOp::Begin { var: *sum, shape: Shape::Scalar }));
            }
            out.push(stmt);
            for (place, sum) in sums {
                self.add_sum(place, sum, &mut out);
            }
        }
        Block { stmts: out, result: block.result }
    }

    /// Adjoints from outside of a loop that it does not touch but to add to them.
    fn only_added_to(&self, body: &Block, begun: &HashSet<VarId>) -> HashSet<VarId> {
        let mut summed = begun.clone();
        let mut whole = true;
        walk::each_stmt(body, &mut |stmt| {
            let mut touched = Vec::new();
            if let Stmt::Let { value, .. } = stmt {
                touched.extend(walk::reads(value));
            }
            if let Stmt::Tape(op) = stmt {
                whole &= is_plain(op);
            }
            if !matches!(stmt, Stmt::Tape(TapeOp::Accumulate { .. })) {
                touched.extend(walk::touches_itself(stmt));
            }
            if let Some(var) = begins(stmt) {
                summed.remove(&var);
            }
            for access in touched {
                if let Access::Adjoint(var) = access {
                    whole &= !self.is_alias(var);
                    summed.remove(&var);
                }
            }
        });
        summed.retain(|var| whole && !self.is_alias(*var));
        summed
    }

    fn is_alias(&self, var: VarId) -> bool {
        self.shared.vars[var.0].role == Role::Alias
    }

    /// Lets additions to places of `summed` that are the same in every trip go to sums.
    fn redirect(
        &mut self,
        block: &mut Block,
        summed: &HashSet<VarId>,
        inside: &HashSet<VarId>,
        sums: &mut Vec<(Place, VarId)>,
    ) {
        for stmt in &mut block.stmts {
            for inner in walk::blocks_mut(stmt) {
                self.redirect(inner, summed, inside, sums);
            }
            let Stmt::Tape(TapeOp::Accumulate { adjoint: Adjoint(place), value, .. }) = stmt else {
                continue;
            };
            let Some(root) = place.var().filter(|root| summed.contains(root)) else { continue };
            let ty = match value {
                Atom::Var(var) => &self.shared.vars[var.0].ty,
                Atom::Text(_, ty) => ty,
            };
            let outside = |atom: &&Atom| atom.var().is_none_or(|var| !inside.contains(&var));
            let steady = walk::indices(place).iter().all(outside);
            // A scalar is in a register as it is.
            if *ty != Ty::Float || !steady || place.path.is_empty() || !is_direct(place) {
                continue;
            }
            let known = sums.iter().find(|(other, _)| same_place(other, place));
            let sum = match known {
                Some((_, sum)) => *sum,
                None => {
                    let sum = self.new_sum(root);
                    sums.push((place.clone(), sum));
                    sum
                }
            };
            *place = Place::of(sum);
        }
    }

    fn new_sum(&mut self, root: VarId) -> VarId {
        let of = names::plain(&self.shared.vars[root.0].name);
        let sum = self.shared.new_temp("sum", Ty::Float, Span::call_site());
        let name = self.shared.names.fresh(&format!("{of}_sum_adj"), Span::call_site());
        self.shared.vars[sum.0].name = format_ident!("{of}_sum");
        self.adjoints.insert(sum, name);
        sum
    }

    fn add_sum(&mut self, place: Place, sum: VarId, out: &mut Vec<Stmt>) {
        let total = self.shared.new_temp("t_adj", Ty::Float, Span::call_site());
        let value = Value::Reverse(Reverse::Adjoint(Adjoint(Place::of(sum))));
        out.push(Stmt::Let { var: total, value });
        let indexed = !walk::indices(&place).is_empty();
        let (adjoint, value) = (Adjoint(place), Atom::Var(total));
        let add = Stmt::Tape(TapeOp::Accumulate { adjoint, value: value.clone(), negative: false });
        if !indexed {
            return out.push(add);
        }
        let cond = self.shared.new_temp("t", Ty::Discrete, Span::call_site());
        let zero = Atom::Text(quote!(0.0), Ty::Float);
        let test = Value::Binary(syn::parse_quote!(!=), value, zero);
        out.push(Stmt::Let { var: cond, value: test });
        let then = Block { stmts: vec![add], result: None };
        let otherwise = Block::default();
        out.push(Stmt::If { dest: None, cond: Atom::Var(cond), then, otherwise });
    }
}

fn index(stmt: &Stmt) -> Option<VarId> {
    match stmt {
        Stmt::Tape(TapeOp::ForRev { index, .. }) => Some(*index),
        _ => None,
    }
}

/// The adjoints that begin at a statement.
fn begins(stmt: &Stmt) -> Option<VarId> {
    match stmt {
        Stmt::Tape(
            TapeOp::Begin { var, .. }
            | TapeOp::BeginWith { var, .. }
            | TapeOp::BeginFrom { var, .. },
        ) => Some(*var),
        _ => None,
    }
}

/// Whether a statement touches adjoints only as [`walk`] says, element by element.
fn is_plain(op: &TapeOp) -> bool {
    match op {
        TapeOp::Record { .. }
        | TapeOp::Restore { .. }
        | TapeOp::Begin { .. }
        | TapeOp::BeginWith { .. }
        | TapeOp::Accumulate { .. }
        | TapeOp::PushBack { .. }
        | TapeOp::PopBack { .. }
        | TapeOp::PermuteBack { .. }
        | TapeOp::SwapBack { .. }
        | TapeOp::Repeat { .. }
        | TapeOp::ForRev { .. }
        | TapeOp::Count { .. }
        | TapeOp::CountTo { .. } => true,
        TapeOp::Tangent(_)
        | TapeOp::SetZero { .. }
        | TapeOp::UnpackTangent(_)
        | TapeOp::SecondCall { .. }
        | TapeOp::SecondPullback(_)
        | TapeOp::BeginFrom { .. }
        | TapeOp::AccumulateAll { .. }
        | TapeOp::AccumulateSum { .. }
        | TapeOp::Clear { .. }
        | TapeOp::Reshape { .. }
        | TapeOp::PushAdjoint { .. }
        | TapeOp::PermuteAdjoint { .. }
        | TapeOp::SwapAdjoints { .. }
        | TapeOp::Call { .. }
        | TapeOp::Pullback(_)
        | TapeOp::Unpack(_)
        | TapeOp::Reborrow { .. }
        | TapeOp::Resplit { .. } => false,
    }
}

/// Whether a place is reached by operators alone, not through a pattern.
fn is_direct(place: &Place) -> bool {
    place.path.iter().all(|step| match step {
        Step::Index(_) | Step::Field(_) | Step::Deref | Step::Range { .. } => true,
        Step::Payload(_) | Step::Held | Step::View { .. } => false,
    })
}

/// Whether two places that are reached by operators are written alike.
fn same_place(a: &Place, b: &Place) -> bool {
    let same = |a: &Atom, b: &Atom| match (a, b) {
        (Atom::Var(a), Atom::Var(b)) => a == b,
        (Atom::Text(a, _), Atom::Text(b, _)) => a.to_string() == b.to_string(),
        (Atom::Var(_), Atom::Text(..)) | (Atom::Text(..), Atom::Var(_)) => false,
    };
    let bound = |a: &Option<Atom>, b: &Option<Atom>| match (a, b) {
        (Some(a), Some(b)) => same(a, b),
        (a, b) => a.is_none() && b.is_none(),
    };
    let step = |(a, b): (&Step, &Step)| match (a, b) {
        (Step::Index(a), Step::Index(b)) => same(a, b),
        (Step::Field(a), Step::Field(b)) => a == b,
        (Step::Deref, Step::Deref) => true,
        (
            Step::Range { lo, hi, inclusive },
            Step::Range { lo: b_lo, hi: b_hi, inclusive: b_inclusive },
        ) => bound(lo, b_lo) && bound(hi, b_hi) && inclusive == b_inclusive,
        (
            Step::Index(_)
            | Step::Field(_)
            | Step::Deref
            | Step::Range { .. }
            | Step::Payload(_)
            | Step::View { .. }
            | Step::Held,
            _,
        ) => false,
    };
    a.var() == b.var() && a.path.len() == b.path.len() && a.path.iter().zip(&b.path).all(step)
}
