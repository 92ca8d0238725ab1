//! Rust that is carried as it is.

use super::Lower;
use super::refusal::refusal;
use crate::ir::*;
use crate::names::plain;
use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{BinOp, Expr};

impl Lower<'_> {
    /// Carries `expr` as it is.
    pub(super) fn verbatim(&mut self, expr: &Expr, discrete: bool) -> Verbatim {
        let refusal = refusal(expr);
        let mut used = Used::default();
        used.visit_expr(expr);
        if let Some(span) = used.exit {
            let message = match expr {
                Expr::Try(_) => "`?` is not supported yet".to_owned(),
                _ => format!("an exit from inside of {} is not supported yet", refusal.what),
            };
            self.errors.push(span, message, &refusal.help);
        }
        // Text and a further `Err` carry no derivative either.
        let passes_on = discrete || matches!(expr, Expr::Macro(_));
        let mut names: Vec<(Ident, VarId)> = Vec::new();
        for ident in used.names {
            if !passes_on {
                self.refuse_error_part(&ident);
            }
            if let Some(var) = self.lookup(&ident)
                && !names.iter().any(|(other, _)| *other == ident)
            {
                let var = self.seated(var).unwrap_or(var);
                names.push((ident, var));
            }
        }
        for ident in &used.changes {
            if self.lookup(ident).is_some_and(|var| self.seats.contains_key(&var)) {
                self.errors.push(
                    ident,
                    format!("a reference that is set anew inside of {}", refusal.what)
                        + " is not supported",
                    "set it anew in a branch or loop that is supported",
                );
            }
        }
        let mut changes = Vec::new();
        // Scalars have no methods that change them.
        let receivers = used.receivers.into_iter().filter(|ident| {
            let ty = self.lookup(ident).map(|var| self.ty(var).peeled().clone());
            !matches!(ty, Some(Ty::Float | Ty::Generic | Ty::Discrete))
        });
        // Nor do slices and vectors of numbers have ones of these names that do.
        let observed = used.observed.into_iter().filter(|ident| {
            self.lookup(ident).is_some_and(|var| !holds_numbers(self.ty(var).peeled()))
        });
        let receivers = receivers.chain(observed);
        let may_change: Vec<Ident> = receivers.chain(used.changes).chain(used.handed).collect();
        for ident in may_change {
            if let Some(var) = self.lookup(&ident)
                && self.can_change(var)
                && !changes.contains(&var)
            {
                self.written(var);
                changes.push(var);
            }
        }
        Verbatim { code: Box::new(expr.clone()), names, changes, refusal, discrete }
    }

    /// The variables that code mentions.
    pub(super) fn mentioned(&self, expr: &Expr) -> Vec<VarId> {
        let mut used = Used::default();
        used.visit_expr(expr);
        used.names.iter().filter_map(|ident| self.lookup(ident)).collect()
    }

    /// Whether code mentions a variable that may be active.
    pub(super) fn mentions_reals(&self, expr: &Expr) -> bool {
        let mentioned = self.mentioned(expr);
        let mut reals = mentioned.into_iter().filter(|var| self.ty(*var).may_hold_reals());
        reals.any(|var| !self.is_constant_param(var) && !self.inert.contains(&var))
    }

    pub(super) fn is_constant_param(&self, var: VarId) -> bool {
        self.signature.params.get(var.0).is_some_and(|param| !param.carries())
    }

    /// Refuses to compute with what an `Err` holds: its derivative would be lost.
    pub(super) fn refuse_error_part(&mut self, ident: &Ident) {
        if self.lookup(ident).is_some_and(|var| self.error_parts.contains(&var)) {
            self.push_error_part(ident, &format!("`{ident}`"));
        }
    }

    /// Lowers `expr`, of which only an integer or a `bool` is made: what an `Err` holds may be asked so, since
    /// no derivative would pass on in any case.
    pub(super) fn asked<T>(&mut self, expr: &Expr, lower: impl FnOnce(&mut Self) -> T) -> T {
        let name = match super::place::strip(expr) {
            Expr::Unary(syn::ExprUnary { op: syn::UnOp::Deref(_), expr, .. }) => expr,
            other => other,
        };
        let var = match name {
            Expr::Path(path) => path.path.get_ident().and_then(|ident| self.lookup(ident)),
            _ => None,
        };
        let held = var.filter(|var| self.error_parts.remove(var));
        let made = lower(self);
        self.error_parts.extend(held);
        made
    }

    pub(super) fn push_error_part(&mut self, at: &impl quote::ToTokens, what: &str) {
        let message = format!("{what} is of an `Err`, which carries no derivative");
        let help = "match `Err(_)`, pass the error on as `Err(…)`, or keep what is computed \
                    with in an enum that derives `Differentiable`";
        self.errors.push(at, message, help);
    }

    /// Whether running code changes a variable, as far as calls of functions do not.
    pub(super) fn changes_something(&self, code: &Expr) -> bool {
        let mut used = Used::default();
        used.visit_expr(code);
        let handed = used.handed.iter().chain(&used.receivers).chain(&used.observed);
        // What is not known here is of the code's own.
        used.changes.iter().any(|ident| self.lookup(ident).is_some())
            || handed.filter_map(|ident| self.lookup(ident)).any(|var| {
                matches!(self.ty(var), Ty::Ref { mutable: true, .. }) || self.closure_changes(var)
            })
    }

    fn can_change(&self, var: VarId) -> bool {
        // A closure that was bound here tells itself what it changes, one that was handed in changes
        // nothing that is known here.
        if self.closures.contains_key(&var) || self.called_param(var).is_some() {
            return false;
        }
        let info = &self.vars[var.0];
        // A type that is not known may change behind a shared reference: `Cell`.
        info.mutable
            || matches!(info.ty, Ty::Ref { mutable: true, .. })
            || info.ty.peeled().is_opaque()
    }
}

