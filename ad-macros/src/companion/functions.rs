//! Parameters that are functions: their types in generated functions, and the functions themselves for
//! code without derivative.
//!
//! ```text
//! fn f(g: impl Fn(f64) -> f64, x: f64) -> f64
//!
//! pub fn adjoint<G, GPullback>(g_vjp: G, x: f64, seed: f64) -> (f64, f64)
//! where
//!     G: Fn(ad_runtime::Unspecified, f64) -> (f64, GPullback) + Copy,
//!     GPullback: FnOnce(f64) -> f64,
//! ```

use super::{Writer, tuple};
use crate::emit::mentions;
use crate::names::plain;
use crate::signature::{Functional, Passing, called, ungroup};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::{Type, TypeParamBound};

type Bounds = syn::punctuated::Punctuated<TypeParamBound, syn::Token![+]>;

impl Writer<'_> {
    pub(super) fn functionals(&self) -> impl Iterator<Item = &Functional> {
        self.signature.params.iter().filter_map(|param| param.functional.as_ref())
    }

    /// What to hand over for a function.
    pub(super) fn functional_docs(&self, what: &str) -> TokenStream {
        let docs = self.functionals().map(|function| {
            let name = plain(&function.name);
            format!(
                " `{name}_{what}` is the `{what}` of `{name}`, such as `g::{what}` for a function `g`."
            )
        });
        let docs: Vec<String> = docs.collect();
        quote!(#(#[doc = ""] #[doc = #docs])*)
    }

    /// How many lifetimes stand among the generic parameters: a boxed pullback says how long the
    /// functions live that it calls.
    pub(super) fn lifetimes(&self) -> usize {
        usize::from(self.recursive && self.functionals().next().is_some())
    }

    /// Whether callers run the function again in their reverse sweeps.
    pub(super) fn runs_again(&self) -> bool {
        matches!(self.home, crate::expand::Home::Impl { joint: true, .. })
    }

    /// Whether a type parameter is that of a function, whose bounds a companion replaces.
    pub(super) fn is_functional(&self, ty: &Type) -> bool {
        match ungroup(ty) {
            Type::Path(path) => self.functionals().any(|f| path.path.is_ident(&f.generic)),
            _ => false,
        }
    }

    /// The bounds of a function's type that still hold of its `vjp`.
    pub(super) fn other_bounds(bounds: &Bounds) -> Bounds {
        let others = bounds.iter().filter(|bound| match bound {
            TypeParamBound::Trait(known) => called(bound).is_none() && known.maybe.is_none(),
            _ => true,
        });
        others.cloned().collect()
    }

    /// What the types of a function's `vjp` and of its pullbacks are bound to.
    pub(super) fn functional_predicates(&self, function: &Functional) -> [TokenStream; 2] {
        let (outer, generic, pullback) = (&self.outer, &function.generic, &function.pullback);
        let policy = if function.writes() { quote!(Restored) } else { quote!(Unspecified) };
        let inputs = function.inputs.iter().map(|input| referred(input.passing, &input.syn_ty));
        let output = match &function.syn_result {
            Some(ty) => quote!((#ty, #pullback)),
            None => quote!(#pullback),
        };
        let mut pulled = Vec::new();
        for input in function.inputs.iter().filter(|input| input.passing != Passing::Value) {
            let ty = &input.syn_ty;
            pulled.push(referred(input.passing, ty));
            pulled.extend(input.active.then(|| quote!(&mut #ty)));
        }
        if function.result_active() {
            let ty = &function.syn_result;
            pulled.push(quote!(#ty));
        }
        let owned = function.by_value().map(|input| &input.syn_ty);
        let returned = super::arrow(&tuple(owned.map(|ty| quote!(#ty)).collect()));
        let lifetime = self.recursive.then(|| quote!(+ 'function));
        [
            quote!(#generic: Fn(#outer::#policy #(, #inputs)*) -> #output
                + ::core::marker::Copy #lifetime),
            quote!(#pullback: FnOnce(#(#pulled),*) #returned #lifetime),
        ]
    }

    /// What the type of a function's `tangent` is bound to.
    pub(super) fn tangent_predicate(function: &Functional) -> TokenStream {
        let generic = &function.generic;
        let inputs = function.inputs.iter().flat_map(|input| {
            let ty = referred(input.passing, &input.syn_ty);
            let tangent = input.active.then(|| ty.clone());
            [Some(ty), tangent].into_iter().flatten()
        });
        let output = match &function.syn_result {
            Some(ty) if function.result_active() => quote!((#ty, #ty)),
            Some(ty) => quote!(#ty),
            None => quote!(()),
        };
        quote!(#generic: Fn(#(#inputs),*) -> #output + ::core::marker::Copy)
    }

    /// The functions without their tangents, for the code that mentions them.
    pub(super) fn plain_functions_of(&self, code: &TokenStream) -> TokenStream {
        let functions = self.functionals().filter(|function| mentions(code, &function.name));
        functions.map(|function| self.without_tangent(function)).collect()
    }

    fn without_tangent(&self, function: &Functional) -> TokenStream {
        let (ad, name, tangent) = (&self.ad, &function.name, &function.tangent);
        let (mut params, mut args) = (Vec::new(), Vec::new());
        let mut before = TokenStream::new();
        for (k, input) in function.inputs.iter().enumerate() {
            let name = format_ident!("argument_{}", k);
            let ty = referred(input.passing, &input.syn_ty);
            params.push(quote!(#name: #ty));
            if !input.active {
                args.push(quote!(#name));
                continue;
            }
            let zeros = format_ident!("zeros_{}", k);
            let of = match input.passing {
                Passing::Value => quote!(&#name),
                Passing::Ref | Passing::RefMut => quote!(&*#name),
            };
            before.extend(quote!(let mut #zeros = #ad::zeros(#of);));
            args.push(quote!(#name));
            args.push(match input.passing {
                Passing::Value => quote!(#zeros),
                Passing::Ref => quote!(&#zeros),
                Passing::RefMut => quote!(&mut #zeros),
            });
        }
        let call = quote!(#tangent(#(#args),*));
        let call = if function.result_active() { quote!(#call.0) } else { call };
        let referred = function.by_reference.then(|| quote!(&));
        quote!(let #name = #referred move |#(#params),*| { #before #call };)
    }

    /// The functions without their derivatives, for the code that mentions them.
    pub(super) fn plain_functions(&self, code: &TokenStream) -> TokenStream {
        let params = self.signature.params.iter();
        let functions = params.filter_map(|param| Some((&param.name, param.functional.as_ref()?)));
        functions
            .filter(|(_, function)| mentions(code, &function.name))
            .map(|(vjp, function)| self.plain_function(vjp, function))
            .collect()
    }

    fn plain_function(&self, vjp: &Ident, function: &Functional) -> TokenStream {
        let (ad, name) = (&self.ad, &function.name);
        let policy = if function.writes() { quote!(Restored) } else { quote!(Unspecified) };
        let (args, types): (Vec<Ident>, Vec<TokenStream>) = function
            .inputs
            .iter()
            .enumerate()
            .map(|(k, input)| {
                (format_ident!("argument_{}", k), referred(input.passing, &input.syn_ty))
            })
            .unzip();
        let call = quote!(#vjp(#ad::#policy #(, #args)*));
        let call = match &function.syn_result {
            Some(_) => quote!(#call.0),
            None => quote!({ #call; }),
        };
        let referred = function.by_reference.then(|| quote!(&));
        quote!(let #name = #referred move |#(#args: #types),*| #call;)
    }
}

fn referred(passing: Passing, ty: &Type) -> TokenStream {
    match passing {
        Passing::Value => quote!(#ty),
        Passing::Ref => quote!(&#ty),
        Passing::RefMut => quote!(&mut #ty),
    }
}
