//! Closures bound to a variable: each call runs the body where it stands, in the scope of the
//! closure.
//!
//! What a closure borrows cannot change in ways the user does not see while the closure lives, so the
//! body means the same at the call. A `move` closure keeps the values of its time: it is taken apart
//! only if nothing that it captures can change.

use super::pattern::Source;
use super::{Lower, Scopes};
use crate::ir::*;
use std::collections::HashMap;
use syn::{Expr, ExprCall, ExprClosure};

/// A closure and the names that its body sees.
#[derive(Clone)]
pub(super) struct Closure {
    pub(super) closure: ExprClosure,
    pub(super) scopes: Scopes,
}

impl Closure {
    pub(super) fn new(closure: ExprClosure, scopes: Scopes) -> Self {
        Closure { closure, scopes }
    }
}

impl Lower<'_> {
    /// Whether calls of a closure may run its body in place.
    pub(super) fn can_inline(&self, closure: &ExprClosure) -> bool {
        let moved = closure.capture.is_some()
            && self.mentioned(&closure.body).into_iter().any(|var| self.vars[var.0].mutable);
        closure.asyncness.is_none() && !moved && !super::verbatim::returns(&closure.body)
    }

    /// `let f = |…| …;`, which is also carried as it is for those who mention `f` by its name.
    pub(super) fn bind_closure(&mut self, pat: &syn::PatIdent, closure: &ExprClosure) {
        let scopes = self.scopes.clone();
        let mut code = self.verbatim(&Expr::Closure(closure.clone()), false);
        // The closure by itself changes nothing; its calls do, in place.
        code.changes.clear();
        let var = self.new_binding(&pat.ident, Ty::Unknown, Role::Local, pat.mutability.is_some());
        self.out.push(Stmt::Let { var, value: Value::Verbatim(code) });
        self.closures.insert(var, Closure::new(closure.clone(), scopes));
    }

    /// Whether `var` is a closure that changes something.
    pub(super) fn closure_changes(&self, var: VarId) -> bool {
        self.closures.get(&var).is_some_and(|known| self.changes_something(&known.closure.body))
    }

    /// The value of a closure's body, of the type that the closure says.
    pub(super) fn declared_result(&mut self, closure: &ExprClosure) -> Source {
        let syn::ReturnType::Type(_, ty) = &closure.output else {
            return self.source(&closure.body);
        };
        let ty = self.signature.ty(ty);
        let outer = self.result_ty.replace(ty.clone());
        let result = self.source(&closure.body);
        self.result_ty = outer;
        match result {
            Source::Value(value, Ty::Unknown) => Source::Value(value, ty),
            other => other,
        }
    }

    /// The value of a call of a closure that was bound to `var`.
    pub(super) fn closure_call(&mut self, var: VarId, call: &ExprCall) -> Option<(Value, Ty)> {
        let Closure { closure, scopes } = self.closures.get(&var)?.clone();
        if closure.inputs.len() != call.args.len() {
            return None;
        }
        let args: Vec<Source> = call.args.iter().map(|arg| self.settled(arg)).collect();
        let outside = std::mem::replace(&mut self.scopes, scopes);
        self.scopes.push(HashMap::new());
        for (pat, arg) in closure.inputs.iter().zip(args) {
            self.bind_source(pat, arg);
        }
        let result = self.declared_result(&closure);
        self.scopes = outside;
        Some(self.as_value(result, call.paren_token.span.join()))
    }
}