/// Whether a type is a slice, an array or a vector of numbers, or an `Option` of one, nested at will.
fn holds_numbers(ty: &Ty) -> bool {
    match ty {
        Ty::Wrapped { inner, .. } => {
            matches!(**inner, Ty::Float | Ty::Generic | Ty::Discrete) || holds_numbers(inner)
        }
        Ty::Array { elem, .. } | Ty::Slice(elem) => {
            matches!(**elem, Ty::Float | Ty::Generic | Ty::Discrete) || holds_numbers(elem)
        }
        _ => false,
    }
}

/// Methods of slices, vectors and options that change nothing, and lend nothing that could.
const LOOKING: &[&str] = &[
    "as_ref",
    "binary_search_by",
    "capacity",
    "chunks",
    "contains",
    "copied",
    "expect",
    "first",
    "get",
    "is_empty",
    "is_some_and",
    "iter",
    "last",
    "len",
    "partition_point",
    "to_vec",
    "unwrap",
    "unwrap_or",
    "windows",
];

/// Methods that ask an `Option` or `Result` what it is.
const ASKING: &[&str] = &["is_err", "is_none", "is_ok", "is_some"];

fn only_looks(call: &syn::ExprMethodCall) -> bool {
    LOOKING.iter().any(|name| call.method == name)
}

/// What a piece of Rust mentions.
#[derive(Default)]
struct Used {
    names: Vec<Ident>,
    changes: Vec<Ident>,
    receivers: Vec<Ident>,
    /// Receivers of methods that only look, if they are those of slices.
    observed: Vec<Ident>,
    /// What goes to calls by its name, and what is called.
    handed: Vec<Ident>,
    exit: Option<proc_macro2::Span>,
    /// Depth of closures and loops, which keep exits to themselves.
    closures: usize,
    loops: usize,
}

impl Used {
    fn tokens(&mut self, tokens: TokenStream) {
        let mut after_dot = false;
        for token in tokens {
            match token {
                TokenTree::Ident(ident) if !after_dot => self.names.push(ident),
                TokenTree::Group(group) => self.tokens(group.stream()),
                TokenTree::Literal(literal) => {
                    let text = literal.to_string();
                    for piece in text.split('{').skip(1) {
                        let name: String = piece
                            .chars()
                            .take_while(|c| c.is_alphanumeric() || *c == '_')
                            .collect();
                        if let Ok(mut ident) = syn::parse_str::<Ident>(&name) {
                            ident.set_span(literal.span());
                            self.names.push(ident);
                        }
                    }
                }
                TokenTree::Punct(punct) => {
                    after_dot = punct.as_char() == '.';
                    continue;
                }
                TokenTree::Ident(_) => {}
            }
            after_dot = false;
        }
    }

    fn observe(&mut self, expr: &Expr) {
        let known = self.changes.len();
        self.change(expr);
        let observed = self.changes.split_off(known);
        self.observed.extend(observed);
    }

    fn change(&mut self, expr: &Expr) {
        match expr {
            Expr::Path(path) => self.changes.extend(path.path.get_ident().cloned()),
            Expr::Field(field) => self.change(&field.base),
            Expr::Index(index) => self.change(&index.expr),
            Expr::Paren(paren) => self.change(&paren.expr),
            Expr::Group(group) => self.change(&group.expr),
            Expr::Unary(unary) => self.change(&unary.expr),
            Expr::MethodCall(call) if only_looks(call) => self.observe(&call.receiver),
            Expr::MethodCall(call) => self.change(&call.receiver),
            Expr::Tuple(tuple) => tuple.elems.iter().for_each(|elem| self.change(elem)),
            _ => {}
        }
    }
}

