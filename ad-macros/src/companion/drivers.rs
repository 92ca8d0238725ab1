//! Companions as types that drivers take: functions of one vector and of data.
//!
//! ```text
//! fn f(x: &[f64], data…) -> f64
//! fn f(x: &[f64], data…) -> Vec<f64>, [f64; N]
//! fn f(x: &[f64], data…, y: &mut [f64])
//!
//! impl ad::drivers::Function for f { type Context<'a> = (data…); … }
//! impl ad::drivers::Forward for f { … }    // and Reverse, Second
//! ```

use super::{Modes, Writer};
use crate::ir::Ty;
use crate::signature::{Param, Passing, ungroup};
use proc_macro2::TokenStream;
use quote::quote;
use syn::visit_mut::{self, VisitMut};
use syn::{Ident, Type};

/// How a function gives its value.
enum Gives {
    /// A real number.
    Real,
    /// A `Vec` or an array.
    Vector { array: bool },
    /// Through its last parameter.
    Buffer,
}

/// A function of one vector.
struct Shape<'a> {
    real: &'a Type,
    data: Vec<&'a Param>,
    gives: Gives,
}

impl Writer<'_> {
    /// The traits of the drivers, for functions of the shapes that they take.
    pub(super) fn driven(&self, name: &Ident, modes: Modes) -> TokenStream {
        let Some(shape) = self.shape() else { return TokenStream::new() };
        let exists = |derivative: Option<super::Derivative>| {
            derivative.is_some_and(|derivative| !derivative.is_missing())
        };
        let function = self.driven_function(name, &shape);
        let forward = exists(modes.forward).then(|| self.driven_forward(name, &shape));
        let reverse = exists(modes.reverse).then(|| self.driven_reverse(name, &shape));
        let second = modes.second.filter(|_| matches!(shape.gives, Gives::Real));
        let second = second.map(|_| self.driven_second(name, &shape));
        quote!(#function #forward #reverse #second)
    }

    /// The shape of the function, if it is one of those.
    fn shape(&self) -> Option<Shape<'_>> {
        let (first, rest) = self.signature.params.split_first()?;
        if !self.item.sig.generics.params.is_empty() || !first.active {
            return None;
        }
        let real = vector(first, Passing::Ref)?;
        let text = quote!(#real).to_string();
        let (data, gives) = match (&self.signature.syn_result, rest.split_last()) {
            (None, Some((last, data))) if last.active => {
                let of = vector(last, Passing::RefMut)?;
                (quote!(#of).to_string() == text).then_some((data, Gives::Buffer))?
            }
            (Some(result), _) => (rest, gives(result, &text)?),
            (None, _) => return None,
        };
        // A context is only lent: nothing in it is changed or moved.
        let plain = |param: &Param| {
            let lent = param.passing == Passing::Ref
                || param.passing == Passing::Value && param.ty.is_copy();
            !param.carries() && lent && is_nameable(&param.syn_ty)
        };
        let known = text == "f64" || text == "f32";
        (known && data.iter().all(plain)).then(|| Shape {
            real,
            data: data.iter().collect(),
            gives,
        })
    }

    fn context(&self, shape: &Shape) -> TokenStream {
        let types = shape.data.iter().map(|param| {
            let mut ty = param.syn_ty.clone();
            InContext.visit_type_mut(&mut ty);
            match param.passing {
                Passing::Ref => quote!(&'context #ty),
                _ => quote!(#ty),
            }
        });
        let types: Vec<TokenStream> = types.collect();
        match &types[..] {
            [] => quote!(()),
            [single] => single.clone(),
            several => quote!((#(#several),*)),
        }
    }

    /// The data of the context as arguments.
    fn data(&self, shape: &Shape) -> Vec<TokenStream> {
        let single = shape.data.len() == 1;
        let args = shape.data.iter().enumerate().map(|(k, _)| {
            let index = syn::Index::from(k);
            if single { quote!(*context) } else { quote!(context.#index) }
        });
        args.collect()
    }

    fn driven_function(&self, name: &Ident, shape: &Shape) -> TokenStream {
        let (ad, real, own) = (&self.ad, shape.real, &self.signature.name);
        let (context, data) = (self.context(shape), self.data(shape));
        let body = match shape.gives {
            Gives::Real => quote!(#ad::assert_results(1, y.len()); y[0] = #own(x #(, #data)*);),
            Gives::Vector { .. } => quote! {
                let value = #own(x #(, #data)*);
                #ad::assert_results(value.len(), y.len());
                y.copy_from_slice(&value);
            },
            Gives::Buffer => quote!(#own(x #(, #data)*, y);),
        };
        quote! {
            #[automatically_derived]
            #[allow(unused, clippy::all, clippy::pedantic, clippy::nursery)]
            impl #ad::drivers::Function for #name {
                type Real = #real;
                type Context<'context> = #context;
                fn value(x: &[#real], context: &Self::Context<'_>, y: &mut [#real]) {
                    #body
                }
            }
        }
    }

    fn driven_forward(&self, name: &Ident, shape: &Shape) -> TokenStream {
        let (ad, real, data) = (&self.ad, shape.real, self.data(shape));
        let body = match shape.gives {
            Gives::Real => quote! {
                #ad::assert_results(1, y.len());
                #ad::assert_results(1, y_tan.len());
                (y[0], y_tan[0]) = Self::tangent(x, x_tan #(, #data)*);
            },
            Gives::Vector { .. } => quote! {
                let (value, tangent) = Self::tangent(x, x_tan #(, #data)*);
                #ad::assert_results(value.len(), y.len());
                #ad::assert_results(value.len(), y_tan.len());
                y.copy_from_slice(&value);
                y_tan.copy_from_slice(&tangent);
            },
            // What was in the buffer does not depend on the vector.
            Gives::Buffer => quote! {
                y_tan.fill(0.0);
                Self::tangent(x, x_tan #(, #data)*, y, y_tan);
            },
        };
        quote! {
            #[automatically_derived]
            #[allow(unused, clippy::all, clippy::pedantic, clippy::nursery)]
            impl #ad::drivers::Forward for #name {
                fn jvp(
                    x: &[#real],
                    x_tan: &[#real],
                    context: &Self::Context<'_>,
                    y: &mut [#real],
                    y_tan: &mut [#real],
                ) {
                    #body
                }
            }
        }
    }

    fn driven_reverse(&self, name: &Ident, shape: &Shape) -> TokenStream {
        let (ad, real, data) = (&self.ad, shape.real, self.data(shape));
        let body = match shape.gives {
            Gives::Real => quote! {
                #ad::assert_results(1, y.len());
                #ad::assert_results(1, y_adj.len());
                y[0] = Self::adjoint(x, x_adj #(, #data)*, y_adj[0]);
            },
            Gives::Vector { array } => {
                let seed = match array {
                    true => quote!(#ad::array_of(y_adj)),
                    false => quote!(y_adj.to_vec()),
                };
                quote! {
                    let value = Self::adjoint(x, x_adj #(, #data)*, #seed);
                    #ad::assert_results(value.len(), y.len());
                    y.copy_from_slice(&value);
                }
            }
            Gives::Buffer => quote!(Self::adjoint(x, x_adj #(, #data)*, y, y_adj);),
        };
        quote! {
            #[automatically_derived]
            #[allow(unused, clippy::all, clippy::pedantic, clippy::nursery)]
            impl #ad::drivers::Reverse for #name {
                fn vjp(
                    x: &[#real],
                    context: &Self::Context<'_>,
                    y: &mut [#real],
                    y_adj: &mut [#real],
                    x_adj: &mut [#real],
                ) {
                    x_adj.fill(0.0);
                    #body
                }
            }
        }
    }

    fn driven_second(&self, name: &Ident, shape: &Shape) -> TokenStream {
        let (ad, real, data) = (&self.ad, shape.real, self.data(shape));
        quote! {
            #[automatically_derived]
            #[allow(unused, clippy::all, clippy::pedantic, clippy::nursery)]
            impl #ad::drivers::Second for #name {
                fn hvp(
                    x: &[#real],
                    direction: &[#real],
                    context: &Self::Context<'_>,
                    gradient: &mut [#real],
                    product: &mut [#real],
                ) -> #real {
                    Self::hvp_into(x, direction, gradient, product #(, #data)*)
                }
            }
        }
    }
}

/// The scalar type of `&[T]` or `&mut [T]`.
fn vector(param: &Param, passing: Passing) -> Option<&Type> {
    let real =
        matches!(&param.ty, Ty::Ref { to, .. } if matches!(&**to, Ty::Slice(of) if of.is_real()));
    match ungroup(&param.syn_ty) {
        Type::Slice(slice) if real && param.passing == passing => Some(ungroup(&slice.elem)),
        _ => None,
    }
}

/// How a result of this type is a value over the scalar type `real`.
fn gives(result: &Type, real: &str) -> Option<Gives> {
    let is_real = |ty: &Type| {
        let ty = ungroup(ty);
        quote!(#ty).to_string() == real
    };
    match ungroup(result) {
        known if is_real(known) => Some(Gives::Real),
        Type::Array(array) if is_real(&array.elem) => Some(Gives::Vector { array: true }),
        Type::Path(path) => {
            let last = path.path.segments.last()?;
            let syn::PathArguments::AngleBracketed(args) = &last.arguments else { return None };
            match args.args.first()? {
                syn::GenericArgument::Type(of) if last.ident == "Vec" && is_real(of) => {
                    Some(Gives::Vector { array: false })
                }
                _ => None,
            }
        }
        _ => None,
    }
}

/// Whether a type can stand in an associated type.
fn is_nameable(ty: &Type) -> bool {
    let text = quote!(#ty).to_string();
    !text.split(|c: char| !c.is_alphanumeric()).any(|word| word == "impl" || word == "dyn")
}

/// References in a context live as long as it.
struct InContext;

impl VisitMut for InContext {
    fn visit_type_reference_mut(&mut self, reference: &mut syn::TypeReference) {
        if reference.lifetime.as_ref().is_none_or(|lifetime| lifetime.ident != "static") {
            reference.lifetime = Some(syn::parse_quote!('context));
        }
        visit_mut::visit_type_reference_mut(self, reference);
    }

    fn visit_lifetime_mut(&mut self, lifetime: &mut syn::Lifetime) {
        if lifetime.ident != "static" {
            *lifetime = syn::parse_quote!('context);
        }
    }
}
