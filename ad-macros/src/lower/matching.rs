//! `match`, `if let`, `let … else`, `while let` and `?`.
//!
//! A pattern that takes a value apart binds variables to parts of a place: [`Step::Payload`] is the
//! way to such a part. The forward sweep matches as the user does; the definitions of the bound
//! variables stand first in the arm's body, where the reverse sweep finds them.

use super::Lower;
use super::pattern::Source;
use super::place::strip;
use super::unpack::{Part, cases, parts, renamed, wild};
use crate::ir::*;
use proc_macro2::{Ident, Span};
use quote::quote;
use syn::spanned::Spanned;
use syn::{Expr, Pat};

/// What a `match` looks at.
#[derive(Clone)]
pub(super) struct Subject {
    place: Place,
    ty: Ty,
    /// Whether it is seen through a reference, and whether that is mutable.
    by: Option<bool>,
}

/// What a condition decides, if it holds and if not.
pub(super) type Branch<'b, 'a> = &'b mut dyn FnMut(&mut Lower<'a>, bool) -> Option<Atom>;

impl<'a> Lower<'a> {
    /// The place that a scrutinee names, or a temporary for its value.
    pub(super) fn subject(&mut self, expr: &Expr) -> Subject {
        let (expr, by) = match strip(expr) {
            Expr::Reference(reference) => (&*reference.expr, Some(reference.mutability.is_some())),
            other => (other, None),
        };
        if let Some((place, ty)) = self.place(expr)
            && place.var().is_some()
        {
            return match ty {
                Ty::Ref { mutable, to } => {
                    Subject { place: place.then(Step::Deref), ty: *to, by: by.or(Some(mutable)) }
                }
                ty => Subject { place, ty, by },
            };
        }
        let (value, ty) = self.value(expr);
        let atom = match value {
            Value::Atom(atom @ Atom::Var(_)) => atom,
            value => self.temp(value, ty.clone(), expr.span()),
        };
        Subject { place: Place::of(atom.var().expect("a temporary is a variable")), ty, by }
    }

    /// Whether the bindings of all arms can be told.
    pub(super) fn can_unpack(&self, pats: &[&Pat]) -> bool {
        pats.iter().all(|pat| parts(pat, &Ty::Unknown).is_some())
    }

    /// `match` on a place or value whose patterns take it apart.
    pub(super) fn unpack(
        &mut self,
        branch: &syn::ExprMatch,
        lower: &mut dyn FnMut(&mut Self, &Expr) -> Option<Atom>,
    ) -> Option<Atom> {
        if let Some((pat, some, none)) = some_or_none(branch) {
            let span = branch.match_token.span();
            let arm = &mut |cx: &mut Self, holds| lower(cx, if holds { some } else { none });
            let result = self.if_chosen(pat, &branch.expr, arm, span);
            if let Some(result) = result {
                return result;
            }
        }
        let subject = self.subject(&branch.expr);
        let mut arms = Vec::new();
        for arm in &branch.arms {
            let (pat, guard) = super::control::split_guard(&arm.pat);
            for pat in cases(pat) {
                let body = &mut |cx: &mut Self| lower(cx, &arm.body);
                arms.push(self.unpacking_arm(&subject, pat, guard, body));
            }
        }
        self.push_match(subject, arms, branch.match_token.span())
    }

    fn push_match(&mut self, subject: Subject, arms: Vec<Arm>, span: Span) -> Option<Atom> {
        for arm in &arms {
            self.forget(&arm.body);
        }
        let dest = self.destination(arms.iter().map(|arm| &arm.body), span);
        let name = self.names.fresh("arm", span);
        let decision = self.new_var(name, Ty::Discrete, Role::Local, false);
        let scrutinee = Scrutinee::Place { place: subject.place, by: subject.by };
        self.out.push(Stmt::Match { dest, scrutinee, decision, arms });
        dest.map(Atom::Var)
    }

    /// An arm whose pattern binds parts of the subject; `body` lowers what it does.
    fn unpacking_arm(
        &mut self,
        subject: &Subject,
        pat: &Pat,
        guard: Option<&Expr>,
        body: &mut dyn FnMut(&mut Self) -> Option<Atom>,
    ) -> Arm {
        self.scopes.push(Default::default());
        let found = parts(pat, &subject.ty).unwrap_or_default();
        let mut names = Vec::new();
        let mut bound = Vec::new();
        for part in found {
            let ident = part.ident.clone();
            bound.push(self.bind_part(subject, part, true));
            let var = self.lookup(&ident).expect("the part was just bound");
            names.push((ident, self.vars[var.0].name.clone()));
        }
        let tested = guard;
        let guard = guard.map(|guard| self.guarded(|cx| cx.block(|cx| Some(cx.atom(guard)))));
        if let (Some(block), Some(written)) = (&guard, tested) {
            self.refuse_impure(block, written);
        }
        let mut block = self.guarded(|cx| cx.block(|cx| body(cx)));
        let binds = bound.len();
        block.stmts.splice(0..0, bound);
        self.scopes.pop();
        Arm { pat: renamed(pat, &names), binds, guard, body: block }
    }

