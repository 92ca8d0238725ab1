//! What a chain begins with: ranges, elements and parts of slices, and the functions of `std::iter`.

use super::{
    Access, Driver, Effects, Indexed, Item, Seq, endless, is_endless, is_function, is_zero, literal,
};
use crate::ir::*;
use crate::lower::Lower;
use crate::lower::pattern::Source;
use crate::lower::place::strip;
use proc_macro2::{Ident, Span};
use quote::quote;
use syn::spanned::Spanned;
use syn::{Expr, ExprMethodCall};

/// Parts of a slice, one after the other.
#[derive(Clone, Copy)]
enum Pieces {
    Windows,
    /// As many whole parts as there are, from the front or from the back.
    Exact {
        back: bool,
    },
    /// All elements; the last part may be shorter.
    Chunks {
        back: bool,
    },
}

impl Lower<'_> {
    /// The sequence that an iterator expression gives, if it is one of those that are known.
    pub(in crate::lower) fn seq<'e>(&mut self, expr: &'e Expr) -> Option<Seq<'e>> {
        if let Some(seq) = self.carried_seq(expr) {
            return Some(seq);
        }
        match strip(expr) {
            Expr::Range(range) => self.range_seq(range),
            Expr::Reference(reference) => {
                self.elements(&reference.expr, Some(reference.mutability.is_some()))
            }
            Expr::MethodCall(call) => self.adapted(call),
            Expr::Call(call) => self.made(call),
            other @ (Expr::Path(_)
            | Expr::Index(_)
            | Expr::Field(_)
            | Expr::Unary(_)
            | Expr::Array(_)
            | Expr::Macro(_)) => self.elements(other, None),
            _ => None,
        }
    }

    fn range_seq<'e>(&mut self, range: &syn::ExprRange) -> Option<Seq<'e>> {
        let lo = self.atom(range.start.as_ref()?);
        let Some(hi) = &range.end else {
            // The type of its numbers is not known, so they are counted from positions.
            let span = range.span();
            let item: Item = Box::new(move |cx, k| {
                let value = match cx.is_position(&lo) {
                    true => cx.arithmetic(quote!(+), lo.clone(), k, span),
                    false => cx.counted_by_runtime("ahead", vec![lo.clone(), k], span),
                };
                Source::Value(Value::Atom(value), Ty::Discrete)
            });
            return Some(Seq::over(endless(), Effects::None, item));
        };
        let hi = self.atom(hi);
        let positions = self.is_position(&lo) || self.is_position(&hi);
        let inclusive = matches!(range.limits, syn::RangeLimits::Closed(_));
        let range = Range { lo, hi, inclusive, adaptors: Vec::new() };
        let item: Item = Box::new(|_, value| Source::Value(Value::Atom(value), Ty::Discrete));
        let driver = Driver::Counted { range, item, positions };
        Some(Seq { driver, stages: Vec::new(), effects: Effects::None })
    }

    /// Whether an integer is known to be a `usize`.
    pub(in crate::lower) fn is_position(&self, atom: &Atom) -> bool {
        match atom {
            Atom::Var(var) => self.positions.contains(var),
            Atom::Text(text, _) => {
                let text = text.to_string();
                text.starts_with(|c: char| c.is_ascii_digit()) && text.ends_with("usize")
            }
        }
    }

    /// Whether a value is known to be a `usize`.
    pub(in crate::lower) fn counts_positions(&self, value: &Value) -> bool {
        match value {
            Value::Atom(atom) => self.is_position(atom),
            Value::Length { method, .. } => method == "len",
            Value::Load(place) => {
                place.path.is_empty()
                    && place.var().is_some_and(|var| self.positions.contains(&var))
            }
            Value::Binary(op, a, b) => {
                !crate::lower::expr::is_comparison(op)
                    && !matches!(op, syn::BinOp::Shl(_) | syn::BinOp::Shr(_))
                    && (self.is_position(a) || self.is_position(b))
            }
            Value::Method { name, args } => {
                let closed = ["min", "max", "saturating_sub", "abs_diff", "div_ceil", "isqrt"];
                closed.iter().any(|known| name == known) && self.is_position(&args[0])
            }
            Value::Cast(_, ty) => matches!(&**ty, syn::Type::Path(ty) if ty.path.is_ident("usize")),
            Value::Copy { .. }
            | Value::Unary(..)
            | Value::Function { .. }
            | Value::Array { .. }
            | Value::Repeat { .. }
            | Value::Tuple(_)
            | Value::Struct { .. }
            | Value::Operator { .. }
            | Value::Test { .. }
            | Value::Order { .. }
            | Value::Verbatim(_)
            | Value::Reverse(_)
            | Value::Tangent(_) => false,
        }
    }

    /// The elements of a slice, array or vector.
    pub(super) fn elements<'e>(&mut self, base: &Expr, access: Option<bool>) -> Option<Seq<'e>> {
        let (place, ty) = match strip(base) {
            Expr::Array(_) => self.literal_place(base)?,
            Expr::Macro(mac) if mac.mac.path.is_ident("vec") => self.literal_place(base)?,
            Expr::Call(_) => self.literal_place(base)?,
            other if is_place(other) => self.place(other)?,
            _ => return None,
        };
        let shared = access == Some(false);
        // A field is taken for a slice, an array or a vector: it is indexed, which other collections
        // do not allow.
        let by_reference = access.is_some() || matches!(ty, Ty::Ref { .. });
        let data = ty.peeled().is_opaque() && self.near_reals && by_reference;
        let constant = matches!(place.root, Root::Path(_)) && shared;
        if !constant && !data && !matches!(ty.peeled(), Ty::Array { .. } | Ty::Slice(_)) {
            return None;
        }
        let by_ref = match (&ty, access) {
            (_, Some(mutable)) => Some(mutable),
            (Ty::Ref { mutable, .. }, None) => Some(*mutable),
            (_, None) => None,
        };
        Some(self.elements_of(place, &ty, by_ref, base.span()))
    }

    /// The elements at a place, behind references that are mutable or not, or by value.
    pub(super) fn elements_of<'e>(
        &mut self,
        place: Place,
        ty: &Ty,
        by_ref: Option<bool>,
        span: Span,
    ) -> Seq<'e> {
        let len = self.length(&place, span);
        let elem = ty.element();
        let item: Item = Box::new(move |cx, k| {
            let (place, ty) = (place.clone().then(Step::Index(k)), elem.clone());
            match by_ref {
                Some(mutable) => Source::Borrow { place, ty, mutable },
                None if ty.is_copy() || ty == Ty::Unknown => {
                    let (value, ty) = cx.load(place, ty);
                    Source::Value(value, ty)
                }
                // It cannot be moved out of its place.
                None => Source::Value(Value::Copy { place, method: Ident::new("clone", span) }, ty),
            }
        });
        Seq::over(len, Effects::None, item)
    }

    /// A place for an array that is written in place, or that a call gives.
    fn literal_place(&mut self, array: &Expr) -> Option<(Place, Ty)> {
        let (value, ty) = self.value(array);
        let name = self.names.fresh("items", array.span());
        let var = match value {
            Value::Atom(Atom::Var(var)) if self.vars[var.0].role == Role::Temp => {
                (self.vars[var.0].role, self.vars[var.0].name) = (Role::Local, name);
                var
            }
            value => {
                let var = self.new_var(name, ty.clone(), Role::Local, false);
                self.out.push(Stmt::Let { var, value });
                var
            }
        };
        Some((Place::of(var), ty))
    }

    pub(in crate::lower) fn length(&mut self, place: &Place, span: Span) -> Atom {
        let method = Ident::new("len", span);
        self.temp(Value::Length { place: place.clone(), method }, Ty::Discrete, span)
    }

    /// A method that makes an iterator of something else, or `None` if it is none.
    pub(super) fn source_method<'e>(&mut self, call: &'e ExprMethodCall) -> Option<Seq<'e>> {
        let args: Vec<&'e Expr> = call.args.iter().collect();
        let (pieces, mutable) = match (call.method.to_string().as_str(), &args[..]) {
            ("iter", []) => return self.elements(&call.receiver, Some(false)),
            ("iter_mut", []) => return self.elements(&call.receiver, Some(true)),
            ("into_iter", []) => {
                return match strip(&call.receiver) {
                    inner @ (Expr::Range(_) | Expr::MethodCall(_)) => self.seq(inner),
                    inner => self.elements(inner, None),
                };
            }
            ("windows", [_]) => (Pieces::Windows, false),
            ("chunks_exact", [_]) => (Pieces::Exact { back: false }, false),
            ("chunks_exact_mut", [_]) => (Pieces::Exact { back: false }, true),
            ("chunks", [_]) => (Pieces::Chunks { back: false }, false),
            ("chunks_mut", [_]) => (Pieces::Chunks { back: false }, true),
            ("rchunks", [_]) => (Pieces::Chunks { back: true }, false),
            ("rchunks_mut", [_]) => (Pieces::Chunks { back: true }, true),
            ("rchunks_exact", [_]) => (Pieces::Exact { back: true }, false),
            ("rchunks_exact_mut", [_]) => (Pieces::Exact { back: true }, true),
            _ => return None,
        };
        self.pieces(call, args[0], pieces, mutable)
    }

    fn pieces<'e>(
        &mut self,
        call: &ExprMethodCall,
        size: &Expr,
        kind: Pieces,
        mutable: bool,
    ) -> Option<Seq<'e>> {
        if !is_place(&call.receiver) {
            return None;
        }
        let (place, ty) = self.place(&call.receiver)?;
        let data = ty.peeled().is_opaque() && self.near_reals;
        if !data && !matches!(ty.peeled(), Ty::Array { .. } | Ty::Slice(_)) {
            return None;
        }
        let span = call.method.span();
        let (size, len) = (self.atom(size), self.length(&place, span));
        let count = match kind {
            Pieces::Windows => {
                let more = self.arithmetic(quote!(+), len.clone(), literal(quote!(1)), span);
                self.integer("saturating_sub", vec![more, size.clone()], span)
            }
            Pieces::Exact { .. } => self.arithmetic(quote!(/), len.clone(), size.clone(), span),
            Pieces::Chunks { .. } => {
                self.integer("div_ceil", vec![len.clone(), size.clone()], span)
            }
        };
        let part = Ty::Slice(Box::new(ty.element()));
        let item: Item = Box::new(move |cx, k| {
            let (lo, hi) = cx.bounds(kind, k, &size, &len, span);
            let step = Step::Range { lo: Some(lo), hi: Some(hi), inclusive: false };
            Source::Borrow { place: place.clone().then(step), ty: part.clone(), mutable }
        });
        Some(Seq::over(count, Effects::None, item))
    }

    /// Where the piece at position `k` begins and ends.
    fn bounds(
        &mut self,
        kind: Pieces,
        k: Atom,
        size: &Atom,
        len: &Atom,
        span: Span,
    ) -> (Atom, Atom) {
        let far = match kind {
            Pieces::Windows => k,
            Pieces::Exact { .. } | Pieces::Chunks { .. } => {
                self.arithmetic(quote!(*), k, size.clone(), span)
            }
        };
        match kind {
            Pieces::Windows | Pieces::Exact { back: false } => {
                let end = self.arithmetic(quote!(+), far.clone(), size.clone(), span);
                (far, end)
            }
            Pieces::Chunks { back: false } => {
                let end = self.arithmetic(quote!(+), far.clone(), size.clone(), span);
                let end = self.integer("min", vec![end, len.clone()], span);
                (far, end)
            }
            Pieces::Exact { back: true } => {
                let end = self.arithmetic(quote!(-), len.clone(), far, span);
                (self.arithmetic(quote!(-), end.clone(), size.clone(), span), end)
            }
            Pieces::Chunks { back: true } => {
                let end = self.arithmetic(quote!(-), len.clone(), far, span);
                (self.integer("saturating_sub", vec![end.clone(), size.clone()], span), end)
            }
        }
    }

    /// A function of `std::iter` that makes an iterator; by its path, since it is a name like others.
    fn made<'e>(&mut self, call: &'e syn::ExprCall) -> Option<Seq<'e>> {
        let Expr::Path(path) = strip(&call.func) else { return None };
        let segments: Vec<String> =
            path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let [.., module, name] = &segments[..] else { return None };
        if module == "array" && name == "from_fn" {
            return self.elements(&Expr::Call(call.clone()), None);
        }
        if module != "iter" {
            return None;
        }
        let span = path.span();
        let args: Vec<&'e Expr> = call.args.iter().collect();
        match (name.as_str(), &args[..]) {
            ("once", [value]) => self.repeated_value(value, literal(quote!(1)), span),
            ("repeat", [value]) => self.repeated_value(value, endless(), span),
            ("repeat_n", [value, count]) => {
                // The value comes first.
                let seq = self.repeated_value(value, endless(), span)?;
                let count = self.atom(count);
                match seq.by_position() {
                    Access::ByPosition(Indexed { effects, item, .. }) => {
                        Some(Seq::over(count, effects, item))
                    }
                    Access::InOrder(_) => None,
                }
            }
            ("repeat_with", &[closure]) if is_function(closure) => {
                let item: Item = Box::new(move |cx, _| cx.apply(closure, Vec::new()));
                Some(Seq::over(endless(), Effects::Program, item))
            }
            ("successors", [first, closure]) => self.successors(first, closure, span),
            ("zip", [first, second]) => self.zip(first, second, span),
            _ => None,
        }
    }

    /// One value any number of times.
    fn repeated_value<'e>(&mut self, value: &Expr, count: Atom, span: Span) -> Option<Seq<'e>> {
        let item: Item =
            match self.settled(value) {
                Source::Borrow { place, ty, mutable: false } => Box::new(move |_, _| {
                    Source::Borrow { place: place.clone(), ty: ty.clone(), mutable: false }
                }),
                Source::Value(Value::Atom(atom), ty) if ty.is_copy() => {
                    Box::new(move |_, _| Source::Value(Value::Atom(atom.clone()), ty.clone()))
                }
                Source::Value(Value::Atom(Atom::Var(var)), ty) => {
                    let method = Ident::new("clone", span);
                    Box::new(move |_, _| {
                        let place = Place::of(var);
                        Source::Value(Value::Copy { place, method: method.clone() }, ty.clone())
                    })
                }
                Source::Value(..) | Source::Tuple(_) | Source::Borrow { .. } => return None,
            };
        Some(Seq::over(count, Effects::None, item))
    }

    /// How many values a range has.
    pub(super) fn trips_of(&mut self, range: &Range, positions: bool, span: Span) -> Atom {
        let Range { lo, hi, inclusive, adaptors } = range;
        let mut trips = if is_endless(hi) {
            hi.clone()
        } else if positions {
            let end = match inclusive {
                true => self.integer("saturating_add", vec![hi.clone(), literal(quote!(1))], span),
                false => hi.clone(),
            };
            match is_zero(lo) {
                true => end,
                false => self.integer("saturating_sub", vec![end, lo.clone()], span),
            }
        } else {
            let name = if *inclusive { "length_inclusive" } else { "length" };
            self.counted_by_runtime(name, vec![lo.clone(), hi.clone()], span)
        };
        for adaptor in adaptors {
            match adaptor {
                Adaptor::StepBy(step) if !is_endless(&trips) => {
                    trips = self.integer("div_ceil", vec![trips, step.clone()], span);
                }
                Adaptor::StepBy(_) | Adaptor::Rev => {}
                Adaptor::Take(_) => unreachable!("only the reverse sweep takes trips"),
            }
        }
        trips
    }
}

fn is_place(expr: &Expr) -> bool {
    matches!(strip(expr), Expr::Path(_) | Expr::Index(_) | Expr::Field(_) | Expr::Unary(_))
}
