//! Which variables carry derivatives: varied (they depend on an active parameter) and useful (the
//! result or a `&mut` parameter depends on them).
//!
//! Works on the graph of what flows where, without regard to order, which is enough since operands
//! are single-assignment. Verbatim code is an edge of that graph too: a derivative that would flow
//! through it is an error at that code, never a silent zero.

use crate::errors::Errors;
use crate::ir::*;
use crate::rules;
use crate::signature::{Passing, Signature};
use crate::walk;
use std::collections::HashMap;

/// The result of the analysis.
#[derive(Debug)]
pub struct Activity {
    active: Vec<bool>,
    origins: HashMap<VarId, Option<VarId>>,
}

impl Activity {
    /// Whether a variable carries a derivative; that of a reference is that of what it refers to.
    pub fn is_active(&self, var: VarId) -> bool {
        self.origin(var).is_some_and(|var| self.active[var.0])
    }

    /// Whether it knows of a variable: not of those that the sweeps add.
    pub fn covers(&self, var: VarId) -> bool {
        var.0 < self.active.len()
    }

    /// Whether an operand carries a derivative.
    pub fn atom(&self, atom: &Atom) -> bool {
        atom.var().is_some_and(|var| self.is_active(var))
    }

    /// Whether a place carries a derivative.
    pub fn place(&self, place: &Place) -> bool {
        place.var().is_some_and(|var| self.is_active(var))
    }

    /// The variable that holds what `var` refers to; `None` if that is a constant of the program.
    pub fn origin(&self, var: VarId) -> Option<VarId> {
        self.origins.get(&var).copied().unwrap_or(Some(var))
    }
}

/// Finds what is active; refuses verbatim code that a derivative would have to pass.
pub fn activity(function: &Function, signature: &Signature, errors: &mut Errors) -> Activity {
    let origins = origins(function);
    let mut flow = Flow { function, origins: &origins, edges: Vec::new(), carried: Vec::new() };
    walk::each_stmt(&function.body, &mut |stmt| flow.stmt(stmt));
    flow.guards();
    let Flow { edges: supported, carried, .. } = flow;
    let edges: Vec<_> = supported.iter().chain(&carried).copied().collect();

    // An integer that is read from an active value has no derivative.
    let gives = signature.result.may_hold_reals();
    let params = function.params.iter().zip(&signature.params);
    let sources = params.clone().filter(|(_, param)| param.carries()).map(|(id, _)| *id);
    let outputs = params
        .filter(|(_, param)| param.active && param.passing == Passing::RefMut)
        .map(|(id, _)| *id)
        .chain(function.body.result.as_ref().and_then(Atom::var).filter(|_| gives))
        .chain(function.returns.filter(|_| gives))
        .chain(watched(function, signature));
    let backwards: Vec<_> = edges.iter().map(|(from, to)| (*to, *from)).collect();
    let reached = reachable(sources.clone(), &supported, function.vars.len());
    let varied = reachable(sources, &edges, function.vars.len());
    let useful = reachable(outputs, &backwards, function.vars.len());
    let active = varied.iter().zip(&useful).map(|(varied, useful)| *varied && *useful).collect();
    let activity = Activity { active, origins };
    refuse_verbatim(function, &activity, &reached, errors);
    refuse_hidden(function, signature, &activity, (&varied, &useful), errors);
    for (id, param) in function.params.iter().zip(&signature.params) {
        if !param.active && param.passing == Passing::RefMut && activity.is_active(*id) {
            errors.push(
                &param.name,
                format!("`{}` is constant but takes active values", param.name),
                "let it be active: remove `#[constant]`, or list it in `wrt`",
            );
        }
    }
    activity
}

/// Data that a closure captures, and that may be read where the closure stands: a cell.
fn watched<'f>(
    function: &'f Function,
    signature: &'f Signature,
) -> impl Iterator<Item = VarId> + 'f {
    let captured = function.params.iter().zip(&signature.params).take(signature.captures);
    captured
        .filter(|(_, param)| !param.carries() && param.ty.peeled().is_opaque())
        .map(|(id, _)| *id)
}

