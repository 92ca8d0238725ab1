//! Places and their adjoints, as expressions and as references.

use super::Emit;
use super::value::{binary, operand, unary};
use crate::ir::*;
use proc_macro2::Span;
use quote::{ToTokens, quote};
use syn::{Expr, Token, parse_quote};

impl Emit<'_> {
    /// A place, to be read or written.
    pub(super) fn place(&mut self, place: &Place) -> Expr {
        self.placed(place, false)
    }

    /// A place, to be borrowed mutably or written if `mutable`.
    pub(super) fn placed(&mut self, place: &Place, mutable: bool) -> Expr {
        let root: Expr = match &place.root {
            Root::Var(var) => self.atom(&Atom::Var(*var)),
            Root::Path(path) => parse_quote!(#path),
        };
        if place.var().is_some_and(|var| self.is_borrowed(var)) {
            return self.behind(root, &place.path, mutable);
        }
        self.steps(root, &place.path, mutable)
    }

    /// Whether a reference stands for a variable that a closure captured.
    pub(super) fn is_borrowed(&self, var: VarId) -> bool {
        self.reversing && self.borrowed.contains(&var) && !self.var(var).ty.is_copy()
    }

    fn behind(&mut self, root: Expr, path: &[Step], mutable: bool) -> Expr {
        let path: Vec<Step> = std::iter::once(Step::Deref).chain(path.iter().cloned()).collect();
        self.steps(root, &path, mutable)
    }

    /// The adjoint of a place, to be read.
    pub(super) fn adjoint_place(&mut self, place: &Place) -> Expr {
        self.adjoint_placed(place, false)
    }

    /// The adjoint of a place, to be borrowed mutably or written if `mutable`.
    pub(super) fn adjoint_placed(&mut self, place: &Place, mutable: bool) -> Expr {
        let var = place.var().expect("an adjoint belongs to a variable");
        let name = self.adjoint_name(var);
        if self.borrowed.contains(&var) {
            return self.behind(parse_quote!(#name), &place.path, mutable);
        }
        self.steps(parse_quote!(#name), &place.path, mutable)
    }

    fn steps(&mut self, root: Expr, path: &[Step], mutable: bool) -> Expr {
        let mut expr = root;
        let mut k = 0;
        while k < path.len() {
            expr = match &path[k] {
                // Indexing and field access go through references by themselves.
                Step::Deref if is_seen_through(&path[k + 1..]) => expr,
                Step::Deref => unary(syn::UnOp::Deref(Token![*](Span::mixed_site())), expr),
                Step::Field(member) => parse_quote!(#expr.#member),
                Step::Payload(pat) => {
                    let (ad, mutability) = (&self.ad, mutable.then(|| quote!(mut)));
                    let found: Expr = parse_quote! {
                        match &#mutability #expr { #pat => part, _ => #ad::other_variant() }
                    };
                    if is_seen_through(&path[k + 1..]) {
                        parse_quote!((#found))
                    } else {
                        unary(syn::UnOp::Deref(Token![*](Span::mixed_site())), found)
                    }
                }
                Step::Held => {
                    let ad = &self.ad;
                    let found: Expr = match mutable {
                        true => parse_quote!(#ad::Holding::held_mut(&mut #expr)),
                        false => parse_quote!(#ad::Holding::held(&#expr)),
                    };
                    match is_seen_through(&path[k + 1..]) {
                        true => found,
                        false => unary(syn::UnOp::Deref(Token![*](Span::mixed_site())), found),
                    }
                }
                Step::Index(atom) => {
                    let index = self.atom(atom);
                    parse_quote!(#expr[#index])
                }
                Step::View { method, args } => {
                    let args: Vec<Expr> = args.iter().map(|arg| self.atom(arg)).collect();
                    parse_quote!(#expr.#method(#(#args),*))
                }
                Step::Range { lo, hi, inclusive } => {
                    // `x[lo..hi][k]` is `x[lo + k]`: the bounds were checked when it first ran.
                    if let Some(Step::Index(index)) = path.get(k + 1) {
                        k += 1;
                        let index = self.atom(index);
                        let index = self.offset(lo.as_ref(), index);
                        parse_quote!(#expr[#index])
                    } else {
                        let lo = lo.as_ref().map(|lo| operand(self.atom(lo)));
                        let hi = hi.as_ref().map(|hi| operand(self.atom(hi)));
                        if *inclusive {
                            parse_quote!(#expr[#lo..=#hi])
                        } else {
                            parse_quote!(#expr[#lo..#hi])
                        }
                    }
                }
            };
            k += 1;
        }
        expr
    }

    /// `lo + index`
    pub(super) fn offset(&mut self, lo: Option<&Atom>, index: Expr) -> Expr {
        let zero = index.to_token_stream().to_string() == "0";
        match lo {
            None => index,
            Some(lo) if zero => self.atom(lo),
            Some(lo) => {
                let plus = syn::BinOp::Add(Token![+](Span::mixed_site()));
                binary(self.atom(lo), plus, index)
            }
        }
    }

    /// `&place` or `&mut place`; the reference itself if the place is what a reference refers to.
    pub(super) fn reference(&mut self, place: &Place, mutable: bool) -> Expr {
        if let Some(var) = place.var()
            && (self.is_behind_reference(place, var)
                || place.path.is_empty() && self.is_borrowed(var))
        {
            return self.atom(&Atom::Var(var));
        }
        let expr = self.placed(place, mutable);
        if mutable { parse_quote!(&mut #expr) } else { parse_quote!(&#expr) }
    }

    /// What a borrowed place is bound to: a reference to a reference stays one.
    pub(super) fn borrowed(&mut self, place: &Place, mutable: bool) -> Expr {
        let expr = self.reference(place, mutable);
        match (&expr, &place.path[..], mutable) {
            (Expr::Path(_), [], _) => parse_quote!(&#expr),
            (Expr::Path(_), [Step::Deref], true) => parse_quote!(&mut *#expr),
            _ => expr,
        }
    }

    fn is_behind_reference(&self, place: &Place, var: VarId) -> bool {
        matches!(self.var(var).ty, Ty::Ref { .. }) && matches!(place.path[..], [] | [Step::Deref])
    }

    /// `&place_adj` or `&mut place_adj`.
    pub(super) fn adjoint_reference(&mut self, place: &Place, mutable: bool) -> Expr {
        let var = place.var().expect("an adjoint belongs to a variable");
        if self.is_behind_reference(place, var)
            || place.path.is_empty() && self.borrowed.contains(&var)
        {
            let name = self.adjoint_name(var);
            return parse_quote!(#name);
        }
        let expr = self.adjoint_placed(place, mutable);
        if mutable { parse_quote!(&mut #expr) } else { parse_quote!(&#expr) }
    }
}

/// Whether indexing or a field access follows, which goes through references by itself.
fn is_seen_through(rest: &[Step]) -> bool {
    rest.iter().find(|step| !matches!(step, Step::Deref)).is_some_and(|step| match step {
        Step::Index(_) | Step::Field(_) | Step::View { .. } | Step::Range { .. } => true,
        Step::Payload(_) | Step::Held | Step::Deref => false,
    })
}
