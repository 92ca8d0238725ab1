//! Second derivatives: both sweeps with tangents, and how other companions call them.
//!
//! ```text
//! second_vjp      value, tangent, and the pullback with tangents
//! second, second_reverse   how other companions call it, and run that pullback
//! hvp, hvp_into, hessian   what users call (see `products`)
//! ```

use super::callers::NameLifetimes;
use super::generics::Handed;
use super::pullback::is_early;
use super::{Generics, Writer, Written, arrow, tuple};
use crate::emit::Emit;
use crate::ir::{Ty, VarId};
use crate::names::plain;
use crate::signature::{Param, Passing};
use crate::sweep::Sweeps;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::visit_mut::VisitMut;

/// A parameter of the pullback with tangents.
pub(super) enum Which<'a> {
    Primal(&'a Param),
    Tangent(&'a Param),
    Adjoint(&'a Param),
    AdjointTangent(&'a Param),
    Seed,
    SeedTangent,
}

impl Writer<'_> {
    /// All that belongs to second derivatives.
    pub(super) fn seconds(&mut self, sweeps: &Sweeps) -> TokenStream {
        let (vjp, second) = (self.second_vjp(sweeps), self.second());
        let reverse = self.second_reverse();
        let products = self.signature.result.is_real().then(|| {
            let (hvp, into, hessian) = (self.hvp(), self.hvp_into(), self.hessian());
            quote!(#hvp #into #hessian)
        });
        quote!(#products #vjp #second #reverse)
    }

    /// The types of the value with its tangent.
    fn value_pair(&self) -> TokenStream {
        let result_ty = self.result_ty();
        if self.has_result() { quote!((#result_ty, #result_ty)) } else { quote!(()) }
    }

    /// What the pullback returns: the adjoints of by-value parameters, with their tangents.
    fn pair_result(&self) -> TokenStream {
        let types = self.by_value().map(|param| {
            let ty = self.ty(param);
            quote!((#ty, #ty))
        });
        tuple(types.collect())
    }

    /// The parameters of the pullback, with their types.
    pub(super) fn second_params(&self) -> Vec<(TokenStream, Which<'_>)> {
        let mut params = Vec::new();
        for param in self.signature.params.iter().filter(|p| p.passing != Passing::Value) {
            let ty = self.ty(param);
            let referred = match param.passing {
                Passing::RefMut => quote!(&mut #ty),
                _ => quote!(&#ty),
            };
            params.push((referred.clone(), Which::Primal(param)));
            if param.active {
                params.push((referred, Which::Tangent(param)));
                params.push((quote!(&mut #ty), Which::Adjoint(param)));
                params.push((quote!(&mut #ty), Which::AdjointTangent(param)));
            }
        }
        if self.result_active() {
            let ty = self.result_ty();
            params.push((ty.clone(), Which::Seed));
            params.push((ty, Which::SeedTangent));
        }
        params
    }

    /// The name of the tangent of a parameter's adjoint.
    pub(super) fn adj_tan(&self, param: &Param) -> Ident {
        self.local(&format!("{}_adj_tan", plain(&param.name)))
    }

    /// `second_vjp`: both sweeps, with tangents.
    fn second_vjp(&mut self, sweeps: &Sweeps) -> TokenStream {
        let Generics { params: mut generics, clause, captured } = self.generics_of(Handed::Not);
        let (ad, outer, policy_ty) = (self.ad.clone(), self.outer.clone(), self.policy_ty.clone());
        let mut names = self.names.with(&sweeps.names);
        let policy = names.fresh("policy", Span::call_site());
        let scalar = match &self.signature.scalars[..] {
            [single] => Some(format_ident!("{}", single)),
            _ => None,
        };
        let [value, value_tan] =
            ["value", "value_tan"].map(|name| names.fresh(name, Span::call_site()));
        let (policies, zero) = ((policy_ty.clone(), policy.clone()), self.strong_zero);
        let mut emit = Emit::new(sweeps, ad.clone(), policies, zero, scalar, &mut names);
        let (forward, result) = emit.forward();
        let tangent = emit.result_tangent();
        let reverse = emit.reverse();
        let policy = if emit.policy_used() { quote!(#policy) } else { quote!(_) };
        let grown = [&sweeps.seed, &sweeps.seed_tangent()].map(|name| emit.grows(name));
        let closure_params = self.closure_params_of(sweeps, grown);
        let returned = self.by_value().map(|param| self.returned_pair(sweeps, param));
        let returned = tuple(returned.collect());
        let returned = (returned.to_string() != "()").then_some(returned);
        let pullback = quote!(move |#(#closure_params),*| { #reverse #returned });
        let end = match (result, tangent) {
            (Some(result), Some(tangent)) => quote! {
                let #value_tan = #tangent;
                ((#result, #value_tan), #pullback)
            },
            (Some(result), None) => quote! {
                let #value = #result;
                let #value_tan = #ad::zeros(&#value);
                ((#value, #value_tan), #pullback)
            },
            (None, _) => quote!(((), #pullback)),
        };
        let (stacks, slots, zeros) = (&sweeps.stacks, &sweeps.slots, self.early_zeros(sweeps));
        let body = quote! {
            #(let mut #stacks = #ad::Stack::new();)*
            #(let mut #slots = #ad::None;)*
            #zeros
            #forward
            #end
        };
        let mut params = self.tangent_params(true);
        params.insert(0, quote!(#policy: #policy_ty));
        generics.insert(0, quote!(#policy_ty: #outer::Restore));
        let captured: Vec<Ident> = [policy_ty].into_iter().chain(captured).collect();
        let output = self.second_output(quote!(+ use<#(#captured),*>));
        self.function(Written {
            name: "second_vjp",
            attributes: quote!(#[doc(hidden)] #[inline]),
            generics,
            params,
            output,
            clause,
            body,
        })
    }

    /// The parameters of the pullback as the sweeps name them.
    fn closure_params_of(&self, sweeps: &Sweeps, [seed, seed_tan]: [bool; 2]) -> Vec<TokenStream> {
        let adjoint = |id: VarId| sweeps.adjoints[&id].clone();
        let mutable = |grows: bool| grows.then(|| quote!(mut));
        let params = self.second_params().into_iter().map(|(ty, which)| {
            let (mutability, name) = match which {
                Which::Primal(param) => (None, param.name.clone()),
                Which::Tangent(param) => (None, self.tan(param)),
                Which::Adjoint(param) => (None, adjoint(self.id(param))),
                Which::AdjointTangent(param) => (None, adjoint(sweeps.tangents[&self.id(param)])),
                Which::Seed => (mutable(seed), sweeps.seed.clone()),
                Which::SeedTangent => (mutable(seed_tan), sweeps.seed_tangent()),
            };
            quote!(#mutability #name: #ty)
        });
        params.collect()
    }

    /// The value pair, and the pullback.
    fn second_output(&self, captures: TokenStream) -> TokenStream {
        let types = self.second_params().into_iter().map(|(ty, _)| ty);
        let (types, pair) = (types.collect::<Vec<_>>(), self.value_pair());
        let returned = arrow(&self.pair_result());
        quote!(-> (#pair, impl FnOnce(#(#types),*) #returned #captures))
    }

    fn id(&self, param: &Param) -> VarId {
        let k = self.signature.params.iter().position(|other| std::ptr::eq(other, param));
        VarId(k.expect("the parameter is one of the signature's"))
    }

    /// The adjoint of a by-value parameter, and its tangent.
    fn returned_pair(&self, sweeps: &Sweeps, param: &Param) -> TokenStream {
        let (ad, id) = (&self.ad, self.id(param));
        if sweeps.begun.contains(&id) {
            let adjoint = &sweeps.adjoints[&id];
            let tangent = &sweeps.adjoints[&sweeps.tangents[&id]];
            return quote!((#adjoint, #tangent));
        }
        let name = &param.name;
        match &param.ty {
            Ty::Float => quote!((0.0, 0.0)),
            Ty::Generic => quote!((#ad::zero(), #ad::zero())),
            _ if is_early(param) => {
                let adj = self.adj(param);
                quote!((::core::clone::Clone::clone(&#adj), #adj))
            }
            _ => quote!((#ad::zeros(&#name), #ad::zeros(&#name))),
        }
    }

    /// `second`: for a caller that knows nothing of this signature's activity.
    fn second(&self) -> TokenStream {
        let (outer, policy_ty) = (&self.outer, &self.policy_ty);
        let policy = self.local("policy");
        let Generics { params: mut generics, clause, captured } = self.generics_of(Handed::Not);
        let (mut params, mut begin) = (vec![quote!(#policy: #policy_ty)], TokenStream::new());
        for param in &self.signature.params {
            let (name, ty) = (&param.name, self.ty(param));
            let handed = match (param.passing, param.active) {
                (Passing::Value, true) => quote!(Pair<#ty>),
                (Passing::Value, false) => quote!(Constant<#ty>),
                (Passing::Ref, true) => quote!(Reference<'_, #ty>),
                (Passing::RefMut, true) => quote!(ReferenceMut<'_, #ty>),
                (Passing::Ref, false) => quote!(Data<'_, #ty>),
                (Passing::RefMut, false) => quote!(DataMut<'_, #ty>),
            };
            params.push(quote!(#name: #outer::#handed));
            begin.extend(self.taken(param));
        }
        let call = self.call("second_vjp", Some(policy.to_token_stream()), &self.tangent_args());
        generics.push(quote!(#policy_ty: #outer::Restore));
        let captured = captured.into_iter().chain([policy_ty.clone()]);
        let captured: Vec<Ident> = captured.collect();
        self.function(Written {
            name: "second",
            attributes: quote!(#[doc(hidden)] #[inline]),
            generics,
            params,
            output: self.second_output(quote!(+ use<#(#captured),*>)),
            clause,
            body: quote!(#begin #call),
        })
    }

    /// Takes apart what a caller hands over; a reference without tangent gets one.
    fn taken(&self, param: &Param) -> TokenStream {
        let (ad, name, tan, ty) = (&self.ad, &param.name, self.tan(param), self.ty(param));
        let zeros = self.local(&format!("{}_zeros", plain(name)));
        let (own, borrow) = match (param.passing, param.active) {
            (Passing::Value, true) => return quote!(let #ad::Pair(#name, #tan) = #name;),
            (Passing::Value, false) => return quote!(let #ad::Constant(#name) = #name;),
            (Passing::Ref, false) => return quote!(let #ad::Data(#name) = #name;),
            (Passing::RefMut, false) => return quote!(let #ad::DataMut(#name) = #name;),
            (Passing::Ref, true) => {
                (quote!(Reference), quote!(::core::borrow::Borrow::<#ty>::borrow(&#zeros)))
            }
            (Passing::RefMut, true) => {
                let borrow = quote!(::core::borrow::BorrowMut::<#ty>::borrow_mut(&mut #zeros));
                (quote!(ReferenceMut), borrow)
            }
        };
        quote! {
            let #ad::#own(#name, #tan) = #name;
            let mut #zeros;
            let #tan = match #tan {
                #ad::Some(#tan) => #tan,
                #ad::None => {
                    #zeros = #ad::zeros(&*#name);
                    #borrow
                }
            };
        }
    }

    /// `second_reverse`: runs such a pullback for a caller that knows nothing of it.
    fn second_reverse(&self) -> TokenStream {
        let (ad, outer) = (&self.ad, &self.outer);
        let Generics { params: mut generics, clause, .. } = self.generics_of(Handed::Not);
        let mut named = NameLifetimes::default();
        let [pullback, seeds] = ["pullback", "seeds"].map(|name| self.local(name));
        let types = self.second_params().into_iter().map(|(ty, _)| ty);
        let (types, returned) = (types.collect::<Vec<_>>(), arrow(&self.pair_result()));
        let mut params = vec![quote!(#pullback: impl FnOnce(#(#types),*) #returned)];
        let args = self.second_params().into_iter().map(|(_, which)| match which {
            Which::Primal(param) => {
                let name = &param.name;
                match (param.active, param.passing) {
                    (true, _) => quote!(#name),
                    (false, Passing::RefMut) => quote!(#ad::PrimalMut::primal_mut(&mut #name)),
                    (false, _) => quote!(#ad::Primal::primal(&#name)),
                }
            }
            Which::Tangent(param) => self.tan(param).to_token_stream(),
            Which::Adjoint(param) => self.adj(param).to_token_stream(),
            Which::AdjointTangent(param) => self.adj_tan(param).to_token_stream(),
            Which::Seed => quote!(#seeds.0),
            Which::SeedTangent => quote!(#seeds.1),
        });
        let args: Vec<TokenStream> = args.collect();
        let mut body = quote!(#pullback(#(#args),*));
        for param in self.signature.params.iter().rev().filter(|p| p.passing != Passing::Value) {
            let (name, mut ty, tan) = (&param.name, self.ty(param), self.tan(param));
            named.visit_type_mut(&mut ty);
            named.bound_object(&mut ty);
            let (adj, adj_tan) = (self.adj(param), self.adj_tan(param));
            let bound = match (param.passing, param.active) {
                (Passing::Ref, true) => quote!(SecondRef),
                (Passing::RefMut, true) => quote!(SecondMut),
                (Passing::RefMut, false) => quote!(PrimalMut),
                _ => quote!(Primal),
            };
            let mutability = (!param.active).then(|| quote!(mut));
            params.insert(1, quote!(#mutability #name: impl #outer::#bound<#ty>));
            if param.active {
                body = quote!(#ad::#bound::with(#name, |#name, #tan, #adj, #adj_tan| #body));
            }
        }
        let (result_ty, mut begin) = (self.result_ty(), TokenStream::new());
        params.push(match self.result_active() {
            true => {
                begin = quote!(let #seeds = #ad::SecondSeed::seeds(#seeds););
                quote!(#seeds: impl #outer::SecondSeed<#result_ty>)
            }
            false => quote!(_: impl Sized),
        });
        let (output, body) = self.pairs_of_all(body);
        generics.splice(0..0, named.lifetimes().map(|lifetime| quote!(#lifetime)));
        self.function(Written {
            name: "second_reverse",
            attributes: quote!(#[doc(hidden)] #[inline]),
            generics,
            params,
            output: arrow(&output),
            clause,
            body: quote!(#begin #body),
        })
    }

    /// A pair for every by-value parameter, whether it is active or not.
    fn pairs_of_all(&self, call: TokenStream) -> (TokenStream, TokenStream) {
        let (ad, outer) = (&self.ad, &self.outer);
        let all = self.signature.params.iter().filter(|param| param.passing == Passing::Value);
        let all: Vec<&Param> = all.collect();
        if all.iter().all(|param| param.active) {
            return (self.pair_result(), call);
        }
        let found = tuple(self.value_adjoints());
        let (types, values): (Vec<TokenStream>, Vec<TokenStream>) = all
            .into_iter()
            .map(|param| {
                let (ty, adj) = (self.ty(param), self.adj(param));
                match param.active {
                    true => (quote!((#ty, #ty)), quote!(#adj)),
                    false => (quote!(#outer::ConstantInCallee), quote!(#ad::ConstantInCallee)),
                }
            })
            .unzip();
        let (types, values) = (tuple(types), tuple(values));
        (types, quote!(let #found = #call; #values))
    }
}