fn origins(function: &Function) -> HashMap<VarId, Option<VarId>> {
    let mut origins: HashMap<VarId, Option<VarId>> = HashMap::new();
    walk::each_stmt(&function.body, &mut |stmt| {
        let (vars, place) = match stmt {
            Stmt::Borrow { var, place, .. } => (vec![*var], place),
            Stmt::Split { left, right, place, .. } => (vec![*left, *right], place),
            _ => return,
        };
        let root = place.var().and_then(|var| origins.get(&var).copied().unwrap_or(Some(var)));
        for var in vars {
            origins.insert(var, root);
        }
    });
    origins
}

fn reachable(
    from: impl Iterator<Item = VarId>,
    edges: &[(VarId, VarId)],
    count: usize,
) -> Vec<bool> {
    let mut next: Vec<Vec<VarId>> = vec![Vec::new(); count];
    for (from, to) in edges {
        next[from.0].push(*to);
    }
    let mut reached = vec![false; count];
    let mut open: Vec<VarId> = from.collect();
    while let Some(var) = open.pop() {
        if !std::mem::replace(&mut reached[var.0], true) {
            open.extend(&next[var.0]);
        }
    }
    reached
}

struct Flow<'a> {
    function: &'a Function,
    origins: &'a HashMap<VarId, Option<VarId>>,
    edges: Vec<(VarId, VarId)>,
    /// Edges through verbatim code.
    carried: Vec<(VarId, VarId)>,
}

