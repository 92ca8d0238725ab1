//! Forward mode: `tangent` for users, and `forward`, by which other companions call it.

use super::callers::NameLifetimes;
use super::generics::Handed;
use super::ruled::{located_at, value_ident};
use super::user::takes_new_lengths;
use super::{Derivative, Generics, Writer, Written, arrow};
use crate::custom::{Partial, Rule};
use crate::emit::Emit;
use crate::expand::Home;
use crate::ir::{Ty, VarId};
use crate::names::plain;
use crate::signature::{Param, Passing, ungroup};
use crate::sweep::Sweeps;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;

impl Writer<'_> {
    /// `tangent` and `forward`.
    pub(super) fn tangents(&mut self, derivative: Derivative, declared: bool) -> TokenStream {
        let tangent = self.tangent(derivative, declared);
        let stub = derivative.is_missing() && !declared;
        let forward = self.forward(stub);
        quote!(#tangent #forward)
    }

    /// `tangent`: value and tangent, in one sweep.
    fn tangent(&mut self, derivative: Derivative, declared: bool) -> TokenStream {
        let body = match derivative {
            Derivative::Swept(sweeps) => self.tangent_sweep(sweeps),
            Derivative::Ruled(rule) => self.ruled_tangent(rule),
            Derivative::Missing => quote!(loop {}),
        };
        let written = self.tangent_of(body, !derivative.is_missing());
        if !declared {
            return self.function(written);
        }
        let Written { attributes, generics, params, output, clause, .. } = written;
        let name = self.called("tangent");
        self.declaration(&attributes, &name, &generics, &params, &output, &clause, &quote!(;))
    }

    /// `tangent`, with this body.
    pub(super) fn tangent_of(&self, body: TokenStream, mutable: bool) -> Written {
        let Generics { params: generics, clause, .. } = self.generics_of(Handed::Tangents);
        let checks = self.tangent_checks();
        let params = self.tangent_params(mutable);
        let (result_ty, pair) = (self.result_ty(), self.result_active());
        let output = if pair { quote!((#result_ty, #result_ty)) } else { result_ty };
        let name = self.linked();
        let doc = match (self.has_result(), pair) {
            (_, true) => format!(" Value and tangent of [`{name}()`]."),
            (true, false) => format!(" Value of [`{name}()`], and the tangents of what it writes."),
            (false, _) => {
                format!(" Runs [`{name}()`], and computes the tangents of what it writes.")
            }
        };
        Written {
            name: "tangent",
            attributes: quote!(#[doc = #doc]),
            generics,
            params,
            output: arrow(&output),
            clause,
            body: quote!(#checks #body),
        }
    }

    /// The parameters of `tangent`: active ones are followed by their tangents.
    pub(super) fn tangent_params(&self, mutable: bool) -> Vec<TokenStream> {
        let mut params = Vec::new();
        for param in &self.signature.params {
            if let Some(function) = &param.functional {
                let (name, ty) = (&function.tangent, self.ty(param));
                params.push(quote!(#name: #ty));
                continue;
            }
            let mutability = (mutable && param.mutable).then(|| quote!(mut));
            let primal = self.primal_param(param);
            params.push(quote!(#mutability #primal));
            if param.active {
                let (name, ty) = (self.tan(param), self.ty(param));
                let ty = match param.passing {
                    Passing::Value => quote!(#ty),
                    Passing::Ref => quote!(&#ty),
                    Passing::RefMut => quote!(&mut #ty),
                };
                params.push(quote!(#mutability #name: #ty));
            }
        }
        params
    }

    /// The arguments of `tangent`, by the names of its parameters.
    pub(super) fn tangent_args(&self) -> Vec<TokenStream> {
        let mut args = Vec::new();
        for param in &self.signature.params {
            args.push(match &param.functional {
                Some(function) => function.tangent.to_token_stream(),
                None => param.name.to_token_stream(),
            });
            args.extend(param.active.then(|| self.tan(param).to_token_stream()));
        }
        args
    }

    /// The function with tangents.
    fn tangent_sweep(&mut self, sweeps: &Sweeps) -> TokenStream {
        let (ad, strong_zero) = (self.ad.clone(), self.strong_zero);
        let scalar = match &self.signature.scalars[..] {
            [single] => Some(format_ident!("{}", single)),
            _ => None,
        };
        let policy = Ident::new("_", Span::call_site());
        let mut names = self.names.with(&sweeps.names);
        let value = names.fresh("value", Span::call_site());
        let policies = (policy.clone(), policy);
        let mut emit = Emit::new(sweeps, ad.clone(), policies, strong_zero, scalar, &mut names);
        let (forward, result) = emit.forward();
        let tangent = emit.result_tangent();
        let end = match (result, tangent) {
            (Some(result), Some(tangent)) => quote!((#result, #tangent)),
            (Some(result), None) if self.result_active() => match self.signature.result {
                Ty::Float => quote!((#result, 0.0)),
                Ty::Generic => quote!((#result, #ad::zero())),
                _ => {
                    let tangent = names.fresh("value_tan", Span::call_site());
                    quote! {
                        let #value = #result;
                        let #tangent = #ad::zeros(&#value);
                        (#value, #tangent)
                    }
                }
            },
            (Some(result), None) => quote!(#result),
            (None, _) if self.result_active() => quote!(((), ())),
            (None, _) => TokenStream::new(),
        };
        let body = quote!(#forward #end);
        let functions = self.plain_functions_of(&body);
        quote!(#functions #body)
    }

    /// `forward`: for a caller that knows nothing of this signature's activity.
    fn forward(&self, stub: bool) -> TokenStream {
        let Generics { params: mut generics, clause, .. } = self.generics_of(Handed::Tangents);
        let (ad, outer) = (&self.ad, &self.outer);
        let mut named = NameLifetimes::default();
        let (mut params, mut begin) = (Vec::new(), TokenStream::new());
        let mut body = self.forward_call();
        for param in self.signature.params.iter().rev() {
            let (name, tan) = (&param.name, self.tan(param));
            if param.functional.is_some() || param.name == "self" {
                continue;
            }
            match (param.passing, param.active) {
                (Passing::Value, true) => {
                    begin.extend(quote!(let #ad::Pair(#name, #tan) = #name;));
                }
                (Passing::Value, false) => {
                    begin.extend(quote!(let #ad::Constant(#name) = #name;));
                }
                (Passing::Ref | Passing::RefMut, true) => {
                    let bound = self.tangent_bound(param);
                    body = quote!(#ad::#bound::with(#name, |#name, #tan| #body));
                }
                (Passing::Ref, false) => {
                    begin.extend(quote!(let #name = #ad::Primal::primal(&#name);));
                }
                (Passing::RefMut, false) => {
                    begin.extend(quote!(let #name = #ad::PrimalMut::primal_mut(&mut #name);));
                }
            }
        }
        for param in &self.signature.params {
            if let Some(function) = &param.functional {
                let (name, ty) = (&function.tangent, self.ty(param));
                params.push(quote!(#name: #ty));
                continue;
            }
            if param.name == "self" {
                params.extend(self.forward_receiver(param, &mut begin));
                continue;
            }
            let (name, mut ty) = (&param.name, self.ty(param));
            let (bound, mutability) = match (param.passing, param.active) {
                (Passing::Value, true) => {
                    params.push(quote!(#name: #outer::Pair<#ty>));
                    continue;
                }
                (Passing::Value, false) => {
                    params.push(quote!(#name: #outer::Constant<#ty>));
                    continue;
                }
                (Passing::Ref | Passing::RefMut, true) => (self.tangent_bound(param), None),
                (Passing::Ref, false) => (quote!(Primal), None),
                (Passing::RefMut, false) => (quote!(PrimalMut), Some(quote!(mut))),
            };
            named.visit_type_mut(&mut ty);
            named.bound_object(&mut ty);
            params.push(quote!(#mutability #name: impl #outer::#bound<#ty>));
        }
        let clause = match self.home {
            // A trait object has no methods with type parameters, such as `impl` in arguments.
            Home::Impl { joint: true, .. } if self.has_type_params() => {
                let first = if clause.is_empty() { quote!(where) } else { quote!(#clause,) };
                quote!(#first Self: Sized)
            }
            _ => clause,
        };
        let lifetimes = named.lifetimes().map(|lifetime| quote!(#lifetime));
        generics.splice(0..0, lifetimes);
        let result_ty = self.result_ty();
        let output = if self.has_result() { quote!((#result_ty, #result_ty)) } else { quote!(()) };
        self.function(Written {
            name: "forward",
            attributes: quote!(#[doc(hidden)] #[inline]),
            generics,
            params,
            output: arrow(&output),
            clause,
            body: if stub { quote!(loop {}) } else { quote!(#begin #body) },
        })
    }

    /// The trait of what a caller hands over for an active reference.
    fn tangent_bound(&self, param: &Param) -> TokenStream {
        let own = |ty: &syn::Type| match ungroup(ty) {
            syn::Type::Path(path) => {
                let mut params = self.item.sig.generics.type_params();
                params.any(|param| path.path.is_ident(&param.ident))
            }
            _ => false,
        };
        match (param.passing == Passing::RefMut, own(&param.syn_ty)) {
            (false, false) => quote!(TangentRef),
            (false, true) => quote!(SameRef),
            (true, false) => quote!(TangentMut),
            (true, true) => quote!(SameMut),
        }
    }

    /// Whether `forward` of a method has type parameters, which methods of trait objects have not.
    fn has_type_params(&self) -> bool {
        let active = self.signature.self_param().is_some_and(|param| param.active);
        let by_ref = |param: &Param| param.passing != Passing::Value;
        self.signature.self_param().is_some()
            && (active || self.signature.params.iter().skip(1).any(by_ref))
    }

    /// `self` and how its tangent is handed over.
    fn forward_receiver(&self, param: &Param, begin: &mut TokenStream) -> Vec<TokenStream> {
        let (ad, outer, tan) = (&self.ad, &self.outer, self.tan(param));
        let receiver = self.primal_param(param);
        if !param.active {
            return match self.home {
                // Of one type, so that trait objects have the method.
                Home::Impl { joint: true, .. } => {
                    vec![receiver, quote!(#tan: #outer::Constant<()>)]
                }
                _ => vec![receiver, quote!(#tan: impl #outer::ConstantReceiver)],
            };
        }
        let (holder, bound) = (
            self.local("holder"),
            match param.passing {
                Passing::RefMut => quote!(TangentHolderMut),
                Passing::Value | Passing::Ref => quote!(TangentHolder),
            },
        );
        let this = if param.passing == Passing::Value { quote!(&self) } else { quote!(&*self) };
        begin.extend(match param.passing {
            Passing::RefMut => quote! {
                let mut #holder = #ad::TangentReceiver::tangent(#tan, #this);
                let #tan = #ad::TangentHolderMut::get_mut(&mut #holder);
            },
            Passing::Ref => quote! {
                let #holder = #ad::TangentReceiver::tangent(#tan, #this);
                let #tan = #ad::TangentHolder::get(&#holder);
            },
            Passing::Value => quote! {
                let #holder = #ad::TangentReceiver::tangent(#tan, #this);
                let #tan = ::core::clone::Clone::clone(#ad::TangentHolder::<Self>::get(&#holder));
            },
        });
        let ty = quote!(#outer::TangentReceiver<Self, Holder: #outer::#bound<Self>>);
        vec![receiver, quote!(#tan: impl #ty)]
    }

    /// The call of `tangent` in `forward`: a value without tangent gets one.
    fn forward_call(&self) -> TokenStream {
        let call = self.call("tangent", None, &self.tangent_args());
        if self.result_active() || !self.has_result() {
            return call;
        }
        let (ad, value, tangent) = (&self.ad, self.local("value"), self.local("value_tan"));
        quote!({ let #value = #call; let #tangent = #ad::zeros(&#value); (#value, #tangent) })
    }

    /// Value and tangent by a rule of the user.
    fn ruled_tangent(&mut self, rule: &Rule) -> TokenStream {
        match rule {
            Rule::Jvp(path) => self.tangent_by_jvp(path),
            Rule::Partials(rows) => self.tangent_by_partials(rows),
            Rule::Zero => self.tangent_of_zero(),
            Rule::Vjp(_) => panic!("a pullback gives no tangent"),
        }
    }

    fn tangent_by_jvp(&mut self, path: &syn::ExprPath) -> TokenStream {
        let rule = self.names.fresh("rule", path.span());
        let mut types = Vec::new();
        for param in &self.signature.params {
            let ty = self.passed_type(param);
            types.push(ty.clone());
            types.extend(param.active.then_some(ty));
        }
        let result_ty = self.result_ty();
        let output = match self.result_active() {
            true => quote!((#result_ty, #result_ty)),
            false => result_ty,
        };
        let args = self.tangent_args();
        let call = located_at(quote!(#rule(#(#args),*)), path.span());
        // The type is what a rule has to be: the compiler shows it if the user's is another.
        quote!(let #rule: fn(#(#types),*) -> #output = #path; #call)
    }

    /// `Σ x_tan * ∂value/∂x`
    fn tangent_by_partials(&mut self, rows: &[Partial]) -> TokenStream {
        let value =
            value_ident(rows).unwrap_or_else(|| self.names.fresh("value", Span::call_site()));
        let (ad, call) = (self.ad.clone(), self.own_call(&quote!(self)));
        let terms = self.signature.params.iter().filter_map(|param| {
            let row = rows.iter().find(|row| param.active && row.param == param.name)?;
            let (tan, expr) = (self.tan(param), &row.expr);
            let referred = (param.passing != Passing::Value).then(|| quote!(*));
            Some(quote!(#ad::pull(#referred #tan, #expr)))
        });
        let terms: Vec<TokenStream> = terms.collect();
        quote!(let #value = #call; (#value, #(#terms)+*))
    }

    /// Tangents of 0 for the result and for what the function writes.
    fn tangent_of_zero(&mut self) -> TokenStream {
        let (ad, call) = (self.ad.clone(), self.own_call(&quote!(self)));
        let clears: TokenStream = self
            .signature
            .params
            .iter()
            .filter(|param| param.active && param.passing == Passing::RefMut)
            .map(|param| {
                let (name, tan) = (&param.name, self.tan(param));
                match takes_new_lengths(param) {
                    true => quote!(#ad::overwrite(#tan, &#ad::zeros(&*#name));),
                    false => quote!(#ad::clear(#tan);),
                }
            })
            .collect();
        let value = self.names.fresh("value", Span::call_site());
        match (self.has_result(), self.result_active()) {
            (_, true) => {
                let tangent = self.names.fresh("value_tan", Span::call_site());
                quote! {
                    let #value = #call;
                    #clears
                    let #tangent = #ad::zeros(&#value);
                    (#value, #tangent)
                }
            }
            (true, false) => quote!(let #value = #call; #clears #value),
            (false, _) => quote!(#call; #clears),
        }
    }

    /// The name of a parameter's tangent.
    pub(super) fn tan(&self, param: &Param) -> Ident {
        let k = self.signature.params.iter().position(|other| std::ptr::eq(other, param));
        self.tangents[k.expect("the parameter is one of the signature's")].clone()
    }

    /// The names of the tangents of all parameters.
    pub(super) fn tangent_names(
        signature: &crate::signature::Signature,
        sweeps: Option<&Sweeps>,
        names: &mut crate::names::Names,
    ) -> Vec<Ident> {
        let params = signature.params.iter().enumerate();
        params
            .map(|(k, param)| {
                match sweeps.and_then(|sweeps| Some((sweeps, sweeps.tangents.get(&VarId(k))?))) {
                    Some((sweeps, tangent)) => sweeps.function.var(*tangent).name.clone(),
                    None => names.fresh(&format!("{}_tan", plain(&param.name)), param.name.span()),
                }
            })
            .collect()
    }
}
