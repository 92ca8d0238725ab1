//! `cross_check`: each gradient is compared with the tangent along itself.
//!
//! ```text
//! let w_before = …;                                   // what the function moves or changes
//! let (value, w_adj) = …;                             // reverse mode
//! let (_, tangent) = Self::tangent(&w_before, &w_adj); // forward mode
//! ad::assert_modes_agree("loss", tangent, ad::dot(&w_adj, &w_adj));
//! ```
//!
//! A term that one of the modes has wrong or misses would have to be orthogonal to the gradient to stay
//! hidden.

use super::{Writer, is_state, tuple};
use crate::names::plain;
use crate::signature::{Param, Passing};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};

impl Writer<'_> {
    /// `value_and_gradient`, whose body is `both`, with the comparison.
    pub(super) fn cross_checked(&self, both: &TokenStream) -> TokenStream {
        let mut copied = self.signature.params.iter().filter(|param| param.passing != Passing::Ref);
        if self.functionals().next().is_some() || copied.any(is_state) {
            // What a closure captures has no tangent here, and state is not copied.
            return both.clone();
        }
        let ad = &self.ad;
        let copies = self.signature.params.iter().filter_map(|param| {
            let (name, before) = (&param.name, self.before(param));
            match param.passing {
                Passing::Value => Some(quote!(let #before = ::core::clone::Clone::clone(&#name);)),
                Passing::Ref => None,
                Passing::RefMut => Some(quote!(let mut #before = #ad::copied(&*#name);)),
            }
        });
        let copies: Vec<TokenStream> = copies.collect();
        let args: Vec<TokenStream> =
            self.signature.params.iter().flat_map(|param| self.again(param)).collect();
        let tangent_call = self.call("tangent", None, &args);
        let adjoints: Vec<Ident> = self.active().map(|param| self.adj(param)).collect();
        let found = tuple(adjoints.iter().map(ToTokens::to_token_stream).collect());
        let (value, tangent) = (self.local("value"), self.local("tangent"));
        let name = plain(&self.signature.name);
        quote! {
            #(#copies)*
            let (#value, #found) = { #both };
            let (_, #tangent) = #tangent_call;
            #ad::assert_modes_agree(#name, #tangent, 0.0 #(+ #ad::dot(&#adjoints, &#adjoints))*);
            (#value, #found)
        }
    }

    fn before(&self, param: &Param) -> Ident {
        self.local(&format!("{}_before", plain(&param.name)))
    }

    /// A parameter and its adjoint as arguments of `tangent`.
    fn again(&self, param: &Param) -> Vec<TokenStream> {
        let (name, adj, before) = (&param.name, self.adj(param), self.before(param));
        let (value, tangent) = match param.passing {
            Passing::Value => (quote!(#before), quote!(::core::clone::Clone::clone(&#adj))),
            Passing::Ref => (quote!(#name), quote!(&#adj)),
            Passing::RefMut => {
                (quote!(&mut #before), quote!(&mut ::core::clone::Clone::clone(&#adj)))
            }
        };
        std::iter::once(value).chain(param.active.then_some(tangent)).collect()
    }
}
