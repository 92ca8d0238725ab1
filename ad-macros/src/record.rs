//! What the forward sweep keeps for the reverse sweep.
//!
//! - A value that the reverse sweep needs is *free* (parameters, loop indices, what the closure
//!   captures), *recomputed* (cheap, from operands that still hold) or *recorded* where it is made.
//! - Memory is kept by an undo log: an overwritten element is recorded if the reverse sweep reads
//!   the memory as it was before (to-be-recorded analysis), and put back before earlier statements
//!   are reversed. Elements of `&mut` parameters are also recorded for callers that ask for it.
//! - Memory that goes out of scope before the function ends is kept whole.
//!
//! Assumes the layout of the same function. Positions compare in program order; two statements in
//! one loop come before each other both ways.

mod facts;
mod memory;
mod overwrite;
mod partials;

pub use facts::{
    brings_lengths, carried_writes, is_active_call, is_plain, matters, outer_operands, shape,
};
pub use partials::{Partial, is_negative_slope, partials, slopes};

use crate::activity::Activity;
use crate::ir::*;
use crate::layout::{Layout, Pos, Under};
use crate::signature::{Passing, Signature};
use crate::walk;
use facts::{does, is_cheap, is_choice_of_integers, swapped};
use std::collections::{HashMap, HashSet};

/// How the reverse sweep comes by a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Avail {
    /// In scope without further ado.
    Free,
    /// Computed again.
    Recompute,
    /// Recorded by the forward sweep.
    Record,
}

/// The decisions.
#[derive(Debug, Default)]
pub struct Record {
    avail: HashMap<VarId, Avail>,
    undo: HashMap<Pos, When>,
    restored: HashMap<Pos, Restoring>,
    keep: HashSet<VarId>,
}

/// What a call is asked to do with its `&mut` arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Restoring {
    /// Nothing.
    Unspecified,
    /// What the caller's caller asks for.
    Inherit,
    /// To put their contents back.
    Restored,
}

impl Record {
    /// How the reverse sweep comes by `var`, if it needs it.
    pub fn avail(&self, var: VarId) -> Option<Avail> {
        self.avail.get(&var).copied()
    }

    /// Whether the write at `pos` is undone.
    pub fn undo(&self, pos: Pos) -> Option<When> {
        self.undo.get(&pos).copied()
    }

    /// What the call at `pos` is asked for.
    pub fn restoring(&self, pos: Pos) -> Restoring {
        self.restored.get(&pos).copied().unwrap_or(Restoring::Unspecified)
    }

    /// Whether local memory is kept for the reverse sweep.
    pub fn keeps(&self, var: VarId) -> bool {
        self.keep.contains(&var)
    }
}

/// Decides what to record.
pub fn record(
    function: &Function,
    signature: &Signature,
    activity: &Activity,
    layout: &Layout,
) -> Record {
    let mut cx = Cx::new(function, signature, activity, layout);
    walk::each_stmt(&function.body, &mut |stmt| cx.call_reads(stmt));
    cx.block(&function.body);
    // Undoing a write needs the indices of its place, whose recomputation may read memory, so that
    // further writes have to be undone.
    loop {
        let (before, undone) = (cx.reads.len(), cx.record.undo.len());
        cx.undo_writes();
        if (before, undone) == (cx.reads.len(), cx.record.undo.len()) {
            break;
        }
    }
    cx.keep_memory();
    cx.record
}

/// What stands behind a statement in its block.
#[derive(Clone, Copy)]
struct Behind<'a> {
    rest: &'a [Stmt],
    /// The block's value.
    result: Option<VarId>,
}

struct Cx<'a> {
    function: &'a Function,
    activity: &'a Activity,
    layout: &'a Layout,
    /// `&mut` parameters.
    mutable_params: HashSet<VarId>,
    definitions: HashMap<VarId, &'a Stmt>,
    /// The last statement (beside the definition) whose reverse needs a variable.
    last_use: HashMap<VarId, Pos>,
    /// Memory that the reverse sweep reads, as it is at a statement.
    reads: HashSet<(VarId, Pos)>,
    /// Inactive memory that calls read again in their pullbacks.
    undone: HashSet<VarId>,
    /// Variables whose shape begins their adjoint.
    shapes: HashSet<VarId>,
    /// Memory that swaps exchange: what is written as one may be read as the other.
    swapped: HashMap<VarId, VarId>,
    /// In front of which reverse variables were last found recomputable.
    granted: HashMap<VarId, Pos>,
    /// How often adjoints are added to.
    uses: HashMap<VarId, usize>,
    /// The values that are the slopes of others.
    slopes: HashMap<VarId, VarId>,
    record: Record,
}

