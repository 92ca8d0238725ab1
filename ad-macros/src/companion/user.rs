//! What users call: `adjoint`, `gradient`, `value_and_gradient`, `value_and_gradient_into`.

use super::ruled::located_at;
use super::{Derivative, Generics, Writer, Written, arrow, has_dynamic_shape, tuple};
use crate::custom::Rule;
use crate::expand::Home;
use crate::ir::{Ty, VarId};
use crate::names::plain;
use crate::signature::{Param, Passing, is_array_ref, ungroup};
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::Type;
use syn::spanned::Spanned;

/// How the adjoint of a reference parameter comes to the pullback.
struct Provided {
    /// Statements in front of the forward sweep.
    before: TokenStream,
    /// Statements between the sweeps.
    between: TokenStream,
    /// The argument.
    arg: TokenStream,
}

/// Whether a parameter may be left with another length than it came with, so that its adjoint has
/// its length on entry from there.
pub(super) fn takes_new_lengths(param: &Param) -> bool {
    param.passing == Passing::RefMut && param.ty.is_resizable()
}

impl Writer<'_> {
    /// `adjoint`: both sweeps, in one call.
    pub(super) fn adjoint(&self, derivative: Derivative) -> TokenStream {
        self.function(self.adjoint_of(derivative, self.own_vjp()))
    }

    /// The call of `vjp` with the parameters.
    fn own_vjp(&self) -> TokenStream {
        let ad = &self.ad;
        let forward = self.signature.params.iter().map(|param| {
            let name = &param.name;
            quote!(#name)
        });
        let forward: Vec<TokenStream> = forward.collect();
        self.call("vjp", Some(quote!(#ad::Unspecified)), &forward)
    }

    /// `adjoint`, where `vjp` gives the value and the pullback.
    pub(super) fn adjoint_of(&self, derivative: Derivative, vjp: TokenStream) -> Written {
        let ad = &self.ad;
        let Generics { params: generics, clause, .. } = self.generics();
        let mut params = Vec::new();
        for param in &self.signature.params {
            params.push(self.primal_param(param));
            if param.active && param.passing != Passing::Value {
                let (adj, ty) = (self.adj(param), self.ty(param));
                params.push(quote!(#adj: &mut #ty));
            }
        }
        let (seed, result_ty) = (self.local("seed"), self.result_ty());
        let value = self.local("value");
        let mut check = TokenStream::new();
        if self.result_active() {
            params.push(quote!(#seed: #result_ty));
            if has_dynamic_shape(&self.signature.result) {
                check = quote!(#ad::assert_shape("value", &#value, &#seed););
            }
        }
        let handed_in = |param: &Param| {
            let (name, adj) = (&param.name, self.adj(param));
            let text = plain(name);
            let check = quote!(#ad::assert_shape(#text, #name, #adj););
            let (before, between) = match has_dynamic_shape(&param.ty) {
                true if takes_new_lengths(param) => (TokenStream::new(), check),
                true => (check, TokenStream::new()),
                false => Default::default(),
            };
            Provided { before, between, arg: quote!(#adj) }
        };
        let adjoints = self.value_adjoints();
        let both = self.both_sweeps(derivative, &vjp, handed_in, &check, &quote!(#seed), &adjoints);
        let (mut types, mut values) = (Vec::new(), Vec::new());
        if self.has_result() {
            types.push(result_ty);
            values.push(quote!(#value));
        }
        types.extend(self.by_value().map(|param| {
            let ty = self.ty(param);
            quote!(#ty)
        }));
        values.extend(adjoints);
        let (output, returned) = (tuple(types), tuple(values));
        let doc = self.adjoint_doc(&returned);
        let output = arrow(&output);
        let returned = (returned.to_string() != "()").then_some(returned);
        let body = if derivative.is_missing() { quote!(loop {}) } else { quote!(#both #returned) };
        let attributes = quote!(#[doc = #doc]);
        Written { name: "adjoint", attributes, generics, params, output, clause, body }
    }

    /// Statements that run both sweeps and bind the value and the adjoints that are returned.
    fn both_sweeps(
        &self,
        derivative: Derivative,
        vjp: &TokenStream,
        provide: impl Fn(&Param) -> Provided,
        check: &TokenStream,
        seed: &TokenStream,
        found: &[TokenStream],
    ) -> TokenStream {
        let ad = &self.ad;
        let (mut before, mut between, mut after) =
            <(TokenStream, TokenStream, TokenStream)>::default();
        let mut backward = Vec::new();
        for (k, param) in self.signature.params.iter().enumerate() {
            let name = &param.name;
            if param.passing == Passing::Value {
                continue;
            }
            backward.push(quote!(#name));
            if param.active {
                let provided = provide(param);
                before.extend(provided.before);
                between.extend(provided.between);
                backward.push(provided.arg);
            }
            if param.passing == Passing::RefMut && derivative.disturbs(param, VarId(k)) {
                let kept = self.local(&format!("{}_result", plain(name)));
                between.extend(quote!(let #kept = #ad::copied(#name);));
                after.extend(quote!(#ad::overwrite(#name, &#kept);));
            }
        }
        if self.result_active() {
            backward.push(seed.clone());
        }
        let (value, pullback) = (self.local("value"), self.local("pullback"));
        // A closure that is called where it is made counts as one that may be called again.
        let joint = matches!(self.home, Home::Impl { joint: true, .. }).then(|| quote!(mut));
        let bound = match self.has_result() {
            true => quote!((#value, #joint #pullback)),
            false => quote!(#joint #pullback),
        };
        let call = quote!(#pullback(#(#backward),*));
        let call = match (found, derivative) {
            ([], Derivative::Ruled(_)) if joint.is_some() => quote!(let () = #call;),
            ([], _) => quote!(#call;),
            (several, _) => {
                let found = tuple(several.to_vec());
                quote!(let #found = #call;)
            }
        };
        let call = match derivative {
            // Nothing else compares the pullback with what it has to be.
            Derivative::Ruled(Rule::Vjp(path)) if joint.is_some() => located_at(call, path.span()),
            _ => call,
        };
        quote! {
            #before
            let #bound = #vjp;
            #between
            #check
            #call
            #after
        }
    }

    pub(super) fn adjoint_doc(&self, returned: &TokenStream) -> String {
        let name = self.linked();
        let what = if self.has_result() { "Value of" } else { "Runs" };
        let mut doc = format!(" {what} [`{name}()`] and its adjoints");
        if !returned.is_empty() && returned.to_string() != "()" {
            doc.push_str(&format!(
                ": returns `{}`",
                returned.to_string().replace(" ,", ",").replace("( ", "(").replace(" )", ")")
            ));
        }
        doc.push('.');
        let added: Vec<String> = self
            .active()
            .filter(|param| param.passing == Passing::Ref)
            .map(|param| format!("`{}_adj`", plain(&param.name)))
            .collect();
        match &added[..] {
            [] => {}
            [single] => doc.push_str(&format!(" {single} is added to.")),
            several => doc.push_str(&format!(" {} are added to.", several.join(", "))),
        }
        for param in self.active().filter(|param| param.passing == Passing::RefMut) {
            let name = plain(&param.name);
            doc.push_str(&format!(
                " `{name}_adj` holds the adjoint of the final `{name}` on entry, of the initial \
                 one on return."
            ));
        }
        doc
    }

    /// `gradient` and its relatives, for functions with one real result. Given the derivative,
    /// adjoints of parameters that may change their length are made between the sweeps.
    pub(super) fn gradients(&self, stub: bool, derivative: Derivative) -> TokenStream {
        let wrapped = match &self.signature.result {
            Ty::Float | Ty::Generic => false,
            // The derivative comes back in the same wrapper.
            Ty::Wrapped { inner, .. } => inner.is_real() && self.has_own_vjp(),
            _ => return TokenStream::new(),
        };
        if !wrapped && !self.signature.result.is_real() {
            return TokenStream::new();
        }
        let ad = &self.ad;
        let Generics { params: generics, clause, .. } = self.generics();
        let result_ty = self.result_ty();
        let one = match self.signature.result {
            Ty::Generic => quote!(#ad::real(1.0)),
            _ => quote!(1.0),
        };
        let params: Vec<TokenStream> =
            self.signature.params.iter().map(|param| self.primal_param(param)).collect();
        let names = self.signature.params.iter().map(|param| {
            let name = &param.name;
            quote!(#name)
        });
        let names: Vec<TokenStream> = names.collect();
        let (mut zeros, mut args) = (TokenStream::new(), Vec::new());
        let (mut into_params, mut clears, mut into_args) =
            (Vec::new(), TokenStream::new(), Vec::new());
        let (mut types, mut values) = (Vec::new(), Vec::new());
        for param in &self.signature.params {
            let (name, ty, adj) = (&param.name, self.ty(param), self.adj(param));
            args.push(quote!(#name));
            into_args.push(quote!(#name));
            into_params.push(self.primal_param(param));
            if !param.active {
                continue;
            }
            into_params.push(quote!(#adj: &mut #ty));
            types.push(self.owned(&ty));
            values.push(quote!(#adj));
            if param.passing != Passing::Value {
                zeros.extend(quote!(let mut #adj = #ad::zeros(#name);));
                args.push(quote!(&mut #adj));
                clears.extend(quote!(#ad::clear(#adj);));
                into_args.push(quote!(#adj));
            }
        }
        let value = self.local("value");
        let found = self.value_adjoints();
        let mut parts: Vec<Ident> = Vec::new();
        for param in self.by_value() {
            let mut wish = format!("{}_part", plain(&param.name));
            while parts.contains(&self.local(&wish)) {
                wish.push('_');
            }
            parts.push(self.local(&wish));
        }
        let bound = tuple(std::iter::once(quote!(#value)).chain(found.iter().cloned()).collect());
        let into_bound = tuple(
            std::iter::once(quote!(#value)).chain(parts.iter().map(|p| quote!(#p))).collect(),
        );
        let (gradient_ty, gradient) = (tuple(types), tuple(values));
        let name = self.linked();
        let shown = gradient.to_string().replace(" ,", ",").replace("( ", "(").replace(" )", ")");
        let gradient_doc = format!(" Gradient of [`{name}()`]: returns `{shown}`.");
        let both_doc = format!(" Value and gradient of [`{name}()`]: returns `(value, {shown})`.");
        let into_doc =
            format!(" Value of [`{name}()`]; overwrites the adjoints with its gradient.");
        args.push(one.clone());
        into_args.push(one.clone());
        let (adjoint, adjoint_into) =
            (self.call("adjoint", None, &args), self.call("adjoint", None, &into_args));
        let mut both = quote! {
            #zeros
            let #bound = #adjoint;
            (#value, #gradient)
        };
        let mut into = quote! {
            #clears
            let #into_bound = #adjoint_into;
            #(*#found = #parts;)*
            #value
        };
        if !derivative.is_missing() && (wrapped || self.active().any(takes_new_lengths)) {
            let (vjp, seed) = (self.own_vjp(), self.local("seed"));
            let (check, one) = match wrapped {
                true => (quote!(let #seed = #ad::unit(&#value);), quote!(#seed)),
                false => (TokenStream::new(), one),
            };
            let zeros = |param: &Param| self.zeros_between(param);
            let sweep = self.both_sweeps(derivative, &vjp, zeros, &check, &one, &found);
            both = match wrapped {
                true => quote!(#sweep #value.map(|#value| (#value, #gradient))),
                false => quote!(#sweep (#value, #gradient)),
            };
            let parts: Vec<TokenStream> = parts.iter().map(|part| quote!(#part)).collect();
            let cleared = |param: &Param| self.cleared_between(param);
            let sweep = self.both_sweeps(derivative, &vjp, cleared, &check, &one, &parts);
            into = quote!(#sweep #(*#found = #parts;)* #value);
        }
        let unchecked = (self.is_checked() && !wrapped && !stub)
            .then(|| std::mem::replace(&mut both, self.cross_checked()));
        let called = self.call("value_and_gradient", None, &names);
        let only = match wrapped {
            true => quote!(#called.map(|found| found.1)),
            false => quote!(#called.1),
        };
        let [both, into, only] =
            [both, into, only].map(|body| if stub { quote!(loop {}) } else { body });
        let function = |name, doc: String, params: &Vec<TokenStream>, output, body| {
            self.function(Written {
                name,
                attributes: quote!(#[doc = #doc]),
                generics: generics.clone(),
                params: params.clone(),
                output,
                clause: clause.clone(),
                body,
            })
        };
        let (only_ty, both_ty) = match wrapped {
            true => self.rewrapped(&gradient_ty),
            false => (quote!(#gradient_ty), quote!((#result_ty, #gradient_ty))),
        };
        let (only_ty, both_ty) = (quote!(-> #only_ty), quote!(-> #both_ty));
        let unchecked = unchecked.map(|body| {
            let doc = " Value and gradient, not compared with anything.".to_owned();
            function("unchecked_gradient", doc, &params, both_ty.clone(), body)
        });
        let gradient = function("gradient", gradient_doc, &params, only_ty, only);
        let both = function("value_and_gradient", both_doc, &params, both_ty, both);
        let into_ty = quote!(-> #result_ty);
        let into = function("value_and_gradient_into", into_doc, &into_params, into_ty, into);
        quote!(#gradient #both #into #unchecked)
    }

    /// Whether the companion has a `vjp` that gives a pullback.
    fn has_own_vjp(&self) -> bool {
        match self.home {
            Home::Module => true,
            Home::Impl { joint, .. } => !joint,
        }
    }

    /// The types `Option<gradient>` and `Option<(value, gradient)>` for a result of type
    /// `Option<value>`, and the like.
    fn rewrapped(&self, gradient: &TokenStream) -> (TokenStream, TokenStream) {
        let with = |inner: &dyn Fn(&Type) -> TokenStream| {
            let mut ty = self.signature.syn_result.clone();
            if let Some(Type::Path(path)) = &mut ty
                && let Some(last) = path.path.segments.last_mut()
                && let syn::PathArguments::AngleBracketed(args) = &mut last.arguments
                && let Some(syn::GenericArgument::Type(first)) = args.args.first_mut()
            {
                *first = Type::Verbatim(inner(first));
            }
            quote!(#ty)
        };
        (with(&|_| gradient.clone()), with(&|value| quote!((#value, #gradient))))
    }

    /// An adjoint that is made when the forward sweep has left its primal with its last length.
    fn zeros_between(&self, param: &Param) -> Provided {
        let (ad, name, adj) = (&self.ad, &param.name, self.adj(param));
        let between = quote!(let mut #adj = #ad::zeros(#name););
        Provided { before: TokenStream::new(), between, arg: quote!(&mut #adj) }
    }

    /// The same in the caller's buffer.
    fn cleared_between(&self, param: &Param) -> Provided {
        let (ad, name, adj) = (&self.ad, &param.name, self.adj(param));
        let between = match takes_new_lengths(param) {
            true if param.ty.peeled().is_opaque() => quote!(*#adj = #ad::zeros(#name);),
            true => quote!(#ad::overwrite(#adj, &#ad::zeros(#name));),
            false => quote!(#ad::clear(#adj);),
        };
        Provided { before: TokenStream::new(), between, arg: quote!(#adj) }
    }

    /// The type of an owned adjoint: `Vec<T>` for `[T]`, and what the type itself says for `ArrayRef<T, D>`.
    pub(super) fn owned(&self, ty: &Type) -> TokenStream {
        let outer = &self.outer;
        match ungroup(ty) {
            Type::Slice(slice) => {
                let elem = &slice.elem;
                quote!(#outer::Vec<#elem>)
            }
            unsized_ty if is_array_ref(unsized_ty) => {
                quote!(<#unsized_ty as #outer::Differentiable>::Owned)
            }
            other => quote!(#other),
        }
    }
}
