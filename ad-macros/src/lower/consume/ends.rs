//! `split_first` and `split_last`: the element at an end of a slice, and the other elements.

use super::choose::{Chosen, Make};
use crate::ir::*;
use crate::lower::Lower;
use crate::lower::pattern::Source;
use crate::lower::place::strip;
use proc_macro2::Span;
use quote::quote;
use syn::{Expr, ExprMethodCall};

/// A slice that is taken apart at an end.
struct Ends {
    place: Place,
    elem: Ty,
    first: bool,
    mutable: bool,
    span: Span,
}

fn number(text: proc_macro2::TokenStream) -> Atom {
    Atom::Text(text, Ty::Discrete)
}

impl Lower<'_> {
    pub(super) fn parted<'e>(&mut self, call: &ExprMethodCall) -> Option<Chosen<'e>> {
        let (first, mutable) = match call.method.to_string().as_str() {
            "split_first" => (true, false),
            "split_last" => (false, false),
            "split_first_mut" => (true, true),
            "split_last_mut" => (false, true),
            _ => return None,
        };
        let receiver = strip(&call.receiver);
        if !matches!(receiver, Expr::Path(_) | Expr::Index(_) | Expr::Field(_) | Expr::Unary(_)) {
            return None;
        }
        let (place, ty) = self.place(receiver)?;
        if !matches!(ty.peeled(), Ty::Array { .. } | Ty::Slice(_)) {
            return None;
        }
        let (whole, span, elem) = (place.clone(), call.method.span(), ty.element());
        let found: Make<Atom> = Box::new(move |cx| {
            let len = cx.length(&whole, span);
            let value = Value::Binary(syn::BinOp::Lt(syn::Token![<](span)), number(quote!(0)), len);
            cx.temp(value, Ty::Discrete, span)
        });
        let ends = Ends { place, elem, first, mutable, span };
        let item: Make<Source> = Box::new(move |cx| {
            let at = if ends.first { number(quote!(1)) } else { cx.last_index(&ends) };
            if ends.mutable { cx.split_ends(&ends, at) } else { ends.shared(at) }
        });
        Some(Chosen { found, item, checked: false })
    }

    fn last_index(&mut self, ends: &Ends) -> Atom {
        let len = self.length(&ends.place, ends.span);
        self.arithmetic(quote!(-), len, number(quote!(1)), ends.span)
    }

    /// A vector's length is not known where it is borrowed to be split, so it has a name.
    fn named_index(&mut self, index: Atom, span: Span) -> Atom {
        let name = self.names.fresh("last", span);
        let var = self.new_var(name, Ty::Discrete, Role::Local, false);
        self.out.push(Stmt::Let { var, value: Value::Atom(index) });
        Atom::Var(var)
    }

    /// Two mutable references come of one buffer only where it is split.
    fn split_ends(&mut self, ends: &Ends, mid: Atom) -> Source {
        let mid = if ends.first { mid } else { self.named_index(mid, ends.span) };
        let part = Ty::Slice(Box::new(ends.elem.clone()));
        let ty = Ty::Ref { mutable: true, to: Box::new(part.clone()) };
        let [left, right] = ["left", "right"].map(|wish| {
            let name = self.names.fresh(wish, ends.span);
            self.new_var(name, ty.clone(), Role::Alias, false)
        });
        self.extend_split([left, right], &ends.place, &mid, ends.span);
        let place = ends.place.clone();
        self.out.push(Stmt::Split { left, right, mutable: true, place, mid });
        let (single, rest) = if ends.first { (left, right) } else { (right, left) };
        let single = Place::of(single).then(Step::Index(number(quote!(0))));
        let rest = Place::of(rest).then(Step::Deref);
        Source::Tuple(vec![
            Source::Borrow { place: single, ty: ends.elem.clone(), mutable: true },
            Source::Borrow { place: rest, ty: part, mutable: true },
        ])
    }
}

impl Ends {
    /// The element and the others by shared references; `at` is where the slice is parted.
    fn shared(&self, at: Atom) -> Source {
        let (index, lo, hi) = match self.first {
            true => (number(quote!(0)), Some(at), None),
            false => (at.clone(), None, Some(at)),
        };
        let part = |step, ty| {
            let place = self.place.clone().then(step);
            Source::Borrow { place, ty, mutable: false }
        };
        let rest = Ty::Slice(Box::new(self.elem.clone()));
        Source::Tuple(vec![
            part(Step::Index(index), self.elem.clone()),
            part(Step::Range { lo, hi, inclusive: false }, rest),
        ])
    }
}
