//! Calls whose companion the option `rules(…)` names.

use super::Lower;
use super::call::{share_repeated, starts_upper};
use super::pattern::Source;
use super::place::strip;
use crate::attr::calls::{CallRule, Written, spelled};
use crate::ir::*;
use syn::Expr;
use syn::spanned::Spanned;

impl Lower<'_> {
    /// A call of a path that is in the list.
    pub(super) fn ruled_call(&mut self, call: &syn::ExprCall, wanted: bool) -> Option<(Value, Ty)> {
        let Expr::Path(path) = strip(&call.func) else { return None };
        if path.qself.is_some() {
            return None;
        }
        let text = spelled(&path.path);
        let rule = self.rules.iter().find(|rule| match &rule.written {
            Written::Path(listed) => spelled(listed) == text,
            Written::Method(..) => false,
        })?;
        let by = companion(rule);
        let mut args: Vec<Arg> = call.args.iter().map(|arg| self.arg(arg)).collect();
        share_repeated(&call.args, &mut args);
        Some(self.call_by(Callee::Function(path.path.clone()), Some(by), args, wanted))
    }

    /// A call of a method whose name is in the list; one about data only is carried as it is.
    pub(super) fn ruled_method(
        &mut self,
        call: &syn::ExprMethodCall,
        wanted: bool,
    ) -> Option<(Value, Ty)> {
        let by = companion(self.method_rule(call)?);
        let whole = Expr::MethodCall(call.clone());
        if !self.mentions_reals(&whole) {
            return Some(self.carried_call(&whole, wanted));
        }
        let mut args = vec![self.first_argument(&call.receiver)];
        args.extend(call.args.iter().map(|arg| self.arg(arg)));
        share_repeated(&call.args, &mut args[1..]);
        Some(self.call_by(Callee::Method(call.method.clone()), Some(by), args, wanted))
    }

    /// The rule for a method of that name.
    pub(super) fn method_rule(&self, call: &syn::ExprMethodCall) -> Option<&CallRule> {
        self.rules.iter().find(|rule| match &rule.written {
            Written::Method(_, name) => *name == call.method,
            Written::Path(_) => false,
        })
    }

    /// A receiver as an argument: real numbers by value, everything else as a reference, which is
    /// `&mut` where the receiver can be changed and becomes `&` where the companion takes that.
    fn first_argument(&mut self, expr: &Expr) -> Arg {
        if let Some((place, ty)) = self.place(expr) {
            if ty.peeled().is_real() {
                return Arg::Value(self.scalar(expr));
            }
            if let Ty::Ref { mutable, .. } = ty {
                return Arg::Ref { place: place.then(Step::Deref), mutable };
            }
            let mutable = self.is_changeable(&place);
            return Arg::Ref { place, mutable };
        }
        let atom = self.atom(expr);
        if self.atom_ty(&atom).is_real() {
            return Arg::Value(atom);
        }
        match self.borrow_of(atom, false, expr.span()) {
            Source::Borrow { place, mutable, .. } => Arg::Ref { place, mutable },
            Source::Value(..) | Source::Tuple(_) => unreachable!("a borrow makes a borrow"),
        }
    }
}

/// The companion that a rule names: a type, or functions next to a method.
fn companion(rule: &CallRule) -> Callee {
    let path = rule.companion.clone();
    let holder = path.segments.iter().rev().nth(1);
    if holder.is_some_and(|holder| starts_upper(&holder.ident.to_string())) {
        return Callee::Associated(syn::ExprPath { attrs: Vec::new(), qself: None, path });
    }
    Callee::Function(path)
}