impl Flow<'_> {
    fn edge(&mut self, from: Option<VarId>, to: Option<VarId>) {
        let origin = |var: VarId| self.origins.get(&var).copied().unwrap_or(Some(var));
        let (Some(from), Some(to)) = (from.and_then(origin), to.and_then(origin)) else {
            return;
        };
        let holds = |var: VarId| self.function.var(var).ty.may_hold_reals();
        if holds(from) && holds(to) {
            self.edges.push((from, to));
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Let { var, value } => {
                for from in differentiable(value) {
                    self.edge(Some(from), Some(*var));
                }
                if let Value::Verbatim(code) = value {
                    self.verbatim(code, Some(*var));
                }
                if let Value::Function { args, .. } = value {
                    self.function(args, *var);
                }
            }
            Stmt::Store { place, value } | Stmt::Push { place, value } => {
                self.edge(value.var(), place.var());
            }
            Stmt::Pop { var, place } => self.edge(place.var(), Some(*var)),
            Stmt::Swap { a, b } => {
                self.edge(a.var(), b.var());
                self.edge(b.var(), a.var());
            }
            Stmt::CopyFrom { to, from, .. } => self.edge(from.var(), to.var()),
            Stmt::Fill { to, value } => self.edge(value.var(), to.var()),
            Stmt::If { dest: Some(dest), then, otherwise, .. } => {
                for block in [then, otherwise] {
                    self.edge(block.result.as_ref().and_then(Atom::var), Some(*dest));
                }
            }
            Stmt::Match { dest: Some(dest), arms, .. } => {
                for arm in arms {
                    self.edge(arm.body.result.as_ref().and_then(Atom::var), Some(*dest));
                }
            }
            Stmt::Call(call) => self.call(call),
            Stmt::Verbatim { code, .. } => self.verbatim(code, None),
            Stmt::If { .. }
            | Stmt::Match { .. }
            | Stmt::Declare { .. }
            | Stmt::Borrow { .. }
            | Stmt::Split { .. }
            | Stmt::For(_)
            | Stmt::While { .. }
            | Stmt::Loop { .. }
            | Stmt::Permute { .. }
            | Stmt::Exit(_)
            | Stmt::Tape(_) => {}
        }
    }

    /// Anything that goes into a call may come out of it.
    fn call(&mut self, call: &Call) {
        let called = match &call.callee {
            Callee::Param(of) => Some(of.var),
            Callee::Function(_)
            | Callee::Associated(_)
            | Callee::Method(_)
            | Callee::Operator { .. } => None,
        };
        let inputs = call.args.iter().map(argument).chain([called]);
        let outputs = call.args.iter().filter_map(|arg| match arg {
            Arg::Ref { place, mutable: true } => place.var(),
            _ => None,
        });
        let outputs: Vec<VarId> = outputs.chain(call.dest).collect();
        for from in inputs {
            for to in &outputs {
                self.edge(from, Some(*to));
            }
        }
    }

    /// What is written through a value that carried code gave, such as a lock, is in what it was made of.
    fn guards(&mut self) {
        let function = self.function;
        let (mut written, mut made) = (Vec::new(), HashMap::new());
        walk::each_stmt(&function.body, &mut |stmt| match stmt {
            // Another value for the variable itself goes nowhere else.
            Stmt::Store { place, .. } if place.path.is_empty() => {}
            Stmt::Let { var, value: Value::Verbatim(code) } => {
                made.insert(*var, code);
                written.extend(walk::writes(stmt));
            }
            // A variable that may change holds a copy of what was carried.
            Stmt::Let { var, value: Value::Atom(Atom::Var(from)) } => {
                if let Some(code) = made.get(from).copied() {
                    made.insert(*var, code);
                }
            }
            stmt => written.extend(walk::writes(stmt)),
        });
        let opaque = |var: VarId| function.var(var).ty.peeled().is_opaque();
        let supported = std::mem::take(&mut self.edges);
        for var in written.into_iter().filter(|var| opaque(*var)) {
            let code = made.get(&var);
            let from = code.iter().flat_map(|code| &code.names).map(|(_, from)| *from);
            from.filter(|from| opaque(*from)).for_each(|from| self.edge(Some(var), Some(from)));
        }
        let carried = std::mem::replace(&mut self.edges, supported);
        self.carried.extend(carried);
    }

    /// What a function of data gives is data, if what it is made of is.
    fn function(&mut self, args: &[Atom], dest: VarId) {
        let supported = std::mem::take(&mut self.edges);
        for arg in args {
            self.edge(arg.var(), Some(dest));
        }
        let carried = std::mem::replace(&mut self.edges, supported);
        self.carried.extend(carried);
    }

    fn verbatim(&mut self, code: &Verbatim, dest: Option<VarId>) {
        let supported = std::mem::take(&mut self.edges);
        for (_, from) in &code.names {
            if !code.discrete {
                self.edge(Some(*from), dest);
            }
            for to in &code.changes {
                self.edge(Some(*from), Some(*to));
            }
        }
        let carried = std::mem::replace(&mut self.edges, supported);
        self.carried.extend(carried);
    }
}

/// The variable that a derivative may flow from into a call. What a closure captures is an argument
/// of its own.
fn argument(arg: &Arg) -> Option<VarId> {
    match arg {
        Arg::Value(atom) => atom.var(),
        Arg::Ref { place, .. } => place.var(),
        Arg::Function(Handed::Param { of, .. }) => Some(of.var),
        Arg::Function(_) => None,
    }
}

