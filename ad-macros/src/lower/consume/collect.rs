//! Consumers that keep all items: `collect`; and `array::from_fn`.

use crate::ir::*;
use crate::lower::Lower;
use crate::lower::iter::{Seq, is_function};
use crate::lower::pattern::Source;
use crate::lower::place::strip;
use proc_macro2::Span;
use quote::quote;
use syn::{Expr, ExprCall, ExprMethodCall};

/// Whether a type has a value to begin with, as far as it is known.
fn has_default(ty: &Ty) -> bool {
    match ty {
        Ty::Named | Ty::Number => false,
        Ty::Wrapped { result, .. } => !result,
        Ty::Tuple(parts) => parts.iter().all(has_default),
        Ty::Array { elem, heap: false } => has_default(elem),
        _ => true,
    }
}

impl Lower<'_> {
    /// `collect` into a `Vec`.
    pub(super) fn collect(&mut self, call: &ExprMethodCall, span: Span) -> Option<(Value, Ty)> {
        let expected = std::mem::replace(&mut self.wanted, Ty::Unknown);
        let asked = call.turbofish.as_ref().and_then(|generics| match generics.args.first() {
            Some(syn::GenericArgument::Type(ty)) => Some(self.signature.ty(ty)),
            _ => None,
        });
        let Ty::Array { elem: rows, heap: true } = asked.unwrap_or(expected) else { return None };
        if let Ty::Ref { .. } = *rows {
            return None;
        }
        let placed = has_default(&rows);
        let outer = std::mem::replace(&mut self.wanted_items, *rows);
        let vector = self
            .tentatively(|cx| {
                let seq = cx.seq(&call.receiver)?;
                let len = cx.length_of(&seq, span).filter(|_| placed)?;
                let vector = cx.collected_by_position(seq, len, span);
                has_default(&cx.ty(vector).element()).then_some(vector)
            })
            .or_else(|| {
                let seq = self.seq(&call.receiver)?;
                let known = self.near_reals || self.length_of(&seq, span).is_some();
                known.then(|| self.collected_by_pushes(&seq, span))
            });
        self.wanted_items = outer;
        let vector = vector?;
        let ty = self.ty(vector).clone();
        self.collected = Some(vector);
        Some((Value::Load(Place::of(vector)), ty))
    }

    fn collection(&mut self, span: Span) -> VarId {
        let name = self.names.fresh("collected", span);
        let ty = Ty::Array { elem: Box::new(Ty::Unknown), heap: true };
        self.new_var(name, ty, Role::Local, true)
    }

    /// As many items as are known to come.
    fn collected_by_position(&mut self, seq: Seq, len: Atom, span: Span) -> VarId {
        let vector = self.collection(span);
        let at = self.out.len();
        let id = self.loop_id();
        let mut elem = Ty::Unknown;
        let seq = self.enumerated(seq, span);
        self.run(&seq, id, span, &mut |cx, item| {
            let Source::Tuple(mut parts) = item else { return };
            let (value, position) = (parts.pop(), parts.pop());
            let (Some(value), Some(position)) = (value, position) else { return };
            let position = cx.settle(position, span);
            let value = cx.owned(value, span);
            elem = cx.atom_ty(&value);
            let place = Place::of(vector).then(Step::Index(position));
            cx.out.push(Stmt::Store { place, value });
        });
        let zero = match &elem {
            Ty::Float => Atom::Text(quote!(0.0), Ty::Float),
            other => Atom::Text(quote!(Default::default()), other.clone()),
        };
        self.vars[vector.0].ty = Ty::Array { elem: Box::new(elem), heap: true };
        let value = Value::Repeat { elem: zero, len, heap: true };
        self.out.insert(at, Stmt::Let { var: vector, value });
        vector
    }

    /// As many items as come.
    fn collected_by_pushes(&mut self, seq: &Seq, span: Span) -> VarId {
        let vector = self.collection(span);
        let value = Value::Function { path: quote!(Vec::new), args: Vec::new() };
        self.out.push(Stmt::Let { var: vector, value });
        self.push_items(seq, &Place::of(vector), span);
        vector
    }

    /// `array::from_fn(|k| …)`: an array whose length is known to the compiler alone.
    pub(in crate::lower) fn array_from_fn(&mut self, call: &ExprCall) -> Option<(Value, Ty)> {
        let (Expr::Path(path), Some(function)) = (strip(&call.func), call.args.first()) else {
            return None;
        };
        let segments: Vec<&syn::PathSegment> = path.path.segments.iter().collect();
        let known = matches!(&segments[..], [.., module, name]
            if module.ident == "array" && name.ident == "from_fn");
        if !known || !is_function(function) {
            return None;
        }
        let generics = segments.last().map(|name| &name.arguments);
        let span = call.paren_token.span.join();
        self.near(&Expr::Call(call.clone()), |cx| {
            if !cx.near_reals {
                return None;
            }
            let name = cx.names.fresh("made", span);
            let ty = Ty::Array { elem: Box::new(Ty::Unknown), heap: false };
            let array = cx.new_var(name, ty, Role::Local, true);
            let at = cx.out.len();
            let len = cx.length(&Place::of(array), span);
            let mut elem = Ty::Unknown;
            let id = cx.loop_id();
            cx.run(&Seq::positions(len), id, span, &mut |cx, position| {
                let position = cx.settle(position, span);
                let argument = Source::Value(Value::Atom(position.clone()), Ty::Discrete);
                let value = cx.apply(function, vec![argument]);
                let value = cx.owned(value, span);
                elem = cx.atom_ty(&value);
                let place = Place::of(array).then(Step::Index(position));
                cx.out.push(Stmt::Store { place, value });
            });
            let zero = match &elem {
                Ty::Float => quote!(0.0),
                // A type that has none is told of at the call.
                _ => quote::quote_spanned!(span=> ::core::default::Default::default()),
            };
            let ty = Ty::Array { elem: Box::new(elem), heap: false };
            cx.vars[array.0].ty = ty.clone();
            let zeros = Atom::Text(quote!(|_| #zero), Ty::Discrete);
            let path = quote!(::core::array::from_fn #generics);
            let value = Value::Function { path, args: vec![zeros] };
            cx.out.insert(at, Stmt::Let { var: array, value });
            cx.collected = Some(array);
            Some((Value::Load(Place::of(array)), ty))
        })
    }
}
