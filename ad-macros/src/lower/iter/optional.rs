//! Closures that give an `Option`.
//!
//! No `Option` is made: what happens with a value stands where it is made, and what happens without
//! one where there is `None`.

use super::{closure_body, is_function};
use crate::ir::*;
use crate::lower::consume::Chosen;
use crate::lower::matching::conjuncts;
use crate::lower::pattern::Source;
use crate::lower::place::strip;
use crate::lower::{Lower, Scopes};
use proc_macro2::Span;
use quote::quote;
use syn::Expr;
use syn::spanned::Spanned;

/// The argument of `Some(…)`.
fn some_of(expr: &Expr) -> Option<&Expr> {
    match strip(expr) {
        Expr::Call(call) => match (strip(&call.func), call.args.first()) {
            (Expr::Path(path), Some(arg)) if path.path.is_ident("Some") => Some(arg),
            _ => None,
        },
        _ => None,
    }
}

fn is_none(expr: &Expr) -> bool {
    matches!(strip(expr), Expr::Path(path) if path.path.is_ident("None"))
}

fn is_constructor(call: &syn::ExprCall) -> bool {
    match strip(&call.func) {
        Expr::Path(path) => path
            .path
            .segments
            .last()
            .is_some_and(|last| last.ident.to_string().starts_with(char::is_uppercase)),
        _ => false,
    }
}

/// Whether an expression ends in `Some(…)`, whatever happens before.
pub(super) fn always_some(expr: &Expr) -> bool {
    match strip(expr) {
        Expr::Block(block) if block.label.is_none() => match block.block.stmts.last() {
            Some(syn::Stmt::Expr(tail, None)) => always_some(tail),
            _ => false,
        },
        other => some_of(other).is_some(),
    }
}

type Some<'s, 'a> = &'s mut dyn FnMut(&mut Lower<'a>, Source);
type None<'n, 'a> = &'n mut dyn FnMut(&mut Lower<'a>);

impl<'a> Lower<'a> {
    /// The call of a closure that gives an `Option`: `some` goes on with its value, `none` without.
    pub(in crate::lower) fn optional_call(
        &mut self,
        closure: &Expr,
        args: Vec<Source>,
        some: Some<'_, 'a>,
        none: None<'_, 'a>,
    ) {
        let Expr::Closure(closure) = strip(closure) else {
            self.abandoned = true;
            return;
        };
        let outer = self.scopes.clone();
        self.scopes.push(Default::default());
        let body = self.bind_params(closure, args, false);
        let some = &mut |cx: &mut Self, item| cx.outside(&outer, |cx| some(cx, item));
        let none = &mut |cx: &mut Self| cx.outside(&outer, |cx| none(cx));
        self.optional(&body, some, none);
        self.scopes = outer;
    }

    /// Runs `lower` with the names that were known outside of a closure.
    pub(super) fn outside(&mut self, scopes: &Scopes, lower: impl FnOnce(&mut Self)) {
        let inside = std::mem::replace(&mut self.scopes, scopes.clone());
        lower(self);
        self.scopes = inside;
    }

