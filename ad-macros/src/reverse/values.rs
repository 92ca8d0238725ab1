//! Values of the forward sweep, where the reverse sweep needs them again.

use super::Reversal;
use crate::ir::*;
use crate::record::{Avail, outer_operands};
use crate::walk;

impl Reversal<'_, '_> {
    pub(super) fn need_atom(&mut self, atom: &Atom) {
        if let Atom::Var(var) = atom {
            self.need(*var);
        }
    }

    /// Sees to it that `var` is in scope where its definition is reversed.
    pub(super) fn need(&mut self, var: VarId) {
        let visible = self.reach.map_or(self.levels.len(), |reach| reach + 1);
        if self.shared.record.avail(var) != Some(Avail::Recompute)
            || self.levels[..visible].iter().any(|level| level.known.contains(&var))
        {
            return;
        }
        let home = self.place_of(var);
        let outer = self.reach.replace(home);
        self.compute(var, home);
        self.reach = outer;
    }

    /// The level in which `var` is computed again: in its own block, but behind an exit only when what
    /// stands behind it has been reversed that far, so that memory is as it was read.
    fn place_of(&self, var: VarId) -> usize {
        let home = self.home(var);
        let last = self.reach.unwrap_or(self.levels.len() - 1);
        let deeper = self.levels[home + 1..=last].iter().take_while(|level| level.continues);
        home + deeper.count()
    }

    fn compute(&mut self, var: VarId, home: usize) {
        let value = match self.definitions.get(&var).copied() {
            Some(Stmt::Let { value, .. }) => value,
            Some(choice @ Stmt::If { cond, then, otherwise, .. }) => {
                for operand in outer_operands(cond, [then, otherwise]) {
                    self.need(operand);
                }
                self.levels[home].known.insert(var);
                self.levels[home].out.push(choice.clone());
                return;
            }
            _ => return,
        };
        for operand in walk::operands(value) {
            self.need_atom(operand);
        }
        let mut value = value.clone();
        if let Some(place) = walk::source(&value) {
            let place = self.resolved(&place.clone());
            walk::set_source(&mut value, place);
        }
        self.levels[home].known.insert(var);
        self.levels[home].out.push(Stmt::Let { var, value });
    }

    /// The place in terms of variables that hold memory, with everything that indexes it.
    pub(super) fn resolved(&mut self, place: &Place) -> Place {
        for atom in walk::indices(place) {
            self.need_atom(atom);
        }
        let Some(root) = place.var() else {
            return place.clone();
        };
        let mut behind = match self.definitions.get(&root).copied() {
            _ if self.unpacked.contains(&root) => return place.clone(),
            Some(Stmt::Borrow { place, .. }) => place.clone(),
            Some(Stmt::Split { left, place, mid, .. }) => {
                let (lo, hi) = if *left == root {
                    (None, Some(mid.clone()))
                } else {
                    (Some(mid.clone()), None)
                };
                place.clone().then(Step::Range { lo, hi, inclusive: false })
            }
            _ => {
                self.contents(root);
                return place.clone();
            }
        };
        // The reference is made from the place: what is behind it is the place itself.
        let rest = match &place.path[..] {
            [Step::Deref, rest @ ..] => rest,
            rest => rest,
        };
        behind.path.extend(rest.iter().cloned());
        self.resolved(&behind)
    }

    /// A local aggregate that never changes is a value like any other.
    pub(super) fn contents(&mut self, root: VarId) {
        if !self.shared.vars[root.0].mutable {
            self.need(root);
        }
    }
}