impl<'a> Cx<'a> {
    fn new(
        function: &'a Function,
        signature: &Signature,
        activity: &'a Activity,
        layout: &'a Layout,
    ) -> Self {
        let mut definitions = HashMap::new();
        walk::each_stmt(&function.body, &mut |stmt| {
            for var in crate::layout::definitions(stmt) {
                definitions.insert(var, stmt);
            }
        });
        let params = function.params.iter().zip(&signature.params);
        let mutable_params = params
            .filter(|(_, param)| param.passing == Passing::RefMut)
            .map(|(id, _)| *id)
            .collect();
        Cx {
            function,
            activity,
            layout,
            mutable_params,
            definitions,
            last_use: HashMap::new(),
            reads: HashSet::new(),
            undone: HashSet::new(),
            shapes: HashSet::new(),
            swapped: swapped(function, activity),
            granted: HashMap::new(),
            uses: crate::reverse::count_flows(function),
            slopes: slopes(function),
            record: Record::default(),
        }
    }

    /// The places that active calls see again in their pullbacks.
    fn call_reads(&mut self, stmt: &'a Stmt) {
        let Stmt::Call(call) = stmt else { return };
        if !is_active_call(call, self.activity) {
            return;
        }
        let pos = self.layout.pos(stmt);
        for arg in &call.args {
            // What only the callee changes, of a type that is not known here, is state such as a
            // random number generator: no pullback reads it. Nor does it read what hides behind a
            // shared reference, such as scratch memory of a plan, which cannot be put back either.
            if let Arg::Ref { place, mutable } = arg
                && let Some(root) = place.var().and_then(|var| self.activity.origin(var))
                && (self.activity.is_active(root)
                    || !self.is_opaque(root)
                    || !(*mutable || self.is_shared(root)))
            {
                self.reads.insert((root, pos));
                self.undone.insert(root);
            }
        }
    }

    /// What the reverse of a block needs.
    fn block(&mut self, block: &'a Block) {
        for (k, stmt) in block.stmts.iter().enumerate() {
            // Branches that only leave matter for what stands behind them.
            let rest = &block.stmts[k + 1..];
            let behind = rest.iter().any(|stmt| matters(stmt, self.function, self.activity));
            if behind || does(stmt, self.function, self.activity) {
                self.stmt(stmt, rest, block.result.as_ref());
            }
            // What tells whether the rest ran is needed before the rest is reversed.
            if let (Stmt::If { cond, .. }, Some(last)) = (stmt, rest.last())
                && behind
                && !walk::stmt_exits(stmt).is_empty()
            {
                self.atom(cond, self.layout.pos(last));
            }
            for inner in walk::blocks(stmt) {
                self.block(inner);
            }
        }
    }

    /// What the reverse of a statement needs.
    fn stmt(&mut self, stmt: &'a Stmt, rest: &'a [Stmt], result: Option<&Atom>) {
        let pos = self.layout.pos(stmt);
        let behind = Behind { rest, result: result.and_then(Atom::var) };
        if !matters(stmt, self.function, self.activity) {
            return;
        }
        match stmt {
            Stmt::Let { var, value } if self.activity.is_active(*var) => {
                self.value(*var, value, pos);
            }
            Stmt::Store { place, .. } if self.activity.place(place) => self.place(place, pos),
            Stmt::Swap { a, b } => {
                self.place(a, pos);
                self.place(b, pos);
            }
            Stmt::CopyFrom { to, from, .. } if self.activity.place(to) => {
                self.place(to, pos);
                self.place(from, pos);
            }
            Stmt::Fill { to: place, .. } | Stmt::Push { place, .. }
                if self.activity.place(place) =>
            {
                self.place(place, pos);
            }
            Stmt::Permute { place, how } if self.activity.place(place) => {
                self.permutation(place, how, pos);
            }
            Stmt::Pop { var, place } if self.activity.place(place) => {
                self.place(place, pos);
                self.shape(*var, pos, behind);
            }
            Stmt::If { cond, .. } => self.atom(cond, pos),
            Stmt::Match { decision, .. } => self.need(*decision, pos),
            Stmt::For(repeat) => {
                self.atom(&repeat.range.lo, pos);
                self.atom(&repeat.range.hi, pos);
                for adaptor in &repeat.range.adaptors {
                    if let Adaptor::StepBy(step) = adaptor {
                        self.atom(step, pos);
                    }
                }
            }
            Stmt::While { trips, .. } | Stmt::Loop { trips, .. } => self.need(*trips, pos),
            Stmt::Call(call) if is_active_call(call, self.activity) => {
                for arg in &call.args {
                    if let Arg::Ref { place, .. } = arg {
                        self.place(place, pos);
                        self.contents(place, pos);
                    }
                }
                if call.again {
                    self.arguments(call, pos);
                } else {
                    self.need(call.pullback, pos);
                }
                match call.dest {
                    Some(dest) if self.activity.is_active(dest) => self.shape(dest, pos, behind),
                    // Its adjoint is 0 of its shape.
                    Some(dest) if !self.function.var(dest).ty.is_real() => self.need(dest, pos),
                    _ => {}
                }
            }
            _ => {}
        }
        // The adjoint of the result is the seed.
        if let Stmt::Let { var, .. } | Stmt::Declare { var } = stmt
            && self.activity.is_active(*var)
            && self.function.returns != Some(*var)
        {
            self.shape(*var, pos, behind);
        }
        if let Stmt::If { dest: Some(dest), .. } | Stmt::Match { dest: Some(dest), .. } = stmt
            && self.activity.is_active(*dest)
        {
            self.shape(*dest, pos, behind);
        }
    }

