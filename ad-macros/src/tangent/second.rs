//! Both sweeps of reverse mode → the same with tangents: second derivatives, forward over reverse.
//!
//! A variable `x` of the sweeps has up to four incarnations: `x` itself, its adjoint, and the tangents
//! of both. The tangent of `x` is a variable `t` like in forward mode, and the tangent of the adjoint
//! of `x` is what the sweeps call the adjoint of `t`. So what a statement does to a place or its
//! adjoint is done to their tangents by the same statement on the tangent's place.

use super::Forward;
use crate::activity::Activity;
use crate::errors::Errors;
use crate::ir::*;
use crate::names::{Names, plain};
use crate::record::slopes;
use crate::sweep::Sweeps;
use proc_macro2::Ident;
use std::collections::{HashMap, HashSet};

/// The sweeps with tangents; refuses what has no second derivative.
pub fn second_sweeps(
    sweeps: &Sweeps,
    activity: &Activity,
    names: &Names,
    errors: &mut Errors,
) -> Sweeps {
    let (function, mut names) = (&sweeps.function, names.clone());
    let mut second = Forward {
        slopes: slopes(function),
        adjoints: sweeps.adjoints.clone(),
        ..Forward::new(function, activity, &mut names)
    };
    // What the reverse sweep puts back into an active vector has a tangent, used or not.
    crate::walk::each_stmt(&sweeps.reverse, &mut |stmt| {
        if let Stmt::Tape(TapeOp::PushBack { place, value: Atom::Var(var), .. }) = stmt
            && second.place_is_active(place)
        {
            second.derived.insert(*var);
        }
    });
    if let Some(seed) = sweeps.seed_var() {
        second.derived.insert(seed);
        second.tangent(seed);
    }
    let forward = second.block(&sweeps.forward, None);
    // What was defined there need not be in scope here.
    second.defined.clear();
    let reverse = second.block(&sweeps.reverse, None);
    let result = function.returns.or_else(|| forward.result.as_ref().and_then(Atom::var));
    let result = result.filter(|var| second.is_active(*var));
    let tangent = result.map(|var| Atom::Var(second.tangent(var)));
    let mut hoisted = sweeps.hoisted.clone();
    for var in &sweeps.hoisted {
        if second.is_active(*var) {
            hoisted.push(second.tangent(*var));
        }
    }
    second.adjoints_at_the_ends(&sweeps.seed);
    second.refused.iter().for_each(|(span, what, help)| errors.push(*span, what, help));
    let twins = |names: &[Ident]| -> Vec<Ident> {
        let twins = names.iter().filter_map(|name| second.tapes.get(&name.to_string()));
        names.iter().chain(twins).cloned().collect()
    };
    let (stacks, slots) = (twins(&sweeps.stacks), twins(&sweeps.slots));
    let Forward { vars, adjoints, tangents, .. } = second;
    Sweeps {
        stacks,
        slots,
        hoisted,
        reverse,
        begun: sweeps.begun.clone(),
        untouched: sweeps.untouched.clone(),
        seed: sweeps.seed.clone(),
        disturbed: sweeps.disturbed.clone(),
        tangent,
        adjoints,
        tangents,
        names,
        ..Sweeps::forward_only(Function { vars, ..function.clone() }, forward, HashMap::new())
    }
}

