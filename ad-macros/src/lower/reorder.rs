//! Methods that put elements in other places, without a change of length.
//!
//! What a sort does is told by the order that it brings about: the reverse sweep brings elements and
//! adjoints back by that, and compares nothing.

use super::Lower;
use super::expr::dereferenced;
use super::place::strip;
use super::vector::{innermost, is_place};
use crate::ir::*;
use proc_macro2::{Ident, Span};
use syn::{BinOp, Expr, ExprMethodCall, Token};

impl Lower<'_> {
    /// `rotate_left`, `reverse`, `sort_by`, `copy_within` and their relatives; `None` if it is none
    /// of them.
    pub(super) fn reorder(&mut self, call: &ExprMethodCall) -> Option<()> {
        let name = call.method.to_string();
        let args: Vec<&Expr> = call.args.iter().collect();
        match (name.as_str(), &args[..]) {
            ("rotate_left" | "rotate_right", [by]) => {
                let place = self.reordered(&call.receiver)?;
                let by = self.atom(by);
                self.permute(place, Permutation::Rotate { left: name == "rotate_left", by });
            }
            ("reverse", []) => {
                let place = self.reordered(&call.receiver)?;
                self.permute(place, Permutation::Reverse);
            }
            ("sort_by" | "sort_unstable_by", [code]) => self.sort(call, code, false)?,
            ("sort_by_key" | "sort_unstable_by_key" | "sort_by_cached_key", [code]) => {
                self.sort(call, code, true)?;
            }
            ("copy_within", [range, to]) => {
                let Expr::Range(range) = strip(range) else { return None };
                let place = self.reordered(&call.receiver)?;
                let lo = range.start.as_ref().map(|lo| self.atom(lo));
                let hi = range.end.as_ref().map(|hi| self.atom(hi));
                let inclusive = matches!(range.limits, syn::RangeLimits::Closed(_));
                let to = self.atom(to);
                let source = place.clone().then(Step::Range { lo, hi, inclusive });
                self.copy_within(place, source, to, call.method.span());
            }
            _ => return None,
        }
        Some(())
    }

    /// The slice, array or vector of values that may be active that an expression names.
    fn reordered(&mut self, expr: &Expr) -> Option<Place> {
        if !is_place(expr) {
            return None;
        }
        let (place, ty) = self.place(expr)?;
        let (mut place, ty) = dereferenced(place, ty);
        let elem = match ty {
            Ty::Array { elem, .. } | Ty::Slice(elem) => elem,
            Ty::Unknown if self.is_part(&place) => Box::new(Ty::Unknown),
            _ => return None,
        };
        while matches!(place.path.last(), Some(Step::Deref)) {
            place.path.pop();
        }
        elem.may_hold_reals().then_some(place)
    }

    /// Sorts by what a closure or a function says.
    fn sort(&mut self, call: &ExprMethodCall, by: &Expr, by_key: bool) -> Option<()> {
        let span = call.method.span();
        if self.changes_something(by) {
            return None;
        }
        let place = self.reordered(&call.receiver)?;
        let code = self.verbatim(by, true);
        if !code.changes.is_empty() {
            return None;
        }
        let name = self.names.fresh("order", span);
        let ty = Ty::Array { elem: Box::new(Ty::Discrete), heap: true };
        let order = self.new_var(name, ty, Role::Local, false);
        let value = Value::Order { place: place.clone(), by_key, code };
        self.out.push(Stmt::Let { var: order, value });
        self.permute(place, Permutation::Order(Atom::Var(order)));
        Some(())
    }

    pub(super) fn permute(&mut self, place: Place, how: Permutation) {
        self.changed(&place);
        self.out.push(Stmt::Permute { place, how });
    }

    /// By way of a copy, since the two parts may overlap.
    fn copy_within(&mut self, place: Place, source: Place, to: Atom, span: Span) {
        let root = place.var().expect("a place of known type starts at a variable");
        let elem = innermost(&mut self.vars[root.0].ty, &place.path).cloned();
        let ty = Ty::Array { elem: Box::new(elem.unwrap_or(Ty::Unknown)), heap: true };
        let method = Ident::new("to_vec", span);
        let copy = self.temp(Value::Copy { place: source, method }, ty, span);
        let from = Place::of(copy.var().expect("a temporary is a variable"));
        let (len, plus) = (self.length(&from, span), BinOp::Add(Token![+](span)));
        let end = self.temp(Value::Binary(plus, to.clone(), len), Ty::Discrete, span);
        self.changed(&place);
        let to = place.then(Step::Range { lo: Some(to), hi: Some(end), inclusive: false });
        let method = Ident::new("copy_from_slice", span);
        self.out.push(Stmt::CopyFrom { to, from, method });
    }
}
