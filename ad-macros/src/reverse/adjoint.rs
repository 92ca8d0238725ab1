//! Adjoints: where they begin, and what is added to them.
//!
//! An adjoint begins where the definition of its variable is reversed, so that it lives for one trip
//! of the loop that the variable lives in.

use super::Reversal;
use crate::ir::*;
use crate::record::shape;
use crate::walk;
use proc_macro2::{Ident, Span};
use std::collections::{HashMap, HashSet};

impl Reversal<'_, '_> {
    pub(super) fn has_begun(&self, var: VarId) -> bool {
        let root = self.shared.activity.origin(var).unwrap_or(var);
        self.levels.iter().any(|level| level.begun.contains(&root))
    }

    /// `x_adj` begins where the definition of `x` is reversed.
    pub(super) fn begin(&mut self, var: VarId) {
        let Some(root) = self.shared.activity.origin(var) else {
            return;
        };
        if self.has_begun(root) {
            return;
        }
        self.adjoint_name(root);
        let home = self.home(root);
        let outer = self.reach.replace(home);
        let shape = shape(self.shared.primal, self.shared.activity, &self.definitions, root);
        let shape = match shape {
            Shape::Repeat { len, heap } => {
                self.need_atom(&len);
                Shape::Repeat { len, heap }
            }
            Shape::Like(place) => Shape::Like(self.resolved(&place)),
            Shape::Itself => {
                self.need(root);
                Shape::Itself
            }
            other => other,
        };
        self.reach = outer;
        self.levels[home].begun.insert(root);
        self.levels[home].out.push(Stmt::Tape(TapeOp::Begin { var: root, shape }));
    }

    /// The variable that a temporary was read from, if it has not been written since: what the
    /// temporary's adjoint receives may go to the variable's own.
    pub(super) fn read_from(&self, var: VarId) -> Option<VarId> {
        let Some(Stmt::Let { value: Value::Load(place), .. }) = self.definitions.get(&var) else {
            return None;
        };
        let root = place.var().filter(|root| {
            place.path.is_empty()
                && self.shared.vars[root.0].role != Role::Alias
                && self.shared.vars[var.0].ty.is_real()
                && !self.suppressed.contains(&var)
        })?;
        (!self.shared.written_between(var, self.at + 1, place)).then_some(root)
    }

    /// `var_adj += value`
    pub(super) fn accumulate(&mut self, var: VarId, value: Atom, negative: bool) {
        if let Some(root) = self.read_from(var).filter(|root| self.active(*root)) {
            return self.accumulate(root, value, negative);
        }
        if !self.active(var) || self.suppressed.contains(&var) {
            return;
        }
        let here = self.home(var) + 1 == self.levels.len();
        if !self.has_begun(var) && here {
            let info = &self.shared.vars[var.0];
            let ty = info.ty.clone();
            let once = self.uses.get(&var) == Some(&1) && info.role == Role::Temp && ty.is_real();
            let value =
                if negative { self.value(Value::Reverse(Reverse::Neg(value)), ty) } else { value };
            self.top().begun.insert(var);
            if once {
                self.direct.insert(var, value);
                return;
            }
            self.adjoint_name(var);
            return self.tape(TapeOp::BeginWith { var, value });
        }
        self.begin(var);
        let adjoint = Adjoint(Place::of(var));
        self.tape(TapeOp::Accumulate { adjoint, value, negative });
    }

    pub(super) fn accumulate_atom(&mut self, atom: &Atom, value: Atom, negative: bool) {
        if let Atom::Var(var) = atom {
            self.accumulate(*var, value, negative);
        }
    }

    /// The adjoint of a variable, to be read.
    pub(super) fn adjoint(&mut self, var: VarId) -> Atom {
        if let Some(atom) = self.direct.get(&var) {
            return atom.clone();
        }
        let ty = self.shared.vars[var.0].ty.clone();
        self.value(Value::Reverse(Reverse::Adjoint(Adjoint(Place::of(var)))), ty)
    }

    pub(super) fn is_aggregate(&self, var: VarId) -> bool {
        !self.shared.vars[var.0].ty.is_real()
    }

    /// An aggregate's adjoint flows to a variable.
    pub(super) fn flow_all(&mut self, other: Adjoint, to: VarId, clear: bool) {
        let here = self.home(to) + 1 == self.levels.len();
        if here && !self.has_begun(to) && begins_with_its_use(self.shared.primal, &self.uses, to) {
            self.adjoint_name(to);
            self.top().begun.insert(to);
            return self.tape(TapeOp::BeginFrom { var: to, other, clear });
        }
        self.begin(to);
        let adjoint = Adjoint(Place::of(to));
        let source = other.clone();
        self.tape(TapeOp::AccumulateAll { adjoint, other: source, copied: false });
        if clear {
            self.tape(TapeOp::Clear { adjoint: other });
        }
    }

