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

use crate::activity::{Activity, operator};
use crate::ir::*;
use crate::layout::{Layout, Pos, Under};
use crate::rules::{self, Rule};
use crate::signature::{Passing, Signature};
use crate::walk;
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
    /// How often adjoints are added to.
    uses: HashMap<VarId, usize>,
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
            uses: crate::reverse::count_flows(function),
            record: Record::default(),
        }
    }

    /// One variable for all that swaps exchange with `root`.
    fn class(&self, root: VarId) -> VarId {
        self.swapped.get(&root).copied().unwrap_or(root)
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
            // random number generator: no pullback reads it.
            if let Arg::Ref { place, mutable } = arg
                && let Some(root) = place.var().and_then(|var| self.activity.origin(var))
                && !(*mutable && !self.activity.is_active(root) && self.is_opaque(root))
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
                self.stmt(stmt);
            }
            for inner in walk::blocks(stmt) {
                self.block(inner);
            }
        }
    }

    /// What the reverse of a statement needs.
    fn stmt(&mut self, stmt: &'a Stmt) {
        let pos = self.layout.pos(stmt);
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
            Stmt::Fill { to, .. } if self.activity.place(to) => self.place(to, pos),
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
                self.need(call.pullback, pos);
                if let Some(dest) = call.dest
                    && self.activity.is_active(dest)
                {
                    self.shape(dest, pos);
                }
            }
            _ => {}
        }
        if let Stmt::Let { var, .. } | Stmt::Declare { var } = stmt
            && self.activity.is_active(*var)
        {
            self.shape(*var, pos);
        }
        if let Stmt::If { dest: Some(dest), .. } | Stmt::Match { dest: Some(dest), .. } = stmt
            && self.activity.is_active(*dest)
        {
            self.shape(*dest, pos);
        }
    }

    fn value(&mut self, var: VarId, value: &'a Value, pos: Pos) {
        match value {
            Value::Load(place) | Value::Copy { place, .. } if self.activity.place(place) => {
                self.place(place, pos);
            }
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

    /// What begins the adjoint of a variable.
    fn shape(&mut self, var: VarId, pos: Pos) {
        if crate::reverse::begins_with_its_use(self.function, &self.uses, var) {
            return;
        }
        match shape(self.function, self.activity, &self.definitions, var) {
            Shape::Scalar | Shape::Literal { .. } => {}
            Shape::Repeat { len, .. } => self.atom(&len, pos),
            Shape::Like(place) => self.place(&place, pos),
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

    /// A local aggregate that never changes is a value like any other.
    fn contents(&mut self, place: &Place, pos: Pos) {
        if let Some(root) = place.var().and_then(|var| self.activity.origin(var))
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
        } else if self.record.avail.get(&var) != Some(&Avail::Record) && self.recomputable(var, at) {
            Avail::Recompute
        } else {
            Avail::Record
        };
        self.record.avail.insert(var, avail);
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
    /// same value for little.
    fn recomputable(&self, var: VarId, at: Pos) -> bool {
        let Some(Stmt::Let { value, .. }) = self.definitions.get(&var) else { return false };
        if self.function.var(var).mutable || !is_cheap(value, &self.function.var(var).ty) {
            return false;
        }
        if let Some(place) = walk::source(value)
            && !self.holds(var, place, at)
        {
            return false;
        }
        walk::operands(value).into_iter().filter_map(Atom::var).all(|operand| {
            self.is_free(operand)
                || self.record.avail.get(&operand) == Some(&Avail::Record)
                || self.recomputable(operand, at)
        })
    }

    /// Whether `place`, read by the definition of `var`, still has those contents (or has them
    /// again) in front of the reverse of the statement at `at`.
    fn holds(&self, var: VarId, place: &Place, at: Pos) -> bool {
        let Some(root) = place.var() else { return true };
        // A reference is made again from its place.
        let Some(root) = self.activity.origin(root) else { return true };
        if let Some(Stmt::Let { value: Value::Length { .. }, .. }) = self.definitions.get(&var) {
            // Slices keep their length; so does a `Vec` that nothing else is assigned to.
            let whole = |pos: &Pos| self.layout.definition(root) != Some(*pos);
            return !self.resizable(root)
                || self.writes(root).iter().filter(|pos| whole(pos)).count() == 0;
        }
        let read = self.layout.definition(var).expect("a local has a definition");
        let last = self.layout.end(at);
        let in_scope = self.definitions.get(&root).is_none()
            || self.layout.under(root) == Under::Function
            || !self.is_plain(root);
        let undone = !self.is_plain(root) && self.is_undone(root);
        in_scope
            && self.writes(root).iter().all(|write| {
                let between = read < *write && *write <= last;
                let later = *write > read || self.layout.share_loop(read, *write, root);
                if undone { !between } else { !later }
            })
    }

    fn is_opaque(&self, root: VarId) -> bool {
        *self.function.var(root).ty.peeled() == Ty::Unknown
    }

    fn resizable(&self, root: VarId) -> bool {
        fn heap(ty: &Ty) -> bool {
            match ty {
                Ty::Array { heap, elem } => *heap || heap_in(elem),
                Ty::Slice(elem) => heap_in(elem),
                Ty::Ref { to, .. } => heap(to),
                Ty::Tuple(parts) => parts.iter().any(heap),
                Ty::Unknown => true,
                Ty::Float | Ty::Generic | Ty::Discrete | Ty::Unit => false,
            }
        }
        fn heap_in(elem: &Ty) -> bool {
            heap(elem)
        }
        heap(&self.function.var(root).ty)
    }

    /// A scalar variable that is only ever assigned as a whole: its values are recorded where they
    /// are read, and it is not there in the reverse sweep.
    fn is_plain(&self, root: VarId) -> bool {
        is_plain(self.function, self.activity, root)
    }

    /// Whether writes to `root` are undone where the reverse sweep reads it.
    fn is_undone(&self, root: VarId) -> bool {
        let same = |other: &VarId| self.class(*other) == self.class(root);
        self.activity.is_active(root) || self.undone.iter().any(same)
    }

    fn writes(&self, root: VarId) -> Vec<Pos> {
        self.layout.writes_to(|var| self.activity.origin(var) == Some(root))
    }

    fn undo_writes(&mut self) {
        let mut statements: Vec<&'a Stmt> = Vec::new();
        walk::each_stmt(&self.function.body, &mut |stmt| {
            if !walk::writes(stmt).is_empty() {
                statements.push(stmt);
            }
        });
        for stmt in statements {
            let pos = self.layout.pos(stmt);
            let mut wanted: Option<When> = None;
            for var in walk::writes(stmt) {
                let Some(root) = self.activity.origin(var) else { continue };
                if self.is_plain(root) {
                    continue;
                }
                let read = self.reads.iter().any(|(read, at)| {
                    self.class(*read) == self.class(root)
                        && (*at < pos || self.layout.share_loop(*at, pos, root))
                });
                let undone = self.is_undone(root);
                let when = if read && undone {
                    Some(When::Always)
                } else if self.mutable_params.contains(&root) && !self.is_opaque(root) {
                    Some(When::Restored)
                } else {
                    None
                };
                wanted = match (wanted, when) {
                    (Some(When::Always), _) | (_, Some(When::Always)) => Some(When::Always),
                    (a, b) => a.or(b),
                };
            }
            let Some(when) = wanted else { continue };
            if let Stmt::Call(call) = stmt {
                if is_active_call(call, self.activity) {
                    let restoring = match when {
                        When::Always => Restoring::Restored,
                        When::Restored => Restoring::Inherit,
                    };
                    self.record.restored.insert(pos, restoring);
                    continue;
                }
                for arg in &call.args {
                    if let Arg::Ref { place, mutable: true } = arg {
                        self.place(place, pos);
                    }
                }
            }
            self.record.undo.insert(pos, when);
            match stmt {
                Stmt::Store { place, .. } => self.place(place, pos),
                Stmt::CopyFrom { to, .. } | Stmt::Fill { to, .. } => self.place(to, pos),
                _ => {}
            }
        }
    }

    /// Local memory in inner blocks that the reverse sweep reads, or takes shapes from.
    fn keep_memory(&mut self) {
        let read: HashSet<VarId> = self.reads.iter().map(|(root, _)| *root).collect();
        for (k, info) in self.function.vars.iter().enumerate() {
            let var = VarId(k);
            let undone = self.writes(var).iter().any(|pos| self.record.undo.contains_key(pos));
            let wanted = read.contains(&var) || undone || self.shapes.contains(&var);
            if wanted && info.role == Role::Local && info.mutable && !self.is_plain(var) {
                self.record.keep.insert(var);
            }
        }
    }
}

/// For each variable that takes part in a swap, one that stands for all it may exchange with.
fn swapped(function: &Function, activity: &Activity) -> HashMap<VarId, VarId> {
    let mut classes: HashMap<VarId, VarId> = HashMap::new();
    walk::each_stmt(&function.body, &mut |stmt| {
        let Stmt::Swap { a, b } = stmt else { return };
        let root = |place: &Place| place.var().and_then(|var| activity.origin(var));
        let (Some(a), Some(b)) = (root(a), root(b)) else { return };
        let (a_class, b_class) =
            (*classes.get(&a).unwrap_or(&a), *classes.get(&b).unwrap_or(&b));
        classes.insert(a, a_class);
        classes.insert(b, b_class);
        classes.values_mut().filter(|class| **class == b_class).for_each(|class| *class = a_class);
    });
    classes
}

/// Whether a variable is a scalar that is only ever assigned as a whole.
pub fn is_plain(function: &Function, activity: &Activity, root: VarId) -> bool {
    let info = function.var(root);
    if info.role == Role::Alias || matches!(info.ty, Ty::Ref { .. }) {
        return false;
    }
    let mut plain = !matches!(info.ty, Ty::Array { .. } | Ty::Slice(_) | Ty::Tuple(_));
    walk::each_stmt(&function.body, &mut |stmt| match stmt {
        Stmt::Store { place, .. } if place.var() == Some(root) => plain &= place.path.is_empty(),
        Stmt::Swap { .. } | Stmt::CopyFrom { .. } | Stmt::Fill { .. } => {
            plain &= !walk::writes(stmt).contains(&root);
        }
        Stmt::Borrow { mutable: true, place, .. } | Stmt::Split { mutable: true, place, .. } => {
            plain &= place.var().and_then(|var| activity.origin(var)) != Some(root);
        }
        Stmt::Borrow { place, .. } => plain &= place.var() != Some(root),
        Stmt::Call(call) => {
            for arg in &call.args {
                if let Arg::Ref { place, .. } = arg {
                    plain &= place.var() != Some(root);
                }
            }
        }
        _ => {}
    });
    plain
}

/// Whether reversing a statement may do anything, or tells what else is reversed.
pub fn matters(stmt: &Stmt, function: &Function, activity: &Activity) -> bool {
    !walk::stmt_exits(stmt).is_empty() || does(stmt, function, activity)
}

/// Whether reversing a statement may do anything.
fn does(stmt: &Stmt, function: &Function, activity: &Activity) -> bool {
    let own = match stmt {
        Stmt::Let { var, .. } | Stmt::Declare { var } => {
            activity.is_active(*var) || carried_writes(stmt).next().is_some()
        }
        Stmt::Store { place, .. } | Stmt::Fill { to: place, .. } => {
            activity.place(place) || !is_plain_place(place, function, activity)
        }
        Stmt::Swap { .. } | Stmt::CopyFrom { .. } => true,
        Stmt::Call(call) => {
            is_active_call(call, activity) || carried_writes(stmt).next().is_some()
        }
        Stmt::Verbatim { .. } => carried_writes(stmt).next().is_some(),
        Stmt::If { dest: Some(dest), .. } | Stmt::Match { dest: Some(dest), .. } => {
            activity.is_active(*dest)
        }
        _ => false,
    };
    let inner = |block: &Block| block.stmts.iter().any(|stmt| does(stmt, function, activity));
    let conditions = match stmt {
        Stmt::While { body, .. } => return inner(body),
        _ => walk::blocks(stmt),
    };
    own || conditions.into_iter().any(inner)
}

/// The places that code without derivative may write: verbatim code, calls of any function.
pub fn carried_writes(stmt: &Stmt) -> impl Iterator<Item = Place> {
    let places: Vec<Place> = match stmt {
        Stmt::Call(call) => {
            let refs = call.args.iter().filter_map(|arg| match arg {
                Arg::Ref { place, mutable: true } => Some(place.clone()),
                _ => None,
            });
            refs.collect()
        }
        Stmt::Verbatim { code, .. } | Stmt::Let { value: Value::Verbatim(code), .. } => {
            code.changes.iter().map(|var| Place::of(*var)).collect()
        }
        _ => Vec::new(),
    };
    places.into_iter()
}

fn is_plain_place(place: &Place, function: &Function, activity: &Activity) -> bool {
    place.var().and_then(|var| activity.origin(var)).is_none_or(|root| {
        is_plain(function, activity, root)
    })
}

/// Whether a call has a pullback: something active goes in or out.
pub fn is_active_call(call: &Call, activity: &Activity) -> bool {
    let args = call.args.iter().any(|arg| match arg {
        Arg::Value(atom) => activity.atom(atom),
        Arg::Ref { place, .. } => activity.place(place),
    });
    args || call.dest.is_some_and(|dest| activity.is_active(dest))
}

/// How the adjoint of `var` begins.
pub fn shape(
    function: &Function,
    activity: &Activity,
    definitions: &HashMap<VarId, &Stmt>,
    var: VarId,
) -> Shape {
    if function.var(var).ty.is_real() {
        return Shape::Scalar;
    }
    let Some(Stmt::Let { value, .. }) = definitions.get(&var) else { return Shape::Itself };
    let scalar = |atom: &Atom| match atom {
        Atom::Var(id) => function.var(*id).ty.is_real(),
        Atom::Text(_, ty) => ty.is_real(),
    };
    match value {
        Value::Repeat { elem, len, heap } if scalar(elem) => {
            Shape::Repeat { len: len.clone(), heap: *heap }
        }
        Value::Array { elems, heap } if elems.iter().all(scalar) => {
            Shape::Literal { len: elems.len(), tuple: false, heap: *heap }
        }
        Value::Tuple(elems) if elems.iter().all(scalar) => {
            Shape::Literal { len: elems.len(), tuple: true, heap: false }
        }
        Value::Load(place) | Value::Copy { place, .. } => {
            let root = place.var().and_then(|var| activity.origin(var));
            match root {
                Some(root) if function.params.contains(&root) && !function.var(root).mutable => {
                    Shape::Like(place.clone())
                }
                _ => Shape::Itself,
            }
        }
        _ => Shape::Itself,
    }
}

/// The partial of a value by one of its operands.
#[derive(Clone, Copy, Debug)]
pub enum Partial {
    /// `±1`.
    Sign(i8),
    /// From the table.
    Rule(&'static Rule, usize),
}

impl Partial {
    /// The operands that it mentions, and whether it mentions the result.
    pub fn uses(&self) -> (Vec<usize>, bool) {
        let Partial::Rule(rule, arg) = self else { return (Vec::new(), false) };
        let words: HashSet<&str> =
            rule.partials[*arg].split(|c: char| !(c.is_alphanumeric() || c == '_')).collect();
        let names = rule.args.iter().chain(rule.others);
        let args = names.enumerate().filter(|(_, name)| words.contains(**name)).map(|(k, _)| k);
        (args.collect(), words.contains(rule.result))
    }
}

/// The operands of a value that have partials, with them. Aggregates have none here.
pub fn partials(value: &Value) -> Vec<(&Atom, Partial)> {
    match value {
        Value::Atom(a) | Value::Cast(a, _) => vec![(a, Partial::Sign(1))],
        Value::Unary(syn::UnOp::Neg(_), a) => vec![(a, Partial::Sign(-1))],
        Value::Binary(op, a, b) => match operator(op) {
            Some(rule) => by_rule(rule, vec![a, b]),
            None => Vec::new(),
        },
        Value::Method { name, args } => match rules::lookup(&name.to_string()) {
            Some(rule) => by_rule(rule, args.iter().collect()),
            None => Vec::new(),
        },
        _ => Vec::new(),
    }
}

fn by_rule<'a>(rule: &'static Rule, args: Vec<&'a Atom>) -> Vec<(&'a Atom, Partial)> {
    let mut found = Vec::new();
    for (k, arg) in args.into_iter().take(rule.args.len()).enumerate() {
        let partial = match rule.partials[k] {
            "0.0" => continue,
            "1.0" => Partial::Sign(1),
            "-1.0" => Partial::Sign(-1),
            _ => Partial::Rule(rule, k),
        };
        found.push((arg, partial));
    }
    found
}

/// Whether computing a value again costs about as much as reading it from a stack.
fn is_cheap(value: &Value, ty: &Ty) -> bool {
    match value {
        Value::Atom(_)
        | Value::Unary(..)
        | Value::Cast(..)
        | Value::Length { .. }
        | Value::Function { .. } => true,
        Value::Load(_) => ty.is_copy() || *ty == Ty::Unknown,
        Value::Binary(op, ..) => {
            *ty == Ty::Discrete || !matches!(op, syn::BinOp::Div(_) | syn::BinOp::Rem(_))
        }
        Value::Method { name, .. } => {
            let cheap = ["abs", "max", "min", "mul_add", "to_radians", "to_degrees", "clamp"];
            *ty == Ty::Discrete || cheap.iter().any(|known| name == known)
        }
        Value::Copy { .. }
        | Value::Array { .. }
        | Value::Repeat { .. }
        | Value::Tuple(_)
        | Value::Verbatim(_)
        | Value::Reverse(_) => false,
    }
}

