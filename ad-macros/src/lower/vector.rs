//! Vectors that grow and shrink.
//!
//! Everything comes down to `push` and `pop`, one element at a time: `extend` is a loop of pushes,
//! `truncate` and `clear` are loops of pops, `insert` is a push that is rotated into its place. So
//! the reverse sweep has two statements to reverse, and the lengths of primal and adjoint follow.

use super::Lower;
use super::expr::dereferenced;
use super::iter::Seq;
use super::pattern::Source;
use super::place::strip;
use crate::ir::*;
use proc_macro2::{Ident, Span};
use quote::{ToTokens, quote};
use syn::{BinOp, Expr, ExprMethodCall, Pat, Token};

impl Lower<'_> {
    /// `Vec::new()` and `Vec::with_capacity(n)`: the type of the elements is told by what comes in.
    pub(super) fn empty_vector(&mut self, call: &syn::ExprCall) -> Option<(Value, Ty)> {
        let Expr::Path(path) = strip(&call.func) else { return None };
        let segments: Vec<&syn::PathSegment> = path.path.segments.iter().collect();
        let [.., vector, start] = &segments[..] else { return None };
        let known = matches!((start.ident.to_string().as_str(), call.args.len()), ("new", 0))
            || start.ident == "with_capacity" && call.args.len() == 1;
        if vector.ident != "Vec" || !known || path.qself.is_some() {
            return None;
        }
        let elem = match self.signature.ty(&syn::parse_quote!(#vector)) {
            Ty::Array { elem, .. } => elem,
            _ => Box::new(Ty::Unknown),
        };
        let args = call.args.iter().map(|arg| self.atom(arg)).collect();
        let value = Value::Function { path: path.to_token_stream(), args };
        Some((value, Ty::Array { elem, heap: true }))
    }

    /// The vector that an expression names, and the type of its elements.
    fn vector(&mut self, expr: &Expr) -> Option<(Place, Ty)> {
        if !is_place(expr) {
            return None;
        }
        let (place, ty) = self.place(expr)?;
        let (mut place, ty) = dereferenced(place, ty);
        let elem = match ty {
            Ty::Array { elem, heap: true } => elem,
            Ty::Unknown if self.is_part(&place) => Box::new(Ty::Unknown),
            _ => return None,
        };
        // Methods find their way through references by themselves.
        while matches!(place.path.last(), Some(Step::Deref)) {
            place.path.pop();
        }
        Some((place, *elem))
    }

    /// Whether a place of unknown type is a part of a value that may be active. What is not a vector
    /// or slice could not be reversed there whatever it is.
    pub(super) fn is_part(&self, place: &Place) -> bool {
        let Some(var) = place.var() else { return false };
        let inside = place.path.iter().any(|step| matches!(step, Step::Field(_)));
        match self.vars[var.0].role {
            Role::Param => inside && self.signature.params[var.0].active,
            Role::Alias => true,
            Role::Local | Role::Temp => inside,
        }
    }

    /// Whether a method is one of maps and sets, too, and its receiver a part of a local: such data
    /// is carried.
    fn may_be_map(&mut self, call: &ExprMethodCall) -> bool {
        if !["insert", "remove", "clear"].iter().any(|name| call.method == name)
            || !is_place(&call.receiver)
        {
            return false;
        }
        self.place(&call.receiver).is_some_and(|(place, ty)| {
            let local = |var: VarId| self.vars[var.0].role != Role::Param;
            *ty.peeled() == Ty::Unknown && place.var().is_some_and(local)
        })
    }

    /// Methods that change the length of a vector, where their value, if they have one, is not used;
    /// `None` if it is none of them.
    pub(super) fn vector_change(&mut self, call: &ExprMethodCall) -> Option<()> {
        if call.method != "pop" || !call.args.is_empty() {
            return self.vector_value(call).map(|_| ());
        }
        let (place, elem) = self.vector(&call.receiver)?;
        let span = call.method.span();
        let full = self.is_full(&place, span);
        let then = self.guarded(|cx| {
            cx.block(|cx| {
                cx.pop(place, elem, span);
                None
            })
        });
        let otherwise = Block::default();
        self.out.push(Stmt::If { dest: None, cond: full, then, otherwise });
        Some(())
    }

    /// Methods that change the length of a vector and have no value; `None` if it is none of them.
    pub(super) fn vector_statement(&mut self, call: &ExprMethodCall) -> Option<()> {
        let name = call.method.to_string();
        let args: Vec<&Expr> = call.args.iter().collect();
        let span = call.method.span();
        if self.may_be_map(call) {
            return None;
        }
        match (name.as_str(), &args[..]) {
            ("push", [value]) => {
                let (place, _) = self.vector(&call.receiver)?;
                let value = self.atom(value);
                self.push(place, value);
            }
            ("clear", []) => {
                let (place, elem) = self.vector(&call.receiver)?;
                let zero = Atom::Text(quote!(0), Ty::Discrete);
                self.truncate(&place, &elem, zero, span);
            }
            ("truncate", [len]) => {
                let (place, elem) = self.vector(&call.receiver)?;
                let len = self.atom(len);
                self.truncate(&place, &elem, len, span);
            }
            ("resize", [len, value]) => {
                let (place, elem) = self.vector(&call.receiver)?;
                let (len, value) = (self.atom(len), self.atom(value));
                self.truncate(&place, &elem, len.clone(), span);
                let old = self.length(&place, span);
                self.repeat_from(old, len, span, &mut |cx, _| {
                    let value = cx.duplicate(value.clone(), span);
                    cx.push(place.clone(), value);
                });
            }
            ("extend_from_slice", [items]) => {
                let (place, _) = self.vector(&call.receiver)?;
                let items: &Expr = match strip(items) {
                    Expr::Reference(reference) => &reference.expr,
                    other => other,
                };
                let (from, ty) = self.place_of(items)?;
                self.push_all(&place, &from, &ty, span);
            }
            ("append", [other]) => {
                let (place, _) = self.vector(&call.receiver)?;
                let other: &Expr = match strip(other) {
                    Expr::Reference(reference) => &reference.expr,
                    other => other,
                };
                let (from, elem) = self.vector(other)?;
                let ty = Ty::Array { elem: Box::new(elem.clone()), heap: true };
                self.push_all(&place, &from, &ty, span);
                let zero = Atom::Text(quote!(0), Ty::Discrete);
                self.truncate(&from, &elem, zero, span);
            }
            ("insert", [at, value]) => {
                let (place, _) = self.vector(&call.receiver)?;
                let (at, value) = (self.atom(at), self.atom(value));
                self.push(place.clone(), value);
                let by = Atom::Text(quote!(1), Ty::Discrete);
                self.permute(from(place, at), Permutation::Rotate { left: false, by });
            }
            ("extend", [items]) => {
                let (place, _) = self.vector(&call.receiver)?;
                if let Expr::Array(_) | Expr::Macro(_) = strip(items) {
                    let (from, ty) = self.place_of(items)?;
                    self.push_all(&place, &from, &ty, span);
                    return Some(());
                }
                self.near(items, |cx| {
                    let seq = cx.seq(items)?;
                    cx.push_items(&seq, &place, span);
                    Some(())
                })?;
            }
            _ => return self.reorder(call),
        }
        Some(())
    }

    /// Pushes what a sequence gives.
    pub(super) fn push_items(&mut self, seq: &Seq, place: &Place, span: Span) {
        let id = self.loop_id();
        self.run(seq, id, span, &mut |cx, item| {
            let item = cx.owned(item, span);
            cx.push(place.clone(), item);
        });
    }

    /// Methods that change the length of a vector and have a value.
    pub(super) fn vector_value(&mut self, call: &ExprMethodCall) -> Option<(Value, Ty)> {
        let name = call.method.to_string();
        let span = call.method.span();
        if let ("remove" | "swap_remove" | "split_off", Some(at)) =
            (name.as_str(), call.args.first())
            && !self.may_be_map(call)
        {
            let (place, elem) = self.vector(&call.receiver)?;
            let at = self.atom(at);
            return Some(self.taken_out(&name, place, elem, at, span));
        }
        if name == "pop" && call.args.is_empty() {
            return self.popped_option(call);
        }
        let Expr::MethodCall(pop) = strip(&call.receiver) else { return None };
        if pop.method != "pop" || !pop.args.is_empty() {
            return None;
        }
        let args: Vec<&Expr> = call.args.iter().collect();
        match (name.as_str(), &args[..]) {
            ("unwrap", []) | ("expect", [_]) => {
                let (place, elem) = self.vector(&pop.receiver)?;
                let popped = self.pop(place, elem, span);
                let ty = self.ty(popped).clone();
                Some((Value::Atom(Atom::Var(popped)), ty))
            }
            ("unwrap_or", [default]) => {
                let (place, elem) = self.vector(&pop.receiver)?;
                let full = self.is_full(&place, span);
                let default = self.atom(default);
                let then = self.guarded(|cx| {
                    cx.block(|cx| Some(Atom::Var(cx.pop(place, elem.clone(), span))))
                });
                let otherwise = Block { stmts: Vec::new(), result: Some(default) };
                let atom = self.choice(full, then, otherwise, span)?;
                let ty = self.atom_ty(&atom);
                Some((Value::Atom(atom), ty))
            }
            _ => None,
        }
    }

    /// `v.pop()`, whose `Option` goes on as it is.
    fn popped_option(&mut self, call: &ExprMethodCall) -> Option<(Value, Ty)> {
        let (place, elem) = self.vector(&call.receiver)?;
        let span = call.method.span();
        let full = self.is_full(&place, span);
        let ty = Ty::Wrapped { inner: Box::new(elem.clone()), result: false };
        let then = self.guarded(|cx| {
            cx.block(|cx| {
                let parts = vec![Atom::Var(cx.pop(place, elem, span))];
                let members = vec![syn::Member::Unnamed(syn::Index { index: 0, span })];
                let path = syn::parse_quote_spanned!(span=> ::core::option::Option::Some);
                let maker = Maker { path, members, call: true };
                Some(cx.temp(Value::Struct { maker, parts }, ty.clone(), span))
            })
        });
        let otherwise = self.guarded(|cx| {
            cx.block(|cx| {
                let none = syn::parse_quote_spanned!(span=> ::core::option::Option::None);
                let none = cx.verbatim(&none, true);
                Some(cx.temp(Value::Verbatim(none), ty.clone(), span))
            })
        });
        let atom = self.choice(full, then, otherwise, span)?;
        Some((Value::Atom(atom), ty))
    }

    /// What `let Some(x) = v.pop()` pops, and the pattern that takes it.
    pub(super) fn popped_by<'p>(
        &mut self,
        pat: &'p Pat,
        expr: &Expr,
    ) -> Option<(Place, Ty, &'p Pat)> {
        let (Pat::TupleStruct(some), Expr::MethodCall(call)) = (pat, strip(expr)) else {
            return None;
        };
        let inner = some.elems.first().filter(|inner| is_irrefutable(inner))?;
        if !some.path.is_ident("Some") || call.method != "pop" || !call.args.is_empty() {
            return None;
        }
        let (place, elem) = self.vector(&call.receiver)?;
        Some((place, elem, inner))
    }

    /// `let pat = place.pop().unwrap();`
    pub(super) fn pop_into(&mut self, pat: &Pat, place: Place, elem: Ty, span: Span) {
        let popped = self.pop(place, elem, span);
        let ty = self.ty(popped).clone();
        self.bind_value(pat, Atom::Var(popped), ty);
    }

    /// `remove(at)`, `swap_remove(at)`, `split_off(at)`
    fn taken_out(
        &mut self,
        name: &str,
        place: Place,
        elem: Ty,
        at: Atom,
        span: Span,
    ) -> (Value, Ty) {
        match name {
            "remove" => {
                let by = Atom::Text(quote!(1), Ty::Discrete);
                self.permute(from(place.clone(), at), Permutation::Rotate { left: true, by });
            }
            "swap_remove" => {
                let (len, one) = (self.length(&place, span), Atom::Text(quote!(1), Ty::Discrete));
                let minus = BinOp::Sub(Token![-](span));
                let last = self.temp(Value::Binary(minus, len, one), Ty::Discrete, span);
                let [a, b] = [at, last].map(|k| place.clone().then(Step::Index(k)));
                self.swap_elements(a, b, elem.clone(), span);
            }
            _ => {
                let tail = from(place.clone(), at.clone());
                let (value, ty) = (
                    Value::Copy { place: tail, method: Ident::new("to_vec", span) },
                    Ty::Array { elem: Box::new(elem.clone()), heap: true },
                );
                let tail = self.temp(value, ty.clone(), span);
                self.truncate(&place, &elem, at, span);
                return (Value::Atom(tail), ty);
            }
        }
        let popped = self.pop(place, elem, span);
        (Value::Atom(Atom::Var(popped)), self.ty(popped).clone())
    }

    /// Forgets what was read of a place that changes.
    pub(super) fn changed(&mut self, place: &Place) {
        if let Some(var) = place.var() {
            self.written(var);
            self.forget_aliased(var);
        }
    }

    /// The place of a slice, given a name if it has none.
    fn place_of(&mut self, expr: &Expr) -> Option<(Place, Ty)> {
        if let Some((place, ty)) = self.place(expr) {
            return Some(dereferenced(place, ty));
        }
        let atom = self.atom(expr);
        match self.borrow_of(atom, false, syn::spanned::Spanned::span(expr)) {
            Source::Borrow { place, ty, .. } => Some((place, ty)),
            Source::Value(..) | Source::Tuple(_) => None,
        }
    }

    /// `place.push(value)`
    fn push(&mut self, place: Place, value: Atom) {
        if let Some(var) = place.var() {
            let ty = self.atom_ty(&value);
            let elem = innermost(&mut self.vars[var.0].ty, &place.path);
            match elem {
                Some(elem) if *elem == Ty::Unknown => {
                    elem.clone_from(&ty);
                    // What was popped of it further up is of that type too.
                    for popped in self.popped.remove(&var).unwrap_or_default() {
                        self.vars[popped.0].ty.clone_from(&ty);
                    }
                }
                Some(elem) if elem.is_real() => self.expect_scalar(&value),
                _ => {}
            }
        }
        self.changed(&place);
        self.out.push(Stmt::Push { place, value });
    }

    /// `place.pop().unwrap()`
    fn pop(&mut self, place: Place, elem: Ty, span: Span) -> VarId {
        // What is not copied has an adjoint of its own shape, and a name for it.
        let (name, role) = if elem.is_copy() {
            (Ident::new("t", Span::mixed_site().located_at(span)), Role::Temp)
        } else {
            (self.names.fresh("popped", span), Role::Local)
        };
        let var = self.new_var(name, elem, role, false);
        self.changed(&place);
        if *self.ty(var) == Ty::Unknown
            && place.path.is_empty()
            && let Some(root) = place.var()
        {
            self.popped.entry(root).or_default().push(var);
        }
        self.out.push(Stmt::Pop { var, place });
        var
    }

    /// Pops what a vector has from `len` on.
    fn truncate(&mut self, place: &Place, elem: &Ty, len: Atom, span: Span) {
        let old = self.length(place, span);
        self.repeat_from(len, old, span, &mut |cx, _| {
            cx.pop(place.clone(), elem.clone(), span);
        });
    }

    /// Pushes copies of all elements of a slice.
    fn push_all(&mut self, place: &Place, from: &Place, ty: &Ty, span: Span) {
        let (elem, len) = (ty.element(), self.length(from, span));
        let zero = Atom::Text(quote!(0), Ty::Discrete);
        self.repeat_from(zero, len, span, &mut |cx, k| {
            let item = from.clone().then(Step::Index(k));
            let value = if elem.is_copy() {
                Value::Load(item)
            } else {
                Value::Copy { place: item, method: Ident::new("clone", span) }
            };
            let value = cx.temp(value, elem.clone(), span);
            cx.push(place.clone(), value);
        });
    }

    /// An item of a sequence, copied if it lies in memory.
    pub(super) fn owned(&mut self, item: Source, span: Span) -> Atom {
        match item {
            Source::Value(Value::Load(place), ty) | Source::Borrow { place, ty, .. }
                if !ty.peeled().is_copy() && *ty.peeled() != Ty::Unknown =>
            {
                let (place, ty) = dereferenced(place, ty);
                let method = Ident::new("clone", span);
                self.temp(Value::Copy { place, method }, ty, span)
            }
            item => self.settle(item, span),
        }
    }

    /// An operand that may be handed on once more.
    fn duplicate(&mut self, atom: Atom, span: Span) -> Atom {
        match atom.var() {
            Some(var) if !self.ty(var).is_copy() => {
                let (place, method) = (Place::of(var), Ident::new("clone", span));
                let ty = self.ty(var).clone();
                self.temp(Value::Copy { place, method }, ty, span)
            }
            _ => atom,
        }
    }

    /// `for k in lo..hi`, with a body that `fill` writes.
    fn repeat_from(
        &mut self,
        lo: Atom,
        hi: Atom,
        span: Span,
        fill: &mut dyn FnMut(&mut Self, Atom),
    ) {
        let name = self.names.fresh("k", span);
        let index = self.new_var(name, Ty::Discrete, Role::Local, false);
        let body = self.guarded(|cx| {
            cx.reads.clear();
            cx.block(|cx| {
                fill(cx, Atom::Var(index));
                None
            })
        });
        let id = self.loop_id();
        let range = Range { lo, hi, inclusive: false, adaptors: Vec::new() };
        self.out.push(Stmt::For(ForLoop { id, index, range, body }));
    }

    /// Whether a vector has an element to be popped.
    pub(super) fn is_full(&mut self, place: &Place, span: Span) -> Atom {
        let len = self.length(place, span);
        let zero = Atom::Text(quote!(0), Ty::Discrete);
        let more = BinOp::Gt(Token![>](span));
        self.temp(Value::Binary(more, len, zero), Ty::Discrete, span)
    }
}

