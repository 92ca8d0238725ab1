//! IR → IR that computes tangents next to values: forward mode.
//!
//! Every variable that carries a derivative gets a second one, its tangent, of the same type and
//! shape. Each statement stays as it is, and what it does to active variables is done to their
//! tangents right behind it; in front, where the statement moves values that the tangent looks at.
//! Control flow is the function's own.
//!
//! The same pass, run on both sweeps of reverse mode, gives second derivatives (`second`).
//!
//! Assumes the activity of the function; what is not active has no tangent, and where it meets what
//! is, it counts as 0.

mod calls;
mod partial;
mod second;
mod values;

pub use second::second_sweeps;

use crate::activity::Activity;
use crate::ir::*;
use crate::lambda::Lambdas;
use crate::names::{Names, plain};
use crate::record::slopes;
use crate::signature::Signature;
use crate::sweep::Sweeps;
use crate::walk;
use proc_macro2::{Ident, Span};
use std::collections::{HashMap, HashSet};

/// The function with tangents, as a forward sweep that leaves nothing behind.
pub fn tangent_sweep(
    function: &Function,
    activity: &Activity,
    signature: &Signature,
    lambdas: Lambdas,
    names: &Names,
) -> Sweeps {
    let mut names = names.clone();
    let mut forward =
        Forward { slopes: slopes(function), ..Forward::new(function, activity, &mut names) };
    for id in &function.params {
        forward.tangent(*id);
    }
    let body = forward.block(&function.body, None);
    let gives = signature.result.may_hold_reals();
    let result = function.returns.or_else(|| body.result.as_ref().and_then(Atom::var));
    let result = result.filter(|var| gives && activity.is_active(*var));
    let tangent = result.map(|var| Atom::Var(forward.tangent(var)));
    let (vars, tangents) = (forward.vars, forward.tangents);
    let function = Function { vars, ..function.clone() };
    Sweeps { tangent, tangents, names, ..Sweeps::forward_only(function, body, lambdas) }
}

struct Forward<'a> {
    function: &'a Function,
    activity: &'a Activity,
    /// The function's variables, and tangents.
    vars: Vec<Var>,
    names: &'a mut Names,
    tangents: HashMap<VarId, VarId>,
    /// For each sine the cosine of the same operand, and the like.
    slopes: HashMap<VarId, VarId>,
    /// What has been defined so far.
    defined: HashSet<VarId>,
    /// The names of adjoints, and of the tangents of adjoints.
    adjoints: HashMap<VarId, Ident>,
    /// The tapes of tangents, by the names of those of values.
    tapes: second::Twins,
    /// Further variables that have tangents.
    derived: second::Derived,
    /// What has no second derivative.
    refused: Vec<(Span, &'static str, &'static str)>,
    /// What is bound to a constant that is its own tangent.
    own: HashMap<VarId, Atom>,
}

impl<'a> Forward<'a> {
    fn new(function: &'a Function, activity: &'a Activity, names: &'a mut Names) -> Self {
        Forward {
            function,
            activity,
            vars: function.vars.clone(),
            names,
            tangents: HashMap::new(),
            slopes: HashMap::new(),
            defined: HashSet::new(),
            adjoints: HashMap::new(),
            tapes: HashMap::new(),
            derived: HashSet::new(),
            refused: Vec::new(),
            own: HashMap::new(),
        }
    }

    fn is_active(&self, var: VarId) -> bool {
        self.derived.contains(&var) || self.activity.covers(var) && self.activity.is_active(var)
    }

    fn atom_is_active(&self, atom: &Atom) -> bool {
        atom.var().is_some_and(|var| self.is_active(var))
    }

    fn place_is_active(&self, place: &Place) -> bool {
        place.var().is_some_and(|var| self.is_active(var))
    }

    /// The variable that holds the tangent of another.
    fn tangent(&mut self, var: VarId) -> VarId {
        if let Some(tangent) = self.tangents.get(&var) {
            return *tangent;
        }
        let info = self.vars[var.0].clone();
        let wish = format!("{}_tan", plain(&info.name));
        let name = match info.role {
            // Temporaries that are not written where they are used get their names there.
            Role::Temp => Ident::new(&wish, Span::mixed_site().located_at(info.span)),
            _ => self.names.fresh(&wish, info.span),
        };
        self.vars.push(Var { name, by_pattern: false, carried: false, ..info });
        let tangent = VarId(self.vars.len() - 1);
        self.tangents.insert(var, tangent);
        tangent
    }

