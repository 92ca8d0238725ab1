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
            return self.verbatim_value(&Expr::Struct(literal.clone()));
        }
        let parts = literal.fields.iter().map(|field| self.atom(&field.expr)).collect();
        let members = literal.fields.iter().map(|field| field.member.clone()).collect();
        let maker = Maker { path: literal.path.clone(), members, call: false };
        (Value::Struct { maker, parts }, Ty::Named)
    }

    /// `Point { x, ..rest }` is a copy of `rest` whose field `x` is then assigned.
    fn updated(&mut self, literal: &ExprStruct, rest: &Expr) -> (Value, Ty) {
        let span = literal.path.span();
        let atoms: Vec<Atom> =
            literal.fields.iter().map(|field| self.atom(&field.expr)).collect();
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
        if !self.mentions_reals(&Expr::Call(call.clone())) {
            return self.verbatim_value(&Expr::Call(call.clone()));
        }
        let parts = call.args.iter().map(|arg| self.atom(arg)).collect();
        let members = (0..call.args.len())
            .map(|k| Member::Unnamed(syn::Index { index: k as u32, span: path.span() }))
            .collect();
        let maker = Maker { path: path.clone(), members, call: true };
        (Value::Struct { maker, parts }, Ty::Named)
    }
}