    /// The definition of a variable that a pattern binds to a part of the subject.
    fn bind_part(&mut self, subject: &Subject, part: Part, by_pattern: bool) -> Stmt {
        let mut place = subject.place.clone();
        if let Some(pat) = part.pat {
            place = place.then(Step::Payload(Box::new(pat)));
        }
        let by = if part.by_value { None } else { part.by_ref.or(subject.by) };
        let (ident, of_error) = (part.ident.clone(), part.of_error);
        let stmt = match by {
            Some(mutable) => {
                let ty = Ty::Ref { mutable, to: Box::new(part.ty) };
                let var = self.new_binding(&part.ident, ty, Role::Alias, false);
                self.vars[var.0].by_pattern = by_pattern;
                Stmt::Borrow { var, mutable, place }
            }
            None => {
                let var = self.new_binding(&part.ident, part.ty, Role::Local, part.mutable);
                self.vars[var.0].by_pattern = by_pattern;
                let value = Value::Load(place);
                if !part.mutable {
                    self.note_origin(var, &value);
                }
                Stmt::Let { var, value }
            }
        };
        if of_error && !subject.place.var().is_some_and(|var| self.is_constant_param(var)) {
            self.error_parts.extend(self.lookup(&ident));
        }
        stmt
    }

    /// An `if` whose condition may bind patterns, also in a chain of `&&`; `branch` lowers what is
    /// done if it holds, and if not.
    pub(super) fn if_let(
        &mut self,
        conditions: &[&Expr],
        branch: Branch<'_, 'a>,
        span: Span,
    ) -> Option<Atom> {
        let Some((first, rest)) = conditions.split_first() else { return branch(self, true) };
        let Expr::Let(binding) = strip(first) else {
            let cond = self.atom(first);
            let then = self.guarded(|cx| cx.block(|cx| cx.if_let(rest, branch, span)));
            let otherwise = self.guarded(|cx| cx.block(|cx| branch(cx, false)));
            return self.choice(cond, then, otherwise, span);
        };
        let mut matched = |cx: &mut Self, holds: bool| match holds {
            true => cx.if_let(rest, branch, span),
            false => branch(cx, false),
        };
        if let Some((place, elem, pat)) = self.popped_by(&binding.pat, &binding.expr) {
            let cond = self.is_full(&place, span);
            let then = self.guarded(|cx| {
                cx.block(|cx| {
                    cx.pop_into(pat, place, elem, span);
                    matched(cx, true)
                })
            });
            let otherwise = self.guarded(|cx| cx.block(|cx| matched(cx, false)));
            return self.choice(cond, then, otherwise, span);
        }
        if let Some(result) = self.if_chosen(&binding.pat, &binding.expr, &mut matched, span) {
            return result;
        }
        let subject = self.subject(&binding.expr);
        let first = self.unpacking_arm(&subject, &binding.pat, None, &mut |cx| matched(cx, true));
        let other: Pat = syn::parse_quote!(_);
        let other = self.unpacking_arm(&subject, &other, None, &mut |cx| matched(cx, false));
        self.push_match(subject, vec![first, other], span)
    }

    /// `if cond { then } else { otherwise }`
    pub(super) fn choice(
        &mut self,
        cond: Atom,
        then: Block,
        otherwise: Block,
        span: Span,
    ) -> Option<Atom> {
        self.forget(&then);
        self.forget(&otherwise);
        let dest = self.destination([&then, &otherwise].into_iter(), span);
        self.out.push(Stmt::If { dest, cond, then, otherwise });
        dest.map(Atom::Var)
    }

