//! `vjp`: the forward sweep, and the pullback, a closure with the reverse sweep in it.

use super::ruled::located_at;
use super::{Derivative, Generics, Writer, Written, arrow, tuple};
use crate::custom::Rule;
use crate::emit::Emit;
use crate::ir::{Stmt, TapeOp, Ty, VarId};
use crate::names::plain;
use crate::signature::{Param, Passing};
use crate::sweep::Sweeps;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::spanned::Spanned;

impl Writer<'_> {
    /// `vjp`: the value and the pullback.
    pub(super) fn vjp(&mut self, derivative: Derivative) -> TokenStream {
        let (outer, policy_ty) = (self.outer.clone(), self.policy_ty.clone());
        let Generics { params: generics, clause, captured } = self.generics();
        let policy = self.names.fresh("policy", Span::call_site());
        let mut params = match derivative {
            Derivative::Swept(_) | Derivative::Missing => self.mutable_params(),
            Derivative::Ruled(_) => self.primal_params(),
        };
        let mut own = quote!(self);
        if self.owns_receiver() {
            // A caller cannot tell whether a method takes its receiver, and keeps its own.
            (params[0], own) = (quote!(&self), quote!(::core::clone::Clone::clone(self)));
        }
        let captured: Vec<Ident> = [policy_ty.clone()].into_iter().chain(captured).collect();
        let (output, unrestored) = match derivative {
            Derivative::Ruled(Rule::Vjp(path)) => {
                // The rule is to blame if it does not return that.
                let output = located_at(self.vjp_output(&captured), path.span());
                (output, self.keeps_buffers().then(|| self.unrestored(path)))
            }
            _ => (self.vjp_output(&captured), None),
        };
        let (policy_param, body) = match derivative {
            Derivative::Swept(sweeps) => self.sweeps(sweeps, &policy, own),
            Derivative::Ruled(rule) => (quote!(_), self.ruled(rule, own)),
            Derivative::Missing => (quote!(_), self.stub()),
        };
        let inline = (!self.recursive).then(|| quote!(#[inline]));
        let doc = self.vjp_doc();
        let policy_at = usize::from(self.signature.self_param().is_some());
        params.insert(policy_at, quote!(#policy_param: #policy_ty));
        let mut generics = generics;
        generics.insert(self.lifetimes(), quote!(#policy_ty: #outer::Restore));
        let vjp = self.function(Written {
            name: "vjp",
            attributes: quote!(#[doc = #doc] #inline),
            generics,
            params,
            output: quote!(-> #output),
            clause,
            body,
        });
        quote!(#unrestored #vjp)
    }

    /// The types of the value and the pullback, which mentions the type parameters `captured`.
    pub(super) fn vjp_output(&self, captured: &[Ident]) -> TokenStream {
        let (types, returned) = (self.pullback_types(), arrow(&self.pullback_result()));
        let (outer, signature) = (&self.outer, quote!(FnOnce(#(#types),*) #returned));
        let pullback_ty = if self.recursive {
            let lifetime = self.functionals().next().map(|_| quote!(+ 'function));
            quote!(#outer::Box<dyn #signature #lifetime>)
        } else {
            quote!(impl #signature + use<#(#captured),*>)
        };
        let result_ty = self.result_ty();
        if self.has_result() { quote!((#result_ty, #pullback_ty)) } else { pullback_ty }
    }

    fn vjp_doc(&self) -> String {
        let value = if self.has_result() { "Value and pullback" } else { "Pullback" };
        let adjoints: Vec<String> =
            self.by_value().map(|param| format!("{}_adj", plain(&param.name))).collect();
        let returns = match &adjoints[..] {
            [] => String::new(),
            [single] => format!("; the pullback returns `{single}`"),
            several => format!("; the pullback returns `({})`", several.join(", ")),
        };
        format!(" {value} of [`{}()`]{returns}.", self.linked())
    }

    /// Signatures only: the errors are reported elsewhere.
    fn stub(&self) -> TokenStream {
        let types = self.pullback_types();
        let returned = self.pullback_result();
        let params: Vec<Ident> = (0..types.len()).map(|k| format_ident!("_{}", k)).collect();
        let closure = quote!(move |#(#params: #types),*| -> #returned { loop {} });
        let ad = &self.ad;
        let closure = if self.recursive { quote!(#ad::Box::new(#closure)) } else { closure };
        if self.has_result() { quote!((loop {}, #closure)) } else { closure }
    }

    /// The forward sweep, and the pullback with the reverse sweep in it; a method that takes its
    /// receiver has it as `own`.
    pub(super) fn sweeps(
        &mut self,
        sweeps: &Sweeps,
        policy: &Ident,
        own: TokenStream,
    ) -> (TokenStream, TokenStream) {
        let (ad, strong_zero) = (self.ad.clone(), self.strong_zero);
        let policies = (self.policy_ty.clone(), policy.clone());
        let value = self.names.fresh("value", Span::call_site());
        let (forward, result, reverse, policy_used, seed_grows) = {
            let scalar = match &self.signature.scalars[..] {
                [single] => Some(format_ident!("{}", single)),
                _ => None,
            };
            // A receiver that is a reference comes in again in the pullback, under another name.
            let receiver = self.signature.self_param();
            let this = receiver.map(|param| (self.this.clone(), param.passing == Passing::Value));
            let names = &mut *self.names;
            let mut emit = Emit::new(sweeps, ad.clone(), policies, strong_zero, scalar, names);
            emit.this = this;
            let (forward, result) = emit.forward();
            let reverse = emit.reverse();
            (forward, result, reverse, emit.policy_used(), emit.seed_grows())
        };
        let stacks = &sweeps.stacks;
        let slots = &sweeps.slots;
        let params = self.closure_params(sweeps, seed_grows);
        let returned = tuple(self.returned_adjoints(sweeps));
        let lengths = self.lengths(sweeps);
        let body = match (returned.to_string().as_str(), lengths.is_empty()) {
            ("()", _) => quote!({ #lengths #reverse }),
            _ => quote!({ #lengths #reverse #returned }),
        };
        let closure = quote!(move |#(#params),*| #body);
        let closure = if self.recursive { quote!(#ad::Box::new(#closure)) } else { closure };
        let end = match result {
            // The reverse sweep may need what is returned.
            Some(result) if self.is_moved(sweeps) => {
                quote!(let #value = #result.clone(); (#value, #closure))
            }
            Some(result) => quote!((#result, #closure)),
            None if self.has_result() => quote!(((), #closure)),
            None => quote!(#closure),
        };
        let zeros = self.early_zeros(sweeps);
        let this = &self.this;
        let owned = self.owns_receiver().then(|| quote!(let mut #this = #own;));
        let body = quote! {
            #(let mut #stacks = #ad::Stack::new();)*
            #(let mut #slots = #ad::None;)*
            #forward
            #end
        };
        let functions = self.plain_functions(&body);
        // Types of other crates have their derivatives in traits of the runtime.
        let siblings = super::calls_methods(sweeps)
            .then(|| quote!(use #ad::siblings::*; use #ad::methods::*;));
        let body = quote!(#siblings #owned #zeros #functions #body);
        (if policy_used { quote!(#policy) } else { quote!(_) }, body)
    }

    /// Tells the compiler that adjoints are as long as their primals, so that one check of an index
    /// serves both. It pays in loops only.
    fn lengths(&self, sweeps: &Sweeps) -> TokenStream {
        let mut loops = false;
        crate::walk::each_stmt(&sweeps.reverse, &mut |stmt| {
            loops |= matches!(stmt, Stmt::Tape(TapeOp::ForRev { .. } | TapeOp::Repeat { .. }));
        });
        let params = self.signature.params.iter().enumerate();
        let slices = params.filter(|(_, param)| {
            loops && param.active && param.passing != Passing::Value && is_slice(&param.ty)
        });
        slices
            .map(|(k, param)| {
                let (name, adj) = (&param.name, &sweeps.adjoints[&VarId(k)]);
                quote!(let #adj = &mut #adj[..#name.len()];)
            })
            .collect()
    }

    /// Whether the result is a variable that the pullback captures too.
    fn is_moved(&self, sweeps: &Sweeps) -> bool {
        let function = &sweeps.function;
        let result = function.body.result.as_ref().and_then(crate::ir::Atom::var);
        result.or(function.returns).is_some_and(|var| {
            !function.var(var).ty.is_copy() && crate::emit::is_wanted(sweeps, var)
        })
    }

    fn closure_params(&self, sweeps: &Sweeps, seed_grows: bool) -> Vec<TokenStream> {
        let adjoint = |k| sweeps.adjoints[&VarId(k)].clone();
        let seed = &sweeps.seed;
        let mutability = seed_grows.then(|| quote!(mut));
        self.pullback_params(adjoint, &quote!(#mutability #seed))
    }

    /// The parameters of the pullback: reference arguments, active ones with their adjoints, and
    /// the seed.
    pub(super) fn pullback_params(
        &self,
        adjoint: impl Fn(usize) -> Ident,
        seed: &TokenStream,
    ) -> Vec<TokenStream> {
        let this = &self.this;
        let mut params = Vec::new();
        for (k, param) in self.signature.params.iter().enumerate() {
            params.push(match (param.name == "self", param.passing) {
                (_, Passing::Value) => continue,
                (false, _) => self.primal_param(param),
                (true, Passing::RefMut) => quote!(#this: &mut Self),
                (true, Passing::Ref) => quote!(#this: &Self),
            });
            if param.active {
                let (name, ty) = (adjoint(k), self.ty(param));
                params.push(quote!(#name: &mut #ty));
            }
        }
        if self.result_active() {
            let ty = self.result_ty();
            params.push(quote!(#seed: #ty));
        }
        params
    }

    /// Zeros for parameters that the function may leave with another length.
    pub(super) fn early_zeros(&self, sweeps: &Sweeps) -> TokenStream {
        let ad = &self.ad;
        let params = self.signature.params.iter().enumerate();
        let untouched = params.filter(|(k, param)| {
            param.active
                && param.passing == Passing::Value
                && !sweeps.begun.contains(&VarId(*k))
                && is_early(param)
        });
        untouched
            .map(|(_, param)| {
                let (name, adj) = (&param.name, self.adj(param));
                quote!(let #adj = #ad::zeros(&#name);)
            })
            .collect()
    }

    fn returned_adjoints(&self, sweeps: &Sweeps) -> Vec<TokenStream> {
        let ad = &self.ad;
        let params = self.signature.params.iter().enumerate();
        params
            .filter(|(_, param)| param.active && param.passing == Passing::Value)
            .map(|(k, param)| {
                if sweeps.begun.contains(&VarId(k)) {
                    let name = &sweeps.adjoints[&VarId(k)];
                    return quote!(#name);
                }
                match &param.ty {
                    Ty::Float => quote!(0.0),
                    Ty::Generic => quote!(#ad::zero()),
                    _ if is_early(param) => self.adj(param).to_token_stream(),
                    _ => {
                        let name = if param.name == "self" { &self.this } else { &param.name };
                        quote!(#ad::zeros(&#name))
                    }
                }
            })
            .collect()
    }
}

/// Whether the function itself may give a by-value parameter another length.
pub(super) fn is_early(param: &Param) -> bool {
    param.mutable && param.ty.is_resizable()
}

fn is_slice(ty: &Ty) -> bool {
    matches!(ty, Ty::Ref { to, .. } if matches!(**to, Ty::Slice(_)))
}
