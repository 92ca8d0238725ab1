//! `reverse`: how other companions run a pullback without knowing which parameters are constant.

use super::generics::Handed;
use super::{Generics, Writer, Written, arrow, tuple};
use crate::expand::Home;
use crate::names::plain;
use crate::signature::{Param, Passing};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::visit_mut::{self, VisitMut};

/// What a caller keeps for the reverse sweep.
pub(super) enum Record {
    /// The pullback, by its bound.
    Pullback(TokenStream),
    /// The type of what running the function again takes.
    Saved(TokenStream),
}

impl Writer<'_> {
    /// `reverse`: runs a pullback for a caller that knows nothing of this signature's activity.
    pub(super) fn reverse(&self, stub: bool) -> TokenStream {
        let (types, returned) = (self.pullback_types(), arrow(&self.pullback_result()));
        let mut args = self.pullback_args();
        if self.result_active() {
            let seed = self.local("seed");
            args.push(quote!(#seed));
        }
        let pullback = self.local("pullback");
        let call = self.with_adjoints(quote!(#pullback(#(#args),*)));
        let record = Record::Pullback(quote!(FnOnce(#(#types),*) #returned));
        self.function(self.reverse_of(stub, &pullback, record, call))
    }

    /// Whether a caller may throw the result away and still want the pullback.
    fn may_be_thrown_away(&self, generic: bool) -> bool {
        let receiver = self.signature.self_param();
        let by_ref = |param: &Param| param.passing != Passing::Value;
        let writes = self.signature.params.iter().any(|param| param.passing == Passing::RefMut);
        // The functions of a trait object have no type parameters.
        let dynamic = matches!(self.home, Home::Impl { joint: true, .. }) && !generic;
        let lent = self.result_ty().to_string().contains(['&', '\'']);
        self.has_result()
            && (writes || receiver.is_some_and(by_ref))
            && !(dynamic && receiver.is_some())
            && !lent
    }

    /// The reference arguments of the pullback, with their adjoints.
    fn pullback_args(&self) -> Vec<TokenStream> {
        let ad = &self.ad;
        let mut args = Vec::new();
        for param in &self.signature.params {
            let (name, adj, own) = (&param.name, self.adj(param), param.name == "self");
            args.push(match (param.passing, param.active) {
                (Passing::Value, _) => continue,
                (_, true) if own => quote!(#name, #ad::Holder::get(&mut #adj)),
                (_, false) if own => quote!(#name),
                (Passing::Ref, false) => quote!(#ad::Primal::primal(&#name)),
                (Passing::RefMut, false) => quote!(#ad::PrimalMut::primal_mut(&mut #name)),
                _ => quote!(#name, #adj),
            });
        }
        args
    }

    /// `call`, with primals and adjoints of the reference arguments in scope.
    pub(super) fn with_adjoints(&self, call: TokenStream) -> TokenStream {
        let ad = &self.ad;
        let mut body = call;
        for param in self.signature.params.iter().rev() {
            if !param.active || param.passing == Passing::Value || param.name == "self" {
                continue;
            }
            let (name, adj) = (&param.name, self.adj(param));
            let bound =
                if param.passing == Passing::Ref { quote!(Active) } else { quote!(ActiveMut) };
            body = quote!(#ad::#bound::with(#name, |#name, #adj| #body));
        }
        body
    }

    /// `reverse`, where `call` gives what the pullback returns, from `record`.
    pub(super) fn reverse_of(
        &self,
        stub: bool,
        name: &Ident,
        record: Record,
        call: TokenStream,
    ) -> Written {
        // The functions that were handed over are in the record.
        let Generics { params: mut generics, clause, .. } =
            self.generics_of(if self.runs_again() { Handed::Vjps } else { Handed::Not });
        let mut named = NameLifetimes::default();
        let mut params = self.receiver_params(stub);
        let generic = self.signature.params.iter().skip(1).any(|p| p.passing != Passing::Value);
        let (outer, seed, result_ty) = (&self.outer, self.local("seed"), self.result_ty());
        let (record_ty, seed_ty, seeded) = if self.may_be_thrown_away(generic) {
            let seed_ty = self.type_name("Seed");
            generics.push(quote!(#seed_ty));
            let pullback_ty = match record {
                Record::Pullback(bound) => {
                    let name = self.type_name("Pullback");
                    generics.push(quote!(#name: #bound));
                    quote!(#name)
                }
                Record::Saved(ty) => ty,
            };
            let ad = &self.ad;
            let own = if self.result_active() { quote!(#seed) } else { quote!(_) };
            let seeded = quote!(let (#name, #own) = #ad::Record::seeded(#name, #seed););
            let record = quote!(impl #outer::Record<#seed_ty, #result_ty, #pullback_ty>);
            (record, quote!(#seed_ty), Some(seeded))
        } else {
            let record = match record {
                Record::Pullback(bound) => quote!(impl #bound),
                Record::Saved(ty) => ty,
            };
            (record, result_ty, None)
        };
        params.push(quote!(#name: #record_ty));
        params.extend(self.reference_params(stub, &mut named));
        let clause = match self.home {
            // A trait object has no methods with type parameters, such as `impl` in arguments.
            Home::Impl { joint: true, .. } if generic && self.signature.self_param().is_some() => {
                let first = if clause.is_empty() { quote!(where) } else { quote!(#clause,) };
                quote!(#first Self: Sized)
            }
            _ => clause,
        };
        let clause = self.keeping(clause);
        params.push(quote!(#seed: #seed_ty));
        let (output, body) = self.all_by_value(call);
        let begin = self.signature.self_param().filter(|param| param.active).map(|param| {
            let (ad, adj) = (&self.ad, self.adj(param));
            quote!(let mut #adj = #ad::Receiver::adjoint(#adj, &*self);)
        });
        let body = if stub { quote!(loop {}) } else { quote!(#seeded #begin #body) };
        let lifetimes = named.lifetimes().map(|lifetime| quote!(#lifetime));
        Written {
            name: "reverse",
            attributes: quote!(#[doc(hidden)] #[inline]),
            generics: lifetimes.chain(generics).collect(),
            params,
            output: arrow(&output),
            clause,
            body,
        }
    }

    /// `&self` and how its adjoint is handed over.
    fn receiver_params(&self, stub: bool) -> Vec<TokenStream> {
        let Some(param) = self.signature.self_param() else { return Vec::new() };
        let (outer, adj) = (&self.outer, self.adj(param));
        // A receiver by value is gone, and not needed any more.
        let receiver =
            if param.passing == Passing::RefMut { quote!(&mut self) } else { quote!(&self) };
        let ty = match (stub && self.never_declared(), param.active, self.home) {
            (true, ..) => quote!(impl Sized),
            (false, true, _) => quote!(impl #outer::Receiver<Self>),
            // Of one type, so that trait objects have the method.
            (false, false, Home::Impl { joint: true, .. }) => quote!(#outer::Constant<()>),
            (false, false, _) => quote!(impl #outer::ConstantReceiver),
        };
        vec![receiver, quote!(#adj: #ty)]
    }

    fn reference_params(&self, stub: bool, named: &mut NameLifetimes) -> Vec<TokenStream> {
        let outer = &self.outer;
        let mut params = Vec::new();
        for param in self.signature.params.iter().filter(|param| param.name != "self") {
            let (name, mut ty) = (&param.name, self.ty(param));
            let bound = match (param.passing, param.active) {
                (Passing::Value, _) => continue,
                (Passing::Ref, true) => quote!(Active),
                (Passing::Ref, false) => quote!(Primal),
                (Passing::RefMut, true) => quote!(ActiveMut),
                (Passing::RefMut, false) => quote!(PrimalMut),
            };
            named.visit_type_mut(&mut ty);
            named.bound_object(&mut ty);
            let mutability = (bound.to_string() == "PrimalMut").then(|| quote!(mut));
            if stub && self.never_declared() {
                params.push(quote!(#name: impl Sized));
            } else {
                params.push(quote!(#mutability #name: impl #outer::#bound<#ty>));
            }
        }
        params
    }

    /// An adjoint for every by-value parameter, whether it is active or not.
    pub(super) fn all_by_value(&self, call: TokenStream) -> (TokenStream, TokenStream) {
        let (ad, outer) = (&self.ad, &self.outer);
        let receiver = self.by_value().find(|param| param.name == "self");
        let rest = |param: &&Param| {
            param.passing == Passing::Value && param.name != "self" && param.functional.is_none()
        };
        let all: Vec<&Param> = self.signature.params.iter().filter(rest).collect();
        if all.iter().all(|param| param.active) && receiver.is_none() {
            return (self.pullback_result(), call);
        }
        let found = tuple(self.value_adjoints());
        let (found, added) = match receiver {
            // The adjoint of a receiver goes where that of a reference would.
            Some(param) => {
                let (adj, part) = (self.adj(param), self.local("self_part"));
                let parts = self.by_value().map(|other| match other.name == "self" {
                    true => quote!(#part),
                    false => {
                        let adj = self.adj(other);
                        quote!(#adj)
                    }
                });
                let added = quote!(#ad::accumulate(#ad::Holder::get(&mut #adj), &#part););
                (tuple(parts.collect()), Some(added))
            }
            None => (found, None),
        };
        let (mut types, mut values) = (Vec::new(), Vec::new());
        for param in all {
            let (ty, adj) = (self.ty(param), self.adj(param));
            if param.active {
                types.push(quote!(#ty));
                values.push(quote!(#adj));
            } else {
                types.push(quote!(#outer::ConstantInCallee));
                values.push(quote!(#ad::ConstantInCallee));
            }
        }
        let (types, values) = (tuple(types), tuple(values));
        let values = (values.to_string() != "()").then_some(values);
        (types, quote!(let #found = #call; #added #values))
    }

    /// Whether no trait can have declared the function, so that signatures may differ after errors.
    fn never_declared(&self) -> bool {
        self.home == Home::Module
    }

    /// A name for a type parameter that the signature does not mention.
    fn type_name(&self, wish: &str) -> Ident {
        let mut name = wish.to_owned();
        let sig = &self.item.sig;
        while crate::expand::mentions(quote!(#sig), &name) {
            name.push('_');
        }
        Ident::new(&name, Span::mixed_site())
    }

    /// A name for a parameter or local of a generated function that has no sweeps in it.
    pub(super) fn local(&self, wish: &str) -> Ident {
        let mut name = wish.to_owned();
        let taken = |name: &str| {
            let params = self.signature.params.iter().map(|param| &param.name);
            let derivatives = self.adjoints.iter().chain(&self.tangents);
            params.chain(derivatives).any(|ident| plain(ident) == name)
        };
        while taken(&name) {
            name.push('_');
        }
        Ident::new(&name, Span::mixed_site())
    }
}

/// Names elided lifetimes: `impl Trait` takes no anonymous ones.
#[derive(Default)]
pub(super) struct NameLifetimes(Vec<syn::Lifetime>);

impl NameLifetimes {
    pub(super) fn lifetimes(&self) -> impl Iterator<Item = &syn::Lifetime> {
        self.0.iter()
    }

    fn fresh(&mut self) -> syn::Lifetime {
        let name = format!("'part_{}", self.0.len() + 1);
        let lifetime = syn::Lifetime::new(&name, Span::mixed_site());
        self.0.push(lifetime.clone());
        lifetime
    }

    /// A trait object lives as long as the reference that was in front of it, and is `'static`
    /// without one.
    pub(super) fn bound_object(&mut self, ty: &mut syn::Type) {
        let is_lifetime =
            |bound: &syn::TypeParamBound| matches!(bound, syn::TypeParamBound::Lifetime(_));
        match ty {
            syn::Type::Paren(paren) => self.bound_object(&mut paren.elem),
            syn::Type::TraitObject(object) if !object.bounds.iter().any(is_lifetime) => {
                object.bounds.push(syn::TypeParamBound::Lifetime(self.fresh()));
            }
            _ => {}
        }
    }
}

impl VisitMut for NameLifetimes {
    fn visit_type_reference_mut(&mut self, reference: &mut syn::TypeReference) {
        if reference.lifetime.is_none() {
            reference.lifetime = Some(self.fresh());
        }
        visit_mut::visit_type_reference_mut(self, reference);
    }

    fn visit_lifetime_mut(&mut self, lifetime: &mut syn::Lifetime) {
        if lifetime.ident == "_" {
            *lifetime = self.fresh();
        }
    }
}