impl Forward<'_> {
    /// The tangent of an adjoint.
    pub(super) fn adjoint(&mut self, Adjoint(place): &Adjoint) -> Adjoint {
        let var = place.var().expect("an adjoint belongs to a variable");
        self.adjoint_tangent(var);
        Adjoint(self.place(place))
    }

    /// The name of the tangent of the adjoint of a variable.
    fn adjoint_tangent(&mut self, var: VarId) {
        let tangent = self.tangent(var);
        if self.adjoints.contains_key(&tangent) {
            return;
        }
        let Some(own) = self.adjoints.get(&var).cloned() else { return };
        let name = match own == self.vars[var.0].name {
            // The variable is an adjoint itself.
            true => self.vars[tangent.0].name.clone(),
            false => self.names.fresh(&format!("{}_tan", plain(&own)), own.span()),
        };
        self.adjoints.insert(tangent, name);
    }

    /// Names for the tangents of adjoints that come in or go out.
    fn adjoints_at_the_ends(&mut self, seed: &Ident) {
        let result = self.adjoints.iter().find(|(_, name)| *name == seed).map(|(var, _)| *var);
        for var in self.function.params.iter().copied().chain(result) {
            self.tangent(var);
            self.adjoint_tangent(var);
        }
    }

    /// The tape of the tangents of what another one holds.
    fn twin(&mut self, tape: &Tape) -> Tape {
        let (Tape::Stack(name) | Tape::Slot(name)) = tape;
        let key = name.to_string();
        if !self.tapes.contains_key(&key) {
            let twin = self.names.fresh(&format!("{}_tan", plain(name)), name.span());
            self.tapes.insert(key.clone(), twin);
        }
        let twin = self.tapes[&key].clone();
        match tape {
            Tape::Stack(_) => Tape::Stack(twin),
            Tape::Slot(_) => Tape::Slot(twin),
        }
    }

    /// Whether a value of the reverse sweep has a tangent.
    pub(super) fn carries(&self, value: &Value) -> bool {
        match value {
            Value::Reverse(reverse) => match reverse {
                Reverse::Pull(a, b) => self.atom_is_active(a) || self.atom_is_active(b),
                Reverse::Neg(a) => self.atom_is_active(a),
                Reverse::Take(_) | Reverse::Adjoint(_) | Reverse::Sum(_) | Reverse::Popped(_) => {
                    true
                }
                Reverse::Operator { .. } => true,
                Reverse::Partial { .. } | Reverse::Recorded(_) => false,
            },
            Value::Tangent(Tangent::PowerSlope { base, .. }) => self.atom_is_active(base),
            other => {
                let from = crate::activity::differentiable(other);
                from.into_iter().any(|var| self.is_active(var))
            }
        }
    }

    /// The tangent of a value that only the reverse sweep has.
    pub(super) fn reverse_tangent(
        &mut self,
        value: &Reverse,
        ty: &Ty,
        out: &mut Vec<Stmt>,
    ) -> Value {
        match value {
            Reverse::Pull(a, b) => {
                let mut terms = Vec::new();
                for (factor, other) in [(a, b), (b, a)] {
                    if self.atom_is_active(factor) {
                        let tangent = self.tangent_or_zero(factor, out);
                        let scaled = Value::Tangent(Tangent::Scaled(tangent, other.clone()));
                        terms.push((self.bound(scaled, ty, out), false));
                    }
                }
                self.sum(terms, ty, out).expect("a product with a tangent has an active factor")
            }
            Reverse::Neg(a) => Value::Reverse(Reverse::Neg(self.tangent_or_zero(a, out))),
            Reverse::Take(a) => Value::Reverse(Reverse::Take(self.adjoint(a))),
            Reverse::Adjoint(a) => Value::Reverse(Reverse::Adjoint(self.adjoint(a))),
            Reverse::Sum(a) => Value::Reverse(Reverse::Sum(self.adjoint(a))),
            Reverse::Popped(a) => Value::Reverse(Reverse::Popped(self.adjoint(a))),
            Reverse::Recorded(tape) => Value::Reverse(Reverse::Recorded(self.twin(tape))),
            Reverse::Operator { op, .. } => {
                let span = match op {
                    Operator::Binary(op) => syn::spanned::Spanned::span(op),
                    Operator::Unary(op) => syn::spanned::Spanned::span(op),
                };
                self.refuse(
                    span,
                    "an operator of a type has no second derivative yet",
                    "write a function that does the same, and call it",
                );
                Value::Tangent(Tangent::Zero(Ty::Float))
            }
            Reverse::Partial { .. } => panic!("partials are written as statements"),
        }
    }

    pub(super) fn refuse(
        &mut self,
        span: proc_macro2::Span,
        what: &'static str,
        help: &'static str,
    ) {
        self.refused.push((span, what, help));
    }

    /// What a statement of the sweeps does, and the same for tangents.
    pub(super) fn tape(&mut self, op: &TapeOp, stmt: &Stmt, out: &mut Vec<Stmt>) {
        if let Some(nested) = self.nested(op) {
            out.push(Stmt::Tape(nested));
            return;
        }
        match op {
            TapeOp::Call { call, restoring } => return self.second_call(call, *restoring, out),
            TapeOp::Pullback(pullback) => return self.second_pullback(pullback, out),
            _ => {}
        }
        // In front: what an adjoint takes is gone behind, and so is a value that is moved.
        let twin = self.twin_of(op, out);
        out.extend(twin.map(Stmt::Tape));
        out.push(stmt.clone());
    }

    fn nested(&mut self, op: &TapeOp) -> Option<TapeOp> {
        Some(match op {
            TapeOp::Repeat { trips, body } => {
                TapeOp::Repeat { trips: *trips, body: self.block(body, None) }
            }
            TapeOp::ForRev { index, range, body } => {
                let body = self.block(body, None);
                TapeOp::ForRev { index: *index, range: range.clone(), body }
            }
            _ => return None,
        })
    }

    fn twin_of(&mut self, op: &TapeOp, out: &mut Vec<Stmt>) -> Option<TapeOp> {
        Some(match op {
            TapeOp::Record { tape, value, when } => {
                let value = match value {
                    Saved::Var(var) if self.is_active(*var) => Saved::Var(self.tangent(*var)),
                    Saved::Moved(var) if self.is_active(*var) => Saved::Moved(self.tangent(*var)),
                    Saved::Place(place) if self.place_is_active(place) => {
                        Saved::Place(self.place(place))
                    }
                    Saved::Var(_) | Saved::Moved(_) | Saved::Place(_) | Saved::Literal(_) => {
                        return None;
                    }
                };
                TapeOp::Record { tape: self.twin(tape), value, when: *when }
            }
            TapeOp::Restore { tape, place, when } if self.place_is_active(place) => {
                let (tape, place) = (self.twin(tape), self.place(place));
                TapeOp::Restore { tape, place, when: *when }
            }
            TapeOp::Begin { var, shape } => {
                self.adjoint_tangent(*var);
                let shape = match shape {
                    Shape::Itself => Shape::Like(Place::of(*var)),
                    other => other.clone(),
                };
                TapeOp::Begin { var: self.tangent(*var), shape }
            }
            TapeOp::BeginWith { var, value } => {
                self.adjoint_tangent(*var);
                let value = self.tangent_or_zero(value, out);
                TapeOp::BeginWith { var: self.tangent(*var), value }
            }
            TapeOp::BeginFrom { var, other, clear } => {
                self.adjoint_tangent(*var);
                let (var, other) = (self.tangent(*var), self.adjoint(other));
                TapeOp::BeginFrom { var, other, clear: *clear }
            }
            TapeOp::Accumulate { adjoint, value, negative } if self.atom_is_active(value) => {
                let value = self.tangent_or_zero(value, out);
                TapeOp::Accumulate { adjoint: self.adjoint(adjoint), value, negative: *negative }
            }
            TapeOp::AccumulateAll { adjoint, other, copied } => {
                let (adjoint, other) = (self.adjoint(adjoint), self.adjoint(other));
                TapeOp::AccumulateAll { adjoint, other, copied: *copied }
            }
            TapeOp::AccumulateSum { adjoint, other } => {
                TapeOp::AccumulateSum { adjoint: self.adjoint(adjoint), other: self.adjoint(other) }
            }
            TapeOp::Clear { adjoint } => TapeOp::Clear { adjoint: self.adjoint(adjoint) },
            TapeOp::Reshape { place } => {
                TapeOp::Reshape { place: self.adjoint(&Adjoint(place.clone())).0 }
            }
            TapeOp::PushBack { place, value, when } if self.place_is_active(place) => {
                let value = self.tangent_or_zero(value, out);
                TapeOp::PushBack { place: self.place(place), value, when: *when }
            }
            TapeOp::PopBack { place, when } if self.place_is_active(place) => {
                TapeOp::PopBack { place: self.place(place), when: *when }
            }
            TapeOp::PushAdjoint { adjoint, value } => {
                let value = value.as_ref().map(|value| self.tangent_or_zero(value, out));
                TapeOp::PushAdjoint { adjoint: self.adjoint(adjoint), value }
            }
            TapeOp::PermuteBack { place, how, when } if self.place_is_active(place) => {
                TapeOp::PermuteBack { place: self.place(place), how: how.clone(), when: *when }
            }
            TapeOp::PermuteAdjoint { adjoint, how } => {
                TapeOp::PermuteAdjoint { adjoint: self.adjoint(adjoint), how: how.clone() }
            }
            TapeOp::SwapBack { a, b, when } if self.place_is_active(a) => {
                TapeOp::SwapBack { a: self.place(a), b: self.place(b), when: *when }
            }
            TapeOp::SwapAdjoints { a, b } => {
                let [a, b] = [a, b].map(|place| self.adjoint(&Adjoint(place.clone())).0);
                TapeOp::SwapAdjoints { a, b }
            }
            TapeOp::Reborrow { var, mutable, place } => {
                self.adjoint_tangent(*var);
                let place = self.adjoint(&Adjoint(place.clone())).0;
                TapeOp::Reborrow { var: self.tangent(*var), mutable: *mutable, place }
            }
            TapeOp::Resplit { left, right, mutable, place, mid } => {
                [left, right].into_iter().for_each(|var| self.adjoint_tangent(*var));
                let place = self.adjoint(&Adjoint(place.clone())).0;
                let (left, right) = (self.tangent(*left), self.tangent(*right));
                TapeOp::Resplit { left, right, mutable: *mutable, place, mid: mid.clone() }
            }
            TapeOp::Unpack(unpack) => {
                self.unpacked(unpack, out);
                return None;
            }
            _ => return None,
        })
    }

    /// The parts of the tangents of a value that is taken apart, and of its adjoint.
    fn unpacked(&mut self, unpack: &Unpack, out: &mut Vec<Stmt>) {
        for (wanted, adjoint) in [(unpack.primal, false), (unpack.adjoint, true)] {
            if !wanted || !self.place_is_active(&unpack.place) {
                continue;
            }
            let bound = unpack.bound.iter().map(|var| {
                self.adjoint_tangent(*var);
                (*var, self.tangent(*var))
            });
            let bound = bound.collect();
            let place = match adjoint {
                true => self.adjoint(&Adjoint(unpack.place.clone())).0,
                false => self.place(&unpack.place),
            };
            let (pat, refutable) = (unpack.pat.clone(), unpack.refutable);
            let mutable = adjoint || unpack.mutable;
            let twin = UnpackTangent { pat, place, adjoint, bound, mutable, refutable };
            out.push(Stmt::Tape(TapeOp::UnpackTangent(Box::new(twin))));
        }
    }
}

/// Names of tapes and of the tapes of tangents.
pub(super) type Twins = HashMap<String, Ident>;

/// Variables that only the sweeps have, and that have tangents.
pub(super) type Derived = HashSet<VarId>;