    /// An expression that gives an `Option`.
    pub(in crate::lower) fn optional(
        &mut self,
        expr: &Expr,
        some: Some<'_, 'a>,
        none: None<'_, 'a>,
    ) {
        let expr = strip(expr);
        if let Some(value) = some_of(expr) {
            let item = self.item_of(value);
            return some(self, item);
        }
        if is_none(expr) {
            return none(self);
        }
        match expr {
            Expr::Block(block) if block.label.is_none() => match block.block.stmts.split_last() {
                Some((syn::Stmt::Expr(tail, None), stmts)) => {
                    self.scopes.push(Default::default());
                    self.stmts(stmts);
                    self.optional(tail, some, none);
                    self.scopes.pop();
                }
                _ => self.abandoned = true,
            },
            Expr::If(branch) if branch.else_branch.is_some() && self.can_branch(branch) => {
                let (block, span) = (&branch.then_branch, branch.if_token.span());
                let then: Expr = syn::parse_quote!(#block);
                let otherwise = branch.else_branch.as_ref().map_or(&then, |(_, expr)| expr);
                let alternatives = &mut |cx: &mut Self, holds| {
                    cx.optional(if holds { &then } else { otherwise }, some, none);
                    None
                };
                self.if_let(&conjuncts(&branch.cond), alternatives, span);
            }
            Expr::Match(branch) if self.can_match(branch) => {
                self.match_with(branch, &mut |cx, body| {
                    cx.optional(body, some, none);
                    None
                });
            }
            Expr::MethodCall(call) => self.optional_method(call, some, none),
            Expr::Macro(mac) if super::super::expr::reads_only(&mac.mac.path) => {
                // A branch that panics.
                self.statement(expr);
            }
            // `Ok`, `Err`, `ControlFlow::Continue`
            Expr::Call(call) if is_constructor(call) => self.abandoned = true,
            other => self.matched(other, some, none),
        }
    }

    /// An `Option` that is made elsewhere.
    fn matched(&mut self, expr: &Expr, some: Some<'_, 'a>, none: None<'_, 'a>) {
        let name = self.names.fresh("value", expr.span());
        let cond: Expr = syn::parse_quote!(let Some(#name) = #expr);
        let alternatives = &mut |cx: &mut Self, holds| {
            if holds {
                let item = cx.source(&syn::parse_quote!(#name));
                some(cx, item);
            } else {
                none(cx);
            }
            None
        };
        self.if_let(&[&cond], alternatives, expr.span());
    }

    fn optional_method(
        &mut self,
        call: &syn::ExprMethodCall,
        some: Some<'_, 'a>,
        none: None<'_, 'a>,
    ) {
        let args: Vec<&Expr> = call.args.iter().collect();
        match (call.method.to_string().as_str(), &args[..]) {
            ("then", [closure]) if closure_body(closure).is_some() => {
                let cond = self.atom(&call.receiver);
                let then = self.alternative(|cx| {
                    let item = cx.apply(closure, Vec::new());
                    some(cx, item);
                });
                let otherwise = self.alternative(|cx| none(cx));
                self.out.push(Stmt::If { dest: None, cond, then, otherwise });
            }
            ("then_some", [value]) => {
                let cond = self.atom(&call.receiver);
                let item = self.settled(value);
                let then = self.alternative(|cx| some(cx, item));
                let otherwise = self.alternative(|cx| none(cx));
                self.out.push(Stmt::If { dest: None, cond, then, otherwise });
            }
            ("map", &[function]) if is_function(function) => {
                let some = &mut |cx: &mut Self, item| {
                    let item = cx.apply(function, vec![item]);
                    some(cx, item);
                };
                self.optional(&call.receiver, some, none);
            }
            _ => match self.chosen(call) {
                Some(Chosen { found, item, .. }) => {
                    let found = found(self);
                    let then = self.alternative(|cx| {
                        let item = item(cx);
                        some(cx, item);
                    });
                    let otherwise = self.alternative(|cx| none(cx));
                    self.out.push(Stmt::If { dest: None, cond: found, then, otherwise });
                }
                None => self.matched(&Expr::MethodCall(call.clone()), some, none),
            },
        }
    }

    /// A block that runs or not.
    pub(in crate::lower) fn alternative(&mut self, fill: impl FnOnce(&mut Self)) -> Block {
        let block = self.guarded(|cx| {
            cx.block(|cx| {
                fill(cx);
                None
            })
        });
        self.forget(&block);
        block
    }

    /// The item behind a closure that always gives one.
    fn always(&mut self, closure: &Expr, args: Vec<Source>) -> Source {
        let mut item = None;
        let outer = self.scopes.clone();
        self.scopes.push(Default::default());
        if let Expr::Closure(closure) = strip(closure) {
            let body = self.bind_params(closure, args, false);
            self.optional(&body, &mut |_, value| item = Some(value), &mut |_| ());
        }
        self.scopes = outer;
        item.expect("the closure ends in `Some(…)`")
    }

    /// A step of a `scan` that never stops.
    pub(super) fn scanned(&mut self, closure: &Expr, state: VarId, item: Source) -> Source {
        let ty = self.ty(state).clone();
        let state = Source::Borrow { place: Place::of(state), ty, mutable: true };
        self.always(closure, vec![state, item])
    }

    /// What `successors` gives next, and a reference to it.
    fn successor(&mut self, state: VarId) -> (Source, Source) {
        let (item, ty) = self.result_of(state);
        self.seen(Source::Value(item, ty))
    }

    /// An item of `successors`, after which there is always another.
    pub(super) fn succeeded(&mut self, closure: &Expr, state: VarId, span: Span) -> Source {
        let (item, seen) = self.successor(state);
        let next = self.always(closure, vec![seen]);
        let next = self.settle(next, span);
        self.set(state, next);
        item
    }

    /// An item of `successors`, after which there may be no other.
    pub(super) fn succeeded_while(&mut self, closure: &Expr, state: VarId, more: VarId) -> Source {
        let span = closure.span();
        let (item, seen) = self.successor(state);
        let some = &mut |cx: &mut Self, next| {
            let next = cx.settle(next, span);
            cx.set(state, next);
        };
        let none = &mut |cx: &mut Self| cx.set(more, Atom::Text(quote!(false), Ty::Discrete));
        self.optional_call(closure, vec![seen], some, none);
        item
    }
}
