//! Consumers of iterators.
//!
//! Each becomes a loop over the sequence, with variables in front of it for what it finds: `total` (one
//! value of all items), `choose` (one item, or none; `keep` keeps it, `unwrap` says what becomes of it), `collect` (all
//! items).

mod choose;
mod collect;
mod ends;
mod keep;
pub(super) mod total;
mod unwrap;

pub(super) use choose::Chosen;

use super::Lower;
use super::iter::is_function;
use crate::ir::*;
use proc_macro2::Span;
use syn::{Expr, ExprMethodCall};

impl Lower<'_> {
    /// The value of a chain that ends in `call`, or `None` if it is not one of those that are known.
    pub(super) fn consumer(&mut self, call: &ExprMethodCall) -> Option<(Value, Ty)> {
        if self.is_of_array(call) {
            return None;
        }
        let name = call.method.to_string();
        let args: Vec<&Expr> = call.args.iter().collect();
        let span = call.method.span();
        self.near(&Expr::MethodCall(call.clone()), |cx| match (name.as_str(), &args[..]) {
            ("sum", []) => cx.total(call, "total", syn::BinOp::Add(syn::Token![+](span))),
            ("product", []) => cx.total(call, "factors", syn::BinOp::Mul(syn::Token![*](span))),
            ("fold", [init, closure]) if is_function(closure) => {
                let seq = cx.seq(&call.receiver)?;
                Some(cx.fold(&seq, init, closure, span))
            }
            ("collect", []) => cx.collect(call, span),
            ("count", []) => {
                let seq = cx.seq(&call.receiver)?;
                Some(cx.count_items(&seq, span))
            }
            ("any", [test]) if is_function(test) => cx.decide(call, test, false, span),
            ("all", [test]) if is_function(test) => cx.decide(call, test, true, span),
            _ => None,
        })
    }

    /// `for_each`, whose closure is the body; `false` if the chain is not known.
    pub(super) fn for_each(&mut self, call: &ExprMethodCall) -> bool {
        let (true, [closure]) =
            (call.method == "for_each", &call.args.iter().collect::<Vec<_>>()[..])
        else {
            return false;
        };
        let Expr::Closure(inner) = super::place::strip(closure) else { return false };
        if super::verbatim::returns(&inner.body) {
            return false;
        }
        let done = self.near(&Expr::MethodCall(call.clone()), |cx| {
            let seq = cx.seq(&call.receiver)?;
            let id = cx.loop_id();
            cx.run(&seq, id, call.method.span(), &mut |cx, item| {
                cx.scopes.push(Default::default());
                let body = cx.bind_params(inner, vec![item], false);
                cx.statement(&body);
                cx.scopes.pop();
            });
            Some(())
        });
        done.is_some()
    }

    pub(super) fn accumulator(&mut self, wish: &str, ty: Ty, start: Value, span: Span) -> VarId {
        let name = self.names.fresh(wish, span);
        let written = self.written_scalar(&ty);
        let var = self.new_var(name, ty, Role::Local, true);
        self.vars[var.0].written = written;
        self.out.push(Stmt::Let { var, value: start });
        var
    }

    /// The type to write at a scalar: a literal has none of its own for methods to be called on.
    fn written_scalar(&self, ty: &Ty) -> Option<syn::Type> {
        match (ty, &self.signature.scalars[..]) {
            (Ty::Float, _) => self.signature.float.clone(),
            (Ty::Generic, [single]) => {
                let scalar = quote::format_ident!("{}", single);
                Some(syn::parse_quote!(#scalar))
            }
            _ => None,
        }
    }

    /// What a loop left in its variable.
    pub(super) fn result_of(&mut self, var: VarId) -> (Value, Ty) {
        self.written(var);
        let ty = self.ty(var).clone();
        self.load(Place::of(var), ty)
    }
}
