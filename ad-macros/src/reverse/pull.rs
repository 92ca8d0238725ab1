//! The reverse of definitions: the adjoint of a value is pulled back to its operands.

use super::Reversal;
use crate::ir::*;
use crate::record::{Partial, is_negative_slope, partials};
use crate::walk;
use proc_macro2::Span;
use quote::quote;

impl<'a> Reversal<'_, 'a> {
    /// `let x = value;`
    pub(super) fn definition(&mut self, var: VarId, value: &'a Value) {
        if !self.active(var) || !self.has_begun(var) {
            return;
        }
        match value {
            Value::Load(_) | Value::Copy { .. } => self.pull_load(var, value),
            Value::Array { elems, .. } => {
                for (k, elem) in elems.iter().enumerate() {
                    let index = proc_macro2::Literal::usize_unsuffixed(k);
                    let index = Atom::Text(quote!(#index), Ty::Discrete);
                    self.pull_part(var, Step::Index(index), elem);
                }
            }
            Value::Tuple(elems) => {
                for (k, elem) in elems.iter().enumerate() {
                    let index = syn::Index { index: k as u32, span: Span::call_site() };
                    self.pull_part(var, Step::Field(syn::Member::Unnamed(index)), elem);
                }
            }
            Value::Operator { op, args } => self.pull_operator(var, *op, args),
            Value::Struct { maker, parts } => {
                for (k, part) in parts.iter().enumerate() {
                    self.pull_part(var, maker.part(k), part);
                }
            }
            Value::Repeat { elem, .. } => {
                if let Atom::Var(elem) = elem
                    && self.active(*elem)
                {
                    let from = Adjoint(Place::of(var));
                    if self.is_aggregate(*elem) {
                        self.begin(*elem);
                        let adjoint = Adjoint(Place::of(*elem));
                        self.tape(TapeOp::AccumulateSum { adjoint, other: from });
                    } else {
                        let ty = self.shared.vars[elem.0].ty.clone();
                        let sum = self.value(Value::Reverse(Reverse::Sum(from)), ty);
                        self.accumulate(*elem, sum, false);
                    }
                }
            }
            Value::Atom(Atom::Var(from)) if self.is_aggregate(var) => self.flow_from(var, *from),
            _ => self.pull(var, value),
        }
    }

    /// `x = place`: `place_adj += x_adj`
    pub(super) fn pull_load(&mut self, var: VarId, value: &'a Value) {
        let (Value::Load(place) | Value::Copy { place, .. }) = value else {
            return;
        };
        if !self.shared.activity.place(place) {
            return;
        }
        let mut place = self.resolved(place);
        self.begin(place.var().expect("an active place starts at a variable"));
        if let Value::Copy { method, .. } = value
            && method != "clone"
            && self.shared.vars[var.0].ty != Ty::Named
        {
            // What was copied may be an array, the copy is a vector: they meet as slices.
            place.path.push(Step::Range { lo: None, hi: None, inclusive: false });
        }
        if self.is_aggregate(var) {
            let (adjoint, other) = (Adjoint(place), Adjoint(Place::of(var)));
            self.tape(TapeOp::AccumulateAll { adjoint, other, copied: false });
        } else {
            let value = self.adjoint(var);
            let adjoint = Adjoint(place);
            self.tape(TapeOp::Accumulate { adjoint, value, negative: false });
        }
    }

    pub(super) fn pull_part(&mut self, whole: VarId, step: Step, part: &Atom) {
        self.pull_part_of(Place::of(whole).then(step), part);
    }

    /// `part_adj += from_adj`
    pub(super) fn pull_part_of(&mut self, from: Place, part: &Atom) {
        let Atom::Var(part) = part else { return };
        if !self.active(*part) {
            return;
        }
        let from = Adjoint(from);
        if self.is_aggregate(*part) {
            self.flow_all(from, *part, false);
        } else {
            let ty = self.shared.vars[part.0].ty.clone();
            let value = self.value(Value::Reverse(Reverse::Adjoint(from)), ty);
            self.accumulate(*part, value, false);
        }
    }

    /// `x = a * b` of a type of the user: its rule gives the adjoints of both.
    pub(super) fn pull_operator(&mut self, var: VarId, op: Operator, args: &'a [(Atom, bool)]) {
        let atoms: Vec<Atom> = args.iter().map(|(arg, _)| arg.clone()).collect();
        atoms.iter().for_each(|atom| self.need_atom(atom));
        let parts = self.shared.new_var("parts", Ty::Named, Span::call_site());
        self.shared.vars[parts.0].mutable = false;
        self.adjoints.insert(parts, self.shared.vars[parts.0].name.clone());
        let seed = Adjoint(Place::of(var));
        let value = Value::Reverse(Reverse::Operator { op, args: atoms.clone(), seed });
        self.emit(Stmt::Let { var: parts, value });
        for (k, atom) in atoms.iter().enumerate() {
            let index = syn::Index { index: k as u32, span: Span::call_site() };
            match args.len() {
                1 => self.pull_part_of(Place::of(parts), atom),
                _ => {
                    let step = Step::Field(syn::Member::Unnamed(index));
                    self.pull_part_of(Place::of(parts).then(step), atom);
                }
            }
        }
    }

    /// `x = f(a, …)`: `a_adj += x_adj * ∂f/∂a`
    pub(super) fn pull(&mut self, var: VarId, value: &'a Value) {
        let flows: Vec<(&Atom, Partial)> = partials(value)
            .into_iter()
            .filter(|(atom, _)| self.shared.activity.atom(atom))
            .collect();
        if flows.is_empty() {
            return;
        }
        let adjoint = self.adjoint(var);
        if let Value::Cast(Atom::Var(from), _) = value
            && self.is_given_by_call(*from)
        {
            return self.uncast(*from, adjoint);
        }
        let operands = walk::operands(value);
        for (atom, partial) in flows {
            match partial {
                Partial::Sign(sign) => self.accumulate_atom(atom, adjoint.clone(), sign < 0),
                Partial::Rule(..) if self.slopes.contains_key(&var) => {
                    let slope = Atom::Var(self.slopes[&var]);
                    self.need_atom(&slope);
                    let negative = is_negative_slope(value);
                    let ty = self.shared.vars[var.0].ty.clone();
                    let pulled = Value::Reverse(Reverse::Pull(adjoint.clone(), slope));
                    let pulled = self.value(pulled, ty);
                    self.accumulate_atom(atom, pulled, negative);
                }
                Partial::Rule(rule, arg) => {
                    let (used, result) = partial.uses();
                    used.iter().for_each(|k| self.need_atom(operands[*k]));
                    if result {
                        self.need(var);
                    }
                    let ty = self.shared.vars[var.0].ty.clone();
                    let unused = || Atom::Text(quote!(()), Ty::Unit);
                    let operand = |(k, atom): (usize, &&Atom)| {
                        if used.contains(&k) { (*atom).clone() } else { unused() }
                    };
                    let args = operands.iter().enumerate().map(operand).collect();
                    let result = if result { Atom::Var(var) } else { unused() };
                    let partial = Reverse::Partial { rule, arg, args, result };
                    let partial = self.value(Value::Reverse(partial), ty.clone());
                    let pulled = Reverse::Pull(adjoint.clone(), partial);
                    let pulled = self.value(Value::Reverse(pulled), ty);
                    self.accumulate_atom(atom, pulled, false);
                }
            }
        }
    }

    /// Whether `var` is what a call gave, of a type that is not known.
    pub(super) fn is_given_by_call(&self, var: VarId) -> bool {
        self.shared.vars[var.0].ty == Ty::Unknown
            && matches!(self.definitions.get(&var), Some(Stmt::Call(_)))
    }

    /// The adjoint of a cast flows to what a call gave: it takes nothing if it is an integer.
    pub(super) fn uncast(&mut self, from: VarId, adjoint: Atom) {
        self.begin(from);
        let part = self.shared.new_var("part_adj", Ty::Float, Span::call_site());
        self.shared.vars[part.0].mutable = false;
        self.adjoints.insert(part, self.shared.vars[part.0].name.clone());
        self.emit(Stmt::Let { var: part, value: Value::Atom(adjoint) });
        let (adjoint, other) = (Adjoint(Place::of(from)), Adjoint(Place::of(part)));
        self.tape(TapeOp::AccumulateAll { adjoint, other, copied: false });
    }
}