    /// A temporary of a tangent.
    fn temp(&mut self, wish: &str, ty: Ty) -> VarId {
        let span = Span::call_site();
        let name = Ident::new(wish, Span::mixed_site().located_at(span));
        self.vars.push(Var {
            name,
            ty,
            role: Role::Temp,
            mutable: false,
            by_pattern: false,
            carried: false,
            once: false,
            written: None,
            span,
        });
        VarId(self.vars.len() - 1)
    }

    fn place(&mut self, place: &Place) -> Place {
        match place.var() {
            Some(var) => Place { root: Root::Var(self.tangent(var)), path: place.path.clone() },
            None => place.clone(),
        }
    }

    /// Transforms a block; the tangent of its result goes to `dest`.
    fn block(&mut self, block: &Block, dest: Option<VarId>) -> Block {
        let mut out = Vec::new();
        for stmt in &block.stmts {
            self.stmt(stmt, &mut out);
        }
        if let (Some(dest), Some(result)) = (dest, &block.result)
            && !walk::diverges(block)
        {
            let value = self.tangent_or_zero(result, &mut out);
            out.push(Stmt::Store { place: Place::of(dest), value });
        }
        Block { stmts: out, result: block.result.clone() }
    }

    /// Declares the tangent of what a branching statement gives.
    fn declared(&mut self, dest: Option<VarId>, out: &mut Vec<Stmt>) -> Option<VarId> {
        let dest = dest.filter(|dest| self.is_active(*dest))?;
        let tangent = self.tangent(dest);
        out.push(Stmt::Declare { var: tangent });
        Some(tangent)
    }

    fn stmt(&mut self, stmt: &Stmt, out: &mut Vec<Stmt>) {
        match stmt {
            Stmt::Let { var, value } => self.definition(*var, value, stmt, out),
            Stmt::Declare { var } => {
                out.push(stmt.clone());
                self.declared(Some(*var), out);
            }
            Stmt::If { dest, cond, then, otherwise } => {
                let tangent = self.declared(*dest, out);
                let (then, otherwise) = (self.block(then, tangent), self.block(otherwise, tangent));
                out.push(Stmt::If { dest: *dest, cond: cond.clone(), then, otherwise });
            }
            Stmt::Match { dest, scrutinee, decision, arms } => {
                let tangent = self.declared(*dest, out);
                let refutable = arms.len() > 1;
                let arms = arms.iter().map(|arm| self.arm(arm, scrutinee, refutable, tangent));
                let arms = arms.collect();
                let (dest, scrutinee, decision) = (*dest, scrutinee.clone(), *decision);
                out.push(Stmt::Match { dest, scrutinee, decision, arms });
            }
            Stmt::For(repeat) => {
                let body = self.block(&repeat.body, None);
                out.push(Stmt::For(ForLoop { body, ..repeat.clone() }));
            }
            Stmt::While { id, cond, body, trips } => {
                let (id, cond, trips) = (*id, cond.clone(), *trips);
                out.push(Stmt::While { id, cond, body: self.block(body, None), trips });
            }
            Stmt::Loop { id, body, trips } => {
                let body = self.block(body, None);
                out.push(Stmt::Loop { id: *id, body, trips: *trips });
            }
            Stmt::Call(call) => self.call(call, stmt, out),
            Stmt::Exit(_) | Stmt::Verbatim { .. } => out.push(stmt.clone()),
            Stmt::Tape(op) => self.tape(op, stmt, out),
            Stmt::Store { .. }
            | Stmt::Borrow { .. }
            | Stmt::Split { .. }
            | Stmt::Swap { .. }
            | Stmt::CopyFrom { .. }
            | Stmt::Fill { .. }
            | Stmt::Push { .. }
            | Stmt::Pop { .. }
            | Stmt::Permute { .. } => {
                self.memory(stmt, out);
                out.push(stmt.clone());
            }
        }
    }

