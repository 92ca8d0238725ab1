//! The forward sweep itself.

use super::{Shared, Site, Storage, counts_trips, one_sided, plain_name};
use crate::ir::*;
use crate::layout::{Pos, Under};
use crate::record::{Avail, carried_writes, is_active_call};
use crate::walk;
use proc_macro2::Span;

/// Writes the forward sweep.
pub fn forward_sweep(shared: &mut Shared) -> Block {
    let body = shared.primal.body.clone();
    // The clone has other addresses; positions are those of the original.
    let original = &shared.primal.body;
    let mut forward = Forward { shared, frames: Vec::new() };
    let mut block = forward.block(original, None);
    block.result = body.result;
    block
}

/// What is to be recorded when control leaves a scope.
#[derive(Default)]
struct Frame {
    /// The loop whose body the scope is.
    body_of: Option<LoopId>,
    leave: Vec<Stmt>,
}

struct Forward<'s, 'a> {
    shared: &'s mut Shared<'a>,
    frames: Vec<Frame>,
}

impl Forward<'_, '_> {
    fn block(&mut self, block: &Block, body_of: Option<LoopId>) -> Block {
        self.frames.push(Frame { body_of, leave: Vec::new() });
        let mut out = Vec::new();
        for stmt in &block.stmts {
            self.stmt(stmt, &mut out);
        }
        let frame = self.frames.pop().expect("the frame of this block");
        if !walk::diverges(block) {
            out.extend(frame.leave);
        }
        Block { stmts: out, result: block.result.clone() }
    }

    fn leave(&mut self, stmt: Stmt) {
        self.frames.last_mut().expect("a statement stands in a block").leave.push(stmt);
    }

    fn stmt(&mut self, stmt: &Stmt, out: &mut Vec<Stmt>) {
        let pos = self.shared.layout.pos(stmt);
        let may_leave = !walk::stmt_exits(stmt).is_empty() && !matches!(stmt, Stmt::Exit(_));
        let flagged = may_leave && one_sided(stmt).is_none();
        let mut mark = None;
        if flagged {
            let (under, span) = (self.shared.under(pos), Span::call_site());
            let (flag, tape) = self.shared.flag_of(pos, under, span);
            if let Some(tape) = &tape {
                let value = Saved::Literal(quote::quote!(false));
                let when = When::Always;
                let missed = Stmt::Tape(TapeOp::Record { tape: tape.clone(), value, when });
                self.leave(missed);
            }
            mark = Some((flag, tape));
        }
        self.inner(stmt, pos, out);
        match mark {
            Some((_, Some(tape))) => {
                self.frames.last_mut().expect("a statement stands in a block").leave.pop();
                let value = Saved::Literal(quote::quote!(true));
                out.push(Stmt::Tape(TapeOp::Record { tape, value, when: When::Always }));
            }
            Some((flag, None)) => {
                let value = Atom::Text(quote::quote!(true), Ty::Discrete);
                let place = Place::of(flag);
                out.push(Stmt::Store { place, value });
            }
            None => {}
        }
    }