    /// What a call that runs again is handed, and the value that it gave.
    fn arguments(&mut self, call: &'a Call, pos: Pos) {
        for arg in &call.args {
            if let Arg::Value(atom) = arg {
                self.atom(atom, pos);
            }
        }
        if let Some(dest) = call.dest.filter(|dest| self.function.var(*dest).ty.is_real()) {
            self.need(dest, pos);
        }
    }

    fn value(&mut self, var: VarId, value: &'a Value, pos: Pos) {
        match value {
            Value::Load(place) | Value::Copy { place, .. } if self.activity.place(place) => {
                self.place(place, pos);
            }
            Value::Operator { args, .. } => {
                for (arg, _) in args {
                    self.atom(arg, pos);
                }
            }
            _ if self.slopes.contains_key(&var) => self.need(self.slopes[&var], pos),
            _ => {
                for (atom, partial) in partials(value) {
                    if self.activity.atom(atom) {
                        let (args, result) = partial.uses();
                        let all = walk::operands(value);
                        for k in args {
                            self.atom(all[k], pos);
                        }
                        if result {
                            self.need(var, pos);
                        }
                    }
                }
            }
        }
    }

    /// What begins the adjoint of a variable that is defined at `pos`.
    fn shape(&mut self, var: VarId, pos: Pos, behind: Behind<'a>) {
        if crate::reverse::begins_with_its_use(self.function, &self.uses, var)
            && Self::is_used_beside(var, behind)
        {
            return;
        }
        let mut pos = pos;
        if self.function.var(var).ty.is_opaque() {
            // It may have another variant or length where something else was written to its place.
            let given = |_: &&Stmt| behind.result == Some(var);
            let last = behind.rest.last().filter(given);
            let last = last.or(behind.rest.iter().rfind(|stmt| self.flows_to(stmt, var)));
            pos = last.map_or(pos, |last| self.layout.end(self.layout.pos(last)));
        }
        match shape(self.function, self.activity, &self.definitions, var) {
            Shape::Scalar | Shape::Literal { .. } | Shape::Struct(_) => {}
            Shape::Repeat { len, .. } => self.atom(&len, pos),
            Shape::Like(place) => {
                self.place(&place, pos);
                self.contents(&place, pos);
            }
            Shape::Itself => {
                let info = self.function.var(var);
                if info.mutable {
                    self.shapes.insert(var);
                } else {
                    self.need(var, pos);
                }
            }
        }
    }

    /// Whether `var` is used in the block of its definition, not in a branch, a loop, or behind an exit.
    fn is_used_beside(var: VarId, behind: Behind<'a>) -> bool {
        let flows = |stmt: &&Stmt| crate::reverse::flows_from(stmt).contains(&var);
        let using = behind.rest.iter().position(|stmt| flows(&stmt));
        let reached = &behind.rest[..using.unwrap_or(behind.rest.len())];
        reached.iter().all(|stmt| walk::stmt_exits(stmt).is_empty())
            && match using {
                Some(at) => !matches!(behind.rest[at], Stmt::If { .. } | Stmt::Match { .. }),
                None => behind.result == Some(var),
            }
    }

    /// Whether the reverse of a statement, or of one inside of it, adds to the adjoint of `var`.
    fn flows_to(&self, stmt: &Stmt, var: VarId) -> bool {
        let here = |stmt: &Stmt| {
            let flows = crate::reverse::flows_from(stmt).into_iter().chain(walk::writes(stmt));
            flows.into_iter().any(|flow| self.activity.origin(flow).unwrap_or(flow) == var)
        };
        let mut found = here(stmt);
        for block in walk::blocks(stmt) {
            walk::each_stmt(block, &mut |stmt| found |= here(stmt));
        }
        found
    }

    fn atom(&mut self, atom: &Atom, pos: Pos) {
        if let Atom::Var(var) = atom {
            self.need(*var, pos);
        }
    }

