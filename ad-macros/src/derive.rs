//! `#[derive(Differentiable)]`: adjoints of structs and enums, field by field.
//!
//! The adjoint of a struct is a struct of the same type; that of an enum has the primal's variant.
//! A field marked `#[constant]` rides along: it is cloned, and no derivative flows through it.

use crate::attr::take_constant;
use crate::errors::Errors;
use crate::names::respanned;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use std::collections::HashSet;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Data, DeriveInput, Fields, GenericParam, Path};

/// Expands `#[derive(Differentiable)] item`.
pub fn derive(item: TokenStream) -> TokenStream {
    let mut input: DeriveInput = match syn::parse2(item) {
        Ok(input) => input,
        Err(error) => return error.into_compile_error(),
    };
    let mut errors = Errors::default();
    let krate = runtime(&input, &mut errors);
    let name = input.ident.clone();
    let shapes = match &mut input.data {
        Data::Struct(data) => vec![Shape::read(quote!(#name), None, &mut data.fields)],
        Data::Enum(data) => data
            .variants
            .iter_mut()
            .map(|variant| {
                let label = variant.ident.clone();
                Shape::read(quote!(#name::#label), Some(label), &mut variant.fields)
            })
            .collect(),
        Data::Union(data) => {
            errors.push(
                data.union_token.span,
                "`Differentiable` is not derived for unions",
                "use a struct or an enum",
            );
            Vec::new()
        }
    };
    match errors.finish(()) {
        Ok(()) => implementation(&input, &krate, &shapes),
        Err(error) => error.into_compile_error(),
    }
}

/// The path of the runtime crate: `#[differentiable(crate = path)]`, or `::ad_runtime`.
fn runtime(input: &DeriveInput, errors: &mut Errors) -> TokenStream {
    let mut krate = quote!(::ad_runtime);
    for attr in input.attrs.iter().filter(|attr| attr.path().is_ident("differentiable")) {
        let read = attr.parse_nested_meta(|meta| {
            if !meta.path.is_ident("crate") {
                return Err(meta.error("the one option of `differentiable` is `crate = path`"));
            }
            let path = meta.value()?.call(Path::parse_mod_style)?;
            krate = quote!(#path);
            Ok(())
        });
        if let Err(error) = read {
            errors.add(error);
        }
    }
    krate
}

/// A struct or a variant.
struct Shape {
    /// Its path in patterns and literals.
    path: TokenStream,
    /// The name of the variant.
    variant: Option<Ident>,
    fields: Vec<Field>,
}

struct Field {
    member: syn::Member,
    ty: syn::Type,
    constant: bool,
    /// The names under which patterns bind it, in `self` and in `other`.
    ours: Ident,
    theirs: Ident,
}

impl Shape {
    fn read(path: TokenStream, variant: Option<Ident>, fields: &mut Fields) -> Self {
        let members: Vec<syn::Member> = fields.members().collect();
        let fields = fields.iter_mut().zip(members).enumerate().map(|(k, (field, member))| Field {
            member,
            ty: field.ty.clone(),
            constant: take_constant(&mut field.attrs),
            ours: format_ident!("part_{}", k, span = Span::mixed_site()),
            theirs: format_ident!("other_{}", k, span = Span::mixed_site()),
        });
        Shape { path, variant, fields: fields.collect() }
    }

    /// `Circle { radius: part_0, .. }`, with the active fields that `name` names.
    fn pattern(&self, name: impl Fn(&Field) -> &Ident) -> TokenStream {
        let path = &self.path;
        let active = self.fields.iter().filter(|field| !field.constant);
        let bound = active.map(|field| {
            let (member, name) = (&field.member, name(field));
            quote!(#member: #name,)
        });
        quote!(#path { #(#bound)* .. })
    }

    /// `Circle { radius: part_0 }`, with every field.
    fn whole(&self) -> TokenStream {
        let path = &self.path;
        let bound = self.fields.iter().map(|field| {
            let (member, name) = (&field.member, &field.ours);
            quote!(#member: #name)
        });
        quote!(#path { #(#bound),* })
    }

    fn active(&self) -> impl Iterator<Item = &Field> {
        self.fields.iter().filter(|field| !field.constant)
    }
}

fn implementation(input: &DeriveInput, krate: &TokenStream, shapes: &[Shape]) -> TokenStream {
    let name = &input.ident;
    let trait_path = quote!(#krate::Differentiable);
    let generics = bounded(input, &trait_path, shapes);
    let (params, arguments, clause) = generics.split_for_impl();
    let zeros = shapes.iter().map(|shape| {
        let (pattern, path) = (shape.whole(), &shape.path);
        let fields = shape.fields.iter().map(|field| {
            let (member, part) = (&field.member, &field.ours);
            let copy = match field.constant {
                true => quote!(::core::clone::Clone::clone(#part)),
                // At the field's type, where a missing implementation is blamed.
                false => {
                    let span = Span::mixed_site().located_at(field.ty.span());
                    let zeros = respanned(quote!(#trait_path::zeros_like), span);
                    let mut part = part.clone();
                    part.set_span(span);
                    quote_spanned!(span=> #zeros(#part))
                }
            };
            quote!(#member: #copy)
        });
        quote!(#pattern => #path { #(#fields),* })
    });
    let clears = shapes.iter().map(|shape| {
        let pattern = shape.pattern(|field| &field.ours);
        let parts = shape.active().map(|field| &field.ours);
        quote!(#pattern => { #(#trait_path::set_zero(#parts);)* })
    });
    let sums = shapes.iter().map(|shape| {
        let (ours, theirs) = (shape.pattern(|field| &field.ours), shape.pattern(|f| &f.theirs));
        let parts = shape.active().map(|field| {
            let (ours, theirs) = (&field.ours, &field.theirs);
            quote!(#trait_path::accumulate(#ours, #theirs);)
        });
        quote!((#ours, #theirs) => { #(#parts)* })
    });
    let products = shapes.iter().map(|shape| {
        let (ours, theirs) = (shape.pattern(|field| &field.ours), shape.pattern(|f| &f.theirs));
        let parts = shape.active().map(|field| {
            let (ours, theirs) = (&field.ours, &field.theirs);
            quote!(#trait_path::inner_product(#ours, #theirs))
        });
        quote!((#ours, #theirs) => 0.0 #(+ #parts)*)
    });
    let visits = shapes.iter().map(|shape| {
        let pattern = shape.pattern(|field| &field.ours);
        let parts = shape.active().map(|field| &field.ours);
        quote!(#pattern => { #(#trait_path::for_each_real(#parts, visit);)* })
    });
    let differences = shapes.iter().map(|shape| {
        let (ours, theirs) = (shape.pattern(|field| &field.ours), shape.pattern(|f| &f.theirs));
        let parts = shape.active().map(|field| {
            let (ours, theirs, member) = (&field.ours, &field.theirs, &field.member);
            let at = format!(".{}", quote!(#member));
            quote!(if let found @ Some(_) =
                #krate::__private::shape_difference_at(#at, #ours, #theirs) { return found; })
        });
        quote!((#ours, #theirs) => { #(#parts)* None })
    });
    let (others_sum, others_difference) = match variant_name(shapes) {
        Some(variant) => (
            Some(quote!((ours, theirs) =>
                #krate::__private::different_variants(#variant(ours), #variant(theirs)),)),
            Some(quote!((ours, theirs) => Some(
                #krate::__private::variant_difference(#variant(ours), #variant(theirs))),)),
        ),
        None => (None, None),
    };
    let others_product = others_sum.clone();
    let empty = shapes.is_empty().then(|| quote!(_ => ::core::unreachable!(),));
    quote! {
        const _: () = {
            use ::core::option::Option::{self, None, Some};

            #[automatically_derived]
            #[allow(unused, clippy::all, clippy::pedantic, clippy::nursery)]
            impl #params #trait_path for #name #arguments #clause {
                type Owned = Self;

                fn zeros_like(&self) -> Self {
                    match self { #(#zeros,)* #empty }
                }

                fn set_zero(&mut self) {
                    match self { #(#clears)* #empty }
                }

                #[track_caller]
                fn accumulate(&mut self, other: &Self) {
                    match (self, other) { #(#sums)* #others_sum #empty }
                }

                #[track_caller]
                fn inner_product(&self, other: &Self) -> f64 {
                    match (self, other) { #(#products,)* #others_product #empty }
                }

                fn for_each_real(&mut self, visit: &mut dyn ::core::ops::FnMut(&mut f64)) {
                    match self { #(#visits)* #empty }
                }

                fn shape_difference(
                    &self,
                    other: &Self,
                ) -> Option<#krate::__private::String> {
                    match (self, other) { #(#differences)* #others_difference #empty }
                }
            }
        };
    }
}

/// A closure that names the variant of a value, if there are several.
fn variant_name(shapes: &[Shape]) -> Option<TokenStream> {
    let arms = shapes.iter().filter_map(|shape| {
        let (path, variant) = (&shape.path, shape.variant.as_ref()?.to_string());
        Some(quote!(#path { .. } => #variant))
    });
    let arms: Vec<TokenStream> = arms.collect();
    (arms.len() > 1).then(|| quote!((|value: &Self| match value { #(#arms),* })))
}

/// The generics with `T: Differentiable<Owned = T>` for every type parameter of an active field.
fn bounded(input: &DeriveInput, trait_path: &TokenStream, shapes: &[Shape]) -> syn::Generics {
    struct Names(HashSet<String>);
    impl<'ast> Visit<'ast> for Names {
        fn visit_path(&mut self, path: &'ast Path) {
            self.0.extend(path.get_ident().map(ToString::to_string));
            visit::visit_path(self, path);
        }
    }
    let mut names = Names(HashSet::new());
    let mut generics = input.generics.clone();
    let mut cloned = Vec::new();
    for field in shapes.iter().flat_map(|shape| &shape.fields) {
        if field.constant {
            cloned.push(field.ty.clone());
        } else {
            names.visit_type(&field.ty);
        }
    }
    let generic: Vec<Ident> = generics
        .params
        .iter()
        .filter_map(|param| match param {
            GenericParam::Type(ty) => Some(ty.ident.clone()),
            _ => None,
        })
        .collect();
    let clause = generics.make_where_clause();
    for ident in &generic {
        if names.0.contains(&ident.to_string()) {
            clause.predicates.push(syn::parse_quote!(#ident: #trait_path<Owned = #ident>));
        }
    }
    for ty in cloned {
        let mut mentioned = Names(HashSet::new());
        mentioned.visit_type(&ty);
        if generic.iter().any(|ident| mentioned.0.contains(&ident.to_string())) {
            clause.predicates.push(syn::parse_quote!(#ty: ::core::clone::Clone));
        }
    }
    generics
}
