//! Branches, loops and exits.

use super::matching::conjuncts;
use super::unpack::cases;
use super::{Lower, known, verbatim};
use crate::ir::*;
use crate::names::plain;
use proc_macro2::{Ident, Span};
use syn::spanned::Spanned;
use syn::{Expr, Pat};

impl Lower<'_> {
    /// A block whose value is not used.
    pub(super) fn unit_block(&mut self, block: &syn::Block) -> Block {
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

    /// `{ … }`; its value if that is `wanted` and there is one. It is a part of the block around it, unless
    /// something in it has to be dropped at its end.
    pub(super) fn inner_block(&mut self, block: &syn::Block, wanted: bool) -> Option<Atom> {
        if !self.holds_guards(block) {
            self.scopes.push(Default::default());
            let result = self.stmts(&block.stmts);
            self.scopes.pop();
            return result;
        }
        let then = self.branch(block, wanted);
        self.forget(&then);
        let dest = self.destination([&then].into_iter(), block.span());
        let cond = Atom::Text(quote::quote!(true), Ty::Discrete);
        self.out.push(Stmt::If { dest, cond, then, otherwise: Block::default() });
        dest.map(Atom::Var)
    }

    /// Whether a block binds something that may act when it is dropped, such as a lock.
    fn holds_guards(&self, block: &syn::Block) -> bool {
        block.stmts.iter().any(|stmt| match stmt {
            syn::Stmt::Local(syn::Local { pat, init: Some(init), .. }) => {
                let own = known::makes_own(&init.expr) && !self.mentions_reals(&init.expr);
                !matches!(pat, Pat::Type(_)) && (own || known::gives_guard(&init.expr))
            }
            _ => false,
        })
    }

    /// Whether the patterns of an `if` and its `else if`s can be taken apart.
    pub(super) fn can_branch(&self, branch: &syn::ExprIf) -> bool {
        let otherwise = branch.else_branch.as_ref().map(|(_, expr)| &**expr);
        let own = conjuncts(&branch.cond).into_iter().all(|cond| match cond {
            Expr::Let(binding) => self.can_unpack(&[&binding.pat]),
            _ => !verbatim::has_let(cond),
        });
        own && !matches!(otherwise, Some(Expr::If(inner)) if !self.can_branch(inner))
    }

    /// Whether the patterns of a `match` can be taken apart.
    pub(super) fn can_match(&self, branch: &syn::ExprMatch) -> bool {
        let pats = arm_patterns(branch);
        let guards = branch.arms.iter().filter_map(|arm| split_guard(&arm.pat).1);
        !guards.into_iter().any(verbatim::has_let)
            && (self.is_plain_match(branch) || self.can_unpack(&pats))
    }

    /// `if`; its value if that is `wanted` and there is one.
    pub(super) fn if_expr(&mut self, branch: &syn::ExprIf, wanted: bool) -> Option<Atom> {
        if verbatim::has_let(&branch.cond) {
            return self.if_let_expr(branch, wanted);
        }
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

    fn if_let_expr(&mut self, branch: &syn::ExprIf, wanted: bool) -> Option<Atom> {
        let mut body = |cx: &mut Self, holds: bool| {
            if holds && wanted {
                return cx.stmts(&branch.then_branch.stmts);
            }
            if holds {
                cx.unit_stmts(&branch.then_branch.stmts);
                return None;
            }
            let (_, expr) = branch.else_branch.as_ref()?;
            if wanted {
                return cx.tail(expr);
            }
            cx.statement(expr);
            None
        };
        self.if_let(&conjuncts(&branch.cond), &mut body, branch.if_token.span())
    }

    /// Forgets what was read of variables that a block writes.
    pub(super) fn forget(&mut self, block: &Block) {
        let mut written = Vec::new();
        crate::walk::each_stmt(block, &mut |stmt| written.extend(crate::walk::writes(stmt)));
        written.into_iter().for_each(|var| {
            self.written(var);
            self.forget_aliased(var);
        });
    }

    /// The variable for the value of a branch, if any of its blocks has one.
    pub(super) fn destination<'b>(
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
        branch.arms.iter().all(|arm| {
            no_let(arm)
                && match split_guard(&arm.pat).0 {
                    Pat::Ident(ident) => {
                        ident.by_ref.is_none()
                            && ident.subpat.as_ref().is_none_or(|(_, pat)| binds_nothing(pat))
                    }
                    pat => binds_nothing(pat),
                }
        })
    }

    /// `match`; its value if that is `wanted` and there is one.
    pub(super) fn match_expr(&mut self, branch: &syn::ExprMatch, wanted: bool) -> Option<Atom> {
        self.match_with(branch, &mut |cx, body| {
            if wanted {
                return cx.tail(body);
            }
            cx.statement(body);
            None
        })
    }

    /// `match`, with `lower` for the bodies of its arms.
    pub(super) fn match_with(
        &mut self,
        branch: &syn::ExprMatch,
        lower: &mut dyn FnMut(&mut Self, &Expr) -> Option<Atom>,
    ) -> Option<Atom> {
        let pats = arm_patterns(branch);
        if !self.is_plain_match(branch) || self.names_opaque(&branch.expr) && self.can_unpack(&pats)
        {
            return self.unpack(branch, lower);
        }
        let scrutinee = self.atom(&branch.expr);
        let scrutinee = match scrutinee {
            Atom::Text(..) => {
                let ty = self.atom_ty(&scrutinee);
                self.temp(Value::Atom(scrutinee), ty, branch.expr.span())
            }
            var => var,
        };
        let arms: Vec<Arm> =
            branch.arms.iter().map(|arm| self.arm(arm, &scrutinee, lower)).collect();
        for arm in &arms {
            self.forget(&arm.body);
        }
        let span = branch.match_token.span();
        let dest = self.destination(arms.iter().map(|arm| &arm.body), span);
        let name = self.names.fresh("arm", span);
        let decision = self.new_var(name, Ty::Discrete, Role::Local, false);
        let scrutinee = Scrutinee::Value(scrutinee);
        self.out.push(Stmt::Match { dest, scrutinee, decision, arms });
        dest.map(Atom::Var)
    }

    /// Whether an expression names a place whose type is not known, which a match must not move.
    fn names_opaque(&mut self, expr: &Expr) -> bool {
        // Only asked, so what indexes the place is not kept.
        let (made, reads) = (self.out.len(), self.reads.clone());
        let found = self.place(verbatim_place(expr));
        self.out.truncate(made);
        self.reads = reads;
        found.is_some_and(|(place, ty)| place.var().is_some() && ty.peeled().is_opaque())
    }

    /// Refuses a guard that does more than test.
    pub(super) fn refuse_impure(&mut self, guard: &Block, written: &Expr) {
        if !crate::walk::is_pure(guard) {
            self.errors.push(
                written,
                "a guard with side effects is not supported",
                "compute the condition in front of the `match`",
            );
        }
    }

    fn arm(
        &mut self,
        arm: &syn::Arm,
        scrutinee: &Atom,
        lower: &mut dyn FnMut(&mut Self, &Expr) -> Option<Atom>,
    ) -> Arm {
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
        let guard = guard.map(|guard| self.guarded(|cx| cx.block(|cx| Some(cx.atom(guard)))));
        if let (Some(guard), Some(written)) = (&guard, written) {
            self.refuse_impure(guard, written);
        }
        let body = self.guarded(|cx| cx.block(|cx| lower(cx, &arm.body)));
        self.scopes.pop();
        Arm { pat, binds: 0, guard, body }
    }

    /// The function's result is of the type that its signature says.
    pub(super) fn expect_result(&mut self, value: &Atom) {
        if self.signature.result.is_real() {
            self.expect_scalar(value);
        }
    }

    pub(super) fn return_expr(&mut self, exit: &syn::ExprReturn) {
        if let Some(expr) = &exit.expr {
            match self.returns {
                None => self.statement(expr),
                Some(result) => {
                    let value = self.atom(expr);
                    self.expect_result(&value);
                    self.written(result);
                    let place = Place::of(result);
                    self.out.push(Stmt::Store { place, value });
                }
            }
        }
        self.out.push(Stmt::Exit(Exit::Return));
    }

    pub(super) fn break_expr(&mut self, exit: &syn::ExprBreak) {
        let Some(k) = self.target(&exit.label, exit.span()) else {
            return;
        };
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
            let id = self.loops[k].next;
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

/// The expression behind a `&`.
fn verbatim_place(expr: &Expr) -> &Expr {
    match super::place::strip(expr) {
        Expr::Reference(reference) => &reference.expr,
        other => other,
    }
}

/// A name in a pattern that is a constant or unit variant, not a binding.
pub(super) fn is_constant(ident: &Ident) -> bool {
    plain(ident).starts_with(char::is_uppercase)
}

/// The patterns of a `match`, without guards.
fn arm_patterns(branch: &syn::ExprMatch) -> Vec<&Pat> {
    branch.arms.iter().flat_map(|arm| cases(split_guard(&arm.pat).0)).collect()
}

/// The pattern of an arm, and its guard.
pub(super) fn split_guard(pat: &Pat) -> (&Pat, Option<&Expr>) {
    match pat {
        Pat::Guard(guarded) => (&guarded.pat, Some(&guarded.guard)),
        pat => (pat, None),
    }
}