    /// What a statement does to memory, done to tangents.
    fn memory(&mut self, stmt: &Stmt, out: &mut Vec<Stmt>) {
        let active = |place: &Place| self.place_is_active(place);
        let twin = match stmt {
            Stmt::Store { place, value } if active(place) => {
                let value = self.tangent_or_zero(value, out);
                Stmt::Store { place: self.place(place), value }
            }
            Stmt::Push { place, value } if active(place) => {
                let value = self.tangent_or_zero(value, out);
                Stmt::Push { place: self.place(place), value }
            }
            Stmt::Fill { to, value } if active(to) => {
                let value = self.tangent_or_zero(value, out);
                Stmt::Fill { to: self.place(to), value }
            }
            Stmt::Borrow { var, mutable, place } if active(place) => {
                let (var, place) = (self.tangent(*var), self.place(place));
                Stmt::Borrow { var, mutable: *mutable, place }
            }
            Stmt::Split { left, right, mutable, place, mid } if active(place) => {
                let (left, right) = (self.tangent(*left), self.tangent(*right));
                let (mutable, place, mid) = (*mutable, self.place(place), mid.clone());
                Stmt::Split { left, right, mutable, place, mid }
            }
            // What changes places with something active is active.
            Stmt::Swap { a, b } if active(a) => Stmt::Swap { a: self.place(a), b: self.place(b) },
            Stmt::CopyFrom { to, from, method } if active(to) && active(from) => {
                let (to, from) = (self.place(to), self.place(from));
                Stmt::CopyFrom { to, from, method: method.clone() }
            }
            Stmt::CopyFrom { to, .. } if active(to) => {
                Stmt::Tape(TapeOp::SetZero { place: self.place(to) })
            }
            Stmt::Pop { var, place } if active(place) && self.is_active(*var) => {
                Stmt::Pop { var: self.tangent(*var), place: self.place(place) }
            }
            // The tangent of a vector has its length.
            Stmt::Pop { place, .. } if active(place) => {
                let ty = self.function.place_ty(place).element();
                Stmt::Pop { var: self.temp("popped", ty), place: self.place(place) }
            }
            Stmt::Permute { place, how } if active(place) => {
                Stmt::Permute { place: self.place(place), how: how.clone() }
            }
            _ => return,
        };
        out.push(twin);
    }

    /// The statements of an arm that define what its pattern binds, those that a sweep put between them,
    /// and the rest.
    fn split_arm(&self, arm: &Arm) -> (Vec<Stmt>, Vec<Stmt>, Vec<Stmt>) {
        let (mut binds, mut others, mut rest) = (Vec::new(), Vec::new(), Vec::new());
        for stmt in arm.body.stmts.iter().cloned() {
            let bound = match &stmt {
                Stmt::Let { var, .. } | Stmt::Borrow { var, .. } => self.vars[var.0].by_pattern,
                _ => false,
            };
            match (binds.len() == arm.binds, bound) {
                (true, _) => rest.push(stmt),
                (false, true) => binds.push(stmt),
                (false, false) => others.push(stmt),
            }
        }
        (binds, others, rest)
    }

    /// An arm: its pattern binds the parts of the value; the same is done to the tangent.
    fn arm(
        &mut self,
        arm: &Arm,
        scrutinee: &Scrutinee,
        refutable: bool,
        dest: Option<VarId>,
    ) -> Arm {
        let (binds, others, rest) = self.split_arm(arm);
        let mut out = binds.clone();
        let bound: Vec<(VarId, bool)> = binds
            .iter()
            .filter_map(|stmt| match stmt {
                Stmt::Borrow { var, mutable, .. } if self.is_active(*var) => Some((*var, *mutable)),
                _ => None,
            })
            .collect();
        // All at once: two parts of one value are not borrowed one after the other.
        if let (Scrutinee::Place { place, .. }, [_, ..]) = (scrutinee, &bound[..]) {
            let mutable = bound.iter().any(|(_, mutable)| *mutable);
            let bound = bound.iter().map(|(var, _)| (*var, self.tangent(*var))).collect();
            let (pat, place) = (arm.pat.clone(), self.place(place));
            let unpack = UnpackTangent { pat, place, adjoint: false, bound, mutable, refutable };
            out.push(Stmt::Tape(TapeOp::UnpackTangent(Box::new(unpack))));
        } else {
            binds.iter().for_each(|stmt| self.memory(stmt, &mut out));
        }
        for stmt in &binds {
            if let Stmt::Let { var, value } = stmt {
                self.definition_tangent(*var, value, &mut out);
            }
        }
        let stmts = others.into_iter().chain(rest).collect();
        let rest = Block { stmts, result: arm.body.result.clone() };
        let rest = self.block(&rest, dest);
        out.extend(rest.stmts);
        Arm { body: Block { stmts: out, result: rest.result }, ..arm.clone() }
    }
}