pub(super) fn is_place(expr: &Expr) -> bool {
    matches!(strip(expr), Expr::Path(_) | Expr::Index(_) | Expr::Field(_) | Expr::Unary(_))
}

/// Whether a pattern only gives names to a value and its parts.
fn is_irrefutable(pat: &Pat) -> bool {
    match pat {
        Pat::Ident(ident) => !super::control::is_constant(&ident.ident) && ident.subpat.is_none(),
        Pat::Wild(_) => true,
        Pat::Paren(paren) => is_irrefutable(&paren.pat),
        Pat::Tuple(tuple) => tuple.elems.iter().all(is_irrefutable),
        _ => false,
    }
}

/// The elements from `at` on.
fn from(place: Place, at: Atom) -> Place {
    place.then(Step::Range { lo: Some(at), hi: None, inclusive: false })
}

/// The type of a vector's elements, where the vector stands at the end of `path`.
pub(super) fn innermost<'t>(ty: &'t mut Ty, path: &[Step]) -> Option<&'t mut Ty> {
    match (ty, path) {
        (Ty::Ref { to, .. }, [Step::Deref, rest @ ..]) => innermost(to, rest),
        (Ty::Ref { to, .. }, path) => innermost(to, path),
        (Ty::Array { elem, .. } | Ty::Slice(elem), []) => Some(elem),
        (ty, [Step::Range { .. }, rest @ ..]) => innermost(ty, rest),
        (Ty::Array { elem, .. } | Ty::Slice(elem), [Step::Index(_), rest @ ..]) => {
            innermost(elem, rest)
        }
        (Ty::Tuple(parts), [Step::Field(syn::Member::Unnamed(index)), rest @ ..]) => {
            innermost(parts.get_mut(index.index as usize)?, rest)
        }
        _ => None,
    }
}
