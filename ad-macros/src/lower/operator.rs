//! Operators on types of the program, with operands by reference.
//!
//! What is behind a reference is not moved, so such an operator is a call that borrows places: `&a + b`
//! reads `a` where it lies, and the reverse sweep sees it there again.

use super::Lower;
use super::expr::dereferenced;
use super::place::strip;
use crate::ir::*;
use proc_macro2::Ident;
use syn::spanned::Spanned;
use syn::{BinOp, Expr, UnOp};

impl Lower<'_> {
    /// `a + b`, if an operand is handed over by reference and is of a type of the program.
    pub(super) fn operator_by_reference(
        &mut self,
        op: BinOp,
        left: &Expr,
        right: &Expr,
    ) -> Option<(Value, Ty)> {
        crate::activity::operator(&op)?;
        if !self.refers_to_named(left) && !self.refers_to_named(right) {
            return None;
        }
        let args = [left, right].map(|expr| self.operand(expr));
        let callee = callee(Operator::Binary(op), op.span(), false);
        Some(self.companion_call(callee, args.into(), true))
    }

    /// `-&a`
    pub(super) fn negated_reference(&mut self, op: UnOp, operand: &Expr) -> Option<(Value, Ty)> {
        if !matches!(op, UnOp::Neg(_)) || !self.refers_to_named(operand) {
            return None;
        }
        let args = vec![self.operand(operand)];
        let callee = callee(Operator::Unary(op), op.span(), false);
        Some(self.companion_call(callee, args, true))
    }

    /// `place += value`, on a type of the program.
    pub(super) fn operator_assigned(&mut self, op: BinOp, place: (Place, Ty), value: &Expr) {
        let value = self.operand(value);
        let (place, _) = dereferenced(place.0, place.1);
        let args = vec![Arg::Ref { place, mutable: true }, value];
        self.companion_call(callee(Operator::Binary(op), op.span(), true), args, false);
    }

    fn operand(&mut self, expr: &Expr) -> Arg {
        match self.refers(expr) {
            true => match self.arg(expr) {
                Arg::Ref { place, .. } => Arg::Ref { place, mutable: false },
                other => other,
            },
            false => Arg::Value(self.scalar(expr)),
        }
    }

    /// Whether an operand is a reference to something of a type of the program, or what is written with `&`
    /// and may be: a field, or what a call gave.
    fn refers_to_named(&self, expr: &Expr) -> bool {
        let written = match strip(expr) {
            Expr::Reference(reference) => self.may_be_named(&reference.expr),
            _ => false,
        };
        self.refers(expr) && (written || self.seen_ty(expr).peeled().is_own())
    }

    fn may_be_named(&self, expr: &Expr) -> bool {
        match strip(expr) {
            Expr::Field(_) | Expr::MethodCall(_) => self.seen_ty(expr) == Ty::Unknown,
            Expr::Path(path) => {
                let var = path.path.get_ident().and_then(|ident| self.lookup(ident));
                var.is_some_and(|var| *self.ty(var) == Ty::Unknown && !self.vars[var.0].carried)
            }
            _ => false,
        }
    }

    fn refers(&self, expr: &Expr) -> bool {
        match strip(expr) {
            Expr::Reference(reference) => {
                !matches!(
                    self.seen_ty(&reference.expr).peeled(),
                    Ty::Float | Ty::Generic | Ty::Discrete
                ) && !matches!(strip(&reference.expr), Expr::Lit(_))
            }
            other => matches!(self.seen_ty(other), Ty::Ref { .. }),
        }
    }

    /// The type of an expression, as far as its text tells.
    pub(super) fn seen_ty(&self, expr: &Expr) -> Ty {
        match strip(expr) {
            Expr::Path(path) => {
                let var = path.path.get_ident().and_then(|ident| self.lookup(ident));
                var.map_or(Ty::Unknown, |var| self.ty(var).clone())
            }
            Expr::Reference(reference) => self.seen_ty(&reference.expr),
            Expr::Unary(unary) => match (unary.op, self.seen_ty(&unary.expr)) {
                (UnOp::Deref(_), Ty::Ref { to, .. }) => *to,
                (UnOp::Neg(_), ty) => ty.peeled().clone(),
                _ => Ty::Unknown,
            },
            Expr::Field(syn::ExprField { base, member: syn::Member::Unnamed(index), .. }) => {
                self.seen_ty(base).field(index.index as usize)
            }
            Expr::Index(index) if !matches!(strip(&index.index), Expr::Range(_)) => {
                self.seen_ty(&index.expr).element()
            }
            Expr::Binary(binary) if crate::activity::operator(&binary.op).is_some() => {
                let named = |expr| self.seen_ty(expr).peeled().is_own();
                if named(&binary.left) || named(&binary.right) { Ty::Named } else { Ty::Unknown }
            }
            _ => Ty::Unknown,
        }
    }
}

fn callee(op: Operator, span: proc_macro2::Span, assigns: bool) -> Callee {
    Callee::Operator { op, name: Ident::new("operator", span), assigns }
}
