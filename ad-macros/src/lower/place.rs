//! Expressions that name memory.

use super::Lower;
use crate::ir::*;
use quote::ToTokens;
use syn::Expr;

impl Lower<'_> {
    /// The place that `expr` names and its type, or `None` if it names none.
    pub(super) fn place(&mut self, expr: &Expr) -> Option<(Place, Ty)> {
        match expr {
            Expr::Paren(paren) => self.place(&paren.expr),
            Expr::Group(group) => self.place(&group.expr),
            Expr::Path(path) => self.path_place(path),
            Expr::Field(field) => {
                let (place, ty) = self.place(&field.base)?;
                let ty = match &field.member {
                    syn::Member::Unnamed(index) => ty.field(index.index as usize),
                    syn::Member::Named(_) => Ty::Unknown,
                };
                Some((place.then(Step::Field(field.member.clone())), ty))
            }
            Expr::Unary(syn::ExprUnary { op: syn::UnOp::Deref(_), expr, .. }) => {
                let (place, ty) = self.place(expr)?;
                match ty {
                    Ty::Ref { to, .. } => Some((place.then(Step::Deref), *to)),
                    _ => Some((place.then(Step::Deref), Ty::Unknown)),
                }
            }
            Expr::Index(index) => {
                let (place, ty) = self.place(&index.expr)?;
                self.index_step(place, ty, &index.index)
            }
            Expr::MethodCall(call) => self.view_of_data(call),
            _ => None,
        }
    }

    fn path_place(&mut self, path: &syn::ExprPath) -> Option<(Place, Ty)> {
        if let Some(ident) = path.path.get_ident()
            && let Some(var) = self.lookup(ident)
        {
            self.refuse_error_part(ident);
            let var = self.seated(var).unwrap_or(var);
            return Some((Place::of(var), self.ty(var).clone()));
        }
        // A constant or static: `WEIGHTS[i]`. It cannot change, and no derivative flows from it.
        let root = Root::Path(path.to_token_stream());
        Some((Place { root, path: Vec::new() }, Ty::Unknown))
    }

    fn index_step(&mut self, place: Place, ty: Ty, index: &Expr) -> Option<(Place, Ty)> {
        if let Expr::Range(range) = strip(index) {
            let lo = range.start.as_ref().map(|lo| self.atom(lo));
            let hi = range.end.as_ref().map(|hi| self.atom(hi));
            let inclusive = matches!(range.limits, syn::RangeLimits::Closed(_));
            let elem = ty.element();
            return Some((
                place.then(Step::Range { lo, hi, inclusive }),
                Ty::Slice(Box::new(elem)),
            ));
        }
        let index = self.asked(index, |cx| cx.atom(index));
        let elem = ty.element();
        Some((place.then(Step::Index(index)), elem))
    }

    /// The contents of a place, as a value of its own.
    pub(super) fn load(&mut self, place: Place, ty: Ty) -> (Value, Ty) {
        if let (Root::Var(var), []) = (&place.root, &place.path[..]) {
            let (var, info) = (*var, &self.vars[var.0]);
            if info.role != Role::Alias && !info.mutable {
                return (Value::Atom(Atom::Var(var)), ty);
            }
            if info.role != Role::Alias && ty.is_copy() {
                let span = info.span;
                if let Some(temp) = self.reads.get(&var) {
                    return (Value::Atom(Atom::Var(*temp)), ty);
                }
                let atom = self.temp(Value::Load(place), ty.clone(), span);
                self.reads.insert(var, atom.var().expect("a temporary is a variable"));
                return (Value::Atom(atom), ty);
            }
        } else if let (Root::Path(text), []) = (&place.root, &place.path[..]) {
            return (Value::Atom(Atom::Text(text.clone(), ty.clone())), ty);
        }
        (Value::Load(place), ty)
    }
}

/// The expression without parentheses around it.
pub(super) fn strip(expr: &Expr) -> &Expr {
    match expr {
        Expr::Paren(paren) => strip(&paren.expr),
        Expr::Group(group) => strip(&group.expr),
        other => other,
    }
}
