//! Consumers of iterators: `sum`, `product`, `fold`, `for_each`, `count`, `any`, `all`, `collect`.

use super::Lower;
use super::iter::{Seq, is_function};
use super::pattern::Source;
use crate::ir::*;
use proc_macro2::Span;
use quote::quote;
use syn::{Expr, ExprMethodCall};

impl Lower<'_> {
    /// The value of a chain that ends in `call`, or `None` if it is not one of those that are known.
    pub(super) fn consumer(&mut self, call: &ExprMethodCall) -> Option<(Value, Ty)> {
        let name = call.method.to_string();
        let args: Vec<&Expr> = call.args.iter().collect();
        let span = call.method.span();
        self.near_reals = self.mentions_reals(&Expr::MethodCall(call.clone()));
        match (name.as_str(), &args[..]) {
            ("sum", []) => self.total(call, "total", syn::BinOp::Add(syn::Token![+](span))),
            ("product", []) => self.total(call, "factors", syn::BinOp::Mul(syn::Token![*](span))),
            ("fold", [init, closure]) if is_function(closure) => {
                let seq = self.seq(&call.receiver)?;
                Some(self.fold(seq, init, closure, span))
            }
            ("collect", []) => self.collect(call, span),
            ("count", []) => {
                let seq = self.seq(&call.receiver)?;
                let zero = Atom::Text(quote!(0_usize), Ty::Discrete);
                let count = self.accumulator("counted", Ty::Discrete, Value::Atom(zero), span);
                let id = self.loop_id();
                self.run(seq, id, span, &mut |cx, _| {
                    let old = cx.temp(Value::Load(Place::of(count)), Ty::Discrete, span);
                    let one = Atom::Text(quote!(1), Ty::Discrete);
                    let plus = syn::BinOp::Add(syn::Token![+](span));
                    let new = cx.temp(Value::Binary(plus, old, one), Ty::Discrete, span);
                    cx.out.push(Stmt::Store { place: Place::of(count), value: new });
                });
                Some(self.result_of(count))
            }
            ("any", [test]) if is_function(test) => self.decide(call, test, false, span),
            ("all", [test]) if is_function(test) => self.decide(call, test, true, span),
            _ => None,
        }
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
        self.near_reals = self.mentions_reals(&Expr::MethodCall(call.clone()));
        let Some(seq) = self.seq(&call.receiver) else { return false };
        let id = self.loop_id();
        self.run(seq, id, call.method.span(), &mut |cx, item| {
            cx.scopes.push(Default::default());
            for (pat, arg) in inner.inputs.iter().zip([item]) {
                cx.bind_source(pat, arg);
            }
            cx.statement(&inner.body);
            cx.scopes.pop();
        });
        true
    }

    fn accumulator(&mut self, wish: &str, ty: Ty, start: Value, span: Span) -> VarId {
        let name = self.names.fresh(wish, span);
        // A literal start has no type of its own for methods to be called on.
        let written = match (&ty, &self.signature.scalars[..]) {
            (Ty::Float, _) => self.signature.float.clone(),
            (Ty::Generic, [single]) => {
                let scalar = quote::format_ident!("{}", single);
                Some(syn::parse_quote!(#scalar))
            }
            _ => None,
        };
        let var = self.new_var(name, ty, Role::Local, true);
        self.vars[var.0].written = written;
        self.out.push(Stmt::Let { var, value: start });
        var
    }

    /// What a loop left in its variable.
    fn result_of(&mut self, var: VarId) -> (Value, Ty) {
        self.written(var);
        let ty = self.ty(var).clone();
        self.load(Place::of(var), ty)
    }

    /// `sum` and `product`. The type is that of the items, or the one that is asked for.
    fn total(&mut self, call: &ExprMethodCall, wish: &str, op: syn::BinOp) -> Option<(Value, Ty)> {
        let seq = self.seq(&call.receiver)?;
        let span = call.method.span();
        let asked = call.turbofish.as_ref().and_then(|generics| match generics.args.first() {
            Some(syn::GenericArgument::Type(ty)) => Some(self.signature.ty(ty)),
            _ => None,
        });
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
        let known = asked.filter(|ty| !ty.is_opaque());
        let guess = known.clone().unwrap_or_else(|| self.real_ty());
        let first = Value::Atom(Atom::Text(start(&guess), guess.clone()));
        let total = self.accumulator(wish, guess.clone(), first, span);
        let at = self.out.len() - 1;
        let id = self.loop_id();
        let mut found = Ty::Unknown;
        self.run(seq, id, span, &mut |cx, item| {
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

    fn fold(&mut self, seq: Seq, init: &Expr, closure: &Expr, span: Span) -> (Value, Ty) {
        let (start, ty) = self.value(init);
        let ty = match ty {
            // A constant such as `f64::NEG_INFINITY`.
            Ty::Unknown => self.real_ty(),
            ty => ty,
        };
        let folded = self.accumulator("folded", ty.clone(), start, span);
        let id = self.loop_id();
        self.run(seq, id, span, &mut |cx, item| {
            cx.written(folded);
            let (value, _) = cx.load(Place::of(folded), ty.clone());
            let before = Source::Value(value, ty.clone());
            let next = cx.apply(closure, vec![before, item]);
            let value = cx.settle(next, span);
            cx.written(folded);
            cx.out.push(Stmt::Store { place: Place::of(folded), value });
        });
        self.result_of(folded)
    }

    /// `collect` into a `Vec`, of as many items as the sequence has.
    fn collect(&mut self, call: &ExprMethodCall, span: Span) -> Option<(Value, Ty)> {
        let asked = call.turbofish.as_ref().is_some_and(|generics| {
            let text = quote!(#generics).to_string();
            text.starts_with(":: < Vec")
        });
        if !std::mem::take(&mut self.wants_vec) && !asked {
            return None;
        }
        let seq = self.indexed(&call.receiver, span)?;
        let len = seq.length();
        let name = self.names.fresh("collected", span);
        let ty = Ty::Array { elem: Box::new(Ty::Unknown), heap: true };
        let vector = self.new_var(name, ty, Role::Local, true);
        let at = self.out.len();
        let id = self.loop_id();
        let mut elem = Ty::Unknown;
        let seq = seq.enumerated();
        self.run(seq, id, span, &mut |cx, item| {
            let Source::Tuple(mut parts) = item else { return };
            let (value, position) = (parts.pop(), parts.pop());
            let (Some(value), Some(position)) = (value, position) else { return };
            let position = cx.settle(position, span);
            let value = cx.settle(value, span);
            elem = cx.atom_ty(&value);
            let place = Place::of(vector).then(Step::Index(position));
            cx.out.push(Stmt::Store { place, value });
        });
        let zero = match &elem {
            Ty::Float => Atom::Text(quote!(0.0), Ty::Float),
            other => Atom::Text(quote!(Default::default()), other.clone()),
        };
        self.vars[vector.0].ty = Ty::Array { elem: Box::new(elem), heap: true };
        let value = Value::Repeat { elem: zero, len, heap: true };
        self.out.insert(at, Stmt::Let { var: vector, value });
        let ty = self.ty(vector).clone();
        self.collected = Some(vector);
        Some((Value::Load(Place::of(vector)), ty))
    }

    /// `any` and `all`: a loop that stops at the first item that decides.
    fn decide(
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
        self.run(seq, id, span, &mut |cx, item| {
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