    /// `to_adj += from_adj`
    pub(super) fn flow_from(&mut self, from: VarId, to: VarId) {
        if self.is_aggregate(from) {
            self.flow_all(Adjoint(Place::of(from)), to, false);
        } else {
            let value = self.adjoint(from);
            self.accumulate(to, value, false);
        }
    }

    /// The seed is the adjoint of the result, under the name under which it is handed in.
    pub(super) fn seed(&mut self, result: Option<VarId>) -> Option<Ident> {
        let var = result.filter(|var| self.active(*var))?;
        let var = self.read_from(var).unwrap_or(var);
        let local = self.shared.vars[var.0].role == Role::Local;
        self.top().defined.insert(var);
        if local {
            self.adjoint_name(var);
            self.top().begun.insert(var);
            return Some(self.adjoints[&var].clone());
        }
        let ty = self.shared.vars[var.0].ty.clone();
        let seed = self.shared.new_var("value_adj", ty, Span::call_site());
        self.shared.vars[seed.0].mutable = false;
        self.accumulate(var, Atom::Var(seed), false);
        Some(self.shared.vars[seed.0].name.clone())
    }

    pub(super) fn adjoint_name(&mut self, var: VarId) {
        if !self.adjoints.contains_key(&var) {
            let info = &self.shared.vars[var.0];
            let (wish, span) = match info.role {
                Role::Temp => ("t_adj".to_owned(), info.span),
                _ => (format!("{}_adj", crate::names::plain(&info.name)), info.span),
            };
            let name = self.shared.names.fresh(&wish, span);
            self.adjoints.insert(var, name);
        }
    }
}

/// Whether an aggregate's adjoint is what its one use gives it, so that no zeros are needed.
pub fn begins_with_its_use(function: &Function, uses: &HashMap<VarId, usize>, var: VarId) -> bool {
    function.vars.get(var.0).is_some_and(|info| info.role == Role::Temp)
        && uses.get(&var) == Some(&1)
}

/// How often the reverse sweep adds to the adjoints of variables.
pub fn count_flows(function: &Function) -> HashMap<VarId, usize> {
    let (mut uses, mut given) = (HashMap::new(), HashSet::new());
    walk::each_stmt(&function.body, &mut |stmt| {
        if let Stmt::Call(call) = stmt {
            given.extend(call.dest);
        }
        // What is cast may be an integer: the adjoint of what a call gave begins as zeros.
        if let Stmt::Let { value: Value::Cast(Atom::Var(from), _), .. } = stmt
            && given.contains(from)
        {
            *uses.entry(*from).or_insert(0) += 1;
        }
        for var in flows_from(stmt) {
            *uses.entry(var).or_insert(0) += 1;
        }
    });
    if let Some(var) = function.body.result.as_ref().and_then(Atom::var) {
        *uses.entry(var).or_insert(0) += 1;
    }
    uses
}

/// The variables whose adjoints a statement's reverse adds to, once for each time it does.
pub fn flows_from(stmt: &Stmt) -> Vec<VarId> {
    let result = |block: &Block| block.result.as_ref().and_then(Atom::var);
    match stmt {
        // What is copied to several places receives as many parts, from zeros on.
        Stmt::Let { value: Value::Repeat { elem: value, .. }, .. } | Stmt::Fill { value, .. } => {
            value.var().into_iter().chain(value.var()).collect()
        }
        // A part that is read leaves the other parts of the adjoint to begin as zeros.
        Stmt::Let { value: Value::Load(place) | Value::Copy { place, .. }, .. }
            if !place.path.is_empty() =>
        {
            place.var().into_iter().chain(place.var()).collect()
        }
        Stmt::Let { value, .. } => crate::activity::differentiable(value),
        Stmt::Store { value, .. } | Stmt::Push { value, .. } => value.var().into_iter().collect(),
        Stmt::If { dest: Some(_), then, otherwise, .. } => {
            result(then).into_iter().chain(result(otherwise)).collect()
        }
        Stmt::Match { dest: Some(_), arms, .. } => {
            arms.iter().filter_map(|arm| result(&arm.body)).collect()
        }
        Stmt::Call(call) => {
            let args = call.args.iter().flat_map(|arg| match arg {
                // A reference lets the callee add any number of times.
                Arg::Ref { place, .. } => vec![place.var(), place.var()],
                Arg::Value(atom) => vec![atom.var()],
                Arg::Function(_) => Vec::new(),
            });
            args.flatten().collect()
        }
        Stmt::CopyFrom { from, .. } => from.var().into_iter().chain(from.var()).collect(),
        _ => Vec::new(),
    }
}