    /// `while let pat = expr { … }`
    pub(super) fn while_let(&mut self, repeat: &syn::ExprWhile) {
        let span = repeat.while_token.span();
        let id = self.new_loop(&repeat.label, None);
        let conditions = conjuncts(&repeat.cond);
        let tested: syn::Block = {
            let exprs = conditions.iter().map(|cond| match strip(cond) {
                Expr::Let(binding) => &binding.expr,
                _ => *cond,
            });
            syn::parse_quote!({ #(#exprs;)* })
        };
        let body = self.looped(&[&tested, &repeat.body], |cx| {
            cx.block(|cx| {
                let mut trip = |cx: &mut Self, holds: bool| {
                    match holds {
                        true => cx.unit_stmts(&repeat.body.stmts),
                        false => cx.out.push(Stmt::Exit(Exit::Break(id))),
                    }
                    None
                };
                cx.if_let(&conditions, &mut trip, span)
            })
        });
        self.loops.pop();
        self.forget(&body);
        let trips = self.trips(span);
        self.out.push(Stmt::Loop { id, body, trips });
    }

    /// `let pat = expr else { … };`
    pub(super) fn let_else(&mut self, pat: &Pat, expr: &Expr, otherwise: &Expr, span: Span) {
        if self.let_chosen(pat, expr, otherwise).is_some() {
            return;
        }
        let leave = |cx: &mut Self, cond: Atom| {
            let leave = cx.guarded(|cx| {
                cx.block(|cx| {
                    cx.statement(otherwise);
                    None
                })
            });
            let then = Block::default();
            cx.out.push(Stmt::If { dest: None, cond, then, otherwise: leave });
        };
        if let Some((place, elem, pat)) = self.popped_by(pat, expr) {
            let full = self.is_full(&place, span);
            leave(self, full);
            return self.pop_into(pat, place, elem, span);
        }
        let subject = self.subject(expr);
        let Some(found) = parts(pat, &subject.ty) else { return self.refuse_pattern(pat) };
        let test = Value::Test { place: subject.place.clone(), pat: Some(Box::new(wild(pat))) };
        let cond = self.temp(test, Ty::Discrete, span);
        leave(self, cond);
        for part in found {
            let stmt = self.bind_part(&subject, part, false);
            self.out.push(stmt);
        }
    }

    /// `expr?`: the value inside, or an early return of what is not one.
    pub(super) fn attempt(&mut self, attempt: &syn::ExprTry) -> Source {
        let span = attempt.question_token.span();
        let nothing = Source::Value(Value::Atom(Atom::Text(quote!(()), Ty::Unit)), Ty::Unit);
        let Ty::Wrapped { result, .. } = self.signature.result else {
            let help = "unwrap the value in front, or let the function return `Option` or `Result`";
            self.errors.push(span, "`?` in a function that returns neither", help);
            return nothing;
        };
        if let Some(item) = self.attempted_item(attempt, result, span) {
            return item;
        }
        let subject = self.subject(&attempt.expr);
        let (value, error) = (self.names.fresh("found", span), self.names.fresh("error", span));
        let (good, bad): (Pat, Pat) = match result {
            true => (syn::parse_quote!(Ok(#value)), syn::parse_quote!(Err(#error))),
            false => (syn::parse_quote!(Some(#value)), syn::parse_quote!(None)),
        };
        let good = self
            .unpacking_arm(&subject, &good, None, &mut |cx| cx.tail(&syn::parse_quote!(#value)));
        let bad = self.unpacking_arm(&subject, &bad, None, &mut |cx| {
            cx.fail(&error, result, span);
            None
        });
        match self.push_match(subject, vec![good, bad], span) {
            Some(atom) => {
                let ty = self.atom_ty(&atom);
                Source::Value(Value::Atom(atom), ty)
            }
            None => nothing,
        }
    }

    /// `chain?`, where the chain gives an item or none.
    fn attempted_item(
        &mut self,
        attempt: &syn::ExprTry,
        result: bool,
        span: Span,
    ) -> Option<Source> {
        let Expr::MethodCall(call) = strip(&attempt.expr) else { return None };
        self.near(&attempt.expr, |cx| {
            let chosen = cx.chosen(call).filter(|_| !result)?;
            let cond = (chosen.found)(cx);
            let otherwise = cx.alternative(|cx| cx.fail(&Ident::new("None", span), false, span));
            cx.out.push(Stmt::If { dest: None, cond, then: Block::default(), otherwise });
            Some((chosen.item)(cx))
        })
    }

    /// Returns early, with `None` or with an error.
    fn fail(&mut self, error: &Ident, result: bool, span: Span) {
        let code: Expr = match result {
            true => syn::parse_quote!(Err(::core::convert::From::from(#error))),
            false => syn::parse_quote!(None),
        };
        let code = self.verbatim(&code, true);
        let ty = self.signature.result.clone();
        let failed = self.temp(Value::Verbatim(code), ty, span);
        let place = Place::of(self.returns.expect("a function with `?` has early returns"));
        self.out.push(Stmt::Store { place, value: failed });
        self.out.push(Stmt::Exit(Exit::Return));
    }
}

/// The pattern and the body of the arm for `Some(…)`, and the body of that for `None`.
fn some_or_none(branch: &syn::ExprMatch) -> Option<(&Pat, &Expr, &Expr)> {
    let arms: Vec<(&Pat, &Expr)> = branch
        .arms
        .iter()
        .filter(|arm| super::control::split_guard(&arm.pat).1.is_none())
        .map(|arm| (&arm.pat, &*arm.body))
        .collect();
    let is_none = |pat: &Pat| match pat {
        Pat::Path(path) => path.path.is_ident("None"),
        Pat::Ident(ident) => ident.ident == "None",
        _ => false,
    };
    match arms[..] {
        [(some, then), (none, otherwise)] if is_none(none) || matches!(none, Pat::Wild(_)) => {
            Some((some, then, otherwise))
        }
        [(none, otherwise), (some, then)] if is_none(none) => Some((some, then, otherwise)),
        _ => None,
    }
}

/// The conditions that `&&` joins.
pub(super) fn conjuncts(cond: &Expr) -> Vec<&Expr> {
    match strip(cond) {
        Expr::Binary(syn::ExprBinary { left, op: syn::BinOp::And(_), right, .. }) => {
            let mut found = conjuncts(left);
            found.extend(conjuncts(right));
            found
        }
        other => vec![other],
    }
}
