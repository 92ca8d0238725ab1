//! Companions of methods and associated functions: functions next to them.
//!
//! Where the type of a pullback can be named, they are those of a free function. Elsewhere, in traits
//! and their implementations and in an `impl` with parameters, a caller keeps the arguments instead
//! of a pullback, and its reverse sweep runs the method again, jointly with its reverse sweep.

use super::callers::Record;
use super::{Derivative, Generics, Modes, Writer, Written, arrow, tuple};
use crate::names::plain;
use crate::signature::{Param, Passing};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};

impl Writer<'_> {
    /// The functions next to a method; a trait that only declares it declares `adjoint`, too.
    pub(super) fn methods(mut self, modes: Modes, joint: bool, declared: bool) -> TokenStream {
        let tangents = modes.forward.map(|derivative| self.tangents(derivative, declared));
        let adjoints = modes.reverse.map(|derivative| self.adjoints(derivative, joint, declared));
        quote!(#adjoints #tangents)
    }

    fn adjoints(&mut self, derivative: Derivative, joint: bool, declared: bool) -> TokenStream {
        let stub = derivative.is_missing() && !declared;
        if !joint {
            let (adjoint, gradients) = (self.adjoint(derivative), self.gradients(stub, derivative));
            let (vjp, reverse) = (self.vjp(derivative), self.reverse(stub));
            return quote!(#adjoint #gradients #vjp #reverse);
        }
        let adjoint = match declared {
            true => self.declared_adjoint(),
            false => self.joint_adjoint(derivative),
        };
        let (gradients, vjp) = (self.gradients(stub, Derivative::Missing), self.joint_vjp(stub));
        let reverse = self.joint_reverse(stub);
        quote!(#adjoint #gradients #vjp #reverse)
    }

    /// `fn loss_adjoint(&self, …) -> …;`
    fn declared_adjoint(&self) -> TokenStream {
        let written = self.adjoint_of(Derivative::Missing, TokenStream::new());
        let Written { attributes, generics, params, output, clause, .. } = written;
        let (name, end) = (self.called("adjoint"), quote!(;));
        self.declaration(&attributes, &name, &generics, &params, &output, &clause, &end)
    }

    /// `adjoint` with both sweeps in it.
    fn joint_adjoint(&mut self, derivative: Derivative) -> TokenStream {
        let policy = self.names.fresh("policy", Span::call_site());
        let vjp = match derivative {
            Derivative::Missing => TokenStream::new(),
            Derivative::Ruled(rule) => {
                let body = self.ruled(rule, quote!(self));
                quote!({ #body })
            }
            Derivative::Swept(sweeps) => {
                let (used, body) = self.sweeps(sweeps, &policy, quote!(self));
                let (ad, policy_ty) = (&self.ad, &self.policy_ty);
                let value =
                    (used.to_string() != "_").then(|| quote!(let #policy = #ad::Unspecified;));
                let restore = quote!(use #ad::Restore as _;);
                quote!({ #restore type #policy_ty = #ad::Unspecified; #value #body })
            }
        };
        let mut written = self.adjoint_of(derivative, vjp);
        if derivative.sweeps().is_none() {
            return self.function(written);
        }
        for (param, text) in self.signature.params.iter().zip(self.mutable_params()) {
            let plain = self.primal_param(param).to_string();
            let own = written.params.iter_mut().find(|written| written.to_string() == plain);
            if let Some(own) = own {
                *own = text;
            }
        }
        self.function(written)
    }

    /// What a caller keeps: by-value arguments, and buffers as they were before the call.
    fn saved(&self) -> Vec<&Param> {
        self.signature.params.iter().filter(|param| param.passing != Passing::Ref).collect()
    }

    fn saved_name(param: &Param) -> Ident {
        format_ident!("{}_saved", crate::names::plain(&param.name), span = Span::mixed_site())
    }

    fn saved_type(&self) -> TokenStream {
        let types = self.saved().into_iter().map(|param| self.owned(&self.ty(param)));
        let value = self.keeps_value().then(|| self.result_ty());
        tuple(types.chain(value).collect())
    }

    /// Whether the value is kept, too, to see that the method gives the same when it runs again.
    fn keeps_value(&self) -> bool {
        self.signature.result.is_real()
    }

    /// `vjp` for callers: the value, and what running the method again takes.
    fn joint_vjp(&self, stub: bool) -> TokenStream {
        let (ad, outer, name) = (&self.ad, &self.outer, &self.signature.name);
        let Generics { params: generics, clause, .. } = self.generics();
        let mut params: Vec<TokenStream> =
            self.signature.params.iter().map(|param| self.primal_param(param)).collect();
        if self.owns_receiver() {
            params[0] = quote!(&self);
        }
        let policy_at = usize::from(self.signature.self_param().is_some());
        params.insert(policy_at, quote!(_: &dyn #outer::AnyPolicy));
        let saved = self.saved().into_iter().map(|param| {
            let name = &param.name;
            match param.passing {
                Passing::Value if param.name == "self" => quote!(::core::clone::Clone::clone(self)),
                Passing::Value => quote!(::core::clone::Clone::clone(&#name)),
                _ => quote!(#ad::copied(&*#name)),
            }
        });
        let value = self.local("value");
        let kept = self.keeps_value().then(|| quote!(#value));
        let (saved, names): (Vec<TokenStream>, Vec<Ident>) =
            saved.zip(self.saved().into_iter().map(Self::saved_name)).unzip();
        let record = tuple(names.iter().map(|name| quote!(#name)).chain(kept).collect());
        let args = self.signature.params.iter().map(|param| {
            let name = param.written();
            match self.owns_receiver() && param.name == "self" {
                true => quote!(::core::clone::Clone::clone(self)),
                false => quote!(#name),
            }
        });
        let saved_ty = self.saved_type();
        let call = quote!(Self::#name(#(#args),*));
        let (output, result) = match self.has_result() {
            true => {
                let result_ty = self.result_ty();
                let result = quote!(let #value = #call; (#value, #record));
                (quote!((#result_ty, #saved_ty)), result)
            }
            false => (saved_ty, quote!(#call; #record)),
        };
        let functions = self.plain_functions(&result);
        let body = quote!(#functions #(let #names = #saved;)* #result);
        self.function(Written {
            name: "vjp",
            attributes: quote!(#[doc(hidden)] #[inline]),
            generics,
            params,
            output: arrow(&output),
            clause: self.keeping(clause),
            body: if stub { quote!(loop {}) } else { body },
        })
    }

    /// `reverse` for callers: runs the method again, with its reverse sweep.
    fn joint_reverse(&self, stub: bool) -> TokenStream {
        let ad = &self.ad;
        let mut args = Vec::new();
        let (mut unpacked, mut restores) = (Vec::new(), TokenStream::new());
        for param in &self.signature.params {
            let (name, adj, own) = (&param.name, self.adj(param), param.name == "self");
            let saved = Self::saved_name(param);
            let adjoint = match (param.active, own) {
                (false, _) => None,
                (true, true) => Some(quote!(#ad::Holder::get(&mut #adj))),
                (true, false) => Some(quote!(#adj)),
            };
            if param.passing != Passing::Ref {
                unpacked.push(quote!(#saved));
            }
            let primal = match (param.passing, param.active || own) {
                (Passing::Value, _) => quote!(#saved),
                (_, true) => quote!(#name),
                (Passing::Ref, false) => quote!(#ad::Primal::primal(&#name)),
                (Passing::RefMut, false) => quote!(#ad::PrimalMut::primal_mut(&mut #name)),
            };
            match param.passing {
                Passing::Value => args.push(primal),
                Passing::Ref => {
                    args.push(primal);
                    args.extend(adjoint);
                }
                Passing::RefMut => {
                    args.push(quote!(&mut *#primal));
                    args.extend(adjoint);
                    restores.extend(quote!(#ad::overwrite(&mut *#primal, &#saved);));
                }
            }
        }
        if self.result_active() {
            let seed = self.local("seed");
            args.push(quote!(#seed));
        }
        let call = self.call("adjoint", None, &args);
        let found = tuple(self.value_adjoints());
        let (value, again) = (self.local("value"), self.local("value_again"));
        let all = match (self.has_result(), self.keeps_value()) {
            (false, _) => None,
            (true, false) => Some(quote!(_)),
            (true, true) => Some(quote!(#again)),
        };
        let name = plain(&self.signature.name);
        let same = self.keeps_value().then(|| quote!(#ad::assert_same(#name, #value, #again);));
        unpacked.extend(self.keeps_value().then(|| quote!(#value)));
        let bound = tuple(all.into_iter().chain(self.value_adjoints()).collect());
        let run = self.with_adjoints(quote!({
            #restores
            let #bound = #call;
            #same
            #restores
            #found
        }));
        let (record, saved) = (self.local("record"), tuple(unpacked));
        let call = quote!({ let #saved = #record; #run });
        self.function(self.reverse_of(stub, &record, Record::Saved(self.saved_type()), call))
    }
}