impl<'ast> Visit<'ast> for Used {
    fn visit_expr_path(&mut self, path: &'ast syn::ExprPath) {
        self.names.extend(path.path.get_ident().cloned());
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        let known = self.names.len();
        self.tokens(mac.tokens.clone());
        if !super::expr::reads_only(&mac.path) {
            self.changes.extend_from_slice(&self.names[known..]);
            return;
        }
        // What its arguments do, it does.
        let arguments = syn::punctuated::Punctuated::<Expr, syn::Token![,]>::parse_terminated;
        if let Ok(arguments) = syn::parse::Parser::parse2(arguments, mac.tokens.clone()) {
            let mut inside = Used::default();
            arguments.iter().for_each(|argument| inside.visit_expr(argument));
            self.changes.extend(inside.changes);
            self.receivers.extend(inside.receivers);
            self.observed.extend(inside.observed);
            self.handed.extend(inside.handed);
        }
    }

    fn visit_expr_assign(&mut self, assign: &'ast syn::ExprAssign) {
        self.change(&assign.left);
        visit::visit_expr_assign(self, assign);
    }

    fn visit_expr_binary(&mut self, binary: &'ast syn::ExprBinary) {
        if compound(&binary.op).is_some() {
            self.change(&binary.left);
        }
        visit::visit_expr_binary(self, binary);
    }

