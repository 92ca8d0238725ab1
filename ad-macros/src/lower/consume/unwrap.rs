//! What becomes of an item that there may be: `unwrap`, `expect`, `unwrap_or` and the like.

use super::choose::Chosen;
use crate::ir::*;
use crate::lower::Lower;
use crate::lower::iter::{holds_references, is_function};
use crate::lower::pattern::Source;
use crate::lower::place::strip;
use proc_macro2::Span;
use quote::quote;
use syn::{Expr, ExprMethodCall};

impl Lower<'_> {
    /// The value of a method of an `Option` that a chain gives, or `None` if it is not known.
    pub(in crate::lower) fn unwrapped(&mut self, call: &ExprMethodCall) -> Option<Source> {
        let args: Vec<&Expr> = call.args.iter().collect();
        let known = matches!(
            (call.method.to_string().as_str(), args.len()),
            ("unwrap" | "unwrap_or_default" | "is_some" | "is_none", 0)
                | ("expect" | "unwrap_or" | "unwrap_or_else", 1)
                | ("map_or" | "map_or_else", 2)
        );
        let Expr::MethodCall(inner) = strip(&call.receiver) else { return None };
        if !known {
            return None;
        }
        let near_reals = self.mentions_reals(&Expr::MethodCall(call.clone()));
        self.tentatively(|cx| {
            cx.near_reals = near_reals;
            let chosen = cx.chosen(inner)?;
            cx.outcome(call, &args, chosen)
        })
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
                self.either(chosen, None, span, |cx| {
                    let made = cx.apply(make, Vec::new());
                    cx.settle(made, span)
                })
            }
            ("map_or", [default, function]) if is_function(function) => {
                let default = self.atom(default);
                self.either(chosen, Some(function), span, |_| default)
            }
            ("map_or_else", [make, function]) if is_function(make) && is_function(function) => self
                .either(chosen, Some(function), span, |cx| {
                    let made = cx.apply(make, Vec::new());
                    cx.settle(made, span)
                }),
            _ => None,
        }
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
}
