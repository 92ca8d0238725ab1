//! Values of structs and variants: literals and constructor calls.

use super::Lower;
use crate::ir::*;
use syn::spanned::Spanned;
use syn::{Expr, ExprCall, ExprStruct, Member};

impl Lower<'_> {
    /// `Point { x, y }`, `Point { x, ..rest }`
    pub(super) fn struct_literal(&mut self, literal: &ExprStruct) -> (Value, Ty) {
        if let Some(rest) = &literal.rest {
            return self.updated(literal, rest);
        }
        if !self.mentions_reals(&Expr::Struct(literal.clone())) {
            return (self.verbatim_value(&Expr::Struct(literal.clone())).0, Ty::Named);
        }
        let parts = literal.fields.iter().map(|field| self.atom(&field.expr)).collect();
        let members = literal.fields.iter().map(|field| field.member.clone()).collect();
        let maker = Maker { path: literal.path.clone(), members, call: false };
        (Value::Struct { maker, parts }, Ty::Named)
    }

    /// `Point { x, ..rest }` is a copy of `rest` whose field `x` is then assigned.
    fn updated(&mut self, literal: &ExprStruct, rest: &Expr) -> (Value, Ty) {
        let span = literal.path.span();
        let atoms: Vec<Atom> = literal.fields.iter().map(|field| self.atom(&field.expr)).collect();
        let (value, _) = self.value(rest);
        let name = self.names.fresh("updated", span);
        let var = self.new_var(name, Ty::Named, Role::Local, true);
        self.out.push(Stmt::Let { var, value });
        for (field, value) in literal.fields.iter().zip(atoms) {
            let place = Place::of(var).then(Step::Field(field.member.clone()));
            self.out.push(Stmt::Store { place, value });
        }
        self.collected = Some(var);
        (Value::Load(Place::of(var)), Ty::Named)
    }

    /// `Point(a, b)`, `Some(a)`, `Shape::Circle(a)`
    pub(super) fn constructor_call(&mut self, path: &syn::Path, call: &ExprCall) -> (Value, Ty) {
        let whole = Expr::Call(call.clone());
        if path.is_ident("Err") {
            // An error carries no derivative.
            return (Value::Verbatim(self.verbatim(&whole, true)), self.wrapped(Ty::Unknown, true));
        }
        let wrapper = path.is_ident("Some") || path.is_ident("Ok");
        if !wrapper && !self.mentions_reals(&whole) {
            return self.verbatim_value(&whole);
        }
        let parts: Vec<Atom> = call.args.iter().map(|arg| self.atom(arg)).collect();
        let members = (0..call.args.len())
            .map(|k| Member::Unnamed(syn::Index { index: k as u32, span: path.span() }))
            .collect();
        let ty = match &parts[..] {
            [part] if wrapper => self.wrapped(self.atom_ty(part), path.is_ident("Ok")),
            _ => Ty::Named,
        };
        let maker = Maker { path: path.clone(), members, call: true };
        (Value::Struct { maker, parts }, ty)
    }

    fn wrapped(&self, inner: Ty, result: bool) -> Ty {
        Ty::Wrapped { inner: Box::new(inner), result }
    }
}
