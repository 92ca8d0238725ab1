//! What becomes of an item that there may be: `unwrap`, `expect`, `unwrap_or` and the like; `if let`,
//! `let … else` and `match`; an `Option`, if nothing takes it apart.

use super::choose::{Chosen, Make};
use crate::ir::*;
use crate::lower::Lower;
use crate::lower::expr::dereferenced;
use crate::lower::iter::{holds_references, is_function};
use crate::lower::matching::Branch;
use crate::lower::pattern::Source;
use crate::lower::place::strip;
use proc_macro2::{Ident, Span};
use quote::quote;
use syn::spanned::Spanned;
use syn::{Expr, ExprMethodCall, Pat};

impl<'a> Lower<'a> {
    /// The value of a method of an `Option` that a chain gives, or `None` if it is not known.
    pub(in crate::lower) fn unwrapped(&mut self, call: &ExprMethodCall) -> Option<Source> {
        let args: Vec<&Expr> = call.args.iter().collect();
        let known = matches!(
            (call.method.to_string().as_str(), args.len()),
            ("unwrap" | "unwrap_or_default" | "is_some" | "is_none", 0)
                | ("expect" | "unwrap_or" | "unwrap_or_else", 1)
                | ("map_or" | "map_or_else", 2)
        );
        if !known {
            return None;
        }
        if let Some((value, ty)) = self.vector_value(call) {
            return Some(Source::Value(value, ty));
        }
        self.near(&Expr::MethodCall(call.clone()), |cx| {
            let chosen = match strip(&call.receiver) {
                Expr::MethodCall(inner) => cx.chosen(inner),
                _ => None,
            };
            let chosen = match chosen {
                Some(chosen) => chosen,
                None if cx.near_reals => cx.held(&call.receiver)?,
                None => return None,
            };
            cx.outcome(call, &args, chosen)
        })
    }

