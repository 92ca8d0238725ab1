//! Iterators → counted loops.
//!
//! A sequence is a range and the item at each of its values. Adaptors that keep this form (`map`,
//! `zip`, `enumerate`, `rev`, `skip`, `take`, `step_by`, `copied`) change the range or the item;
//! adaptors that may leave items out (`filter`, `take_while`) become an `if` around what follows.
//! Consumers are loops. Closures written in the chain are taken apart where they are called, so that
//! nothing behind this pass knows iterators.

use super::Lower;
use super::expr::dereferenced;
use super::pattern::Source;
use super::place::strip;
use crate::ir::*;
use proc_macro2::{Ident, Span};
use quote::quote;
use syn::spanned::Spanned;
use syn::{Expr, ExprMethodCall, Pat};

/// The item of a sequence, made inside of the loop from the value of its range.
type Item<'e> = Box<dyn Fn(&mut Lower<'_>, Atom) -> Source + 'e>;

/// What an iterator expression gives.
pub(super) struct Seq<'e> {
    range: Range,
    item: Item<'e>,
    /// Adaptors behind one that may leave items out.
    stages: Vec<Stage<'e>>,
    /// Whether making an item changes something, so that none may be left out unmade.
    stateful: bool,
}

pub(super) enum Stage<'e> {
    Map(&'e Expr),
    Filter(&'e Expr),
    TakeWhile(&'e Expr),
    Copied,
}

fn literal(text: proc_macro2::TokenStream) -> Atom {
    Atom::Text(text, Ty::Discrete)
}

fn is_zero(atom: &Atom) -> bool {
    matches!(atom, Atom::Text(text, _) if text.to_string() == "0")
}

impl<'e> Seq<'e> {
    fn over(len: Atom, item: Item<'e>) -> Self {
        let range =
            Range { lo: literal(quote!(0)), hi: len, inclusive: false, adaptors: Vec::new() };
        Seq { range, item, stages: Vec::new(), stateful: false }
    }

    /// Whether items may be left out before they are made.
    fn may_leave_out(&self) -> bool {
        self.stages.is_empty() && !self.stateful
    }

    /// How many items an indexed sequence has.
    pub(super) fn length(&self) -> Atom {
        self.range.hi.clone()
    }

    /// An indexed sequence of positions and items.
    pub(super) fn enumerated(self) -> Self {
        let Seq { range, item, stages, stateful } = self;
        let item: Item = Box::new(move |cx, k| {
            let position = Source::Value(Value::Atom(k.clone()), Ty::Discrete);
            Source::Tuple(vec![position, item(cx, k)])
        });
        Seq { range, item, stages, stateful }
    }

    /// Whether the values of the range are the positions of the items.
    fn is_indexed(&self) -> bool {
        self.range.is_plain() && is_zero(&self.range.lo) && self.stages.is_empty()
    }
}

impl Lower<'_> {
    /// The sequence that an iterator expression gives, if it is one of those that are known.
    pub(super) fn seq<'e>(&mut self, expr: &'e Expr) -> Option<Seq<'e>> {
        match strip(expr) {
            Expr::Range(range) => self.range_seq(range),
            Expr::Reference(reference) => {
                self.elements(&reference.expr, Some(reference.mutability.is_some()))
            }
            Expr::MethodCall(call) => self.adapted(call),
            other @ (Expr::Path(_) | Expr::Index(_) | Expr::Field(_) | Expr::Unary(_)) => {
                self.elements(other, None)
            }
            _ => None,
        }
    }

    fn range_seq<'e>(&mut self, range: &syn::ExprRange) -> Option<Seq<'e>> {
        let (lo, hi) = (range.start.as_ref()?, range.end.as_ref()?);
        let (lo, hi) = (self.atom(lo), self.atom(hi));
        let inclusive = matches!(range.limits, syn::RangeLimits::Closed(_));
        let range = Range { lo, hi, inclusive, adaptors: Vec::new() };
        let item: Item = Box::new(|_, value| Source::Value(Value::Atom(value), Ty::Discrete));
        Some(Seq { range, item, stages: Vec::new(), stateful: false })
    }

    /// The elements of a slice, array or vector.
    fn elements<'e>(&mut self, base: &'e Expr, access: Option<bool>) -> Option<Seq<'e>> {
        if !is_place(base) {
            return None;
        }
        let (place, ty) = self.place(base)?;
        let shared = access == Some(false);
        let data = ty.peeled().is_opaque() && self.near_reals;
        let constant = (matches!(place.root, Root::Path(_)) || data) && shared;
        if !constant && !matches!(ty.peeled(), Ty::Array { .. } | Ty::Slice(_)) {
            return None;
        }
        let by_ref = match (&ty, access) {
            (_, Some(mutable)) => Some(mutable),
            (Ty::Ref { mutable, .. }, None) => Some(*mutable),
            (_, None) => None,
        };
        let len = self.length(&place, base.span());
        let elem = ty.element();
        Some(Seq::over(
            len,
            Box::new(move |cx, k| {
                let (place, ty) = (place.clone().then(Step::Index(k)), elem.clone());
                match by_ref {
                    Some(mutable) => Source::Borrow { place, ty, mutable },
                    None => {
                        let (value, ty) = cx.load(place, ty);
                        Source::Value(value, ty)
                    }
                }
            }),
        ))
    }

    fn length(&mut self, place: &Place, span: Span) -> Atom {
        let method = Ident::new("len", span);
        self.temp(Value::Length { place: place.clone(), method }, Ty::Discrete, span)
    }

    fn adapted<'e>(&mut self, call: &'e ExprMethodCall) -> Option<Seq<'e>> {
        let name = call.method.to_string();
        let args: Vec<&'e Expr> = call.args.iter().collect();
        match (name.as_str(), &args[..]) {
            ("iter", []) => self.elements(&call.receiver, Some(false)),
            ("iter_mut", []) => self.elements(&call.receiver, Some(true)),
            ("into_iter", []) => match strip(&call.receiver) {
                inner @ (Expr::Range(_) | Expr::MethodCall(_)) => self.seq(inner),
                inner => self.elements(inner, None),
            },
            ("windows", [width]) => self.pieces(call, width, Pieces::Windows),
            ("chunks_exact", [size]) => self.pieces(call, size, Pieces::Exact(false)),
            ("chunks_exact_mut", [size]) => self.pieces(call, size, Pieces::Exact(true)),
            ("chunks", [size]) => self.pieces(call, size, Pieces::Chunks(false)),
            ("chunks_mut", [size]) => self.pieces(call, size, Pieces::Chunks(true)),
            ("copied" | "cloned", []) => {
                let seq = self.seq(&call.receiver)?;
                Some(self.staged(seq, Stage::Copied))
            }
            ("map", [closure]) if is_function(closure) => {
                let mut seq = self.seq(&call.receiver)?;
                seq.stateful |= self.changes_something(closure);
                Some(self.staged(seq, Stage::Map(closure)))
            }
            ("filter", [closure]) if is_function(closure) => {
                let mut seq = self.seq(&call.receiver)?;
                seq.stages.push(Stage::Filter(closure));
                Some(seq)
            }
            ("take_while", [closure]) if is_function(closure) => {
                let mut seq = self.seq(&call.receiver)?;
                seq.stages.push(Stage::TakeWhile(closure));
                Some(seq)
            }
            ("rev", []) => {
                let mut seq = self.seq(&call.receiver).filter(|seq| seq.stages.is_empty())?;
                seq.range.adaptors.push(Adaptor::Rev);
                Some(seq)
            }
            ("step_by", [step]) => {
                let mut seq = self.seq(&call.receiver).filter(Seq::may_leave_out)?;
                let step = self.atom(step);
                seq.range.adaptors.push(Adaptor::StepBy(step));
                Some(seq)
            }
            ("enumerate", []) => {
                Some(self.indexed(&call.receiver, call.method.span())?.enumerated())
            }
            ("zip", [other]) => self.zip(call, other),
            ("skip", [count]) => {
                let seq = self.indexed(&call.receiver, call.method.span());
                let mut seq = seq.filter(Seq::may_leave_out)?;
                seq.range.lo = self.atom(count);
                Some(seq)
            }
            ("take", [count]) => {
                let mut seq = self.indexed(&call.receiver, call.method.span())?;
                let count = self.atom(count);
                seq.range.hi = self.integer_method("min", vec![seq.range.hi, count], call);
                Some(seq)
            }
            _ => None,
        }
    }

    /// An adaptor of the items; behind one that leaves items out it becomes a stage.
    fn staged<'e>(&mut self, mut seq: Seq<'e>, stage: Stage<'e>) -> Seq<'e> {
        if !seq.stages.is_empty() {
            seq.stages.push(stage);
            return seq;
        }
        let inner = seq.item;
        seq.item = match stage {
            Stage::Map(closure) => Box::new(move |cx, k| {
                let item = inner(cx, k);
                cx.apply(closure, vec![item])
            }),
            _ => Box::new(move |cx, k| {
                let item = inner(cx, k);
                cx.copied(item)
            }),
        };
        seq
    }

    /// A sequence whose range counts from 0, so that its values are positions.
    pub(super) fn indexed<'e>(&mut self, expr: &'e Expr, span: Span) -> Option<Seq<'e>> {
        let seq = self.seq(expr)?;
        if seq.is_indexed() {
            return Some(seq);
        }
        if !seq.may_leave_out() || seq.range.inclusive {
            return None;
        }
        let Seq { range, item, .. } = seq;
        let call = |cx: &mut Self, name: &str, args| cx.integer(name, args, span);
        let len = match is_zero(&range.lo) {
            true => range.hi.clone(),
            false => call(self, "saturating_sub", vec![range.hi.clone(), range.lo.clone()]),
        };
        match &range.adaptors[..] {
            [] => {
                let lo = range.lo;
                Some(Seq::over(
                    len,
                    Box::new(move |cx, k| {
                        let value = cx.arithmetic(quote!(+), lo.clone(), k, span);
                        item(cx, value)
                    }),
                ))
            }
            [Adaptor::Rev] => {
                let hi = range.hi;
                Some(Seq::over(
                    len,
                    Box::new(move |cx, k| {
                        let before = cx.arithmetic(quote!(-), hi.clone(), k, span);
                        let value = cx.arithmetic(quote!(-), before, literal(quote!(1)), span);
                        item(cx, value)
                    }),
                ))
            }
            [Adaptor::StepBy(step)] => {
                let (lo, step) = (range.lo.clone(), step.clone());
                let trips = call(self, "div_ceil", vec![len, step.clone()]);
                Some(Seq::over(
                    trips,
                    Box::new(move |cx, k| {
                        let far = cx.arithmetic(quote!(*), k, step.clone(), span);
                        let value = cx.arithmetic(quote!(+), lo.clone(), far, span);
                        item(cx, value)
                    }),
                ))
            }
            _ => None,
        }
    }

    fn integer(&mut self, name: &str, args: Vec<Atom>, span: Span) -> Atom {
        let name = Ident::new(name, span);
        let value = match &args[0] {
            // A literal has no methods before its type is known.
            Atom::Text(..) => Value::Function { path: quote!(usize::#name), args },
            Atom::Var(_) => Value::Method { name, args },
        };
        self.temp(value, Ty::Discrete, span)
    }

    fn integer_method(&mut self, name: &str, args: Vec<Atom>, call: &ExprMethodCall) -> Atom {
        self.integer(name, args, call.method.span())
    }

    fn arithmetic(&mut self, op: proc_macro2::TokenStream, a: Atom, b: Atom, span: Span) -> Atom {
        if op.to_string() == "+" && is_zero(&a) {
            return b;
        }
        let op: syn::BinOp = syn::parse2(op).expect("an operator");
        self.temp(Value::Binary(op, a, b), Ty::Discrete, span)
    }

    fn zip<'e>(&mut self, call: &'e ExprMethodCall, other: &'e Expr) -> Option<Seq<'e>> {
        let span = call.method.span();
        let first = self.indexed(&call.receiver, span).filter(Seq::may_leave_out)?;
        let second = self.indexed(other, span).filter(Seq::may_leave_out)?;
        let len = self.integer("min", vec![first.range.hi, second.range.hi], span);
        let (a, b) = (first.item, second.item);
        Some(Seq::over(
            len,
            Box::new(move |cx, k| {
                let left = a(cx, k.clone());
                Source::Tuple(vec![left, b(cx, k)])
            }),
        ))
    }

    fn pieces<'e>(
        &mut self,
        call: &'e ExprMethodCall,
        size: &'e Expr,
        kind: Pieces,
    ) -> Option<Seq<'e>> {
        if !is_place(&call.receiver) {
            return None;
        }
        let (place, ty) = self.place(&call.receiver)?;
        if !matches!(ty.peeled(), Ty::Array { .. } | Ty::Slice(_)) {
            return None;
        }
        let span = call.method.span();
        let (size, len) = (self.atom(size), self.length(&place, span));
        let count = match kind {
            Pieces::Windows => {
                let more = self.arithmetic(quote!(+), len.clone(), literal(quote!(1)), span);
                self.integer("saturating_sub", vec![more, size.clone()], span)
            }
            Pieces::Exact(_) => self.arithmetic(quote!(/), len.clone(), size.clone(), span),
            Pieces::Chunks(_) => self.integer("div_ceil", vec![len.clone(), size.clone()], span),
        };
        let part = Ty::Slice(Box::new(ty.element()));
        let mutable = matches!(kind, Pieces::Exact(true) | Pieces::Chunks(true));
        Some(Seq::over(
            count,
            Box::new(move |cx, k| {
                let lo = match kind {
                    Pieces::Windows => k,
                    _ => cx.arithmetic(quote!(*), k, size.clone(), span),
                };
                let end = cx.arithmetic(quote!(+), lo.clone(), size.clone(), span);
                let hi = match kind {
                    Pieces::Chunks(_) => cx.integer("min", vec![end, len.clone()], span),
                    _ => end,
                };
                let step = Step::Range { lo: Some(lo), hi: Some(hi), inclusive: false };
                Source::Borrow { place: place.clone().then(step), ty: part.clone(), mutable }
            }),
        ))
    }

    /// What a closure or function of the chain makes of its arguments.
    pub(super) fn apply(&mut self, function: &Expr, args: Vec<Source>) -> Source {
        let Expr::Closure(closure) = strip(function) else {
            let atoms: Vec<Expr> = args.into_iter().map(|arg| self.named(arg)).collect();
            let function = strip(function);
            let (value, ty) = self.value(&syn::parse_quote!(#function(#(#atoms),*)));
            return Source::Value(value, ty);
        };
        self.scopes.push(Default::default());
        for (pat, arg) in closure.inputs.iter().zip(args) {
            self.bind_source(pat, arg);
        }
        let result = match strip(&closure.body) {
            // Its parts may be references, which a tuple value would not keep apart.
            Expr::Tuple(tuple) => {
                Source::Tuple(tuple.elems.iter().map(|elem| self.settled(elem)).collect())
            }
            body => self.source(body),
        };
        self.scopes.pop();
        result
    }

    /// A name for an argument of a function that is given by its path.
    fn named(&mut self, source: Source) -> Expr {
        let ident = self.names.fresh("item", Span::call_site());
        let pat: Pat = syn::parse_quote!(#ident);
        self.bind_source(&pat, source);
        syn::parse_quote!(#ident)
    }

    fn copied(&mut self, source: Source) -> Source {
        match source {
            Source::Borrow { place, ty, .. } => {
                let (place, ty) = dereferenced(place, ty);
                let (value, ty) = self.load(place, ty);
                Source::Value(value, ty)
            }
            other => other,
        }
    }

    /// Runs the stages on an item, and `consume` on what comes through.
    pub(super) fn through(
        &mut self,
        stages: &[Stage],
        item: Source,
        id: LoopId,
        consume: &mut dyn FnMut(&mut Self, Source),
    ) {
        let Some((stage, rest)) = stages.split_first() else { return consume(self, item) };
        match stage {
            Stage::Map(closure) => {
                let item = self.apply(closure, vec![item]);
                self.through(rest, item, id, consume);
            }
            Stage::Copied => {
                let item = self.copied(item);
                self.through(rest, item, id, consume);
            }
            Stage::Filter(test) | Stage::TakeWhile(test) => {
                let (item, seen) = self.seen(item);
                let passes = self.apply(test, vec![seen]);
                let cond = self.settle(passes, test.span());
                let then = self.guarded(|cx| {
                    cx.block(|cx| {
                        cx.through(rest, item, id, consume);
                        None
                    })
                });
                self.forget(&then);
                let mut otherwise = Block::default();
                if matches!(stage, Stage::TakeWhile(_)) {
                    otherwise.stmts.push(Stmt::Exit(Exit::Break(id)));
                }
                self.out.push(Stmt::If { dest: None, cond, then, otherwise });
            }
        }
    }

    /// An item, and a reference to it as a test sees it.
    fn seen(&mut self, item: Source) -> (Source, Source) {
        let name = self.names.fresh("item", Span::call_site());
        match item {
            Source::Borrow { place, ty, mutable } => {
                let ty = Ty::Ref { mutable, to: Box::new(ty) };
                let var = self.new_var(name, ty.clone(), Role::Alias, false);
                self.out.push(Stmt::Borrow { var, mutable, place });
                let inner = match ty.clone() {
                    Ty::Ref { to, .. } => *to,
                    other => other,
                };
                let again = Place::of(var).then(Step::Deref);
                let itself = Source::Borrow { place: again, ty: inner, mutable };
                (itself, Source::Borrow { place: Place::of(var), ty, mutable: false })
            }
            Source::Value(value, ty) => {
                let var = self.new_var(name, ty.clone(), Role::Local, false);
                self.out.push(Stmt::Let { var, value });
                let itself = Source::Value(Value::Atom(Atom::Var(var)), ty.clone());
                (itself, Source::Borrow { place: Place::of(var), ty, mutable: false })
            }
            Source::Tuple(parts) => {
                let both = parts.into_iter().map(|part| self.seen(part));
                let (items, tests) = both.unzip();
                (Source::Tuple(items), Source::Tuple(tests))
            }
        }
    }

    /// A source as an operand.
    pub(super) fn settle(&mut self, source: Source, span: Span) -> Atom {
        match source {
            Source::Value(Value::Atom(atom), _) => atom,
            Source::Value(value, ty) => self.temp(value, ty, span),
            Source::Borrow { place, ty, .. } => {
                let (place, ty) = dereferenced(place, ty);
                let (value, ty) = self.load(place, ty);
                self.settle(Source::Value(value, ty), span)
            }
            Source::Tuple(parts) => {
                let atoms: Vec<Atom> =
                    parts.into_iter().map(|part| self.settle(part, span)).collect();
                let ty = Ty::Tuple(atoms.iter().map(|atom| self.atom_ty(atom)).collect());
                self.temp(Value::Tuple(atoms), ty, span)
            }
        }
    }

    /// A loop over a sequence; `consume` writes the body.
    pub(super) fn run(
        &mut self,
        seq: Seq,
        id: LoopId,
        span: Span,
        consume: &mut dyn FnMut(&mut Self, Source),
    ) {
        let Seq { range, item, stages, .. } = seq;
        let index = self.new_var(Ident::new("k", span), Ty::Discrete, Role::Local, false);
        let outer = self.unnamed.replace(index);
        let body = self.guarded(|cx| {
            // What a closure captures may change with each item.
            cx.reads.clear();
            cx.block(|cx| {
                let item = item(cx, Atom::Var(index));
                cx.through(&stages, item, id, consume);
                None
            })
        });
        self.name_index();
        self.unnamed = outer;
        self.forget(&body);
        self.out.push(Stmt::For(ForLoop { id, index, range, body }));
    }

    /// Names the index of a loop that the user gives no name.
    pub(super) fn name_index(&mut self) {
        if let Some(index) = self.unnamed.take() {
            let span = self.vars[index.0].span;
            self.vars[index.0].name = self.names.fresh("k", span);
        }
    }

    pub(super) fn loop_id(&mut self) -> LoopId {
        self.loop_count += 1;
        LoopId(self.loop_count - 1)
    }
}

/// Parts of a slice, one after the other.
#[derive(Clone, Copy)]
enum Pieces {
    Windows,
    /// Mutable or not.
    Exact(bool),
    /// Mutable or not.
    Chunks(bool),
}

fn is_place(expr: &Expr) -> bool {
    matches!(strip(expr), Expr::Path(_) | Expr::Index(_) | Expr::Field(_) | Expr::Unary(_))
}

/// A closure written in place, or a function given by its path.
pub(super) fn is_function(expr: &Expr) -> bool {
    match strip(expr) {
        Expr::Closure(closure) => !super::verbatim::returns(&closure.body),
        Expr::Path(_) => true,
        _ => false,
    }
}
