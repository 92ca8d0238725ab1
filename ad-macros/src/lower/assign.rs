//! Assignments.

use super::Lower;
use super::consume::total;
use super::pattern::Source;
use super::place::strip;
use super::refusal::{SHARED, refuse};
use super::vector::is_place;
use super::verbatim::{compound, is_total};
use crate::ir::*;
use proc_macro2::Span;
use quote::quote;
use syn::Expr;
use syn::spanned::Spanned;

impl Lower<'_> {
    pub(super) fn assign(&mut self, assign: &syn::ExprAssign) {
        match strip(&assign.left) {
            Expr::Infer(_) => self.statement(&assign.right),
            Expr::Tuple(targets) => {
                let atoms: Vec<Atom> = match strip(&assign.right) {
                    Expr::Tuple(values) if values.elems.len() == targets.elems.len() => {
                        values.elems.iter().map(|value| self.atom(value)).collect()
                    }
                    other => {
                        let atom = self.atom(other);
                        let fields = 0..targets.elems.len();
                        fields.map(|k| self.field_of(&atom, k, other.span())).collect()
                    }
                };
                for (target, atom) in targets.elems.iter().zip(atoms) {
                    if !matches!(target, Expr::Infer(_)) {
                        self.store(target, atom);
                    }
                }
            }
            target => {
                if let Expr::Path(path) = target
                    && let Some(var) = path.path.get_ident().and_then(|ident| self.lookup(ident))
                {
                    if self.seats.contains_key(&var) {
                        return self.reseat(var, &assign.right);
                    }
                    self.wanted = self.ty(var).clone();
                }
                if self.carried(&Expr::Assign(assign.clone()), target) {
                    return;
                }
                self.target = self.typed_target(target, &assign.right);
                let (value, ty) = self.value(&assign.right);
                self.target = None;
                let atom = match value {
                    Value::Atom(atom) => atom,
                    value => self.temp(value, ty, assign.right.span()),
                };
                let target = self.named_target(target, Some(&atom));
                self.store(&target, atom);
            }
        }
    }

    /// An element or a variable to which a sum is to be assigned, if it holds a number of a type of its own.
    fn typed_target(&mut self, target: &Expr, value: &Expr) -> Option<Expr> {
        if !total::is_untyped(value) {
            return None;
        }
        let simple = match target {
            Expr::Index(index) => is_place(&index.expr) && is_total(&index.index),
            other => is_place(other),
        };
        let ty = simple.then(|| self.place(target))?.map(|(_, ty)| ty)?;
        ty.is_own().then(|| target.clone())
    }

    /// Field `k` of a tuple.
    pub(super) fn field_of(&mut self, tuple: &Atom, k: usize, span: Span) -> Atom {
        let Some(var) = tuple.var() else {
            self.errors.push(
                span,
                "a constant cannot be taken apart in an assignment",
                "bind it first: `let start = START;`",
            );
            return Atom::Text(quote!(()), Ty::Unit);
        };
        let ty = self.ty(var).field(k);
        let step = Step::Field(syn::Member::Unnamed(syn::Index { index: k as u32, span }));
        self.temp(Value::Load(Place::of(var).then(step)), ty, span)
    }

    pub(super) fn store(&mut self, target: &Expr, value: Atom) {
        if let Expr::Path(path) = strip(target)
            && let Some(var) = path.path.get_ident().and_then(|ident| self.lookup(ident))
            && self.seats.contains_key(&var)
        {
            self.errors.push(
                target,
                "a reference that is set anew by a pattern is not supported",
                "assign it by itself: `r = &r[k..];`",
            );
            return;
        }
        match self.place(target) {
            Some((place, ty)) => self.store_at(place, ty, value),
            None => {
                let Refusal { at, what, help } = refusal_of(target);
                self.errors.push(&at, format!("{what} is not supported"), &help);
            }
        }
    }

    /// Carries an assignment as it is if its target is what a call gives; whether it did.
    fn carried(&mut self, whole: &Expr, target: &Expr) -> bool {
        if !is_given_by_call(target) {
            return false;
        }
        let mut known = false;
        self.tentatively::<()>(|cx| {
            known = !is_given_by_call(&cx.named_target(target, None));
            None
        });
        if !known {
            let mut code = self.verbatim(whole, false);
            code.refusal = refusal_of(target);
            self.out.push(Stmt::Verbatim { code, diverges: false });
        }
        !known
    }

    fn store_at(&mut self, place: Place, ty: Ty, value: Atom) {
        if ty.is_real() {
            self.expect_scalar(&value);
        }
        if let (Root::Var(var), []) = (&place.root, &place.path[..]) {
            let value_ty = self.atom_ty(&value);
            if *self.ty(*var) == Ty::Unknown {
                self.vars[var.0].ty = value_ty;
            }
            if matches!(self.ty(*var), Ty::Ref { .. }) {
                return;
            }
            // rustc tells the user that the variable is not `mut`, once.
            self.vars[var.0].mutable |= self.vars[var.0].role != Role::Param;
        }
        if let Some(var) = place.var() {
            self.written(var);
            self.forget_aliased(var);
        }
        self.out.push(Stmt::Store { place, value });
    }

    /// A write through a reference changes what it was taken from.
    pub(super) fn forget_aliased(&mut self, var: VarId) {
        if self.vars[var.0].role == Role::Alias {
            self.reads.clear();
        }
    }

    pub(super) fn compound(&mut self, binary: &syn::ExprBinary) {
        let op = compound(&binary.op).expect("the caller has seen the operator");
        if self.carried(&Expr::Binary(binary.clone()), strip(&binary.left)) {
            return;
        }
        if crate::activity::operator(&op).is_some()
            && let Some(place) = self.named_place(&binary.left)
        {
            return self.operator_assigned(op, place, &binary.right);
        }
        let value = self.scalar(&binary.right);
        let target = &self.named_target(strip(&binary.left), Some(&value));
        // What indexes the target is computed once.
        let place = self.place(target);
        let old = match &place {
            Some((place, ty)) => self.read(place.clone(), ty.clone(), target.span()),
            None => self.scalar(target),
        };
        let value = self.number(value, &old);
        let new = if !self.atom_ty(&old).is_real() && self.has_own_rules(&[&old, &value]) {
            let args = vec![(old, false), (value, false)];
            let (value, ty) = self.operator(Operator::Binary(op), args);
            self.temp(value, ty, binary.span())
        } else {
            let ty = self.operation_ty(&op, &old, &value);
            self.temp(Value::Binary(op, old, value), ty, binary.span())
        };
        // `x += y` works through a reference `x` only as `*x += y`, so the target is a scalar.
        match place {
            Some((place, ty)) => self.store_at(place, ty, new),
            None => self.store(target, new),
        }
    }

    /// The target of a compound assignment, if it is of a type of the program.
    fn named_place(&mut self, target: &Expr) -> Option<(Place, Ty)> {
        let named = *self.seen_ty(target).peeled() == Ty::Named;
        if named { self.place(strip(target)) } else { None }
    }

    /// The target of an assignment, which a chain may choose: `*x.last_mut().unwrap()`. It borrows what the
    /// `value` may have been read from, so that has a name.
    fn named_target(&mut self, target: &Expr, value: Option<&Atom>) -> Expr {
        if let Expr::Unary(syn::ExprUnary { op: syn::UnOp::Deref(_), expr, .. }) = target
            && let Expr::MethodCall(call) = strip(expr)
            && let Some(chosen @ Source::Borrow { mutable: true, .. }) = self.unwrapped(call)
        {
            if let Some(var) = value.and_then(Atom::var)
                && self.vars[var.0].role == Role::Temp
            {
                self.vars[var.0].role = Role::Local;
                self.vars[var.0].name = self.names.fresh("value", target.span());
            }
            let name = self.named(chosen);
            return syn::parse_quote!(*#name);
        }
        target.clone()
    }
}

