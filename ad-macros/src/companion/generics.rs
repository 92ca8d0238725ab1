//! Generic parameters and where clauses of generated functions.

use super::{Elide, Writer};
use crate::expand::Home;
use crate::names::respanned;
use crate::signature::{Param, Passing, is_array_ref};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;
use syn::{GenericParam, Type};

/// Generic parameters and where clause of a generated function.
pub(super) struct Generics {
    pub params: Vec<TokenStream>,
    pub clause: TokenStream,
    /// Names of types and constants, for `use<…>`.
    pub captured: Vec<Ident>,
}

/// What a generated function gets for the functions among the parameters.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Handed {
    /// Nothing.
    Not,
    /// What gives value and pullback.
    Vjps,
    /// What gives value and tangent.
    Tangents,
}

impl Writer<'_> {
    pub(super) fn generics(&self) -> Generics {
        self.generics_of(Handed::Vjps)
    }

    /// Generic parameters, those of functions as far as they are `handed` over.
    pub(super) fn generics_of(&self, handed: Handed) -> Generics {
        let mut params = Vec::new();
        let mut captured = Vec::new();
        for param in &self.item.sig.generics.params {
            let mut param = param.clone();
            Elide.visit_generic_param_mut(&mut param);
            match &param {
                GenericParam::Lifetime(_) => {}
                GenericParam::Type(ty) => {
                    let mut ty = ty.clone();
                    ty.default = None;
                    ty.attrs.clear();
                    let name = &ty.ident;
                    if self.is_functional(&syn::parse_quote!(#name)) {
                        if handed == Handed::Not {
                            continue;
                        }
                        ty.bounds = Self::other_bounds(&ty.bounds);
                    }
                    captured.push(ty.ident.clone());
                    params.push(quote!(#ty));
                }
                GenericParam::Const(constant) => {
                    let mut constant = constant.clone();
                    constant.default = None;
                    captured.push(constant.ident.clone());
                    params.push(quote!(#constant));
                }
            }
        }
        let outer = &self.outer;
        let mut predicates = Vec::new();
        if self.signature.self_param().is_some() && self.wants_sized() {
            predicates.push(quote!(Self: Sized));
        }
        if self.owns_receiver() {
            predicates.push(quote!(Self: ::core::clone::Clone));
        }
        for predicate in self.item.sig.generics.where_clause.iter().flat_map(|c| &c.predicates) {
            match predicate {
                syn::WherePredicate::Lifetime(_) => {}
                syn::WherePredicate::Type(known) if self.is_functional(&known.bounded_ty) => {
                    if handed == Handed::Not {
                        continue;
                    }
                    let mut known = known.clone();
                    known.bounds = Self::other_bounds(&known.bounds);
                    if !known.bounds.is_empty() {
                        predicates.push(quote!(#known));
                    }
                }
                other => predicates.push(quote!(#other)),
            }
        }
        for function in self.functionals() {
            match handed {
                Handed::Not => {}
                Handed::Vjps => {
                    let pullback = &function.pullback;
                    captured.push(pullback.clone());
                    params.push(quote!(#pullback));
                    predicates.extend(self.functional_predicates(function));
                }
                Handed::Tangents => predicates.push(Self::tangent_predicate(function)),
            }
        }
        if handed == Handed::Vjps && self.lifetimes() > 0 {
            params.insert(0, quote!('function));
        }
        for scalar in &self.signature.scalars {
            let scalar = format_ident!("{}", scalar);
            predicates.push(quote!(#scalar: #outer::Real));
        }
        let mut known = std::collections::HashSet::new();
        for ty in self.signature.asked() {
            if !has_lifetime(ty) && known.insert(quote!(#ty).to_string()) {
                // At the type, where a missing implementation is blamed.
                let span = Span::mixed_site().located_at(ty.span());
                let outer = respanned(outer.clone(), span);
                let itself = (!is_array_ref(ty)).then(|| quote!(<Owned = #ty>));
                let asked = quote_spanned!(span=> #outer::Differentiable #itself);
                predicates.push(quote!(#ty: #asked));
            }
        }
        let clause =
            if predicates.is_empty() { TokenStream::new() } else { quote!(where #(#predicates),*) };
        Generics { params, clause, captured }
    }

    /// The clause of functions for callers that run the method again: they keep a receiver that the
    /// method changes as it was.
    pub(super) fn keeping(&self, clause: TokenStream) -> TokenStream {
        let changed = |param: &Param| param.active && param.passing == Passing::RefMut;
        if !(self.runs_again() && self.signature.self_param().is_some_and(changed)) {
            return clause;
        }
        let first = if clause.is_empty() { quote!(where) } else { quote!(#clause,) };
        quote!(#first Self: ::core::clone::Clone)
    }

    /// Whether functions of a method's companion ask for a type of known size, as all do whose
    /// bodies call others in a trait.
    fn wants_sized(&self) -> bool {
        match self.home {
            Home::Module => false,
            // Methods of data are called on trait objects, too.
            Home::Impl { joint, .. } => {
                joint && self.signature.self_param().is_some_and(|param| param.active)
            }
        }
    }
}

/// Whether a type mentions a lifetime, which a bound would have to name.
fn has_lifetime(ty: &Type) -> bool {
    struct Lifetimes(bool);
    impl<'ast> syn::visit::Visit<'ast> for Lifetimes {
        fn visit_lifetime(&mut self, _: &'ast syn::Lifetime) {
            self.0 = true;
        }
    }
    let mut found = Lifetimes(false);
    syn::visit::Visit::visit_type(&mut found, ty);
    found.0
}
