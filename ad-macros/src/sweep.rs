//! Primal IR → forward sweep: the user's statements, and what they leave for the reverse sweep.
//!
//! What is recorded in a loop goes to a stack per save site; in a branch, to a variable declared in
//! front of everything (scalars) or a slot; elsewhere the pullback captures it. Whatever leaves a
//! scope (the end of its block, `break`, `continue`, `return`) first records what the scope holds.

mod forward;

pub use forward::forward_sweep;

use crate::activity::Activity;
use crate::ir::*;
use crate::lambda::Lambdas;
use crate::layout::{Layout, Pos, Under};
use crate::names::Names;
use crate::record::{Record, is_plain, matters};
use crate::walk;
use proc_macro2::{Ident, Span};
use std::collections::HashMap;

/// Both sweeps of a function, and the names that they share.
pub struct Sweeps {
    /// The function, with the variables that the sweeps add.
    pub function: Function,
    /// The forward sweep.
    pub forward: Block,
    /// The reverse sweep.
    pub reverse: Block,
    /// Stacks, in the order of their save sites.
    pub stacks: Vec<Ident>,
    /// Slots.
    pub slots: Vec<Ident>,
    /// Variables that are declared in front of the forward sweep.
    pub hoisted: Vec<VarId>,
    /// Adjoint variables.
    pub adjoints: HashMap<VarId, Ident>,
    /// Whether the adjoint of a by-value parameter ever received anything.
    pub begun: Vec<VarId>,
    /// Parameters of which zeros are returned, since nothing flows to them.
    pub untouched: Vec<VarId>,
    /// The name under which the pullback takes the seed.
    pub seed: Ident,
    /// `&mut` parameters whose primal the reverse sweep may change when nobody asked for it.
    pub disturbed: Vec<VarId>,
    /// The closures that are handed to calls.
    pub lambdas: Lambdas,
    /// The tangent of the result, if the forward sweep computes one.
    pub tangent: Option<Atom>,
    /// The variables that hold the tangents of others.
    pub tangents: HashMap<VarId, VarId>,
    /// The names that sweeps with tangents add. The modes of a function name them alike, so they are not
    /// taken for all of them.
    pub names: Names,
}

impl Sweeps {
    /// The name of the tangent of the seed.
    pub fn seed_tangent(&self) -> Ident {
        let result = self.adjoints.iter().find(|(_, name)| **name == self.seed);
        let tangent = result.and_then(|(var, _)| self.adjoints.get(self.tangents.get(var)?));
        let own = self.seed_var().and_then(|var| self.tangents.get(&var));
        let own = own.map(|tangent| &self.function.var(*tangent).name);
        let unused = || Ident::new("seed_tan", Span::mixed_site());
        tangent.or(own).cloned().unwrap_or_else(unused)
    }

    /// The variable of the seed, if it is not the adjoint of another one.
    pub fn seed_var(&self) -> Option<VarId> {
        self.function.vars.iter().position(|var| var.name == self.seed).map(VarId)
    }

    /// Sweeps of a function that only runs forward.
    pub fn forward_only(function: Function, forward: Block, lambdas: Lambdas) -> Self {
        Sweeps {
            function,
            forward,
            reverse: Block::default(),
            stacks: Vec::new(),
            slots: Vec::new(),
            hoisted: Vec::new(),
            adjoints: HashMap::new(),
            begun: Vec::new(),
            untouched: Vec::new(),
            seed: Ident::new("seed", Span::mixed_site()),
            disturbed: Vec::new(),
            lambdas,
            tangent: None,
            tangents: HashMap::new(),
            names: Names::default(),
        }
    }
}

/// Where the values of a save site go.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Storage {
    /// Nowhere: the pullback captures the variable.
    Captured,
    /// The variable is declared in front.
    Hoisted,
    /// An `Option`.
    Slot,
    /// A stack.
    Stack,
}

/// What both sweeps need to know.
pub struct Shared<'a> {
    /// The analyses.
    pub activity: &'a Activity,
    /// Positions.
    pub layout: &'a Layout,
    /// Decisions.
    pub record: &'a Record,
    /// The function being transformed; its body stays, variables are added.
    pub primal: &'a Function,
    /// The variables, added ones included.
    pub vars: Vec<Var>,
    /// Fresh names.
    pub names: &'a mut Names,
    tapes: HashMap<Site, Ident>,
    stacks: Vec<Ident>,
    slots: Vec<Ident>,
    hoisted: Vec<VarId>,
    ends: HashMap<LoopId, VarId>,
    /// The flag that tells whether control came past the statement at a position.
    flags: HashMap<Pos, VarId>,
}

/// What a tape is for.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Site {
    Var(VarId),
    Write(Pos, usize),
}