    /// The indices of a place, and of the references it goes through.
    fn place(&mut self, place: &Place, pos: Pos) {
        for atom in walk::indices(place) {
            self.atom(atom, pos);
        }
        let Some(root) = place.var() else { return };
        match self.definitions.get(&root) {
            Some(Stmt::Borrow { place, .. }) => self.place(place, pos),
            Some(Stmt::Split { place, mid, .. }) => {
                self.atom(mid, pos);
                self.place(place, pos);
            }
            _ => {}
        }
    }

    /// What inverts a permutation.
    fn permutation(&mut self, place: &Place, how: &Permutation, pos: Pos) {
        self.place(place, pos);
        if let Some(operand) = walk::permutation_operand(how) {
            self.atom(operand, pos);
        }
    }

    /// A local aggregate that never changes is a value like any other.
    fn contents(&mut self, place: &Place, pos: Pos) {
        if let Some(var) = place.var()
            && let root = self.activity.origin(var).unwrap_or(var)
            && !self.function.var(root).mutable
            && self.layout.definition(root).is_some()
        {
            self.need(root, pos);
        }
    }

    /// The reverse of the statement at `pos` needs `var`.
    fn need(&mut self, var: VarId, pos: Pos) {
        let at = self.layout.beside_definition(var, pos);
        let known = self.last_use.get(&var).copied();
        if known.is_some_and(|known| known >= at) {
            return;
        }
        self.last_use.insert(var, at);
        let avail = if self.is_free(var) {
            Avail::Free
        } else if self.record.avail.get(&var) != Some(&Avail::Record) && self.recomputable(var, at)
        {
            Avail::Recompute
        } else {
            Avail::Record
        };
        self.record.avail.insert(var, avail);
        if avail == Avail::Recompute
            && let Some(Stmt::If { cond, then, otherwise, .. }) = self.definitions.get(&var)
        {
            for operand in outer_operands(cond, [then, otherwise]) {
                self.need(operand, at);
            }
        }
        if avail == Avail::Recompute
            && let Some(Stmt::Let { value, .. }) = self.definitions.get(&var)
        {
            for atom in walk::operands(value) {
                self.atom(atom, at);
            }
            if let Some(place) = walk::source(value) {
                self.place(place, at);
                let length = matches!(value, Value::Length { .. });
                let root = place.var().and_then(|var| self.activity.origin(var));
                if let (Some(root), false) = (root, length) {
                    self.reads.insert((root, at));
                    self.contents(place, at);
                }
            }
        }
    }

    /// Whether an operand is there for a recomputation.
    fn is_there(&self, operand: VarId) -> bool {
        self.is_free(operand) || self.record.avail.get(&operand) == Some(&Avail::Record)
    }

    fn is_free(&self, var: VarId) -> bool {
        let info = self.function.var(var);
        let captured = self.layout.under(var) == Under::Function && info.role == Role::Local;
        match self.definitions.get(&var) {
            None => true,
            Some(Stmt::For(repeat)) => repeat.index == var,
            Some(Stmt::Let { .. }) => captured && !info.mutable && info.ty.is_copy(),
            Some(_) => false,
        }
    }

    /// Whether computing `var` again in front of the reverse of the statement at `at` gives the
    /// same value for little. Each operand is asked once, however many paths lead to it.
    fn recomputable(&mut self, var: VarId, at: Pos) -> bool {
        if self.granted.get(&var) == Some(&at) {
            return true;
        }
        let mut seen = HashSet::from([var]);
        let mut pending = vec![var];
        while let Some(var) = pending.pop() {
            let Some(operands) = self.recipe(var, at) else { return false };
            pending.extend(
                operands.into_iter().filter(|var| !self.is_there(*var) && seen.insert(*var)),
            );
        }
        // All of them would be granted the same.
        self.granted.extend(seen.into_iter().map(|var| (var, at)));
        true
    }

    /// From what `var` is computed again, if its own definition allows that.
    fn recipe(&self, var: VarId, at: Pos) -> Option<Vec<VarId>> {
        let info = self.function.var(var);
        match self.definitions.get(&var)? {
            Stmt::Let { value, .. } => {
                let holds = walk::source(value).is_none_or(|place| self.holds(var, place, at));
                (!info.mutable && is_cheap(value, &info.ty) && holds)
                    .then(|| walk::operands(value).into_iter().filter_map(Atom::var).collect())
            }
            Stmt::If { cond, then, otherwise, .. } => {
                let choice = [then, otherwise]
                    .into_iter()
                    .all(|block| is_choice_of_integers(self.function, block));
                (choice && info.ty == Ty::Discrete)
                    .then(|| outer_operands(cond, [then, otherwise]).into_iter().collect())
            }
            _ => None,
        }
    }
}
