//! Branches, loops and exits.

use super::pattern::Source;
use super::place::strip;
use super::{Lower, LoopFrame, verbatim};
use crate::ir::*;
use crate::names::plain;
use proc_macro2::{Ident, Span};
use quote::quote;
use syn::spanned::Spanned;
use syn::{Expr, Pat};

impl Lower<'_> {
    /// A block whose value is not used.
    fn unit_block(&mut self, block: &syn::Block) -> Block {
        self.block(|cx| {
            cx.unit_stmts(&block.stmts);
            None
        })
    }

    /// Statements of which the last has no value either.
    pub(super) fn unit_stmts(&mut self, stmts: &[syn::Stmt]) {
        match stmts.split_last() {
            Some((syn::Stmt::Expr(last, None), rest)) => {
                let result = self.stmts(rest);
                debug_assert!(result.is_none(), "statements before the last have no value");
                self.statement(last);
            }
            _ => {
                self.stmts(stmts);
            }
        }
    }

    fn branch(&mut self, block: &syn::Block, wanted: bool) -> Block {
        self.guarded(|cx| {
            if wanted { cx.block(|cx| cx.stmts(&block.stmts)) } else { cx.unit_block(block) }
        })
    }

    /// `if`; its value if that is `wanted` and there is one.
    pub(super) fn if_expr(&mut self, branch: &syn::ExprIf, wanted: bool) -> Option<Atom> {
        let cond = self.atom(&branch.cond);
        let then = self.branch(&branch.then_branch, wanted);
        let otherwise = match &branch.else_branch {
            None => Block::default(),
            Some((_, expr)) => match &**expr {
                Expr::Block(block) => self.branch(&block.block, wanted),
                expr => self.guarded(|cx| {
                    cx.block(|cx| {
                        if wanted {
                            return cx.tail(expr);
                        }
                        cx.statement(expr);
                        None
                    })
                }),
            },
        };
        self.forget(&then);
        self.forget(&otherwise);
        let dest = self.destination([&then, &otherwise].into_iter(), branch.if_token.span());
        self.out.push(Stmt::If { dest, cond, then, otherwise });
        dest.map(Atom::Var)
    }

    /// Forgets what was read of variables that a block writes.
    fn forget(&mut self, block: &Block) {
        let mut written = Vec::new();
        crate::walk::each_stmt(block, &mut |stmt| written.extend(crate::walk::writes(stmt)));
        written.into_iter().for_each(|var| {
            self.written(var);
            self.forget_aliased(var);
        });
    }

    /// The variable for the value of a branch, if any of its blocks has one.
    fn destination<'b>(
        &mut self,
        blocks: impl Iterator<Item = &'b Block>,
        span: Span,
    ) -> Option<VarId> {
        let atoms: Vec<Atom> = blocks.filter_map(|block| block.result.clone()).collect();
        let mut known = None;
        for atom in &atoms {
            let ty = self.atom_ty(atom);
            if ty == Ty::Unit {
                return None;
            }
            if known.is_none() || known == Some(Ty::Unknown) {
                known = Some(ty);
            }
        }
        let ty = known?;
        if ty.is_real() {
            atoms.iter().for_each(|atom| self.expect_scalar(atom));
        }
        let name = Ident::new("t", Span::mixed_site().located_at(span));
        Some(self.new_var(name, ty, Role::Temp, false))
    }

    /// Whether the patterns of a `match` bind nothing but the whole value.
    pub(super) fn is_plain_match(&self, branch: &syn::ExprMatch) -> bool {
        fn binds_nothing(pat: &Pat) -> bool {
            match pat {
                Pat::Lit(_) | Pat::Range(_) | Pat::Wild(_) | Pat::Path(_) | Pat::Const(_) => true,
                Pat::Rest(_) => true,
                Pat::Ident(ident) => is_constant(&ident.ident),
                Pat::Paren(paren) => binds_nothing(&paren.pat),
                Pat::Reference(reference) => binds_nothing(&reference.pat),
                Pat::Or(or) => or.cases.iter().all(binds_nothing),
                Pat::Tuple(tuple) => tuple.elems.iter().all(binds_nothing),
                Pat::TupleStruct(pat) => pat.elems.iter().all(binds_nothing),
                Pat::Struct(pat) => pat.fields.iter().all(|field| binds_nothing(&field.pat)),
                _ => false,
            }
        }
        let no_let = |arm: &syn::Arm| !split_guard(&arm.pat).1.is_some_and(verbatim::has_let);
        branch.arms.iter().all(|arm| no_let(arm) && match split_guard(&arm.pat).0 {
            Pat::Ident(ident) => {
                ident.by_ref.is_none()
                    && ident.subpat.as_ref().is_none_or(|(_, pat)| binds_nothing(pat))
            }
            pat => binds_nothing(pat),
        })
    }

    /// `match`; its value if that is `wanted` and there is one.
    pub(super) fn match_expr(&mut self, branch: &syn::ExprMatch, wanted: bool) -> Option<Atom> {
        let scrutinee = self.atom(&branch.expr);
        let scrutinee = match scrutinee {
            Atom::Text(..) => {
                let ty = self.atom_ty(&scrutinee);
                self.temp(Value::Atom(scrutinee), ty, branch.expr.span())
            }
            var => var,
        };
        let arms: Vec<Arm> =
            branch.arms.iter().map(|arm| self.arm(arm, &scrutinee, wanted)).collect();
        for arm in &arms {
            self.forget(&arm.body);
        }
        let span = branch.match_token.span();
        let dest = self.destination(arms.iter().map(|arm| &arm.body), span);
        let name = self.names.fresh("arm", span);
        let decision = self.new_var(name, Ty::Discrete, Role::Local, false);
        self.out.push(Stmt::Match { dest, scrutinee, decision, arms });
        dest.map(Atom::Var)
    }

    fn arm(&mut self, arm: &syn::Arm, scrutinee: &Atom, wanted: bool) -> Arm {
        self.scopes.push(Default::default());
        let (whole, guard) = split_guard(&arm.pat);
        let pat = match whole {
            Pat::Ident(ident) if !is_constant(&ident.ident) => {
                let var = scrutinee.var().expect("the scrutinee was bound");
                self.bind(&ident.ident, var);
                match &ident.subpat {
                    Some((_, pat)) => (**pat).clone(),
                    None => syn::parse_quote!(_),
                }
            }
            pat => pat.clone(),
        };
        let written = guard;
        let guard = guard
            .map(|guard| self.guarded(|cx| cx.block(|cx| Some(cx.atom(guard)))));
        if let (Some(guard), Some(written)) = (&guard, written)
            && !crate::walk::is_pure(guard)
        {
            self.errors.push(
                written,
                "a guard with side effects is not supported",
                "compute the condition in front of the `match`",
            );
        }
        let body = self.guarded(|cx| {
            cx.block(|cx| {
                if wanted {
                    return cx.tail(&arm.body);
                }
                cx.statement(&arm.body);
                None
            })
        });
        self.scopes.pop();
        Arm { pat, guard, body }
    }

    fn new_loop(&mut self, label: &Option<syn::Label>, dest: Option<VarId>) -> LoopId {
        let id = LoopId(self.loop_count);
        self.loop_count += 1;
        let label = label.as_ref().map(|label| label.name.ident.clone());
        self.loops.push(LoopFrame { id, label, dest });
        id
    }

    /// Runs `lower` for a loop whose body is `bodies`: what they assign is not known at its head.
    fn looped<T>(&mut self, bodies: &[&syn::Block], lower: impl FnOnce(&mut Self) -> T) -> T {
        let assigned: Vec<String> =
            bodies.iter().flat_map(|body| verbatim::assigned(body)).collect();
        let names = self.scopes.iter().flatten();
        let changed: Vec<VarId> = names
            .filter(|((name, _), _)| assigned.contains(name))
            .map(|(_, var)| *var)
            .collect();
        self.reads.retain(|var, _| !changed.contains(var));
        self.guarded(lower)
    }

    fn trips(&mut self, span: Span) -> VarId {
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
        let mut enumerate = false;
        loop {
            match iter {
                Expr::MethodCall(call) if call.method == "step_by" && call.args.len() == 1 => {
                    let step = self.atom(&call.args[0]);
                    adaptors.push(Adaptor::StepBy(step));
                }
                // `enumerate().rev()` counts down with the elements, `rev().enumerate()` does not.
                Expr::MethodCall(call) if call.method == "enumerate" => enumerate = true,
                Expr::MethodCall(call) if call.method == "rev" && !enumerate => {
                    adaptors.push(Adaptor::Rev);
                }
                _ => break,
            }
            let Expr::MethodCall(call) = iter else { break };
            iter = strip(&call.receiver);
        }
        adaptors.reverse();
        match iter {
            Expr::Range(range) if range.start.is_some() && range.end.is_some() && !enumerate => {
                self.for_range(repeat, range, adaptors);
            }
            _ if adaptors.iter().all(|adaptor| matches!(adaptor, Adaptor::Rev)) => {
                if !self.for_elements(repeat, iter, enumerate, adaptors) {
                    self.verbatim_statement(repeat);
                }
            }
            _ => self.verbatim_statement(repeat),
        }
    }

    fn verbatim_statement(&mut self, repeat: &syn::ExprForLoop) {
        let expr = Expr::ForLoop(repeat.clone());
        let code = self.verbatim(&expr, false);
        self.out.push(Stmt::Verbatim { code, diverges: false });
    }

    fn for_range(&mut self, repeat: &syn::ExprForLoop, range: &syn::ExprRange, adaptors: Vec<Adaptor>) {
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
                    &other,
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
    fn counted(
        &mut self,
        repeat: &syn::ExprForLoop,
        range: Range,
        bind: impl FnOnce(&mut Self, VarId),
    ) {
        let id = self.new_loop(&repeat.label, None);
        let name = Ident::new("k", Span::mixed_site());
        let index = self.new_var(name, Ty::Discrete, Role::Local, false);
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

    /// A loop over the elements of a slice, array or vector; `false` if it is something else.
    fn for_elements(
        &mut self,
        repeat: &syn::ExprForLoop,
        iter: &Expr,
        enumerate: bool,
        adaptors: Vec<Adaptor>,
    ) -> bool {
        let (base, access) = match iter {
            Expr::Reference(reference) => {
                (&*reference.expr, Some(reference.mutability.is_some()))
            }
            Expr::MethodCall(call) if call.method == "iter" && call.args.is_empty() => {
                (&*call.receiver, Some(false))
            }
            Expr::MethodCall(call) if call.method == "iter_mut" && call.args.is_empty() => {
                (&*call.receiver, Some(true))
            }
            other => (other, None),
        };
        if !matches!(strip(base), Expr::Path(_) | Expr::Index(_) | Expr::Field(_) | Expr::Unary(_)) {
            return false;
        }
        let Some((place, ty)) = self.place(base) else { return false };
        let constant = matches!(place.root, Root::Path(_)) && access == Some(false);
        if !constant && !matches!(ty.peeled(), Ty::Array { .. } | Ty::Slice(_)) {
            return false;
        }
        let by_ref = match (&ty, access) {
            (_, Some(mutable)) => Some(mutable),
            (Ty::Ref { mutable, .. }, None) => Some(*mutable),
            (_, None) => None,
        };
        let span = base.span();
        let method = Ident::new("len", span);
        let len = self.temp(Value::Length { place: place.clone(), method }, Ty::Discrete, span);
        let lo = Atom::Text(quote!(0), Ty::Discrete);
        let range = Range { lo, hi: len, inclusive: false, adaptors };
        let elem = ty.element();
        let pats = match (&*repeat.pat, enumerate) {
            (Pat::Tuple(tuple), true) if tuple.elems.len() == 2 => {
                Some((Some(tuple.elems[0].clone()), tuple.elems[1].clone()))
            }
            (pat, false) => Some((None, pat.clone())),
            _ => None,
        };
        let Some((index_pat, item_pat)) = pats else { return false };
        self.counted(repeat, range, |cx, index| {
            match index_pat {
                Some(Pat::Ident(pat)) if pat.mutability.is_none() => {
                    let named = cx.new_binding(&pat.ident, Ty::Discrete, Role::Local, false);
                    cx.vars[index.0] = cx.vars[named.0].clone();
                    cx.vars.pop();
                    cx.bind(&pat.ident, index);
                }
                other => {
                    cx.vars[index.0].name = cx.names.fresh("k", span);
                    if let Some(pat) = other {
                        cx.bind_value(&pat, Atom::Var(index), Ty::Discrete);
                    }
                }
            }
            let item = place.then(Step::Index(Atom::Var(index)));
            let source = match by_ref {
                Some(mutable) => Source::Borrow { place: item, ty: elem, mutable },
                None => {
                    let (value, ty) = cx.load(item, elem);
                    Source::Value(value, ty)
                }
            };
            cx.bind_source(&item_pat, source);
        });
        true
    }

    /// `for k in 0..place.len() { sum += place[k]; }`
    pub(super) fn add_all(&mut self, sum: VarId, place: Place, elem: &Ty, span: Span) {
        let method = Ident::new("len", span);
        let len = Value::Length { place: place.clone(), method };
        let hi = self.temp(len, Ty::Discrete, span);
        let lo = Atom::Text(quote!(0), Ty::Discrete);
        let range = Range { lo, hi, inclusive: false, adaptors: Vec::new() };
        let (id, name) = (LoopId(self.loop_count), self.names.fresh("k", span));
        self.loop_count += 1;
        let index = self.new_var(name, Ty::Discrete, Role::Local, false);
        let body = self.block(|cx| {
            let item = Value::Load(place.then(Step::Index(Atom::Var(index))));
            let old = cx.temp(Value::Load(Place::of(sum)), elem.clone(), span);
            let item = cx.temp(item, elem.clone(), span);
            let plus = syn::BinOp::Add(syn::Token![+](span));
            let new = cx.temp(Value::Binary(plus, old, item), elem.clone(), span);
            cx.out.push(Stmt::Store { place: Place::of(sum), value: new });
            None
        });
        self.out.push(Stmt::For(ForLoop { id, index, range, body }));
    }

    pub(super) fn return_expr(&mut self, exit: &syn::ExprReturn) {
        if let Some(expr) = &exit.expr {
            match self.returns {
                None => self.statement(expr),
                Some(result) => {
                    let value = self.atom(expr);
                    self.written(result);
                    let place = Place::of(result);
                    self.out.push(Stmt::Store { place, value });
                }
            }
        }
        self.out.push(Stmt::Exit(Exit::Return));
    }

    pub(super) fn break_expr(&mut self, exit: &syn::ExprBreak) {
        let Some(k) = self.target(&exit.label, exit.span()) else { return };
        let (id, dest) = (self.loops[k].id, self.loops[k].dest);
        if let (Some(expr), Some(dest)) = (&exit.expr, dest) {
            let value = self.atom(expr);
            if *self.ty(dest) == Ty::Unknown {
                self.vars[dest.0].ty = self.atom_ty(&value);
            }
            self.written(dest);
            self.out.push(Stmt::Store { place: Place::of(dest), value });
        } else if let Some(expr) = &exit.expr {
            self.statement(expr);
        }
        self.out.push(Stmt::Exit(Exit::Break(id)));
    }

    pub(super) fn continue_expr(&mut self, exit: &syn::ExprContinue) {
        if let Some(k) = self.target(&exit.label, exit.span()) {
            let id = self.loops[k].id;
            self.out.push(Stmt::Exit(Exit::Continue(id)));
        }
    }

    fn target(&mut self, label: &Option<syn::Lifetime>, span: Span) -> Option<usize> {
        let found = match label {
            None => self.loops.len().checked_sub(1),
            Some(label) => {
                self.loops.iter().rposition(|frame| frame.label.as_ref() == Some(&label.ident))
            }
        };
        if found.is_none() {
            self.errors.push(
                span,
                "this leaves something that is not a loop of this function",
                "use a loop, or `if`",
            );
        }
        found
    }
}

/// A name in a pattern that is a constant or unit variant, not a binding.
fn is_constant(ident: &Ident) -> bool {
    plain(ident).starts_with(char::is_uppercase)
}

fn writes_to(body: &Block, var: VarId) -> bool {
    let mut found = false;
    crate::walk::each_stmt(body, &mut |stmt| found |= crate::walk::writes(stmt).contains(&var));
    found
}

/// The pattern of an arm, and its guard.
fn split_guard(pat: &Pat) -> (&Pat, Option<&Expr>) {
    match pat {
        Pat::Guard(guarded) => (&guarded.pat, Some(&guarded.guard)),
        pat => (pat, None),
    }
}
