//! What only the sweeps do.

use super::value::dotted;
use super::{Emit, split_method};
use crate::ir::*;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::Expr;

impl Emit<'_> {
    pub(super) fn tape_op(&mut self, op: &TapeOp) -> TokenStream {
        let ad = self.ad.clone();
        match op {
            TapeOp::Record { tape, value, when } => {
                let value = self.saved(value);
                let code = match tape {
                    Tape::Stack(name) => quote!(#name.push(#value);),
                    Tape::Slot(name) => quote!(#name = #ad::Some(#value);),
                };
                self.when(*when, code)
            }
            TapeOp::Restore { tape, place, when } => self.restore(tape, place, *when),
            TapeOp::Begin { var, shape } => self.begin(*var, shape),
            TapeOp::BeginWith { var, value } => {
                let (name, value) = (self.adjoint_name(*var), self.atom(value));
                let mutability = self.grown.contains(var).then(|| quote!(mut));
                quote!(let #mutability #name = #value;)
            }
            TapeOp::BeginFrom { var, other, clear } => {
                let name = self.adjoint_name(*var);
                let mutability = self.grown.contains(var).then(|| quote!(mut));
                let whole = other.0.path.is_empty();
                let value = match (clear, whole) {
                    (true, _) => {
                        let source = self.adjoint_reference(&other.0, true);
                        quote!(#ad::take_all(#source))
                    }
                    (false, true) => {
                        let source = self.adjoint_place(&other.0);
                        quote!(#source)
                    }
                    (false, false) => {
                        let source = self.adjoint_reference(&other.0, false);
                        quote!(#ad::copied(#source))
                    }
                };
                quote!(let #mutability #name = #value;)
            }
            TapeOp::Accumulate { adjoint, value, negative } => {
                let (target, value) = (self.adjoint_placed(&adjoint.0, true), self.atom(value));
                let (value, negative) = match value {
                    Expr::Unary(syn::ExprUnary { op: syn::UnOp::Neg(_), expr, .. }) => {
                        (*expr, !negative)
                    }
                    value => (value, *negative),
                };
                if negative { quote!(#target -= #value;) } else { quote!(#target += #value;) }
            }
            TapeOp::AccumulateAll { adjoint, other, copied } => {
                let target = self.adjoint_reference(&adjoint.0, true);
                let source = self.adjoint_reference(&other.0, false);
                if *copied {
                    let part = self.names.fresh("part_adj", proc_macro2::Span::call_site());
                    return quote! {
                        let #part = #ad::copied(#source);
                        #ad::accumulate(#target, &#part);
                    };
                }
                quote!(#ad::accumulate(#target, #source);)
            }
            TapeOp::AccumulateSum { adjoint, other } => {
                let target = self.adjoint_reference(&adjoint.0, true);
                let source = self.adjoint_reference(&other.0, false);
                quote!(#ad::add_sum(#target, #source);)
            }
            TapeOp::Clear { adjoint } => {
                if self.place_ty(&adjoint.0).is_real() {
                    let zero = self.zero(&self.place_ty(&adjoint.0));
                    let target = self.adjoint_placed(&adjoint.0, true);
                    return quote!(#target = #zero;);
                }
                let target = self.adjoint_reference(&adjoint.0, true);
                quote!(#ad::clear(#target);)
            }
            TapeOp::Reshape { place } => {
                let target = self.adjoint_placed(place, true);
                let primal = self.reference(place, false);
                quote!(#target = #ad::zeros(#primal);)
            }
            TapeOp::PushBack { place, value, when } => {
                let (place, value) = (dotted(self.placed(place, true)), self.kept(value));
                self.when(*when, quote!(#place.push(#value);))
            }
            TapeOp::PopBack { place, when } => {
                let place = dotted(self.placed(place, true));
                self.when(*when, quote!(#place.pop();))
            }
            TapeOp::PushAdjoint { adjoint, value } => {
                let target = dotted(self.adjoint_placed(&adjoint.0, true));
                let value = match value {
                    Some(value) => self.atom(value).to_token_stream(),
                    None => self.zero(&self.place_ty(&adjoint.0).element()),
                };
                quote!(#target.push(#value);)
            }
            TapeOp::PermuteBack { place, how, when } => {
                let target = dotted(self.placed(place, true));
                let items = self.reference(place, true);
                let code = self.permutation(&target, &items, how, true);
                self.when(*when, code)
            }
            TapeOp::PermuteAdjoint { adjoint: Adjoint(place), how } => {
                let target = dotted(self.adjoint_placed(place, true));
                let items = self.adjoint_reference(place, true);
                self.permutation(&target, &items, how, true)
            }
            TapeOp::SwapBack { a, b, when } => {
                let code = self.swap(a, b, false);
                self.when(*when, code)
            }
            TapeOp::SwapAdjoints { a, b } => self.swap(a, b, true),
            TapeOp::Call { call, restoring } => self.split_call(call, *restoring),
            TapeOp::Pullback(pullback) => self.pullback(pullback),
            TapeOp::Reborrow { var, mutable, place } => {
                let (name, name_adj) = (self.name(*var), self.adjoint_name(*var));
                let primal = self.reference(place, *mutable);
                let adjoint = self.adjoint_reference(place, true);
                quote!(let #name = #primal; let #name_adj = #adjoint;)
            }
            TapeOp::Resplit { left, right, mutable, place, mid } => {
                let mid = self.atom(mid);
                let method = split_method(*mutable);
                let (l, r) = (self.name(*left), self.name(*right));
                let (l_adj, r_adj) = (self.adjoint_name(*left), self.adjoint_name(*right));
                let primal = dotted(self.placed(place, *mutable));
                let adjoint = dotted(self.adjoint_placed(place, true));
                quote! {
                    let (#l, #r) = #primal.#method(#mid);
                    let (#l_adj, #r_adj) = #adjoint.split_at_mut(#mid);
                }
            }
            TapeOp::Unpack(unpack) => self.unpack(unpack),
            TapeOp::Tangent(tangent) => self.tangent_call(tangent),
            TapeOp::SetZero { place } => {
                let target = self.reference(place, true);
                quote!(#ad::clear(#target);)
            }
            TapeOp::SecondCall { call, restoring } => self.second_call(call, *restoring),
            TapeOp::SecondPullback(second) => self.second_pullback(second),
            TapeOp::UnpackTangent(unpack) => self.unpack_tangent(unpack),
            TapeOp::Repeat { trips, body } => {
                let (trips, body) = (self.name(*trips), self.block(body));
                quote!(for _ in 0..#trips #body)
            }
            TapeOp::ForRev { index, range, body } => {
                let index = self.index(*index, body);
                // Where the index is not used, only the number of trips counts.
                let reversed = index.to_string() != "_";
                let (range, body) = (self.range(range, reversed), self.block(body));
                quote!(for #index in #range #body)
            }
            TapeOp::Count { trips } => {
                let trips = self.name(*trips);
                quote!(#trips += 1;)
            }
            TapeOp::CountTo { end, index } => {
                let (end, index) = (self.name(*end), self.name(*index));
                quote!(#end = #index + 1;)
            }
        }
    }

    fn when(&self, when: When, code: TokenStream) -> TokenStream {
        match when {
            When::Always => code,
            When::Restored => {
                let policy = &self.policy.0;
                quote!(if #policy::RESTORE { #code })
            }
        }
    }

    /// A permutation of what is named `target` and referred to by `items`, or its inverse.
    pub(super) fn permutation(
        &mut self,
        target: &Expr,
        items: &Expr,
        how: &Permutation,
        inverse: bool,
    ) -> TokenStream {
        match how {
            Permutation::Rotate { left, by } => {
                let by = self.atom(by);
                if *left == inverse {
                    quote!(#target.rotate_right(#by);)
                } else {
                    quote!(#target.rotate_left(#by);)
                }
            }
            Permutation::Reverse => quote!(#target.reverse();),
            Permutation::Order(order) => {
                let (ad, order) = (self.ad.clone(), self.atom(order));
                if inverse {
                    quote!(#ad::unpermute(#items, &#order);)
                } else {
                    quote!(#ad::permute(#items, &#order);)
                }
            }
        }
    }

    /// A copy of an operand that stays.
    fn kept(&mut self, atom: &Atom) -> TokenStream {
        let expr = self.atom(atom);
        let copy = atom.var().is_none_or(|var| self.var(var).ty.is_copy());
        match expr {
            expr if copy => quote!(#expr),
            Expr::Unary(_) => quote!((#expr).clone()),
            expr => quote!(#expr.clone()),
        }
    }

    fn saved(&mut self, saved: &Saved) -> TokenStream {
        match saved {
            Saved::Literal(text) => text.clone(),
            Saved::Moved(var) => {
                let name = self.name(*var);
                quote!(#name)
            }
            Saved::Var(var) => self.kept(&Atom::Var(*var)),
            Saved::Place(place) if self.place_ty(place).is_copy() => {
                let expr = self.place(place);
                quote!(#expr)
            }
            Saved::Place(place) => {
                let (ad, target) = (self.ad.clone(), self.reference(place, false));
                quote!(#ad::copied(#target))
            }
        }
    }

    /// The type of a place's contents.
    fn place_ty(&self, place: &Place) -> Ty {
        self.sweeps.function.place_ty(place)
    }

    pub(super) fn zero(&self, ty: &Ty) -> TokenStream {
        let ad = &self.ad;
        if *ty == Ty::Generic { quote!(#ad::zero()) } else { quote!(0.0) }
    }

    fn restore(&mut self, tape: &Tape, place: &Place, when: When) -> TokenStream {
        let ad = self.ad.clone();
        let value = match tape {
            Tape::Stack(name) => quote!(#name.pop()),
            Tape::Slot(name) => quote!(#ad::recorded(#name)),
        };
        let code = if self.place_ty(place).is_copy() {
            let target = self.placed(place, true);
            quote!(#target = #value;)
        } else {
            let target = self.reference(place, true);
            quote!(#ad::overwrite(#target, &#value);)
        };
        self.when(when, code)
    }

    fn begin(&mut self, var: VarId, shape: &Shape) -> TokenStream {
        let ad = self.ad.clone();
        let name = self.adjoint_name(var);
        let zero = match &self.var(var).ty {
            Ty::Named | Ty::Wrapped { .. } if self.scalar.is_some() => self.zero(&Ty::Generic),
            Ty::Array { elem, .. } => self.zero(elem),
            Ty::Tuple(parts) => self.zero(parts.first().unwrap_or(&Ty::Float)),
            ty => self.zero(ty),
        };
        let value = match shape {
            Shape::Scalar => zero,
            Shape::Repeat { len, heap } => {
                let len = self.atom(len);
                if *heap { quote!(vec![#zero; #len]) } else { quote!([#zero; #len]) }
            }
            Shape::Literal { len, tuple: true, .. } => {
                let zeros = std::iter::repeat_n(zero, *len);
                quote!((#(#zeros,)*))
            }
            Shape::Literal { len, heap, .. } => {
                let len = proc_macro2::Literal::usize_unsuffixed(*len);
                if *heap { quote!(vec![#zero; #len]) } else { quote!([#zero; #len]) }
            }
            Shape::Struct(maker) => {
                let zeros = maker.members.iter().map(|_| syn::parse_quote!(#zero)).collect();
                let value = super::value::made(maker, zeros);
                quote!(#value)
            }
            Shape::Like(place) => {
                let place = self.reference(place, false);
                quote!(#ad::zeros(#place))
            }
            Shape::Itself => {
                let primal = self.atom(&Atom::Var(var));
                quote!(#ad::zeros(&#primal))
            }
        };
        let mutability = self.grown.contains(&var).then(|| quote!(mut));
        quote!(let #mutability #name = #value;)
    }

    /// `let Shape::Circle(r) = shape else { … };`, and the same for the adjoint.
    fn unpack(&mut self, unpack: &Unpack) -> TokenStream {
        let ad = self.ad.clone();
        let otherwise = unpack.refutable.then(|| quote!(else { #ad::other_variant() }));
        let mut out = TokenStream::new();
        if unpack.primal {
            let names = unpack.bound.iter().map(|var| (self.name(*var), self.name(*var)));
            let pat = rebound(&unpack.pat, &names.collect::<Vec<_>>(), false);
            let primal = self.reference(&unpack.place, unpack.mutable);
            let primal = if unpack.mutable { reborrowed(primal) } else { primal };
            out.extend(quote!(let #pat = #primal #otherwise;));
        }
        if unpack.adjoint {
            let names = unpack.bound.iter().map(|var| (self.name(*var), self.adjoint_name(*var)));
            let pat = rebound(&unpack.pat, &names.collect::<Vec<_>>(), false);
            let adjoint = reborrowed(self.adjoint_reference(&unpack.place, true));
            out.extend(quote!(let #pat = #adjoint #otherwise;));
        }
        out
    }
}

/// The pattern with other names for what it binds, matched through a reference; what it compares
/// with literals need not be compared again. What gets no other name is not bound if it is `dropped`.
pub(super) fn rebound(
    pat: &syn::Pat,
    names: &[(proc_macro2::Ident, proc_macro2::Ident)],
    dropped: bool,
) -> syn::Pat {
    use syn::visit_mut::{self, VisitMut};
    struct Rebind<'a>(&'a [(proc_macro2::Ident, proc_macro2::Ident)], bool);
    impl VisitMut for Rebind<'_> {
        fn visit_pat_mut(&mut self, pat: &mut syn::Pat) {
            if matches!(pat, syn::Pat::Lit(_) | syn::Pat::Range(_)) {
                *pat = syn::parse_quote!(_);
            }
            if let syn::Pat::Ident(ident) = pat
                && self.1
                && !self.0.iter().any(|(old, _)| *old == ident.ident)
                // Not a constant or variant.
                && !ident.ident.to_string().starts_with(char::is_uppercase)
            {
                *pat = match ident.subpat.take() {
                    Some((_, inner)) => *inner,
                    None => syn::parse_quote!(_),
                };
            }
            visit_mut::visit_pat_mut(self, pat);
        }
        fn visit_pat_ident_mut(&mut self, ident: &mut syn::PatIdent) {
            if let Some((_, new)) = self.0.iter().find(|(old, _)| *old == ident.ident) {
                (ident.by_ref, ident.mutability) = (None, None);
                ident.ident = new.clone();
            }
            visit_mut::visit_pat_ident_mut(self, ident);
        }
        fn visit_field_pat_mut(&mut self, field: &mut syn::FieldPat) {
            visit_mut::visit_field_pat_mut(self, field);
            let same = matches!(
                (&field.member, &*field.pat),
                (syn::Member::Named(name), syn::Pat::Ident(ident)) if *name == ident.ident
            );
            if field.colon_token.is_none() && !same {
                field.colon_token = Some(Default::default());
            }
        }
    }
    let mut pat = pat.clone();
    Rebind(names, dropped).visit_pat_mut(&mut pat);
    match pat {
        syn::Pat::Or(_) => syn::parse_quote!((#pat)),
        pat => pat,
    }
}

/// A reference handed on inside of a tuple is not reborrowed by itself.
pub(super) fn reborrowed(expr: Expr) -> Expr {
    match expr {
        Expr::Path(_) => syn::parse_quote!(&mut *#expr),
        _ => expr,
    }
}
