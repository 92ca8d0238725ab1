//! Shared slices in variables that are set anew: `input = &input[k..]`.
//!
//! All that such a variable refers to lies in one buffer, so it is kept as the two ends of a range of
//! that buffer, which are integers like any others. Each use makes a reference from them, and that
//! is an alias like any other.

use super::Lower;
use super::pattern::Source;
use super::place::strip;
use crate::ir::*;
use crate::names::plain;
use proc_macro2::Span;
use quote::quote;
use syn::spanned::Spanned;
use syn::{BinOp, Expr, Token};

/// A variable that refers to a part of `base` from `lo` to `hi`, whatever they are at the time.
#[derive(Clone)]
pub(super) struct Seat {
    base: Place,
    lo: VarId,
    hi: VarId,
}

/// The part of a buffer that a reference refers to.
#[derive(Clone)]
pub(super) struct Extent {
    base: Place,
    lo: Atom,
    hi: Atom,
}

impl Seat {
    /// The variables that change when it is set anew.
    pub(super) fn ends(&self) -> [VarId; 2] {
        [self.lo, self.hi]
    }
}

impl Lower<'_> {
    /// `let mut ident = &place;` for a slice that may be set anew; `false` if it is something else.
    pub(super) fn seat(&mut self, pat: &syn::PatIdent, place: &Place, ty: &Ty) -> bool {
        let span = pat.span();
        let (Ty::Slice(elem) | Ty::Array { elem, .. }) = ty else { return false };
        let slice = Ty::Ref { mutable: false, to: Box::new(Ty::Slice(elem.clone())) };
        let Extent { base, lo, hi } = self.extent(place, span);
        let var = self.new_binding(&pat.ident, slice, Role::Alias, false);
        let [lo, hi] = [("start", lo), ("end", hi)].map(|(end, value)| {
            let name = self.names.fresh(&format!("{}_{end}", plain(&pat.ident)), span);
            let var = self.new_var(name, Ty::Discrete, Role::Local, true);
            self.out.push(Stmt::Let { var, value: Value::Atom(value) });
            var
        });
        self.seats.insert(var, Seat { base, lo, hi });
        true
    }

    /// The reference that a variable holds now, if it is one that is set anew.
    pub(super) fn seated(&mut self, var: VarId) -> Option<VarId> {
        let Seat { base, lo, hi } = self.seats.get(&var)?.clone();
        let [lo, hi] = [lo, hi].map(|end| match self.load(Place::of(end), Ty::Discrete) {
            (Value::Atom(atom), _) => atom,
            (value, ty) => self.temp(value, ty, self.vars[end.0].span),
        });
        if let Some(known) = self.reads.get(&var)
            && let Some(extent) = self.extents.get(known)
            && extent.lo.var() == lo.var()
            && extent.hi.var() == hi.var()
        {
            return Some(*known);
        }
        let info = self.vars[var.0].clone();
        let name = self.names.fresh(&plain(&info.name), info.span);
        let alias = self.new_var(name, info.ty, Role::Alias, false);
        let range = Step::Range { lo: Some(lo.clone()), hi: Some(hi.clone()), inclusive: false };
        let place = base.clone().then(range);
        self.out.push(Stmt::Borrow { var: alias, mutable: false, place });
        self.extents.insert(alias, Extent { base, lo, hi });
        self.reads.insert(var, alias);
        Some(alias)
    }

    /// `var = value;` for a variable that refers to parts of one buffer.
    pub(super) fn reseat(&mut self, var: VarId, value: &Expr) {
        let span = value.span();
        let Seat { base, lo, hi } = self.seats[&var].clone();
        let source = match strip(value) {
            Expr::Reference(reference) if reference.mutability.is_none() => {
                self.place(&reference.expr)
            }
            other => match self.source(other) {
                Source::Borrow { place, ty, mutable: false } => Some((place, ty)),
                Source::Borrow { .. } | Source::Value(..) | Source::Tuple(_) => None,
            },
        };
        let extent = source.map(|(place, ty)| {
            self.check(&place, ty, span);
            self.extent(&place, span)
        });
        match extent {
            Some(Extent { base: found, lo: start, hi: end }) if is_same(&found, &base) => {
                for (var, value) in [(lo, start), (hi, end)] {
                    self.written(var);
                    self.out.push(Stmt::Store { place: Place::of(var), value });
                }
            }
            _ => self.errors.push(
                value,
                "a reference that is set anew to another buffer is not supported",
                "let it refer to parts of one buffer: `r = &r[k..]`, or choose an index",
            ),
        }
        self.written(var);
    }

    /// Makes the reference, so that the forward sweep stops where the function does.
    fn check(&mut self, place: &Place, ty: Ty, span: Span) {
        if matches!(place.path.last(), Some(Step::Range { .. })) {
            let name = self.names.fresh("part", span);
            let ty = Ty::Ref { mutable: false, to: Box::new(ty) };
            let var = self.new_var(name, ty, Role::Alias, false);
            self.out.push(Stmt::Borrow { var, mutable: false, place: place.clone() });
        }
    }

    /// What a reference to `place` refers to.
    fn extent(&mut self, place: &Place, span: Span) -> Extent {
        let mut base = place.clone();
        while matches!(base.path.last(), Some(Step::Deref)) {
            base.path.pop();
        }
        if let Some(Step::Range { .. }) = base.path.last()
            && let Some(Step::Range { lo, hi, inclusive }) = base.path.pop()
        {
            let outer = self.extent(&base, span);
            return self.part(outer, lo, hi, inclusive, span);
        }
        if let (Some(var), []) = (base.var(), &base.path[..])
            && let Some(extent) = self.extents.get(&var)
        {
            return extent.clone();
        }
        let hi = self.length(&base, span);
        Extent { base, lo: Atom::Text(quote!(0), Ty::Discrete), hi }
    }

    fn part(
        &mut self,
        whole: Extent,
        lo: Option<Atom>,
        hi: Option<Atom>,
        inclusive: bool,
        span: Span,
    ) -> Extent {
        let start = match lo {
            Some(lo) => self.offset(&whole.lo, lo, span),
            None => whole.lo.clone(),
        };
        let end = match hi {
            Some(hi) if inclusive => {
                let one = Atom::Text(quote!(1), Ty::Discrete);
                let hi = self.offset(&hi, one, span);
                self.offset(&whole.lo, hi, span)
            }
            Some(hi) => self.offset(&whole.lo, hi, span),
            None => whole.hi,
        };
        Extent { base: whole.base, lo: start, hi: end }
    }

    fn offset(&mut self, from: &Atom, by: Atom, span: Span) -> Atom {
        if matches!(from, Atom::Text(text, _) if text.to_string() == "0") {
            return by;
        }
        let plus = BinOp::Add(Token![+](span));
        self.temp(Value::Binary(plus, from.clone(), by), Ty::Discrete, span)
    }

    /// Remembers what a new alias refers to, if that is a part of something that is set anew.
    pub(super) fn extend_from(&mut self, alias: VarId, place: &Place, span: Span) {
        if place.var().is_some_and(|var| self.extents.contains_key(&var))
            && place.path.iter().all(|step| matches!(step, Step::Range { .. } | Step::Deref))
        {
            let extent = self.extent(place, span);
            self.extents.insert(alias, extent);
        }
    }

    /// The same for both sides of a split.
    pub(super) fn extend_split(
        &mut self,
        sides: [VarId; 2],
        place: &Place,
        mid: &Atom,
        span: Span,
    ) {
        let [left, right] = sides;
        let range = |lo: Option<Atom>, hi: Option<Atom>| {
            place.clone().then(Step::Range { lo, hi, inclusive: false })
        };
        self.extend_from(left, &range(None, Some(mid.clone())), span);
        self.extend_from(right, &range(Some(mid.clone()), None), span);
    }
}

/// Whether two places are the same by their text.
fn is_same(a: &Place, b: &Place) -> bool {
    let same = |a: &Atom, b: &Atom| match (a, b) {
        (Atom::Var(a), Atom::Var(b)) => a == b,
        (Atom::Text(a, _), Atom::Text(b, _)) => a.to_string() == b.to_string(),
        _ => false,
    };
    a.var().is_some()
        && a.var() == b.var()
        && a.path.len() == b.path.len()
        && a.path.iter().zip(&b.path).all(|(a, b)| match (a, b) {
            (Step::Index(a), Step::Index(b)) => same(a, b),
            (Step::Field(a), Step::Field(b)) => a == b,
            (Step::Deref, Step::Deref) => true,
            _ => false,
        })
}
