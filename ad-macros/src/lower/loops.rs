//! Loops.

use super::iter::Seq;
use super::place::strip;
use super::{LoopFrame, Lower, verbatim};
use crate::ir::*;
use proc_macro2::{Ident, Span};
use syn::spanned::Spanned;
use syn::{Expr, Pat};

impl Lower<'_> {
    pub(super) fn new_loop(&mut self, label: &Option<syn::Label>, dest: Option<VarId>) -> LoopId {
        let id = LoopId(self.loop_count);
        self.loop_count += 1;
        let label = label.as_ref().map(|label| label.name.ident.clone());
        self.loops.push(LoopFrame { id, next: id, label, dest });
        id
    }

    /// Runs `lower` for a loop whose body is `bodies`: what they assign is not known at its head.
    pub(super) fn looped<T>(
        &mut self,
        bodies: &[&syn::Block],
        lower: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let assigned: Vec<String> =
            bodies.iter().flat_map(|body| verbatim::assigned(body)).collect();
        let names = self.scopes.iter().flatten();
        let mut changed: Vec<VarId> =
            names.filter(|((name, _), _)| assigned.contains(name)).map(|(_, var)| *var).collect();
        for seat in changed.clone().iter().filter_map(|var| self.seats.get(var)) {
            changed.extend(seat.ends());
        }
        self.reads.retain(|var, _| !changed.contains(var));
        self.guarded(lower)
    }

    pub(super) fn trips(&mut self, span: Span) -> VarId {
        let name = self.names.fresh("trips", span);
        self.new_var(name, Ty::Discrete, Role::Local, true)
    }

    /// `loop`; its value if that is `wanted` and there is one.
    pub(super) fn loop_expr(&mut self, repeat: &syn::ExprLoop, wanted: bool) -> Option<Atom> {
        let span = repeat.loop_token.span();
        let dest = wanted.then(|| {
            let name = self.names.fresh("found", span);
            self.new_var(name, Ty::Unknown, Role::Local, true)
        });
        let id = self.new_loop(&repeat.label, dest);
        let body = self.looped(&[&repeat.body], |cx| cx.unit_block(&repeat.body));
        self.loops.pop();
        self.forget(&body);
        let trips = self.trips(span);
        let used = dest.filter(|dest| *self.ty(*dest) != Ty::Unknown || writes_to(&body, *dest));
        if let Some(var) = used {
            self.out.push(Stmt::Declare { var });
        }
        self.out.push(Stmt::Loop { id, body, trips });
        let var = used?;
        let ty = self.ty(var).clone();
        match self.load(Place::of(var), ty.clone()) {
            (Value::Atom(atom), _) => Some(atom),
            (value, _) => Some(self.temp(value, ty, span)),
        }
    }

    /// `while cond { … }`
    pub(super) fn while_expr(&mut self, repeat: &syn::ExprWhile) {
        let span = repeat.while_token.span();
        let id = self.new_loop(&repeat.label, None);
        let tested: syn::Block = {
            let cond = &repeat.cond;
            syn::parse_quote!({ #cond; })
        };
        let (cond, body) = self.looped(&[&tested, &repeat.body], |cx| {
            let before = cx.reads.clone();
            let cond = cx.block(|cx| Some(cx.atom(&repeat.cond)));
            if crate::walk::is_pure(&cond) {
                // What the condition read is not in scope in the body.
                cx.reads = before;
                return (Some(cond), cx.unit_block(&repeat.body));
            }
            // The condition does something: it becomes the beginning of the body.
            let body = cx.block(|cx| {
                cx.out.extend(cond.stmts);
                let go_on = cond.result.expect("a condition has a value");
                let stop = Block { stmts: vec![Stmt::Exit(Exit::Break(id))], result: None };
                let then = Block::default();
                cx.out.push(Stmt::If { dest: None, cond: go_on, then, otherwise: stop });
                cx.unit_stmts(&repeat.body.stmts);
                None
            });
            (None, body)
        });
        self.loops.pop();
        self.forget(&body);
        let trips = self.trips(span);
        self.out.push(match cond {
            Some(cond) => Stmt::While { id, cond, body, trips },
            None => Stmt::Loop { id, body, trips },
        });
    }

    /// `for pat in iterator { … }`
    pub(super) fn for_expr(&mut self, repeat: &syn::ExprForLoop) {
        let mut iter = strip(&repeat.expr);
        let mut adaptors = Vec::new();
        while let Expr::MethodCall(call) = iter {
            match (call.method.to_string().as_str(), call.args.first()) {
                ("step_by", Some(step)) => adaptors.push((call, Some(step))),
                ("rev", None) => adaptors.push((call, None)),
                _ => break,
            }
            iter = strip(&call.receiver);
        }
        if let Expr::Range(range) = iter
            && range.start.is_some()
            && range.end.is_some()
        {
            let steps = adaptors.into_iter().rev().map(|(_, step)| match step {
                Some(step) => Adaptor::StepBy(self.atom(step)),
                None => Adaptor::Rev,
            });
            let adaptors = steps.collect();
            return self.for_range(repeat, range, adaptors);
        }
        let taken_apart = self.near(&Expr::ForLoop(repeat.clone()), |cx| {
            let seq = cx.seq(&repeat.expr)?;
            cx.for_items(repeat, &seq);
            Some(())
        });
        if taken_apart.is_none() {
            self.verbatim_statement(repeat);
        }
    }

    /// A loop over the items of a sequence.
    fn for_items(&mut self, repeat: &syn::ExprForLoop, seq: &Seq) {
        let id = self.new_loop(&repeat.label, None);
        let depth = self.loops.len();
        self.run(seq, id, repeat.for_token.span(), &mut |cx, item| {
            // The next item may be made by an inner loop.
            cx.loops[depth - 1].next = cx.innermost.unwrap_or(id);
            cx.bind_source(&repeat.pat, item);
            cx.name_index();
            cx.unit_stmts(&repeat.body.stmts);
        });
        self.loops.pop();
    }

    pub(super) fn verbatim_statement(&mut self, repeat: &syn::ExprForLoop) {
        let expr = Expr::ForLoop(repeat.clone());
        let code = self.verbatim(&expr, false);
        self.out.push(Stmt::Verbatim { code, diverges: false });
    }

    pub(super) fn for_range(
        &mut self,
        repeat: &syn::ExprForLoop,
        range: &syn::ExprRange,
        adaptors: Vec<Adaptor>,
    ) {
        let bound = |cx: &mut Self, end: &Option<Box<Expr>>| {
            cx.atom(end.as_ref().expect("the caller has seen both ends"))
        };
        let (lo, hi) = (bound(self, &range.start), bound(self, &range.end));
        let inclusive = matches!(range.limits, syn::RangeLimits::Closed(_));
        let range = Range { lo, hi, inclusive, adaptors };
        let wild = || Ident::new("k", Span::mixed_site());
        let (ident, mutable) = match &*repeat.pat {
            Pat::Ident(pat) if pat.subpat.is_none() => {
                (Some(pat.ident.clone()), pat.mutability.is_some())
            }
            Pat::Wild(_) => (None, false),
            other => {
                self.errors.push(
                    other,
                    "the index of a counted loop is bound to a pattern",
                    "write a name: `for k in 0..n`",
                );
                (None, false)
            }
        };
        self.counted(repeat, range, |cx, index| {
            let Some(ident) = ident else {
                cx.vars[index.0].name = cx.names.fresh("k", wild().span());
                return;
            };
            if mutable {
                let var = cx.new_binding(&ident, Ty::Discrete, Role::Local, true);
                cx.vars[index.0].name = cx.names.fresh("k", ident.span());
                cx.out.push(Stmt::Let { var, value: Value::Atom(Atom::Var(index)) });
                return;
            }
            let named = cx.new_binding(&ident, Ty::Discrete, Role::Local, false);
            cx.vars[index.0] = cx.vars[named.0].clone();
            cx.vars.pop();
            cx.bind(&ident, index);
        });
    }

    /// A loop over `range` whose body starts with what `bind` makes of the index.
    pub(super) fn counted(
        &mut self,
        repeat: &syn::ExprForLoop,
        range: Range,
        bind: impl FnOnce(&mut Self, VarId),
    ) {
        let id = self.new_loop(&repeat.label, None);
        let name = Ident::new("k", Span::mixed_site());
        let index = self.new_var(name, Ty::Discrete, Role::Local, false);
        if self.is_position(&range.lo) || self.is_position(&range.hi) {
            self.positions.insert(index);
        }
        let body = self.looped(&[&repeat.body], |cx| {
            cx.block(|cx| {
                bind(cx, index);
                cx.unit_stmts(&repeat.body.stmts);
                None
            })
        });
        self.loops.pop();
        self.forget(&body);
        self.out.push(Stmt::For(ForLoop { id, index, range, body }));
    }
}

pub(super) fn writes_to(body: &Block, var: VarId) -> bool {
    let mut found = false;
    crate::walk::each_stmt(body, &mut |stmt| found |= crate::walk::writes(stmt).contains(&var));
    found
}