    /// What an expression of type `Option` or `Result` holds.
    fn held<'e>(&mut self, expr: &Expr) -> Option<Chosen<'e>> {
        let (expr, as_ref) = match strip(expr) {
            Expr::MethodCall(call) if call.method == "as_ref" => (&*call.receiver, true),
            other => (other, false),
        };
        let named = self.place(expr).filter(|(place, _)| place.var().is_some());
        let (place, ty) = match named {
            Some((place, ty)) => dereferenced(place, ty),
            None => {
                let atom = self.atom(expr);
                (Place::of(atom.var()?), self.atom_ty(&atom))
            }
        };
        let (test, step, inner) = match ty {
            Ty::Wrapped { inner, result } => {
                let name = Ident::new(if result { "Ok" } else { "Some" }, Span::call_site());
                let payload = Step::Payload(Box::new(syn::parse_quote!(#name(part))));
                (Some(Box::new(syn::parse_quote!(#name(_)))), payload, *inner)
            }
            Ty::Unknown => (None, Step::Held, Ty::Unknown),
            _ => return None,
        };
        let (span, whole) = (expr.span(), place.clone());
        let found: Make<Atom> = Box::new(move |cx| {
            let test = Value::Test { place: whole.clone(), pat: test.clone() };
            cx.temp(test, Ty::Discrete, span)
        });
        let item: Make<Source> = Box::new(move |_| {
            let (place, ty) = (place.clone().then(step.clone()), inner.clone());
            match as_ref {
                true => Source::Borrow { place, ty, mutable: false },
                false => Source::Value(Value::Load(place), ty),
            }
        });
        // What stands in the way of the item is told by the program itself.
        Some(Chosen { found, item, checked: false })
    }

    fn outcome(&mut self, call: &ExprMethodCall, args: &[&Expr], chosen: Chosen) -> Option<Source> {
        let span = call.method.span();
        match (call.method.to_string().as_str(), args) {
            ("unwrap" | "expect", _) => {
                if !chosen.checked {
                    self.demand(call, &chosen);
                }
                Some((chosen.item)(self))
            }
            ("is_some", []) => {
                let found = (chosen.found)(self);
                Some(Source::Value(Value::Atom(found), Ty::Discrete))
            }
            ("is_none", []) => {
                let found = (chosen.found)(self);
                let not = syn::UnOp::Not(syn::Token![!](span));
                Some(Source::Value(Value::Unary(not, found), Ty::Discrete))
            }
            ("unwrap_or", [default]) => {
                let default = self.source(default);
                let default = self.settle(default, span);
                self.either(chosen, None, span, |_| default)
            }
            ("unwrap_or_default", []) => {
                let zero = quote!(::core::default::Default::default());
                self.either(chosen, None, span, |_| Atom::Text(zero, Ty::Unknown))
            }
            ("unwrap_or_else", [make]) if is_function(make) => {
                self.either(chosen, None, span, |cx| cx.replacement(make, span))
            }
            ("map_or", [default, function]) if is_function(function) => {
                let default = self.atom(default);
                self.either(chosen, Some(function), span, |_| default)
            }
            ("map_or_else", [make, function]) if is_function(make) && is_function(function) => {
                self.either(chosen, Some(function), span, |cx| cx.replacement(make, span))
            }
            _ => None,
        }
    }

    /// What a function makes where there is no item; it is given nothing, or an error.
    fn replacement(&mut self, make: &Expr, span: Span) -> Atom {
        if let Expr::Closure(closure) = strip(make)
            && let Some(error) = closure.inputs.iter().find(|pat| !matches!(pat, syn::Pat::Wild(_)))
        {
            self.push_error_part(error, "what this closure takes");
        }
        let made = self.apply(make, Vec::new());
        self.settle(made, span)
    }

    /// Panics as the program does where there is no item.
    fn demand(&mut self, call: &ExprMethodCall, chosen: &Chosen) {
        let cond = (chosen.found)(self);
        let (method, args) = (&call.method, &call.args);
        let panic = syn::parse_quote!(::core::option::Option::<()>::None.#method(#args));
        let code = self.verbatim(&panic, true);
        let stop = Stmt::Verbatim { code, diverges: false };
        let otherwise = Block { stmts: vec![stop], result: None };
        self.out.push(Stmt::If { dest: None, cond, then: Block::default(), otherwise });
    }

    /// The item, or what `otherwise` makes where there is none.
    fn either(
        &mut self,
        chosen: Chosen,
        function: Option<&Expr>,
        span: Span,
        otherwise: impl FnOnce(&mut Self) -> Atom,
    ) -> Option<Source> {
        let cond = (chosen.found)(self);
        let mut borrowed = false;
        let then = self.valued(|cx| {
            let mut item = (chosen.item)(cx);
            if let Some(function) = function {
                item = cx.apply(function, vec![item]);
            }
            borrowed = matches!(item, Source::Borrow { .. });
            cx.abandoned |= holds_references(&item);
            cx.settle(item, span)
        });
        let otherwise = self.valued(otherwise);
        let dest = self.destination([&then, &otherwise].into_iter(), span)?;
        let ty = self.ty(dest).clone();
        self.out.push(Stmt::If { dest: Some(dest), cond, then, otherwise });
        Some(match borrowed {
            true => self.borrow_of(Atom::Var(dest), false, span),
            false => Source::Value(Value::Atom(Atom::Var(dest)), ty),
        })
    }

    fn valued(&mut self, fill: impl FnOnce(&mut Self) -> Atom) -> Block {
        let block = self.guarded(|cx| cx.block(|cx| Some(fill(cx))));
        self.forget(&block);
        block
    }

    /// The `Option` of a chain as a value. One of a reference cannot be kept.
    pub(in crate::lower) fn optional_value(
        &mut self,
        call: &ExprMethodCall,
    ) -> Option<(Value, Ty)> {
        let span = call.method.span();
        let dest = self.near(&Expr::MethodCall(call.clone()), |cx| {
            if !cx.near_reals {
                return None;
            }
            let chosen = cx.chosen(call)?;
            let cond = (chosen.found)(cx);
            let mut inner = Ty::Unknown;
            let then = cx.valued(|cx| {
                let item = (chosen.item)(cx);
                cx.abandoned |= matches!(item, Source::Borrow { .. }) || holds_references(&item);
                let part = cx.settle(item, span);
                inner = cx.atom_ty(&part);
                let members = vec![syn::Member::Unnamed(syn::Index { index: 0, span })];
                let maker = Maker { path: syn::parse_quote!(Some), members, call: true };
                let ty = Ty::Wrapped { inner: Box::new(inner.clone()), result: false };
                cx.temp(Value::Struct { maker, parts: vec![part] }, ty, span)
            });
            let ty = Ty::Wrapped { inner: Box::new(inner), result: false };
            let otherwise = cx.valued(|_| Atom::Text(quote!(None), ty));
            let dest = cx.destination([&then, &otherwise].into_iter(), span)?;
            cx.out.push(Stmt::If { dest: Some(dest), cond, then, otherwise });
            Some(dest)
        })?;
        let ty = self.ty(dest).clone();
        Some((Value::Atom(Atom::Var(dest)), ty))
    }

    /// `if let Some(pat) = chain { … } else { … }`, if the chain is known: `pat` is bound to the item.
    pub(in crate::lower) fn if_chosen(
        &mut self,
        pat: &Pat,
        expr: &Expr,
        branch: Branch<'_, 'a>,
        span: Span,
    ) -> Option<Option<Atom>> {
        let (Some(pat), Expr::MethodCall(call)) = (inside_some(pat), strip(expr)) else {
            return None;
        };
        self.near(expr, |cx| {
            let chosen = cx.chosen(call)?;
            let cond = (chosen.found)(cx);
            let then = cx.guarded(|cx| {
                cx.block(|cx| {
                    let item = (chosen.item)(cx);
                    cx.bind_source(pat, item);
                    branch(cx, true)
                })
            });
            let otherwise = cx.guarded(|cx| cx.block(|cx| branch(cx, false)));
            cx.forget(&then);
            cx.forget(&otherwise);
            let dest = cx.destination([&then, &otherwise].into_iter(), span);
            cx.out.push(Stmt::If { dest, cond, then, otherwise });
            Some(dest.map(Atom::Var))
        })
    }

    /// `let Some(pat) = chain else { … };`
    pub(in crate::lower) fn let_chosen(
        &mut self,
        pat: &Pat,
        expr: &Expr,
        otherwise: &Expr,
    ) -> Option<()> {
        let (Some(pat), Expr::MethodCall(call)) = (inside_some(pat), strip(expr)) else {
            return None;
        };
        self.near(expr, |cx| {
            let chosen = cx.chosen(call)?;
            let cond = (chosen.found)(cx);
            let otherwise = cx.alternative(|cx| cx.statement(otherwise));
            cx.out.push(Stmt::If { dest: None, cond, then: Block::default(), otherwise });
            let item = (chosen.item)(cx);
            cx.bind_source(pat, item);
            Some(())
        })
    }
}

/// The pattern in `Some(…)`, if it takes any value.
fn inside_some(pat: &Pat) -> Option<&Pat> {
    fn takes_all(pat: &Pat) -> bool {
        match pat {
            Pat::Wild(_) => true,
            Pat::Ident(ident) => {
                ident.by_ref.is_none()
                    && ident.subpat.is_none()
                    && !crate::lower::control::is_constant(&ident.ident)
            }
            Pat::Paren(paren) => takes_all(&paren.pat),
            Pat::Reference(reference) => takes_all(&reference.pat),
            Pat::Tuple(tuple) => tuple.elems.iter().all(takes_all),
            _ => false,
        }
    }
    match pat {
        Pat::TupleStruct(some) if some.path.is_ident("Some") && some.elems.len() == 1 => {
            some.elems.first().filter(|pat| takes_all(pat))
        }
        _ => None,
    }
}
