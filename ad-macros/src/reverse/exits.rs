//! Blocks that control may leave: what stands behind an exit is reversed only if it ran.
//!
//! Exits stay exits in the forward sweep and become nested `if`s here. The value of a branch that
//! may leave, and its adjoint, belong to the code that runs if control came past it.

use super::{Level, Reversal};
use crate::ir::*;
use crate::record::Avail;
use crate::sweep::{Storage, one_sided};
use crate::walk;
use proc_macro2::Span;

impl<'a> Reversal<'_, 'a> {
    /// Reverses statements of one block. Behind a statement that may leave the block, the rest is
    /// reversed only if control came past it.
    pub(super) fn segments(&mut self, stmts: &[&'a Stmt], before: &mut dyn FnMut(&mut Self)) {
        let cut = stmts.iter().position(|stmt| !walk::stmt_exits(stmt).is_empty());
        let head = cut.map_or(stmts.len(), |cut| cut + 1);
        let (head, rest) = stmts.split_at(head);
        self.enter(head);
        let rest_matters = rest.iter().any(|stmt| self.shared.matters(stmt));
        match (cut, head.last()) {
            (Some(_), Some(last)) if rest_matters && !matches!(last, Stmt::Exit(_)) => {
                self.past(last, rest, before);
                let head = &head[..head.len() - 1];
                head.iter().rev().for_each(|stmt| self.stmt(stmt));
            }
            _ => {
                before(self);
                head.iter().rev().for_each(|stmt| self.stmt(stmt));
            }
        }
    }

    /// What a segment defines belongs to the level; what it recorded comes first.
    fn enter(&mut self, stmts: &[&'a Stmt]) {
        for stmt in stmts {
            for var in crate::layout::definitions(stmt) {
                self.top().defined.insert(var);
            }
        }
        for stmt in stmts {
            for var in crate::layout::definitions(stmt) {
                if given(stmt) != Some(var) {
                    self.recover(var, stmt);
                }
            }
        }
    }

    /// The value of a branch that may leave is there only if control came past it.
    fn recover_given(&mut self, stmt: &Stmt) {
        if let Some(var) = given(stmt) {
            self.recover(var, stmt);
        }
    }

    fn recover(&mut self, var: VarId, stmt: &Stmt) {
        let loops = matches!(stmt, Stmt::While { .. } | Stmt::Loop { .. } | Stmt::For(_));
        let recorded = self.shared.record.avail(var) == Some(Avail::Record);
        if loops || !(recorded || self.shared.record.keeps(var)) {
            return;
        }
        if matches!(self.shared.storage(var), Storage::Slot | Storage::Stack) {
            let tape = self.shared.var_tape(var);
            self.emit(Stmt::Let { var, value: Value::Reverse(Reverse::Recorded(tape)) });
        }
    }

    /// `stmt` may leave the block; `rest` stands behind it.
    fn past(&mut self, stmt: &'a Stmt, rest: &[&'a Stmt], before: &mut dyn FnMut(&mut Self)) {
        let pos = self.shared.layout.pos(stmt);
        // What is active behind the statement and defined in front of it begins here.
        self.begin_shared(rest, given(stmt));
        if let (Some(then_stays), Stmt::If { dest, cond, then, otherwise }) =
            (one_sided(stmt), stmt)
        {
            self.need_atom(cond);
            let (stays, leaves) = if then_stays { (then, otherwise) } else { (otherwise, then) };
            self.levels.push(Level { continues: true, ..Level::default() });
            self.reached(stmt, rest, before, true);
            let given: Vec<&'a Stmt> = stays.stmts.iter().collect();
            self.segments(&given, &mut |cx| cx.branch_result(*dest, stays));
            let stays = self.close();
            // What it reads is as the exit found it: not so where the rest ran, further out.
            self.levels.push(Level { continues: true, ..Level::default() });
            self.nested(leaves);
            let leaves = self.close();
            let (then, otherwise) = if then_stays { (stays, leaves) } else { (leaves, stays) };
            return self.emit_if(cond.clone(), then, otherwise);
        }
        // The adjoint of an aggregate is like its value, which is there only if control came past.
        let splits = given(stmt).is_some_and(|dest| self.active(dest) && self.is_aggregate(dest));
        if !splits {
            self.begin_results(stmt);
        }
        let (flag, tape) = self.shared.flag_of(pos, self.shared.under(pos), Span::call_site());
        let cond = match tape {
            Some(tape) => self.value(Value::Reverse(Reverse::Recorded(tape)), Ty::Discrete),
            None => Atom::Var(flag),
        };
        self.levels.push(Level { continues: true, ..Level::default() });
        self.reached(stmt, rest, before, splits);
        if !splits {
            let then = self.close();
            self.emit_if(cond, then, Block::default());
            return self.stmt(stmt);
        }
        self.choice(stmt, true);
        let then = self.close();
        self.levels.push(Level { continues: true, ..Level::default() });
        self.choice(stmt, false);
        let otherwise = self.close();
        self.emit_if(cond, then, otherwise);
    }

    /// Reverses what stands behind `stmt`, in a block that runs if control came past it. The value
    /// that `stmt` gives is defined there if its branches are reversed there, too.
    fn reached(
        &mut self,
        stmt: &'a Stmt,
        rest: &[&'a Stmt],
        before: &mut dyn FnMut(&mut Self),
        defines: bool,
    ) {
        self.top().defined.extend(given(stmt).filter(|_| defines));
        self.recover_given(stmt);
        self.segments(rest, before);
    }

    /// Reverses the branches of `stmt` that may have given its value, or those that may have left.
    fn choice(&mut self, stmt: &'a Stmt, stayed: bool) {
        if !self.shared.matters(stmt) {
            return;
        }
        let ran = |block: &Block| match stayed {
            true => !walk::diverges(block),
            false => !walk::exits(block).is_empty(),
        };
        self.at = self.shared.layout.pos(stmt);
        match stmt {
            Stmt::If { dest, cond, then, otherwise } => {
                let dest = dest.filter(|_| stayed);
                self.need_atom(cond);
                let [then, otherwise] = [then, otherwise].map(|block| match ran(block) {
                    true => self.arm(dest, block),
                    false => Block::default(),
                });
                self.emit_if(cond.clone(), then, otherwise);
            }
            Stmt::Match { dest, scrutinee, decision, arms } => {
                self.match_arms(dest.filter(|_| stayed), scrutinee, *decision, arms, &ran);
            }
            _ => unreachable!("a value is given by a branch"),
        }
    }

    /// The adjoint of a value that a statement defines must begin outside of the `if reached`.
    fn begin_results(&mut self, stmt: &Stmt) {
        for var in crate::layout::definitions(stmt) {
            if self.active(var) && !matches!(stmt, Stmt::For(_)) {
                self.begin(var);
            }
        }
    }
}

/// The value of a statement that may leave instead of giving one.
fn given(stmt: &Stmt) -> Option<VarId> {
    match stmt {
        Stmt::If { dest, .. } | Stmt::Match { dest, .. } => {
            dest.filter(|_| !walk::stmt_exits(stmt).is_empty())
        }
        _ => None,
    }
}