/// What to say of a target that names no place.
fn refusal_of(target: &Expr) -> Refusal {
    match shared_access(target) {
        Some(method) => refuse(method, &format!("an assignment through `{method}`"), SHARED),
        None => refuse(
            target,
            "an assignment to this expression",
            "assign to a variable, an element or a field",
        ),
    }
}

/// Whether a target lies in what a call gives.
fn is_given_by_call(target: &Expr) -> bool {
    match strip(target) {
        Expr::Index(index) => is_given_by_call(&index.expr),
        Expr::Field(field) => is_given_by_call(&field.base),
        Expr::Unary(unary) => is_given_by_call(&unary.expr),
        Expr::MethodCall(_) | Expr::Call(_) => true,
        _ => false,
    }
}

/// The method through which a target reaches into memory that several own.
fn shared_access(target: &Expr) -> Option<&proc_macro2::Ident> {
    match strip(target) {
        Expr::Index(index) => shared_access(&index.expr),
        Expr::Field(field) => shared_access(&field.base),
        Expr::Unary(unary) => shared_access(&unary.expr),
        Expr::MethodCall(call) => {
            let known = ["borrow_mut", "lock", "write"];
            match known.iter().any(|name| call.method == name) {
                true => Some(&call.method),
                false => shared_access(&call.receiver),
            }
        }
        _ => None,
    }
}