    fn inner(&mut self, stmt: &Stmt, pos: Pos, out: &mut Vec<Stmt>) {
        match stmt {
            Stmt::Let { var, .. } => {
                self.record_carried(stmt, pos, out);
                out.push(stmt.clone());
                self.record_var(*var, out);
                self.keep(*var);
            }
            Stmt::Declare { var } => {
                out.push(stmt.clone());
                self.keep(*var);
            }
            Stmt::Store { place, .. } => {
                self.record_write(pos, 0, place, out);
                out.push(stmt.clone());
            }
            Stmt::CopyFrom { to, .. } | Stmt::Fill { to, .. } => {
                self.record_write(pos, 0, to, out);
                out.push(stmt.clone());
            }
            Stmt::If { dest, cond, then, otherwise } => {
                let then = self.block(then, None);
                let otherwise = self.block(otherwise, None);
                out.push(Stmt::If { dest: *dest, cond: cond.clone(), then, otherwise });
                dest.iter().for_each(|dest| self.record_var(*dest, out));
            }
            Stmt::Match { dest, scrutinee, decision, arms } => {
                let kept = self.keep_decision(*decision, out);
                let arms = arms.iter().enumerate().map(|(k, arm)| {
                    let mut body = self.block(&arm.body, None);
                    if let Some(kept) = &kept {
                        body.stmts.insert(0, kept(k));
                    }
                    Arm { body, ..arm.clone() }
                });
                let arms = arms.collect();
                let (dest, scrutinee, decision) = (*dest, scrutinee.clone(), *decision);
                out.push(Stmt::Match { dest, scrutinee, decision, arms });
                dest.iter().for_each(|dest| self.record_var(*dest, out));
            }
            Stmt::For(repeat) => self.counted(stmt, repeat, out),
            Stmt::While { id, cond, body, trips } => {
                let counts = self.start_count(stmt, *trips, out);
                let body = self.counted_body(body, *id, counts.then_some(*trips));
                let (id, trips) = (*id, *trips);
                out.push(Stmt::While { id, cond: cond.clone(), body, trips });
                self.end_count(trips, counts, out);
            }
            Stmt::Loop { id, body, trips } => {
                let counts = self.start_count(stmt, *trips, out);
                let body = self.counted_body(body, *id, counts.then_some(*trips));
                let (id, trips) = (*id, *trips);
                out.push(Stmt::Loop { id, body, trips });
                self.end_count(trips, counts, out);
            }
            Stmt::Exit(exit) => {
                self.exit(*exit, out);
                out.push(stmt.clone());
            }
            Stmt::Call(call) if !call.again && is_active_call(call, self.shared.activity) => {
                let restoring = self.shared.record.restoring(pos);
                out.push(Stmt::Tape(TapeOp::Call { call: call.clone(), restoring }));
                self.record_var(call.pullback, out);
                call.dest.iter().for_each(|dest| self.record_var(*dest, out));
            }
            Stmt::Call(_) | Stmt::Verbatim { .. } => {
                self.record_carried(stmt, pos, out);
                out.push(stmt.clone());
                if let Stmt::Call(Call { dest: Some(dest), .. }) = stmt {
                    self.record_var(*dest, out);
                }
            }
            Stmt::Pop { var, .. } => {
                out.push(stmt.clone());
                self.record_var(*var, out);
            }
            Stmt::Push { .. }
            | Stmt::Permute { .. }
            | Stmt::Swap { .. }
            | Stmt::Borrow { .. }
            | Stmt::Split { .. }
            | Stmt::Tape(_) => out.push(stmt.clone()),
        }
    }

