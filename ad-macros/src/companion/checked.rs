//! `cross_check`: each gradient is compared with the tangent along itself, and its Hessian-vector product,
//! if there is one, with differences of gradients.
//!
//! ```text
//! let w_before = …;                                   // what the function moves or changes
//! let (value, w_adj) = Self::unchecked_gradient(w);    // reverse mode
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
    /// Whether `value_and_gradient` is compared with something. Not where a closure captures what has no
    /// tangent here, nor with state, which is not copied.
    pub(super) fn is_checked(&self) -> bool {
        let opaque = self.functionals().next().is_some();
        let mut copied = self.signature.params.iter().filter(|param| param.passing != Passing::Ref);
        self.cross_check && !opaque && !copied.any(is_state)
    }

    /// The body of `value_and_gradient` with the comparisons, around one without.
    pub(super) fn cross_checked(&self) -> TokenStream {
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
        let params = self.signature.params.iter().map(|param| param.name.to_token_stream());
        let gradient = self.call("unchecked_gradient", None, &params.collect::<Vec<_>>());
        let again = |param| self.again(param, |adj| adj.to_token_stream());
        let args: Vec<TokenStream> = self.signature.params.iter().flat_map(again).collect();
        let tangent_call = self.call("tangent", None, &args);
        let adjoints: Vec<Ident> = self.active().map(|param| self.adj(param)).collect();
        let found = tuple(adjoints.iter().map(ToTokens::to_token_stream).collect());
        let (value, tangent) = (self.local("value"), self.local("tangent"));
        let (name, square) = (plain(&self.signature.name), self.local("square"));
        let curvature = self.second_order.then(|| self.curvature_checked(&square));
        quote! {
            #(#copies)*
            let (#value, #found) = #gradient;
            let #square = 0.0 #(+ #ad::dot(&#adjoints, &#adjoints))*;
            #curvature
            let (_, #tangent) = #tangent_call;
            #ad::assert_modes_agree(#name, #tangent, #square);
            (#value, #found)
        }
    }

    /// Compares the Hessian-vector product along the unit direction of the gradient with differences.
    fn curvature_checked(&self, square: &Ident) -> TokenStream {
        let (ad, name) = (&self.ad, plain(&self.signature.name));
        let value = self.local("value");
        let [length, step, curvature] =
            ["length", "step", "curvature"].map(|name| self.local(name));
        let (mut units, mut dots, mut slopes) = (TokenStream::new(), Vec::new(), Vec::new());
        let (mut products, mut gradients) = (Vec::new(), Vec::new());
        let mut moved = Vec::new();
        for param in &self.signature.params {
            let (name, adj, before) = (&param.name, self.adj(param), self.before(param));
            let at = match param.passing {
                Passing::Value | Passing::RefMut => quote!(&#before),
                Passing::Ref => quote!(#name),
            };
            if !param.active {
                moved.push(match param.passing {
                    Passing::Value => quote!(::core::clone::Clone::clone(&#before)),
                    Passing::Ref => quote!(#name),
                    Passing::RefMut => quote!(&mut #ad::copied(&#before)),
                });
                continue;
            }
            let [unit, product, slope] = ["unit", "product", "slope"]
                .map(|what| self.local(&format!("{}_{what}", plain(&param.name))));
            let ty = self.ty(param);
            units.extend(quote! {
                let #unit = #ad::moved::<#ty>(&#ad::zeros::<#ty>(#at), &#adj, 1.0 / #length);
            });
            let elsewhere = quote!(#ad::moved::<#ty>(#at, &#unit, #step));
            moved.push(match param.passing {
                Passing::Value => elsewhere,
                Passing::Ref => quote!(&#elsewhere),
                Passing::RefMut => quote!(&mut #elsewhere),
            });
            dots.push(quote!(#ad::dot(&#unit, &#product)));
            slopes.push(quote!(#ad::dot(&#unit, &#slope)));
            products.push(quote!(#product));
            gradients.push(quote!(#slope));
        }
        let again = |param| {
            self.again(param, |_| {
                self.local(&format!("{}_unit", plain(&param.name))).to_token_stream()
            })
        };
        let args: Vec<TokenStream> = self.signature.params.iter().flat_map(again).collect();
        let copies = self.signature.params.iter().filter(|p| p.passing != Passing::Ref);
        let copies: Vec<Ident> = copies.map(|param| self.before(param)).collect();
        let (hvp, gradient) =
            (self.call("hvp", None, &args), self.call("unchecked_gradient", None, &moved));
        let (products, gradients) = (tuple(products), tuple(gradients));
        quote! {
            if #square > 0.0 {
                #(let mut #copies = ::core::clone::Clone::clone(&#copies);)*
                let #length = #ad::Float::sqrt(#square);
                #units
                let #curvature = {
                    #(let mut #copies = ::core::clone::Clone::clone(&#copies);)*
                    let (_, _, #products) = #hvp;
                    0.0 #(+ #dots)*
                };
                #ad::assert_curvature(#name, &#value, #curvature, |#step| {
                    let (_, #gradients) = #gradient;
                    0.0 #(+ #slopes)*
                });
            }
        }
    }

    fn before(&self, param: &Param) -> Ident {
        self.local(&format!("{}_before", plain(&param.name)))
    }

    /// A parameter and a direction as arguments of `tangent`.
    fn again(&self, param: &Param, direction: impl Fn(Ident) -> TokenStream) -> Vec<TokenStream> {
        let (name, adj, before) = (&param.name, self.adj(param), self.before(param));
        let direction = direction(adj);
        let (value, tangent) = match param.passing {
            Passing::Value => (quote!(#before), quote!(::core::clone::Clone::clone(&#direction))),
            Passing::Ref => (quote!(#name), quote!(&#direction)),
            Passing::RefMut => {
                (quote!(&mut #before), quote!(&mut ::core::clone::Clone::clone(&#direction)))
            }
        };
        std::iter::once(value).chain(param.active.then_some(tangent)).collect()
    }
}
