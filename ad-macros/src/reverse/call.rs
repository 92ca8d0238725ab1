//! The reverse of calls: the callee's pullback runs on the arguments and their adjoints.

use super::Reversal;
use crate::ir::*;
use crate::walk;

impl<'a> Reversal<'_, 'a> {
    pub(super) fn call(&mut self, call: &'a Call) {
        let writes = call.args.iter().any(|arg| matches!(arg, Arg::Ref { mutable: true, .. }));
        if !writes && call.dest.is_none_or(|dest| !self.has_begun(dest)) {
            // Nothing but the result comes out of the call, and nobody used that.
            return;
        }
        if call.again {
            self.handed_again(call);
        } else {
            self.need(call.pullback);
        }
        let aliases = self.remade(call);
        for alias in &aliases {
            self.remake(*alias);
        }
        let mut args: Vec<PullbackArg> = Vec::new();
        for arg in &call.args {
            let Arg::Ref { place, mutable } = arg else {
                continue;
            };
            let through = place.var().is_some_and(|var| aliases.contains(&var));
            let resolved = self.resolved(place);
            let active = self.shared.activity.place(place);
            if active {
                self.begin(resolved.var().expect("an active place starts at a variable"));
            }
            if *mutable
                && let Some(root) = resolved.var()
                && !self.disturbed.contains(&root)
            {
                self.disturbed.push(root);
            }
            // What is made again keeps the buffer that it is a part of for itself.
            let beside = !through && aliases.iter().any(|alias| self.is_part_of(*alias, &resolved));
            let place = if through { place.clone() } else { resolved };
            let clash = active
                && (beside
                    || args.iter().any(|other| {
                        matches!(other.adjoint, Passed::InPlace)
                            && self.may_share(&other.place, &place)
                    }));
            let adjoint = match (active, clash) {
                (false, _) => Passed::Constant,
                (true, false) => Passed::InPlace,
                (true, true) => Passed::Temporary(self.shared.names.fresh("part_adj", call.span)),
            };
            args.push(PullbackArg { place, mutable: *mutable, adjoint });
        }
        let wanted: Vec<Option<VarId>> = call
            .args
            .iter()
            .filter_map(|arg| match arg {
                Arg::Value(atom) => Some(atom.var().filter(|var| self.active(*var))),
                Arg::Ref { .. } | Arg::Function(_) => None,
            })
            .collect();
        if let Some(dest) = call.dest {
            self.begin_any(dest);
        }
        let results: Vec<Option<VarId>> = wanted
            .iter()
            .map(|var| {
                var.map(|var| {
                    let info = self.shared.vars[var.0].clone();
                    let wish = match info.role {
                        Role::Temp => "part".to_owned(),
                        _ => format!("{}_part", crate::names::plain(&info.name)),
                    };
                    self.shared.new_var(&wish, info.ty, info.span)
                })
            })
            .collect();
        let seed = call.dest.map(|dest| self.adjoint(dest));
        let pullback = PullbackCall { call: call.clone(), args, seed, results: results.clone() };
        self.tape(TapeOp::Pullback(Box::new(pullback)));
        for (var, part) in wanted.iter().zip(results) {
            if let (Some(var), Some(part)) = (var, part) {
                self.shared.vars[part.0].mutable = false;
                if self.is_aggregate(*var) {
                    self.adjoints.insert(part, self.shared.vars[part.0].name.clone());
                    self.flow_all(Adjoint(Place::of(part)), *var, false);
                } else {
                    self.accumulate(*var, Atom::Var(part), false);
                }
            }
        }
    }

    /// What a call that runs again is handed, and the value that it is compared with.
    fn handed_again(&mut self, call: &'a Call) {
        for arg in &call.args {
            if let Arg::Value(atom) = arg {
                self.need_atom(atom);
            }
        }
        if let Some(dest) = call.dest.filter(|dest| self.shared.vars[dest.0].ty.is_real()) {
            self.need(dest);
        }
    }

    /// The seed of a call is the adjoint of its result, zero if nothing flowed to it.
    pub(super) fn begin_any(&mut self, dest: VarId) {
        if !self.direct.contains_key(&dest) {
            self.begin(dest);
        }
    }

    /// References that have to be made again for a call since two of its arguments come from one
    /// buffer that was split.
    pub(super) fn remade(&self, call: &Call) -> Vec<VarId> {
        let origin = |place: &Place| place.var().and_then(|var| self.shared.activity.origin(var));
        let refs: Vec<(&Place, bool)> = call
            .args
            .iter()
            .filter_map(|arg| match arg {
                Arg::Ref { place, mutable } => Some((place, *mutable)),
                Arg::Value(_) | Arg::Function(_) => None,
            })
            .collect();
        let mut found: Vec<VarId> = Vec::new();
        for (k, (place, mutable)) in refs.iter().enumerate() {
            let shares = refs.iter().enumerate().any(|(j, (other, other_mutable))| {
                j != k
                    && origin(place).is_some()
                    && origin(place) == origin(other)
                    && (*mutable || *other_mutable || self.same_split(place, other))
            });
            if shares && let Some(var) = place.var() {
                self.chain(var, &mut found);
            }
        }
        found.sort_by_key(|var| self.shared.layout.definition(*var));
        found.dedup();
        found
    }

    /// Whether the adjoints of two arguments may lie in one buffer, as far as rustc can tell.
    fn may_share(&self, a: &Place, b: &Place) -> bool {
        if a.var() == b.var() {
            return may_overlap(a, b);
        }
        let origin = |place: &Place| place.var().and_then(|var| self.shared.activity.origin(var));
        origin(a).is_some() && origin(a) == origin(b) && !self.same_split(a, b)
    }

    fn is_part_of(&self, alias: VarId, place: &Place) -> bool {
        let origin = |var: VarId| self.shared.activity.origin(var);
        place.var().is_some_and(|var| origin(alias).is_some() && origin(alias) == origin(var))
    }

    pub(super) fn same_split(&self, a: &Place, b: &Place) -> bool {
        let split = |place: &Place| match place.var().and_then(|var| self.definitions.get(&var)) {
            Some(stmt @ Stmt::Split { .. }) => Some(self.shared.layout.pos(stmt)),
            _ => None,
        };
        a.var() != b.var() && split(a).is_some() && split(a) == split(b)
    }

    pub(super) fn chain(&self, var: VarId, found: &mut Vec<VarId>) {
        let place = match self.definitions.get(&var) {
            // There already, and apart from the others.
            _ if self.unpacked.contains(&var) => return,
            Some(Stmt::Borrow { place, .. } | Stmt::Split { place, .. }) => place,
            _ => return,
        };
        if let Some(base) = place.var() {
            self.chain(base, found);
        }
        if !found.contains(&var) {
            found.push(var);
        }
    }

    pub(super) fn remake(&mut self, alias: VarId) {
        let Some(stmt) = self.definitions.get(&alias).copied() else {
            return;
        };
        let op = match stmt {
            Stmt::Borrow { var, mutable, place } => {
                self.adjoint_name(*var);
                self.indexed(place);
                TapeOp::Reborrow { var: *var, mutable: *mutable, place: place.clone() }
            }
            Stmt::Split { left, right, mutable, place, mid } => {
                // Made once for both halves, for the half that is met first.
                let made = self.top().out.iter().any(|stmt| {
                    matches!(stmt, Stmt::Tape(TapeOp::Resplit { left: known, .. }) if known == left)
                });
                if made {
                    return;
                }
                self.adjoint_name(*left);
                self.adjoint_name(*right);
                self.need_atom(mid);
                self.indexed(place);
                let (left, right, mutable) = (*left, *right, *mutable);
                TapeOp::Resplit { left, right, mutable, place: place.clone(), mid: mid.clone() }
            }
            _ => return,
        };
        if let Some(root) = self.shared.activity.origin(alias) {
            self.begin(root);
        }
        self.tape(op);
    }

    pub(super) fn indexed(&mut self, place: &Place) {
        for atom in walk::indices(place) {
            self.need_atom(atom);
        }
    }
}

/// Whether two places of one statement may share memory, as far as rustc can tell.
pub(super) fn may_overlap(a: &Place, b: &Place) -> bool {
    if a.var().is_none() || a.var() != b.var() {
        return false;
    }
    for (a, b) in a.path.iter().zip(&b.path) {
        match (a, b) {
            (Step::Field(a), Step::Field(b)) if a != b => return false,
            (Step::Field(_), Step::Field(_)) | (Step::Deref, Step::Deref) => {}
            _ => return true,
        }
    }
    true
}
