//! Which temporaries are written where they are used.
//!
//! A definition may move to its use if nothing in between writes what it reads, and if it is not
//! thereby computed more often than before.

use super::Emit;
use crate::ir::*;
use crate::sweep::Sweeps;
use crate::walk;
use std::collections::{HashMap, HashSet};
use syn::Expr;

impl Emit<'_> {
    /// Whether a definition is written where it is used.
    pub(super) fn is_written_in_place(
        &self,
        var: VarId,
        value: &Value,
        block: &Block,
        k: usize,
    ) -> bool {
        let info = self.var(var);
        if let Value::Verbatim(code) = value
            && matches!(*code.code, Expr::Closure(_))
            && !self.mentioned.contains(&var)
            && !self.uses.contains_key(&var)
        {
            // Its calls ran its body; nobody else wants it, or could tell its types.
            return true;
        }
        let typed = info.written.is_some();
        if info.role != Role::Temp || info.mutable || typed || self.hoisted.contains(&var) {
            return false;
        }
        let uses = self.uses.get(&var).copied().unwrap_or(0);
        if self.mentioned.contains(&var) {
            return false;
        }
        let effect = self.has_effect(value);
        if uses == 0 {
            return !effect;
        }
        if self.is_captured(var) || effect && uses > 1 {
            return false;
        }
        let light = walk::is_light(value) || self.is_index_arithmetic(var, value);
        let mut seen = 0;
        let mut reads = Vec::new();
        self.all_reads(value, &mut reads);
        for later in &block.stmts[k + 1..] {
            let own = count(walk::used(later), var)
                + walk::saved(later).into_iter().filter(|saved| *saved == var).count();
            let mut inner = 0;
            let mut in_loop = 0;
            for (nested, is_loop) in walk::inner_blocks(later) {
                let found = count_in(nested, var);
                inner += found;
                in_loop += if is_loop { found } else { 0 };
            }
            if inner > 0 {
                let disturbed = self.disturbs(later, &reads);
                if disturbed || effect || in_loop > 0 && !light {
                    return false;
                }
            }
            // `z_adj += take(&mut z_adj)` would borrow twice, and so would a pullback that is
            // handed an adjoint together with a value read from it.
            let borrows = effect
                || matches!(
                    later,
                    Stmt::Permute { .. } | Stmt::Push { .. } | Stmt::Tape(TapeOp::Pullback(_))
                ) && !is_own_vector(later);
            if own > 0 && borrows && self.disturbs(later, &reads)
                || self.indexes_itself(later, var, &reads)
            {
                return false;
            }
            seen += own + inner;
            if seen == uses {
                return light || uses == 1;
            }
            if self.disturbs(later, &reads) || effect && !walk::is_inert(later) {
                return false;
            }
        }
        // The last use is the value of the block, or the tangent of the function's.
        let tangent =
            self.sweeps.tangent.as_ref().filter(|_| std::ptr::eq(block, &self.sweeps.forward));
        let at_end = [&block.result, &tangent.cloned()]
            .into_iter()
            .any(|end| end.as_ref().and_then(Atom::var) == Some(var));
        at_end && seen + 1 == uses && (light || uses == 1)
    }

    /// Whether `var` is an index into what it was read from, and what it finds there is borrowed
    /// to be changed: `v[v.len() - 1] = x` borrows a `Vec` twice.
    fn indexes_itself(&self, stmt: &Stmt, var: VarId, reads: &[walk::Access]) -> bool {
        let place = match stmt {
            Stmt::Swap { a, b } => {
                let itself = |place| self.indexes(place, var, reads);
                return itself(a) || itself(b);
            }
            Stmt::Store { place, .. }
            | Stmt::Borrow { place, mutable: true, .. }
            | Stmt::Split { place, mutable: true, .. }
            | Stmt::Fill { to: place, .. }
            | Stmt::CopyFrom { to: place, .. }
            | Stmt::Tape(
                TapeOp::Restore { place, .. }
                | TapeOp::Reborrow { place, mutable: true, .. }
                | TapeOp::Resplit { place, mutable: true, .. },
            ) => place,
            _ => return false,
        };
        self.indexes(place, var, reads)
    }

    /// Whether `var`, read from the variable that a place starts at, is an index into it.
    fn indexes(&self, place: &Place, var: VarId, reads: &[walk::Access]) -> bool {
        place.var().is_some_and(|root| {
            !matches!(self.var(root).ty.peeled(), Ty::Slice(_) | Ty::Array { heap: false, .. })
                && reads.contains(&walk::Access::Primal(root))
                && count(walk::indices(place), var) > 0
        })
    }

    /// Whether evaluating a value does more than give it, operands that are written in place included.
    fn has_effect(&self, value: &Value) -> bool {
        walk::has_effect(value)
            || walk::operands(value).into_iter().filter_map(Atom::var).any(|var| {
                self.inline.contains_key(&var)
                    && self.definition(var).is_some_and(|value| self.has_effect(value))
            })
    }

    /// `k - 1` or `(i, j)`, which reads better where it is used than behind a name.
    pub(super) fn is_index_arithmetic(&self, var: VarId, value: &Value) -> bool {
        let plain = |atom: &Atom| match atom {
            Atom::Var(var) => !matches!(self.inline.get(var), Some(Expr::Binary(_))),
            Atom::Text(..) => true,
        };
        let linear = |op: &syn::BinOp| matches!(op, syn::BinOp::Add(_) | syn::BinOp::Sub(_));
        match value {
            Value::Binary(op, a, b) => {
                self.var(var).ty == Ty::Discrete && linear(op) && plain(a) && plain(b)
            }
            Value::Tuple(parts) => !self.var(var).ty.may_hold_reals() && parts.iter().all(plain),
            _ => false,
        }
    }

    /// What a value reads, through temporaries that are written in place too.
    pub(super) fn all_reads(&self, value: &Value, reads: &mut Vec<walk::Access>) {
        reads.extend(walk::reads(value));
        for var in walk::operands(value).into_iter().filter_map(Atom::var) {
            if self.inline.contains_key(&var)
                && let Some(value) = self.definition(var)
            {
                self.all_reads(value, reads);
            }
        }
    }

    /// Whether a statement may write something that is read. Two references may meet.
    pub(super) fn disturbs(&self, stmt: &Stmt, reads: &[walk::Access]) -> bool {
        use walk::Access::{Adjoint, Primal};
        let alias = |var: VarId| self.var(var).role == Role::Alias;
        if let Some(moved) = self.moves(stmt)
            && reads.contains(&Primal(moved))
        {
            return true;
        }
        walk::touches(stmt).into_iter().any(|written| {
            reads.iter().any(|read| match (written, *read) {
                (Primal(a), Primal(b)) | (Adjoint(a), Adjoint(b)) => a == b || alias(a) || alias(b),
                (Primal(_), Adjoint(_)) | (Adjoint(_), Primal(_)) => false,
            })
        })
    }

    /// The variable that a definition moves somewhere else.
    fn moves(&self, stmt: &Stmt) -> Option<VarId> {
        match stmt {
            Stmt::Let { var, .. } if self.var(*var).ty.is_copy() => None,
            Stmt::Let { value: Value::Load(place), .. } => place.var(),
            Stmt::Let { value: Value::Atom(from), .. } => from.var(),
            _ => None,
        }
    }

    /// What defines a variable: in the sweep that is written, if that does.
    fn definition(&self, var: VarId) -> Option<&Value> {
        let (own, other) = match self.reversing {
            true => (&self.facts.reverse, &self.facts.forward),
            false => (&self.facts.forward, &self.facts.reverse),
        };
        own.get(&var).or_else(|| other.get(&var)).copied()
    }

    /// Whether the other sweep uses a variable by its name.
    pub(super) fn is_captured(&self, var: VarId) -> bool {
        self.facts.used.contains(&var)
            && self.facts.forward.contains_key(&var)
            && !self.facts.reverse.contains_key(&var)
    }
}