    fn visit_expr_reference(&mut self, reference: &'ast syn::ExprReference) {
        if reference.mutability.is_some() {
            self.change(&reference.expr);
        }
        visit::visit_expr_reference(self, reference);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        if ASKING.iter().any(|name| call.method == name) {
            // Whoever has such a method lets it change nothing.
        } else if only_looks(call) {
            self.observe(&call.receiver);
        } else {
            let known = self.changes.len();
            self.change(&call.receiver);
            let receivers = self.changes.split_off(known);
            self.receivers.extend(receivers);
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        // A `&mut` variable passed by its name is reborrowed.
        let known = self.changes.len();
        call.args.iter().for_each(|arg| self.change(arg));
        // So is a closure that is called.
        self.change(&call.func);
        let handed = self.changes.split_off(known);
        self.handed.extend(handed);
        visit::visit_expr_call(self, call);
    }

    fn visit_expr_closure(&mut self, closure: &'ast syn::ExprClosure) {
        self.closures += 1;
        visit::visit_expr_closure(self, closure);
        self.closures -= 1;
    }

    fn visit_expr_for_loop(&mut self, expr: &'ast syn::ExprForLoop) {
        self.change(&expr.expr);
        self.visit_expr(&expr.expr);
        self.loops += 1;
        self.visit_block(&expr.body);
        self.loops -= 1;
    }

    fn visit_expr_while(&mut self, expr: &'ast syn::ExprWhile) {
        self.loops += 1;
        visit::visit_expr_while(self, expr);
        self.loops -= 1;
    }

    fn visit_expr_loop(&mut self, expr: &'ast syn::ExprLoop) {
        self.loops += 1;
        visit::visit_expr_loop(self, expr);
        self.loops -= 1;
    }

    fn visit_expr_return(&mut self, expr: &'ast syn::ExprReturn) {
        self.leave(expr.return_token.span(), false);
        visit::visit_expr_return(self, expr);
    }

    fn visit_expr_try(&mut self, expr: &'ast syn::ExprTry) {
        self.leave(expr.question_token.span(), false);
        visit::visit_expr_try(self, expr);
    }

    fn visit_expr_break(&mut self, expr: &'ast syn::ExprBreak) {
        self.leave(expr.break_token.span(), expr.label.is_none());
        visit::visit_expr_break(self, expr);
    }

    fn visit_expr_continue(&mut self, expr: &'ast syn::ExprContinue) {
        self.leave(expr.continue_token.span(), expr.label.is_none());
    }
}

impl Used {
    fn leave(&mut self, span: proc_macro2::Span, caught_by_loop: bool) {
        if self.closures == 0 && !(caught_by_loop && self.loops > 0) && self.exit.is_none() {
            self.exit = Some(span);
        }
    }
}

/// The plain operator of a compound assignment.
pub(super) fn compound(op: &BinOp) -> Option<BinOp> {
    Some(match op {
        BinOp::AddAssign(t) => BinOp::Add(syn::Token![+](t.spans[0])),
        BinOp::SubAssign(t) => BinOp::Sub(syn::Token![-](t.spans[0])),
        BinOp::MulAssign(t) => BinOp::Mul(syn::Token![*](t.spans[0])),
        BinOp::DivAssign(t) => BinOp::Div(syn::Token![/](t.spans[0])),
        BinOp::RemAssign(t) => BinOp::Rem(syn::Token![%](t.spans[0])),
        BinOp::BitXorAssign(t) => BinOp::BitXor(syn::Token![^](t.spans[0])),
        BinOp::BitAndAssign(t) => BinOp::BitAnd(syn::Token![&](t.spans[0])),
        BinOp::BitOrAssign(t) => BinOp::BitOr(syn::Token![|](t.spans[0])),
        BinOp::ShlAssign(t) => BinOp::Shl(syn::Token![<<]([t.spans[0], t.spans[1]])),
        BinOp::ShrAssign(t) => BinOp::Shr(syn::Token![>>]([t.spans[0], t.spans[1]])),
        _ => return None,
    })
}

/// Whether a body returns before its end.
pub(super) fn has_return(body: &syn::Block) -> bool {
    struct Returns(bool);
    impl<'ast> Visit<'ast> for Returns {
        fn visit_expr_return(&mut self, _: &'ast syn::ExprReturn) {
            self.0 = true;
        }
        fn visit_expr_try(&mut self, _: &'ast syn::ExprTry) {
            self.0 = true;
        }
        fn visit_expr_closure(&mut self, _: &'ast syn::ExprClosure) {}
        fn visit_item(&mut self, _: &'ast syn::Item) {}
    }
    let mut returns = Returns(false);
    returns.visit_block(body);
    returns.0
}

/// Whether a closure's body returns before its end.
pub(super) fn returns(body: &Expr) -> bool {
    has_return(&syn::parse_quote!({ #body }))
}

/// The names that code assigns, borrows mutably or calls methods on.
pub(super) fn assigned(block: &syn::Block) -> Vec<String> {
    let mut used = Used::default();
    used.visit_block(block);
    let receivers = used.receivers.iter().chain(&used.observed);
    used.changes.iter().chain(receivers).chain(&used.handed).map(plain).collect()
}

/// Whether evaluating an operand of `&&` or `||` too early could change or stop the program.
pub(super) fn is_total(expr: &Expr) -> bool {
    match expr {
        Expr::Lit(_) | Expr::Path(_) => true,
        Expr::Paren(paren) => is_total(&paren.expr),
        Expr::Group(group) => is_total(&group.expr),
        Expr::Cast(cast) => is_total(&cast.expr),
        Expr::Unary(unary) => is_total(&unary.expr),
        Expr::Field(field) => is_total(&field.base),
        Expr::Binary(binary) => match binary.op {
            // Integer arithmetic may panic.
            BinOp::And(_)
            | BinOp::Or(_)
            | BinOp::Eq(_)
            | BinOp::Ne(_)
            | BinOp::Lt(_)
            | BinOp::Le(_)
            | BinOp::Gt(_)
            | BinOp::Ge(_) => is_total(&binary.left) && is_total(&binary.right),
            _ => false,
        },
        Expr::MethodCall(call) => {
            let name = call.method.to_string();
            let known = ["is_nan", "is_finite", "is_infinite", "is_empty", "len", "abs"];
            let asks = ASKING.contains(&name.as_str());
            (asks || known.contains(&name.as_str())) && is_total(&call.receiver)
        }
        _ => false,
    }
}

/// Whether a condition binds a pattern.
pub(super) fn has_let(cond: &Expr) -> bool {
    match cond {
        Expr::Let(_) => true,
        Expr::Paren(paren) => has_let(&paren.expr),
        Expr::Group(group) => has_let(&group.expr),
        Expr::Binary(binary) => has_let(&binary.left) || has_let(&binary.right),
        _ => false,
    }
}

/// Whether an expression is a `bool`, whatever it reads.
pub(super) fn is_test(expr: &Expr) -> bool {
    match super::place::strip(expr) {
        Expr::Binary(binary) => matches!(
            binary.op,
            BinOp::And(_)
                | BinOp::Or(_)
                | BinOp::Eq(_)
                | BinOp::Ne(_)
                | BinOp::Lt(_)
                | BinOp::Le(_)
                | BinOp::Gt(_)
                | BinOp::Ge(_)
        ),
        Expr::Macro(mac) => mac.mac.path.is_ident("matches"),
        Expr::Unary(unary) => matches!(unary.op, syn::UnOp::Not(_)) && is_test(&unary.expr),
        _ => false,
    }
}