impl<'a> Shared<'a> {
    /// A transformation of `primal`.
    pub fn new(
        primal: &'a Function,
        activity: &'a Activity,
        layout: &'a Layout,
        record: &'a Record,
        names: &'a mut Names,
    ) -> Self {
        Shared {
            activity,
            layout,
            record,
            primal,
            vars: primal.vars.clone(),
            names,
            tapes: HashMap::new(),
            stacks: Vec::new(),
            slots: Vec::new(),
            hoisted: Vec::new(),
            ends: HashMap::new(),
            flags: HashMap::new(),
        }
    }

    /// Whether what `load` read may be written between that and the write to `place` at `pos`.
    pub fn written_between(&self, load: VarId, pos: Pos, place: &Place) -> bool {
        let root = place.var().and_then(|var| self.activity.origin(var));
        let from = self.layout.definition(load).expect("a load is a statement");
        let same = |var: VarId| self.activity.origin(var) == root;
        self.layout.writes_to(same).into_iter().any(|write| from < write && write < pos)
    }

    /// Whether writes of code without derivative to `place` are undone.
    pub fn undoes(&self, place: &Place) -> bool {
        let root = place.var().and_then(|var| self.activity.origin(var));
        root.is_some_and(|root| !is_plain(self.primal, self.activity, root))
    }

    /// Whether the reverse of a statement may do anything.
    pub fn matters(&self, stmt: &Stmt) -> bool {
        matters(stmt, self.primal, self.activity)
    }

    /// A variable made by the transformation.
    pub fn new_var(&mut self, wish: &str, ty: Ty, span: Span) -> VarId {
        let name = self.names.fresh(wish, span);
        let (role, mutable) = (Role::Local, true);
        self.push_var(name, ty, role, mutable, span)
    }

    /// A temporary of the transformation.
    pub fn new_temp(&mut self, wish: &str, ty: Ty, span: Span) -> VarId {
        let name = Ident::new(wish, Span::mixed_site().located_at(span));
        let (role, mutable) = (Role::Temp, false);
        self.push_var(name, ty, role, mutable, span)
    }

    fn push_var(&mut self, name: Ident, ty: Ty, role: Role, mutable: bool, span: Span) -> VarId {
        let (by_pattern, once, carried, written) = (false, false, false, None);
        self.vars.push(Var { name, ty, role, mutable, by_pattern, once, carried, written, span });
        VarId(self.vars.len() - 1)
    }

    /// Where a recorded variable goes.
    pub fn storage(&self, var: VarId) -> Storage {
        let under = self.layout.under(var);
        let info = &self.vars[var.0];
        match under {
            Under::Function => Storage::Captured,
            Under::Branch if info.ty.is_real() || info.ty == Ty::Discrete => Storage::Hoisted,
            Under::Branch => Storage::Slot,
            Under::Loop => Storage::Stack,
        }
    }

    /// The tape of a variable's save site.
    pub fn var_tape(&mut self, var: VarId) -> Tape {
        let slot = self.storage(var) == Storage::Slot;
        let info = &self.vars[var.0];
        let (name, span) = (info.name.clone(), info.span);
        let base = match info.role {
            Role::Temp => self.describe(var),
            _ => plain_name(&name),
        };
        self.tape(Site::Var(var), slot, &base, span)
    }

    /// A word for what a temporary holds.
    fn describe(&self, var: VarId) -> String {
        let mut found = "value".to_owned();
        walk::each_stmt(&self.primal.body, &mut |stmt| match stmt {
            Stmt::Let { var: defined, value } if *defined == var => {
                found = match value {
                    Value::Load(place) => match place.var() {
                        Some(root) => plain_name(&self.vars[root.0].name),
                        None => "constant".to_owned(),
                    },
                    Value::Method { name, .. } => plain_name(name),
                    Value::Binary(op, ..) => operation(op).to_owned(),
                    _ => "value".to_owned(),
                };
            }
            Stmt::Pop { var: popped, .. } if *popped == var => found = "popped".to_owned(),
            Stmt::Call(call) if call.dest == Some(var) => {
                found = plain_name(call.callee.name());
            }
            _ => {}
        });
        found
    }

    /// The tape of what a write overwrites.
    pub fn write_tape(&mut self, pos: Pos, second: usize, place: &Place, under: Under) -> Tape {
        let (base, span) = match place.var() {
            Some(var) => (plain_name(&self.vars[var.0].name), self.vars[var.0].span),
            None => ("place".to_owned(), Span::call_site()),
        };
        let slot = under != Under::Loop;
        self.tape(Site::Write(pos, second), slot, &format!("{base}_old"), span)
    }