/// What is asked of the sweeps again and again, collected once.
pub struct Facts<'a> {
    /// The definitions of the forward sweep.
    pub forward: HashMap<VarId, &'a Value>,
    /// Those of the reverse sweep.
    pub reverse: HashMap<VarId, &'a Value>,
    /// Variables that the reverse sweep mentions in any way.
    pub used: HashSet<VarId>,
    /// Variables of which the forward sweep records contents.
    pub recorded: HashSet<VarId>,
}

impl<'a> Facts<'a> {
    /// The facts of both sweeps.
    pub fn of(sweeps: &'a Sweeps) -> Self {
        let mut facts = Facts {
            forward: HashMap::new(),
            reverse: HashMap::new(),
            used: used_in(&sweeps.reverse),
            recorded: HashSet::new(),
        };
        walk::each_stmt(&sweeps.forward, &mut |stmt| match stmt {
            Stmt::Let { var, value } => {
                facts.forward.insert(*var, value);
            }
            Stmt::Tape(TapeOp::Record { value, .. }) => match value {
                Saved::Var(var) | Saved::Moved(var) => {
                    facts.recorded.insert(*var);
                }
                Saved::Place(place) => facts.recorded.extend(place.var()),
                Saved::Literal(_) => {}
            },
            _ => {}
        });
        walk::each_stmt(&sweeps.reverse, &mut |stmt| {
            if let Stmt::Let { var, value } = stmt {
                facts.reverse.insert(*var, value);
            }
        });
        facts.used.extend(&sweeps.untouched);
        facts
    }
}

/// Whether a statement pushes to a variable: `v.push(v[0])` reads before it borrows.
fn is_own_vector(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::Push { place, .. } if place.path.is_empty())
}

/// The variables that a block mentions in any way.
fn used_in(block: &Block) -> HashSet<VarId> {
    let mut used: HashSet<VarId> = block.result.iter().filter_map(Atom::var).collect();
    walk::each_stmt(block, &mut |stmt| {
        used.extend(walk::used(stmt).into_iter().filter_map(Atom::var));
        used.extend(walk::saved(stmt));
        used.extend(walk::mentions(stmt));
        for (nested, _) in walk::inner_blocks(stmt) {
            used.extend(nested.result.as_ref().and_then(Atom::var));
        }
    });
    used
}

/// Counts the uses of `var` among operands.
pub(super) fn count(atoms: Vec<&Atom>, var: VarId) -> usize {
    atoms.into_iter().filter(|atom| atom.var() == Some(var)).count()
}

/// Counts the uses of `var` in a block.
pub(super) fn count_in(block: &Block, var: VarId) -> usize {
    let mut found = count(block.result.iter().collect(), var);
    walk::each_stmt(block, &mut |stmt| {
        found += count(walk::used(stmt), var);
        found += walk::saved(stmt).into_iter().filter(|saved| *saved == var).count();
        for (nested, _) in walk::inner_blocks(stmt) {
            found += count(nested.result.iter().collect(), var);
        }
    });
    found
}

/// Whether verbatim code or a place in a block mentions a variable.
pub(super) fn mentions(block: &Block, var: VarId) -> bool {
    let mut found = false;
    walk::each_stmt(block, &mut |stmt| found |= walk::mentions(stmt).contains(&var));
    found
}

/// Whether the pullback wants to see a variable again.
pub fn is_wanted(sweeps: &Sweeps, var: VarId) -> bool {
    used_in(&sweeps.reverse).contains(&var) || sweeps.untouched.contains(&var)
}
