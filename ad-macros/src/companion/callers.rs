//! `reverse`: how other companions run a pullback without knowing which parameters are constant.

use super::{Generics, Writer, arrow, tuple};
use crate::names::plain;
use crate::signature::{Param, Passing};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::visit_mut::{self, VisitMut};

impl Writer<'_> {
    /// `reverse`: runs a pullback for a caller that knows nothing of this signature's activity.
    pub(super) fn reverse(&self, stub: bool) -> TokenStream {
        let ad = &self.ad;
        let Generics { params: generics, clause, .. } = self.generics();
        let (types, returned) = (self.pullback_types(), self.pullback_result());
        let (mut params, mut args) = (Vec::new(), Vec::new());
        let mut named = NameLifetimes(Vec::new());
        for param in &self.signature.params {
            let (name, mut ty) = (&param.name, self.ty(param));
            let bound = match (param.passing, param.active) {
                (Passing::Value, _) => continue,
                (Passing::Ref, true) => quote!(Active),
                (Passing::Ref, false) => quote!(Primal),
                (Passing::RefMut, true) => quote!(ActiveMut),
                (Passing::RefMut, false) => quote!(PrimalMut),
            };
            named.visit_type_mut(&mut ty);
            let mutability = (bound.to_string() == "PrimalMut").then(|| quote!(mut));
            if stub {
                params.push(quote!(#name: impl Sized));
            } else {
                params.push(quote!(#mutability #name: impl #ad::#bound<#ty>));
            }
            args.push(match (param.passing, param.active) {
                (Passing::Ref, false) => quote!(#ad::Primal::primal(&#name)),
                (Passing::RefMut, false) => quote!(#ad::PrimalMut::primal_mut(&mut #name)),
                _ => {
                    let adj = self.adj(param);
                    quote!(#name, #adj)
                }
            });
        }
        let (seed, result_ty) = (self.local("seed"), self.result_ty());
        if self.result_active() {
            args.push(quote!(#seed));
        }
        let pullback = self.local("pullback");
        let mut body = quote!(#pullback(#(#args),*));
        for param in self.signature.params.iter().rev() {
            if !param.active || param.passing == Passing::Value {
                continue;
            }
            let (name, adj) = (&param.name, self.adj(param));
            let bound =
                if param.passing == Passing::Ref { quote!(Active) } else { quote!(ActiveMut) };
            body = quote!(#ad::#bound::with(#name, |#name, #adj| #body));
        }
        let (output, body) = self.all_by_value(body);
        let (output, returned) = (arrow(&output), arrow(&returned));
        let body = if stub { quote!(loop {}) } else { body };
        let lifetimes = &named.0;
        quote! {
            #[doc(hidden)]
            #[inline]
            pub fn reverse<#(#lifetimes,)* #(#generics),*>(
                #pullback: impl FnOnce(#(#types),*) #returned
                #(, #params)*
                , #seed: #result_ty
            ) #output #clause {
                #body
            }
        }
    }

    /// An adjoint for every by-value parameter, whether it is active or not.
    pub(super) fn all_by_value(&self, call: TokenStream) -> (TokenStream, TokenStream) {
        let ad = &self.ad;
        let all: Vec<&Param> =
            self.signature.params.iter().filter(|p| p.passing == Passing::Value).collect();
        if all.iter().all(|param| param.active) {
            return (self.pullback_result(), call);
        }
        let found = tuple(
            self.by_value()
                .map(|param| {
                    let adj = self.adj(param);
                    quote!(#adj)
                })
                .collect(),
        );
        let (mut types, mut values) = (Vec::new(), Vec::new());
        for param in all {
            let (ty, adj) = (self.ty(param), self.adj(param));
            if param.active {
                types.push(quote!(#ty));
                values.push(quote!(#adj));
            } else {
                types.push(quote!(#ad::ConstantInCallee));
                values.push(quote!(#ad::ConstantInCallee));
            }
        }
        let (types, values) = (tuple(types), tuple(values));
        (types, quote!(let #found = #call; #values))
    }

    /// A name for a parameter or local of a generated function that has no sweeps in it.
    pub(super) fn local(&self, wish: &str) -> Ident {
        let mut name = wish.to_owned();
        let taken = |name: &str| {
            let params = self.signature.params.iter().map(|param| &param.name);
            params.chain(&self.adjoints).any(|ident| plain(ident) == name)
        };
        while taken(&name) {
            name.push('_');
        }
        Ident::new(&name, Span::mixed_site())
    }
}

/// Names elided lifetimes: `impl Trait` takes no anonymous ones.
struct NameLifetimes(Vec<syn::Lifetime>);

impl VisitMut for NameLifetimes {
    fn visit_type_reference_mut(&mut self, reference: &mut syn::TypeReference) {
        let name = format!("'part_{}", self.0.len() + 1);
        let lifetime = syn::Lifetime::new(&name, Span::mixed_site());
        self.0.push(lifetime.clone());
        reference.lifetime = Some(lifetime);
        visit_mut::visit_type_reference_mut(self, reference);
    }

    fn visit_lifetime_mut(&mut self, lifetime: &mut syn::Lifetime) {
        if lifetime.ident == "_" {
            let name = format!("'part_{}", self.0.len() + 1);
            *lifetime = syn::Lifetime::new(&name, Span::mixed_site());
            self.0.push(lifetime.clone());
        }
    }
}
