//! The reverse of statements that write memory: put back what was there, hand its adjoint on.

use super::Reversal;
use crate::ir::*;
use crate::layout::{Pos, Under};
use crate::record::{brings_lengths, carried_writes};
use crate::walk;

impl<'a> Reversal<'_, 'a> {
    /// Puts back what the write at `pos` overwrote.
    pub(super) fn undo(&mut self, pos: Pos, second: usize, place: &Place) {
        let Some(when) = self.shared.record.undo(pos) else {
            return;
        };
        let resolved = self.resolved(place);
        if when == When::Always
            && let Some(root) = resolved.var()
            && !self.disturbed.contains(&root)
        {
            self.disturbed.push(root);
        }
        let under = self.shared.under(pos);
        let tape = self.shared.write_tape(pos, second, place, under);
        self.tape(TapeOp::Restore { tape, place: resolved, when });
    }

    /// Whether and when the elements of a primal get back the places that they had before the
    /// statement at `pos`.
    fn put_back(&mut self, pos: Pos, place: &Place) -> Option<When> {
        let when = self.shared.record.undo(pos)?;
        if when == When::Always
            && let Some(root) = place.var()
            && !self.disturbed.contains(&root)
        {
            self.disturbed.push(root);
        }
        Some(when)
    }

    /// `place.push(value)`: the adjoint of the last element is the value's, and goes.
    pub(super) fn push(&mut self, place: &'a Place, value: &'a Atom, pos: Pos) {
        let place = self.resolved(place);
        let active = self.shared.activity.place(&place);
        if active {
            // Its shape is that behind the push.
            place.var().into_iter().for_each(|root| self.begin(root));
        }
        if let Some(when) = self.put_back(pos, &place) {
            self.tape(TapeOp::PopBack { place: place.clone(), when });
        }
        if !active {
            return;
        }
        let popped = Value::Reverse(Reverse::Popped(Adjoint(place)));
        match value.var().filter(|var| self.active(*var)) {
            Some(var) if self.is_aggregate(var) => {
                let Var { ty, span, .. } = self.shared.vars[var.0].clone();
                let part = self.shared.new_var("next_adj", ty, span);
                self.shared.vars[part.0].mutable = false;
                self.adjoints.insert(part, self.shared.vars[part.0].name.clone());
                self.emit(Stmt::Let { var: part, value: popped });
                self.flow_all(Adjoint(Place::of(part)), var, false);
            }
            var => {
                let ty = var.map_or(Ty::Unknown, |var| self.shared.vars[var.0].ty.clone());
                let next = self.value(popped, ty);
                var.into_iter().for_each(|var| self.accumulate(var, next.clone(), false));
            }
        }
    }

    /// `let x = place.pop().unwrap()`: the value's adjoint is that of the last element again.
    pub(super) fn pop(&mut self, var: VarId, place: &'a Place, pos: Pos) {
        let place = self.resolved(place);
        let active = self.shared.activity.place(&place);
        if active {
            // Its shape is that behind the pop.
            place.var().into_iter().for_each(|root| self.begin(root));
        }
        if let Some(when) = self.put_back(pos, &place) {
            self.need(var);
            let value = Atom::Var(var);
            self.tape(TapeOp::PushBack { place: place.clone(), value, when });
        }
        if !active {
            return;
        }
        if self.is_aggregate(var) {
            self.begin_any(var);
        }
        let received = self.has_begun(var) || self.direct.contains_key(&var);
        let value = received.then(|| self.adjoint(var));
        self.tape(TapeOp::PushAdjoint { adjoint: Adjoint(place), value });
    }

    /// Puts back what code without derivative may have written.
    pub(super) fn undo_carried(&mut self, stmt: &Stmt, pos: Pos) {
        for (k, place) in carried_writes(stmt).enumerate() {
            if self.shared.undoes(&place) {
                self.undo(pos, k, &place);
            }
        }
    }

    pub(super) fn store(&mut self, place: &'a Place, value: &'a Atom, pos: Pos) {
        self.undo(pos, 0, place);
        if !self.shared.activity.place(place) {
            return;
        }
        let target = self.resolved(place);
        let root = target.var().expect("an active place starts at a variable");
        if !self.has_begun(root) {
            return;
        }
        let adjoint = Adjoint(target.clone());
        let ty = match value {
            Atom::Var(var) => self.shared.vars[var.0].ty.clone(),
            Atom::Text(_, ty) => ty.clone(),
        };
        let from = value.var().filter(|var| self.active(*var));
        if self.shared.primal.returns == Some(root) && !ty.is_real() {
            // Nothing was there before.
            if let Some(from) = from {
                let again = self.shared.under(pos) == Under::Loop;
                self.flow_all(adjoint, from, again);
            }
            return;
        }
        if brings_lengths(self.shared.primal, self.shared.activity, place, value) {
            // What was there before may have had another length.
            if let Some(from) = from {
                self.flow_all(adjoint, from, false);
            }
            return self.tape(TapeOp::Reshape { place: target });
        }
        let Some(from) = from else { return self.tape(TapeOp::Clear { adjoint }) };
        if self.stays_in_place(place, from, pos) {
            let ty = self.shared.vars[from.0].ty.clone();
            let value = self.value(Value::Reverse(Reverse::Adjoint(adjoint)), ty);
            self.top().begun.insert(from);
            self.direct.insert(from, value);
            return;
        }
        if self.is_aggregate(from) {
            return self.flow_all(adjoint, from, true);
        }
        let next = self.value(Value::Reverse(Reverse::Take(adjoint)), ty);
        self.accumulate(from, next, false);
    }

    /// `place = place ± e`: the adjoint of the place is that of the sum, and stays.
    pub(super) fn stays_in_place(&mut self, place: &Place, sum: VarId, pos: Pos) -> bool {
        let Some(Stmt::Let { value: Value::Binary(op, old, _), .. }) = self.definitions.get(&sum)
        else {
            return false;
        };
        let Atom::Var(old) = old else { return false };
        let Some(Stmt::Let { value: Value::Load(from), .. }) = self.definitions.get(old) else {
            return false;
        };
        let linear = matches!(op, syn::BinOp::Add(_) | syn::BinOp::Sub(_));
        let here = self.home(sum) + 1 == self.levels.len();
        if !linear
            || !here
            || self.uses.get(&sum) != Some(&1)
            || self.uses.get(old) != Some(&1)
            || !same_place(place, from)
            || self.shared.written_between(*old, pos, place)
        {
            return false;
        }
        self.suppressed.insert(*old);
        true
    }

    /// `place.reverse()` and the like: elements and their adjoints go back to their places.
    pub(super) fn permute(&mut self, place: &'a Place, how: &'a Permutation, pos: Pos) {
        let place = self.resolved(place);
        if let Some(operand) = walk::permutation_operand(how) {
            self.need_atom(operand);
        }
        let active = self.shared.activity.place(&place);
        if active {
            // The elements may have shapes of their own.
            place.var().into_iter().for_each(|root| self.begin(root));
        }
        if let Some(when) = self.put_back(pos, &place) {
            let (place, how) = (place.clone(), how.clone());
            self.tape(TapeOp::PermuteBack { place, how, when });
        }
        if active {
            self.tape(TapeOp::PermuteAdjoint { adjoint: Adjoint(place), how: how.clone() });
        }
    }

    /// Undoes the write to a buffer, and gives the buffer's adjoint if anything came back to it.
    fn overwritten(&mut self, to: &'a Place, pos: Pos) -> Option<Adjoint> {
        self.undo(pos, 0, to);
        if !self.shared.activity.place(to) {
            return None;
        }
        let target = self.resolved(to);
        let root = target.var().expect("an active place starts at a variable");
        self.has_begun(root).then_some(Adjoint(target))
    }

    pub(super) fn copy_from(&mut self, to: &'a Place, from: &'a Place, pos: Pos) {
        let Some(other) = self.overwritten(to, pos) else { return };
        if self.shared.activity.place(from) {
            let source = self.resolved(from);
            self.begin(source.var().expect("an active place starts at a variable"));
            let copied = source.var() == other.0.var();
            // An array may have been copied to a vector: they meet as slices.
            let [adjoint, part] = [source, other.0.clone()].map(|place| Adjoint(as_slice(place)));
            self.tape(TapeOp::AccumulateAll { adjoint, other: part, copied });
        }
        self.tape(TapeOp::Clear { adjoint: other });
    }

    pub(super) fn fill(&mut self, to: &'a Place, value: &'a Atom, pos: Pos) {
        let Some(adjoint) = self.overwritten(to, pos) else { return };
        if let Some(var) = value.var().filter(|var| self.active(*var)) {
            if self.is_aggregate(var) {
                self.begin(var);
                let total = Adjoint(Place::of(var));
                self.tape(TapeOp::AccumulateSum { adjoint: total, other: adjoint.clone() });
            } else {
                let ty = self.shared.vars[var.0].ty.clone();
                let sum = self.value(Value::Reverse(Reverse::Sum(adjoint.clone())), ty);
                self.accumulate(var, sum, false);
            }
        }
        self.tape(TapeOp::Clear { adjoint });
    }

    pub(super) fn swap(&mut self, a: &'a Place, b: &'a Place, pos: Pos) {
        let (a_now, b_now) = (self.resolved(a), self.resolved(b));
        let active = self.shared.activity.place(&a_now);
        if active {
            // Their shapes are those behind the swap.
            a_now.var().into_iter().chain(b_now.var()).for_each(|var| self.begin(var));
        }
        if let Some(when) = self.shared.record.undo(pos) {
            if when == When::Always {
                let roots = a_now.var().into_iter().chain(b_now.var());
                let new: Vec<VarId> = roots.filter(|r| !self.disturbed.contains(r)).collect();
                self.disturbed.extend(new);
            }
            self.tape(TapeOp::SwapBack { a: a_now.clone(), b: b_now.clone(), when });
        }
        if active {
            self.tape(TapeOp::SwapAdjoints { a: a_now, b: b_now });
        }
    }
}

/// All elements of a place that holds several.
fn as_slice(mut place: Place) -> Place {
    if !matches!(place.path.last(), Some(Step::Range { .. })) {
        place.path.push(Step::Range { lo: None, hi: None, inclusive: false });
    }
    place
}

/// Whether two places are the same by their text.
pub(super) fn same_place(a: &Place, b: &Place) -> bool {
    a.var().is_some()
        && a.var() == b.var()
        && a.path.len() == b.path.len()
        && a.path.iter().zip(&b.path).all(|(a, b)| match (a, b) {
            (Step::Index(a), Step::Index(b)) => same_atom(a, b),
            (Step::Field(a), Step::Field(b)) => a == b,
            (Step::Deref, Step::Deref) => true,
            _ => false,
        })
}

pub(super) fn same_atom(a: &Atom, b: &Atom) -> bool {
    match (a, b) {
        (Atom::Var(a), Atom::Var(b)) => a == b,
        (Atom::Text(a, _), Atom::Text(b, _)) => a.to_string() == b.to_string(),
        _ => false,
    }
}