    /// The statement with which arm `k` says that it was taken, if that is wanted. It stands first
    /// in the arm, in front of any exit.
    fn keep_decision(
        &mut self,
        decision: VarId,
        out: &mut Vec<Stmt>,
    ) -> Option<Box<dyn Fn(usize) -> Stmt>> {
        self.shared.record.avail(decision)?;
        let number = |k: usize| {
            let number = proc_macro2::Literal::usize_unsuffixed(k);
            quote::quote!(#number)
        };
        if self.shared.storage(decision) == Storage::Stack {
            let tape = self.shared.var_tape(decision);
            return Some(Box::new(move |k| {
                let (tape, value) = (tape.clone(), Saved::Literal(number(k)));
                Stmt::Tape(TapeOp::Record { tape, value, when: When::Always })
            }));
        }
        out.push(Stmt::Declare { var: decision });
        if self.shared.storage(decision) == Storage::Hoisted {
            self.shared.hoisted.push(decision);
        }
        Some(Box::new(move |k| Stmt::Store {
            place: Place::of(decision),
            value: Atom::Text(number(k), Ty::Discrete),
        }))
    }

    fn exit(&mut self, exit: Exit, out: &mut Vec<Stmt>) {
        for frame in self.frames.iter().rev() {
            out.extend(frame.leave.iter().cloned());
            let reached = match exit {
                Exit::Break(id) | Exit::Continue(id) => frame.body_of == Some(id),
                Exit::Return => false,
            };
            if reached {
                return;
            }
        }
    }

    fn record_var(&mut self, var: VarId, out: &mut Vec<Stmt>) {
        if self.shared.record.avail(var) != Some(Avail::Record) {
            return;
        }
        match self.shared.storage(var) {
            Storage::Captured => {}
            Storage::Hoisted => self.shared.hoisted.push(var),
            Storage::Slot | Storage::Stack => {
                let tape = self.shared.var_tape(var);
                let pullback = self.is_pullback(var);
                let value = if pullback { Saved::Moved(var) } else { Saved::Var(var) };
                out.push(Stmt::Tape(TapeOp::Record { tape, value, when: When::Always }));
            }
        }
    }

    fn is_pullback(&self, var: VarId) -> bool {
        let mut found = false;
        walk::each_stmt(&self.shared.primal.body, &mut |stmt| {
            if let Stmt::Call(call) = stmt {
                found |= call.pullback == var;
            }
        });
        found
    }

    /// Local memory that the reverse sweep needs is moved to its tape when its scope ends.
    fn keep(&mut self, var: VarId) {
        if !self.shared.record.keeps(var) {
            return;
        }
        if !matches!(self.shared.storage(var), Storage::Slot | Storage::Stack | Storage::Hoisted) {
            return;
        }
        if self.shared.storage(var) == Storage::Hoisted {
            self.shared.hoisted.push(var);
            return;
        }
        let tape = self.shared.var_tape(var);
        let value = Saved::Moved(var);
        self.leave(Stmt::Tape(TapeOp::Record { tape, value, when: When::Always }));
    }

    /// What code without derivative may write is recorded whole.
    fn record_carried(&mut self, stmt: &Stmt, pos: Pos, out: &mut Vec<Stmt>) {
        for (k, place) in carried_writes(stmt).enumerate() {
            if self.shared.undoes(&place) {
                self.record_write(pos, k, &place, out);
            }
        }
    }

    fn record_write(&mut self, pos: Pos, second: usize, place: &Place, out: &mut Vec<Stmt>) {
        let Some(when) = self.shared.record.undo(pos) else {
            return;
        };
        let under = self.shared.under(pos);
        let tape = self.shared.write_tape(pos, second, place, under);
        let value = Saved::Place(place.clone());
        out.push(Stmt::Tape(TapeOp::Record { tape, value, when }));
    }

    fn counted(&mut self, stmt: &Stmt, repeat: &ForLoop, out: &mut Vec<Stmt>) {
        let counts = counts_trips(stmt) && self.shared.matters(stmt);
        let mut end = None;
        if counts {
            let var = self.shared.end_of(repeat);
            let value = Value::Atom(match repeat.range.is_plain() {
                true => repeat.range.lo.clone(),
                false => Atom::Text(quote::quote!(0_usize), Ty::Discrete),
            });
            if self.shared.under(self.shared.layout.pos(stmt)) == Under::Branch {
                self.shared.hoisted.push(var);
            }
            out.push(Stmt::Let { var, value });
            self.leave_count(stmt, var);
            end = Some(var);
        }
        let mut body = self.block(&repeat.body, Some(repeat.id));
        if let Some(end) = end {
            let count = match repeat.range.is_plain() {
                true => TapeOp::CountTo { end, index: repeat.index },
                false => TapeOp::Count { trips: end },
            };
            body.stmts.insert(0, Stmt::Tape(count));
        }
        out.push(Stmt::For(ForLoop { body, ..repeat.clone() }));
        if let Some(end) = end {
            self.record_count(stmt, end, out);
        }
    }

    fn start_count(&mut self, stmt: &Stmt, trips: VarId, out: &mut Vec<Stmt>) -> bool {
        if self.shared.record.avail(trips).is_none() {
            return false;
        }
        let zero = Atom::Text(quote::quote!(0_usize), Ty::Discrete);
        if self.shared.under(self.shared.layout.pos(stmt)) == Under::Branch {
            self.shared.hoisted.push(trips);
        }
        out.push(Stmt::Let { var: trips, value: Value::Atom(zero) });
        self.leave_count(stmt, trips);
        true
    }

    fn counted_body(&mut self, body: &Block, id: LoopId, trips: Option<VarId>) -> Block {
        let mut block = self.block(body, Some(id));
        if let Some(trips) = trips {
            block.stmts.insert(0, Stmt::Tape(TapeOp::Count { trips }));
        }
        block
    }

    /// The count of a loop is recorded behind it, and wherever control leaves for further out.
    fn leave_count(&mut self, stmt: &Stmt, trips: VarId) {
        if self.shared.under(self.shared.layout.pos(stmt)) == Under::Loop {
            let record = self.count_record(trips);
            self.leave(record);
        }
    }

    fn count_record(&mut self, trips: VarId) -> Stmt {
        let info = &self.shared.vars[trips.0];
        let (base, span) = (plain_name(&info.name), info.span);
        let tape = self.shared.tape(Site::Var(trips), false, &base, span);
        Stmt::Tape(TapeOp::Record { tape, value: Saved::Var(trips), when: When::Always })
    }

    fn record_count(&mut self, stmt: &Stmt, trips: VarId, out: &mut Vec<Stmt>) {
        if self.shared.under(self.shared.layout.pos(stmt)) == Under::Loop {
            self.frames.last_mut().expect("a statement stands in a block").leave.pop();
            let record = self.count_record(trips);
            out.push(record);
        }
    }

    fn end_count(&mut self, trips: VarId, counts: bool, out: &mut Vec<Stmt>) {
        if !counts || self.shared.layout.under(trips) != Under::Loop {
            return;
        }
        self.frames.last_mut().expect("a statement stands in a block").leave.pop();
        let record = self.count_record(trips);
        out.push(record);
    }
}
