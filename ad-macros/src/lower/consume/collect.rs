//! Consumers that keep all items: `collect`.

use crate::ir::*;
use crate::lower::Lower;
use crate::lower::pattern::Source;
use proc_macro2::Span;
use quote::quote;
use syn::ExprMethodCall;

impl Lower<'_> {
    /// `collect` into a `Vec`, of as many items as the sequence has.
    pub(super) fn collect(&mut self, call: &ExprMethodCall, span: Span) -> Option<(Value, Ty)> {
        let expected = std::mem::replace(&mut self.wanted, Ty::Unknown);
        let asked = call.turbofish.as_ref().and_then(|generics| match generics.args.first() {
            Some(syn::GenericArgument::Type(ty)) => Some(self.signature.ty(ty)),
            _ => None,
        });
        let Ty::Array { elem: rows, heap: true } = asked.unwrap_or(expected) else { return None };
        let seq = self.seq(&call.receiver)?;
        let len = self.length_of(&seq, span)?;
        let name = self.names.fresh("collected", span);
        let ty = Ty::Array { elem: Box::new(Ty::Unknown), heap: true };
        let vector = self.new_var(name, ty, Role::Local, true);
        let at = self.out.len();
        let id = self.loop_id();
        let mut elem = Ty::Unknown;
        let seq = self.enumerated(seq, span);
        let outer = std::mem::replace(&mut self.wanted_items, *rows);
        self.run(&seq, id, span, &mut |cx, item| {
            let Source::Tuple(mut parts) = item else { return };
            let (value, position) = (parts.pop(), parts.pop());
            let (Some(value), Some(position)) = (value, position) else { return };
            let position = cx.settle(position, span);
            let value = cx.settle(value, span);
            elem = cx.atom_ty(&value);
            let place = Place::of(vector).then(Step::Index(position));
            cx.out.push(Stmt::Store { place, value });
        });
        self.wanted_items = outer;
        let zero = match &elem {
            Ty::Float => Atom::Text(quote!(0.0), Ty::Float),
            other => Atom::Text(quote!(Default::default()), other.clone()),
        };
        self.vars[vector.0].ty = Ty::Array { elem: Box::new(elem), heap: true };
        let value = Value::Repeat { elem: zero, len, heap: true };
        self.out.insert(at, Stmt::Let { var: vector, value });
        let ty = self.ty(vector).clone();
        self.collected = Some(vector);
        Some((Value::Load(Place::of(vector)), ty))
    }
}
