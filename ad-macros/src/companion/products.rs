//! What users call for second derivatives: `hvp`, `hvp_into`, `hessian`.

use super::generics::Handed;
use super::second::Which;
use super::user::takes_new_lengths;
use super::{Generics, Writer, Written, has_dynamic_shape, tuple};
use crate::ir::Ty;
use crate::names::plain;
use crate::signature::{Param, Passing, ungroup};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::Type;

impl Writer<'_> {
    /// Statements that run both sweeps along a direction, with `between` between them; reference
    /// arguments have their adjoints, and the tangents of these, by the names that `handed` gives them.
    fn along(&self, between: TokenStream, handed: impl Fn(&Ident) -> TokenStream) -> TokenStream {
        let ad = &self.ad;
        let vjp = self.call("second_vjp", Some(quote!(#ad::Unspecified)), &self.tangent_args());
        let [value, pullback] = ["value", "pullback"].map(|name| self.local(name));
        let (one, zero) = match self.signature.result {
            Ty::Generic => (quote!(#ad::real(1.0)), quote!(#ad::zero())),
            _ => (quote!(1.0), quote!(0.0)),
        };
        let (mut keeps, mut puts) = (TokenStream::new(), TokenStream::new());
        let args = self.second_params().into_iter().map(|(_, which)| match which {
            Which::Primal(param) => self.kept(param, &param.name, &mut keeps, &mut puts),
            Which::Tangent(param) => self.kept(param, &self.tan(param), &mut keeps, &mut puts),
            Which::Adjoint(param) => handed(&self.adj(param)),
            Which::AdjointTangent(param) => handed(&self.adj_tan(param)),
            Which::Seed => one.clone(),
            Which::SeedTangent => zero.clone(),
        });
        let args: Vec<TokenStream> = args.collect();
        let found = self.by_value().map(|param| {
            let (adj, tan) = (self.part(param, "adj"), self.part(param, "adj_tan"));
            quote!((#adj, #tan))
        });
        let found = tuple(found.collect());
        quote! {
            let ((#value, _), #pullback) = #vjp;
            #between
            #keeps
            let #found = #pullback(#(#args),*);
            #puts
        }
    }

    /// An argument of the pullback; what it overwrites is put back.
    fn kept(
        &self,
        param: &Param,
        name: &Ident,
        keeps: &mut TokenStream,
        puts: &mut TokenStream,
    ) -> TokenStream {
        if param.passing != Passing::RefMut {
            return quote!(#name);
        }
        if param.active {
            let (ad, kept) = (&self.ad, self.local(&format!("{}_result", plain(name))));
            keeps.extend(quote!(let #kept = #ad::copied(&*#name);));
            puts.extend(quote!(#ad::overwrite(#name, &#kept);));
        }
        quote!(&mut *#name)
    }

    /// What the pullback gives for a by-value parameter.
    fn part(&self, param: &Param, what: &str) -> Ident {
        self.local(&format!("{}_{what}_part", plain(&param.name)))
    }

    /// `hvp`: value, gradient and Hessian-vector product.
    pub(super) fn hvp(&self) -> TokenStream {
        let ad = &self.ad;
        let Generics { params: generics, clause, .. } = self.generics_of(Handed::Not);
        let (mut zeros, mut types) = (TokenStream::new(), Vec::new());
        let (mut gradient, mut product) = (Vec::new(), Vec::new());
        for param in self.active() {
            let (name, mut adj, mut tan) = (&param.name, self.adj(param), self.adj_tan(param));
            types.push(self.owned(&self.ty(param)));
            if param.passing == Passing::Value {
                (adj, tan) = (self.part(param, "adj"), self.part(param, "adj_tan"));
            } else {
                zeros.extend(quote!(let mut #adj = #ad::zeros(&*#name);));
                zeros.extend(quote!(let mut #tan = #ad::zeros(&*#name);));
            }
            gradient.push(adj.to_token_stream());
            product.push(tan.to_token_stream());
        }
        let (types, gradient, product) = (tuple(types), tuple(gradient), tuple(product));
        let (checks, run) = (self.tangent_checks(), self.along(zeros, |name| quote!(&mut #name)));
        let (value, result_ty, name) = (self.local("value"), self.result_ty(), self.linked());
        let doc = format!(
            " Value, gradient and Hessian-vector product of [`{name}()`], along the tangents."
        );
        self.function(Written {
            name: "hvp",
            attributes: quote!(#[doc = #doc]),
            generics,
            params: self.tangent_params(false),
            output: quote!(-> (#result_ty, #types, #types)),
            clause,
            body: quote!(#checks #run (#value, #gradient, #product)),
        })
    }

    /// `hvp_into`: the same in the caller's buffers.
    pub(super) fn hvp_into(&self) -> TokenStream {
        let Generics { params: generics, clause, .. } = self.generics_of(Handed::Not);
        let (mut params, mut clears) = (Vec::new(), TokenStream::new());
        let mut stores = TokenStream::new();
        for param in &self.signature.params {
            params.push(self.primal_param(param));
            if !param.active {
                continue;
            }
            let (ty, tan) = (self.ty(param), self.tan(param));
            let (adj, adj_tan) = (self.adj(param), self.adj_tan(param));
            params.push(match param.passing {
                Passing::Value => quote!(#tan: #ty),
                Passing::Ref => quote!(#tan: &#ty),
                Passing::RefMut => quote!(#tan: &mut #ty),
            });
            params.extend([quote!(#adj: &mut #ty), quote!(#adj_tan: &mut #ty)]);
            if param.passing == Passing::Value {
                let (part, part_tan) = (self.part(param, "adj"), self.part(param, "adj_tan"));
                stores.extend(quote!(*#adj = #part; *#adj_tan = #part_tan;));
            } else {
                clears.extend([adj, adj_tan].map(|adjoint| self.emptied(param, &adjoint)));
            }
        }
        let (checks, run) = (self.tangent_checks(), self.along(clears, |name| quote!(#name)));
        let (value, result_ty, name) = (self.local("value"), self.result_ty(), self.linked());
        let doc = format!(
            " Value of [`{name}()`]; overwrites the adjoints with its gradient, and what follows \
             them with the Hessian-vector product along the tangents."
        );
        self.function(Written {
            name: "hvp_into",
            attributes: quote!(#[doc = #doc]),
            generics,
            params,
            output: quote!(-> #result_ty),
            clause,
            body: quote!(#checks #run #stores #value),
        })
    }

    /// Zeros in a buffer of the caller.
    fn emptied(&self, param: &Param, adjoint: &Ident) -> TokenStream {
        let (ad, name) = (&self.ad, &param.name);
        match takes_new_lengths(param) {
            true if param.ty.peeled().is_opaque() => quote!(*#adjoint = #ad::zeros(&*#name);),
            true => quote!(#ad::overwrite(#adjoint, &#ad::zeros(&*#name));),
            false => quote!(#ad::clear(#adjoint);),
        }
    }

    /// `hessian`: a row for every real part of the active parameters, in their order.
    pub(super) fn hessian(&self) -> TokenStream {
        // Every direction would need the buffers as they were, and data that is moved.
        let lost = |param: &Param| match param.passing {
            Passing::RefMut => true,
            Passing::Value => !param.active && !param.ty.is_copy(),
            Passing::Ref => false,
        };
        if self.signature.params.iter().any(lost) {
            return TokenStream::new();
        }
        let ad = &self.ad;
        let Generics { params: generics, clause, .. } = self.generics_of(Handed::Not);
        let [rows, n, k, row] = ["rows", "n", "k", "row"].map(|name| self.local(name));
        let (mut sizes, mut found, mut args) = (Vec::new(), Vec::new(), Vec::new());
        let (mut units, mut extends) = (TokenStream::new(), TokenStream::new());
        for param in &self.signature.params {
            let (name, tan, part) = (&param.name, self.tan(param), self.part(param, "adj"));
            let by_value = param.passing == Passing::Value;
            args.push(match by_value && !param.ty.is_copy() {
                true => quote!(#ad::duplicate(&#name)),
                false => quote!(#name),
            });
            if !param.active {
                continue;
            }
            let referred = by_value.then(|| quote!(&));
            sizes.push(quote!(#ad::reals(#referred #name)));
            units.extend(quote!(let #tan = #ad::unit_direction(#referred #name, &mut #k);));
            args.push(if by_value { quote!(#tan) } else { quote!(&#tan) });
            extends.extend(quote!(#ad::push_reals(&mut #row, #part);));
            found.push(part.to_token_stream());
        }
        let (found, call) = (tuple(found), self.call("hvp", None, &args));
        let (output, end) = self.hessian_shape(&rows);
        let name = self.linked();
        let doc = format!(
            " Hessian of [`{name}()`], by a product for each real part of its active parameters."
        );
        let body = quote! {
            let #n = 0 #(+ #sizes)*;
            let mut #rows = #ad::Vec::with_capacity(#n);
            for mut #k in 0..#n {
                #units
                let (_, _, #found) = #call;
                let mut #row = #ad::Vec::with_capacity(#n);
                #extends
                #rows.push(#row);
            }
            #end
        };
        self.function(Written {
            name: "hessian",
            attributes: quote!(#[doc = #doc]),
            generics,
            params: self.primal_params(),
            output: quote!(-> #output),
            clause,
            body,
        })
    }

    /// A number for one scalar, an array where the number of scalars is known, else rows.
    fn hessian_shape(&self, rows: &Ident) -> (TokenStream, TokenStream) {
        let (ad, outer, real) = (&self.ad, &self.outer, self.result_ty());
        let active: Vec<&Param> = self.active().collect();
        let len = match &active[..] {
            [single] if single.ty.is_real() => {
                return (real, quote!(#ad::nearest_real(#rows[0][0])));
            }
            several if several.iter().all(|param| param.ty.is_real()) => {
                Some(several.len().to_token_stream())
            }
            [single] => match ungroup(&single.syn_ty) {
                Type::Array(array)
                    if array.elem.to_token_stream().to_string() == real.to_string() =>
                {
                    let len = &array.len;
                    Some(quote!({ #len }))
                }
                _ => None,
            },
            _ => None,
        };
        match len {
            Some(len) => (quote!([[#real; #len]; #len]), quote!(#ad::square(#rows))),
            None => (quote!(#outer::Vec<#outer::Vec<f64>>), quote!(#rows)),
        }
    }

    /// Panics unless tangents have the shapes of their primals.
    pub(super) fn tangent_checks(&self) -> TokenStream {
        let mut checks = TokenStream::new();
        for param in self.active().filter(|param| has_dynamic_shape(&param.ty)) {
            let (ad, name, tangent) = (&self.ad, &param.name, self.tan(param));
            let text = plain(name);
            let referred = (param.passing == Passing::Value).then(|| quote!(&));
            checks.extend(quote!(#ad::assert_tangent(#text, #referred #name, #referred #tangent);));
        }
        checks
    }
}