    fn tape(&mut self, site: Site, slot: bool, base: &str, span: Span) -> Tape {
        if !self.tapes.contains_key(&site) {
            let wish = if slot { format!("{base}_kept") } else { format!("{base}_values") };
            let name = self.names.fresh(&wish, span);
            if slot { &mut self.slots } else { &mut self.stacks }.push(name.clone());
            self.tapes.insert(site, name);
        }
        let name = self.tapes[&site].clone();
        if slot { Tape::Slot(name) } else { Tape::Stack(name) }
    }

    /// Where the trips of a counted loop that may break end: the end of its range, or a count.
    pub fn end_of(&mut self, repeat: &ForLoop) -> VarId {
        if let Some(end) = self.ends.get(&repeat.id) {
            return *end;
        }
        let span = self.vars[repeat.index.0].span;
        let wish = if repeat.range.is_plain() { "end" } else { "trips" };
        let end = self.new_var(wish, Ty::Discrete, span);
        self.ends.insert(repeat.id, end);
        end
    }

    /// The flag that control came past the statement at `pos`.
    pub fn flag_of(&mut self, pos: Pos, under: Under, span: Span) -> (VarId, Option<Tape>) {
        let flag = match self.flags.get(&pos) {
            Some(flag) => *flag,
            None => {
                let flag = self.new_var("reached", Ty::Discrete, span);
                if under != Under::Loop {
                    self.hoisted.push(flag);
                }
                self.flags.insert(pos, flag);
                flag
            }
        };
        if under != Under::Loop {
            return (flag, None);
        }
        let tape =
            self.tape(Site::Var(flag), false, &plain_name(&self.vars[flag.0].name.clone()), span);
        (flag, Some(tape))
    }

    /// What a block runs under, judged by a position in it.
    pub fn under(&self, pos: Pos) -> Under {
        self.layout.under_pos(pos)
    }

    /// Puts the parts together.
    pub fn finish(self, forward: Block, reverse: ReverseParts, lambdas: Lambdas) -> Sweeps {
        let mut function = self.primal.clone();
        function.vars = self.vars;
        Sweeps {
            function,
            forward,
            reverse: reverse.block,
            stacks: self.stacks,
            slots: self.slots,
            hoisted: self.hoisted,
            adjoints: reverse.adjoints,
            begun: reverse.begun,
            untouched: reverse.untouched,
            seed: reverse.seed,
            disturbed: reverse.disturbed,
            lambdas,
            tangent: None,
            tangents: HashMap::new(),
            names: Names::default(),
        }
    }
}

/// What the reverse sweep contributes to [`Sweeps`].
pub struct ReverseParts {
    /// The block.
    pub block: Block,
    /// See [`Sweeps::adjoints`].
    pub adjoints: HashMap<VarId, Ident>,
    /// See [`Sweeps::begun`].
    pub begun: Vec<VarId>,
    /// See [`Sweeps::untouched`].
    pub untouched: Vec<VarId>,
    /// See [`Sweeps::seed`].
    pub seed: Ident,
    /// See [`Sweeps::disturbed`].
    pub disturbed: Vec<VarId>,
}

fn operation(op: &syn::BinOp) -> &'static str {
    use syn::BinOp;
    match op {
        BinOp::Add(_) => "sum",
        BinOp::Sub(_) => "difference",
        BinOp::Mul(_) => "product",
        BinOp::Div(_) => "quotient",
        BinOp::Rem(_) => "remainder",
        _ => "test",
    }
}

fn plain_name(name: &Ident) -> String {
    crate::names::plain(name)
}

/// Whether control passes a statement unless it ran a branch that leaves: then the branch taken
/// tells what ran behind it. Gives, for an `if`, whether the branch that goes on is `then`.
pub fn one_sided(stmt: &Stmt) -> Option<bool> {
    let Stmt::If { then, otherwise, .. } = stmt else {
        return None;
    };
    let leaves = |block: &Block| walk::diverges(block);
    let stays = |block: &Block| walk::exits(block).is_empty();
    match () {
        () if leaves(then) && stays(otherwise) => Some(false),
        () if stays(then) && leaves(otherwise) => Some(true),
        () => None,
    }
}

impl Shared<'_> {
    /// The tape of a loop's count, if it runs in another loop.
    pub fn count_tape(&mut self, pos: Pos, trips: VarId) -> Option<Tape> {
        if self.under(pos) != Under::Loop {
            return None;
        }
        let info = &self.vars[trips.0];
        let (base, span) = (plain_name(&info.name), info.span);
        Some(self.tape(Site::Var(trips), false, &base, span))
    }
}

/// Whether a counted loop may end before its last trip.
pub fn counts_trips(stmt: &Stmt) -> bool {
    let Stmt::For(repeat) = stmt else {
        return false;
    };
    walk::exits(&repeat.body).iter().any(|exit| match exit {
        Exit::Continue(id) => *id != repeat.id,
        Exit::Break(_) | Exit::Return => true,
    })
}
