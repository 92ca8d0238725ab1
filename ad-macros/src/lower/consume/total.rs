//! Consumers that make one value of all items: `sum`, `product`, `fold`, `count`, `any`, `all`.

use crate::ir::*;
use crate::lower::Lower;
use crate::lower::iter::Seq;
use crate::lower::pattern::Source;
use crate::lower::place::strip;
use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::{Expr, ExprMethodCall, Type, parse_quote};

/// Whether an expression is `iter.sum()`, which does not say the type of the sum.
pub fn is_untyped(expr: &Expr) -> bool {
    matches!(strip(expr), Expr::MethodCall(call)
        if call.turbofish.is_none() && (call.method == "sum" || call.method == "product"))
}

/// `iter.sum()` as `iter.sum::<ty>()`, for a type that is asked of it.
pub fn typed(expr: &Expr, ty: &Type) -> Expr {
    match strip(expr) {
        Expr::MethodCall(call) if is_untyped(expr) => {
            let turbofish = Some(parse_quote!(::<#ty>));
            Expr::MethodCall(ExprMethodCall { turbofish, ..call.clone() })
        }
        other => other.clone(),
    }
}

impl Lower<'_> {
    /// `sum` and `product`. The type is that of the items, or the one that is asked for.
    pub(super) fn total(
        &mut self,
        call: &ExprMethodCall,
        wish: &str,
        op: syn::BinOp,
    ) -> Option<(Value, Ty)> {
        let target = self.target.take();
        let seq = self.seq(&call.receiver)?;
        let span = call.method.span();
        let written = call.turbofish.as_ref().and_then(|generics| match generics.args.first() {
            Some(syn::GenericArgument::Type(ty)) => Some(ty),
            _ => None,
        });
        let asked = written.map(|ty| self.signature.ty(ty));
        let start = |ty: &Ty| match (ty, wish) {
            (Ty::Discrete, "total") => quote!(0),
            (Ty::Discrete, _) => quote!(1),
            (Ty::Generic, "total") => quote!(Default::default()),
            // An empty sum of floats is -0.0 in the standard library.
            (_, "total") => quote!(-0.0),
            (Ty::Generic, _) => {
                let scalar = quote::format_ident!("{}", self.signature.scalars[0]);
                quote!(#scalar::one())
            }
            _ => quote!(1.0),
        };
        let (consumer, ad) = (&call.method, self.runtime.clone());
        let none = match (asked == Some(Ty::Named), target) {
            (true, _) => {
                let none = quote::format_ident!("no_{}", consumer);
                Some(quote!(#ad::#none::<#written>()))
            }
            (false, Some(target)) if written.is_none() => {
                let none = quote::format_ident!("{}_of_none", consumer);
                Some(quote!(#ad::#none(&#target)))
            }
            _ => None,
        };
        if let Some(none) = none {
            return Some(self.total_of_own(&seq, none, written, op, (wish, span)));
        }
        let known = asked.filter(|ty| !ty.is_opaque());
        let guess = known.clone().unwrap_or_else(|| self.real_ty());
        let first = Value::Atom(Atom::Text(start(&guess), guess.clone()));
        let total = self.accumulator(wish, guess.clone(), first, span);
        let at = self.out.len() - 1;
        let id = self.loop_id();
        let mut found = Ty::Unknown;
        self.run(&seq, id, span, &mut |cx, item| {
            let item = cx.settle(item, span);
            found = cx.atom_ty(&item);
            if found == Ty::Discrete {
                cx.vars[total.0].ty = Ty::Discrete;
            } else {
                cx.expect_scalar(&item);
            }
            let ty = cx.ty(total).clone();
            let old = cx.temp(Value::Load(Place::of(total)), ty.clone(), span);
            let new = cx.temp(Value::Binary(op, old, item), ty, span);
            cx.out.push(Stmt::Store { place: Place::of(total), value: new });
        });
        if known.is_none() && found == Ty::Discrete {
            self.vars[total.0].written = None;
            let zero = Atom::Text(start(&Ty::Discrete), Ty::Discrete);
            self.out[at] = Stmt::Let { var: total, value: Value::Atom(zero) };
        }
        Some(self.result_of(total))
    }

    /// `sum::<V>()` and `product::<V>()` for a type that is not known here; `none` is what no items give.
    fn total_of_own(
        &mut self,
        seq: &Seq,
        none: TokenStream,
        written: Option<&Type>,
        op: syn::BinOp,
        (wish, span): (&str, Span),
    ) -> (Value, Ty) {
        let none = Value::Verbatim(self.verbatim(&parse_quote!(#none), true));
        let none = Value::Atom(self.temp(none, Ty::Number, span));
        let total = self.accumulator(wish, Ty::Number, none, span);
        self.vars[total.0].written = written.cloned();
        let id = self.loop_id();
        self.run(seq, id, span, &mut |cx, item| {
            let item = cx.settle(item, span);
            let old = cx.temp(Value::Load(Place::of(total)), Ty::Number, span);
            let (value, ty) = cx.operator(Operator::Binary(op), vec![(old, false), (item, false)]);
            let new = cx.temp(value, ty, span);
            cx.out.push(Stmt::Store { place: Place::of(total), value: new });
        });
        self.result_of(total)
    }

    pub(super) fn fold(
        &mut self,
        seq: &Seq,
        init: &Expr,
        closure: &Expr,
        span: Span,
    ) -> (Value, Ty) {
        let folded = self.state(init, "folded", span);
        let ty = self.ty(folded).clone();
        let id = self.loop_id();
        self.run(seq, id, span, &mut |cx, item| {
            cx.written(folded);
            let (value, _) = cx.load(Place::of(folded), ty.clone());
            let before = Source::Value(value, ty.clone());
            let next = cx.apply(closure, vec![before, item]);
            let value = cx.settle(next, span);
            cx.set(folded, value);
        });
        self.result_of(folded)
    }

    /// `count`
    pub(super) fn count_items(&mut self, seq: &Seq, span: Span) -> (Value, Ty) {
        let counted = self.counter("counted", span);
        let id = self.loop_id();
        self.run(seq, id, span, &mut |cx, _| {
            cx.count(counted, span);
        });
        self.result_of(counted)
    }

    /// `any` and `all`: a loop that stops at the first item that decides.
    pub(super) fn decide(
        &mut self,
        call: &ExprMethodCall,
        test: &Expr,
        all: bool,
        span: Span,
    ) -> Option<(Value, Ty)> {
        let seq = self.seq(&call.receiver)?;
        let truth = |value: bool| Atom::Text(quote!(#value), Ty::Discrete);
        let start = Value::Atom(truth(all));
        let result = self.accumulator("decided", Ty::Discrete, start, span);
        let id = self.loop_id();
        self.run(&seq, id, span, &mut |cx, item| {
            let passes = cx.apply(test, vec![item]);
            let cond = cx.settle(passes, span);
            let stop = Block {
                stmts: vec![
                    Stmt::Store { place: Place::of(result), value: truth(!all) },
                    Stmt::Exit(Exit::Break(id)),
                ],
                result: None,
            };
            let (then, otherwise) =
                if all { (Block::default(), stop) } else { (stop, Block::default()) };
            cx.out.push(Stmt::If { dest: None, cond, then, otherwise });
        });
        Some(self.result_of(result))
    }
}