/// The variables with respect to which a value has a derivative.
pub fn differentiable(value: &Value) -> Vec<VarId> {
    let atoms: Vec<&Atom> = match value {
        Value::Atom(a) | Value::Unary(syn::UnOp::Neg(_), a) | Value::Cast(a, _) => vec![a],
        Value::Binary(op, a, b) if operator(op).is_some() => vec![a, b],
        Value::Operator { args, .. } => args.iter().map(|(arg, _)| arg).collect(),
        Value::Method { name, args } => match rules::lookup(&name.to_string()) {
            Some(rule) => {
                let partials = rule.partials.iter().zip(args);
                partials.filter(|(partial, _)| **partial != "0.0").map(|(_, arg)| arg).collect()
            }
            None => Vec::new(),
        },
        Value::Array { elems, .. } | Value::Tuple(elems) | Value::Struct { parts: elems, .. } => {
            elems.iter().collect()
        }
        Value::Repeat { elem, .. } => vec![elem],
        Value::Load(place) | Value::Copy { place, .. } => return place.var().into_iter().collect(),
        Value::Unary(..)
        | Value::Binary(..)
        | Value::Function { .. }
        | Value::Length { .. }
        | Value::Test { .. }
        | Value::Order { .. }
        | Value::Verbatim(_)
        | Value::Reverse(_)
        | Value::Tangent(_) => Vec::new(),
    };
    atoms.into_iter().filter_map(Atom::var).collect()
}

/// The rule of an arithmetic operator.
pub fn operator(op: &syn::BinOp) -> Option<&'static rules::Rule> {
    let name = match op {
        syn::BinOp::Add(_) => "add",
        syn::BinOp::Sub(_) => "sub",
        syn::BinOp::Mul(_) => "mul",
        syn::BinOp::Div(_) => "div",
        syn::BinOp::Rem(_) => "rem",
        _ => return None,
    };
    rules::lookup(name)
}

/// Refuses verbatim code on the way of a derivative; not what only follows from refused code.
fn refuse_verbatim(
    function: &Function,
    activity: &Activity,
    reached: &[bool],
    errors: &mut Errors,
) {
    let mut refused: Vec<(&Refusal, bool)> = Vec::new();
    walk::each_stmt(&function.body, &mut |stmt| {
        let (code, dest) = match stmt {
            Stmt::Let { var, value: Value::Verbatim(code) } => (code, Some(*var)),
            Stmt::Verbatim { code, .. } => (code, None),
            _ => return,
        };
        let through = dest.is_some_and(|dest| activity.is_active(dest));
        let changed = code.changes.iter().any(|var| activity.is_active(*var));
        if through || changed {
            let origins = code.names.iter().filter_map(|(_, var)| activity.origin(*var));
            refused.push((&code.refusal, origins.into_iter().any(|var| reached[var.0])));
        }
    });
    let first = refused.iter().any(|(_, reached)| *reached);
    for (refusal, reached) in refused {
        if reached || !first {
            let message = format!("{} is not supported on active values yet", refusal.what);
            errors.push(&refusal.at, message, &refusal.help);
        }
    }
}

/// Refuses calls that nothing comes out of, yet may keep an active value in data that is read later:
/// `cell.set(x)`.
fn refuse_hidden(
    function: &Function,
    signature: &Signature,
    activity: &Activity,
    (varied, useful): (&[bool], &[bool]),
    errors: &mut Errors,
) {
    let params = || function.params.iter().zip(&signature.params);
    let is_active_param = |var: VarId| params().any(|(id, param)| *id == var && param.active);
    walk::each_stmt(&function.body, &mut |stmt| {
        let Stmt::Call(call) = stmt else { return };
        if crate::record::is_active_call(call, activity) {
            return;
        }
        let roots = call.args.iter().map(|arg| argument(arg).and_then(|var| activity.origin(var)));
        let roots: Vec<Option<VarId>> = roots.collect();
        let keeper = call.args.iter().zip(&roots).any(|(arg, root)| match (arg, root) {
            (Arg::Ref { mutable: false, .. }, Some(root)) => {
                let opaque = function.var(*root).ty.peeled().is_opaque();
                opaque && !is_active_param(*root) && !varied[root.0] && useful[root.0]
            }
            _ => false,
        });
        if keeper && roots.iter().flatten().any(|root| varied[root.0]) {
            errors.push(
                call.span,
                format!(
                    "`{}` may keep an active value where no derivative follows",
                    call.callee.name()
                ),
                "if it does not, hand it a constant: `#[constant] let seen = …;`",
            );
        }
    });
}
