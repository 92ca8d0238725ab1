//! `#[differentiate(…)] trait …`: every method of the trait, and trait objects.
//!
//! ```text
//! trait Potential: PotentialObject { fn at(&self, r: f64) -> f64; fn at_adjoint(&self, …) …; … }
//!
//! trait PotentialObject: Any { fn zeros_object(&self) -> Box<dyn Potential>; fn at_object(&self, …) …; … }
//! impl<T: Potential + Differentiable> PotentialObject for T { … }
//!
//! impl Differentiable for dyn Potential { … }
//! impl Potential for Box<dyn Potential> { fn at(&self, r: f64) -> f64 { … } fn at_adjoint(&self, …) … { … } }
//! ```
//!
//! A trait that has no trait objects, as far as its text tells, has its methods differentiated alone.

use crate::attr::{self, Options};
use crate::companion::{ObjectMethod, object_method};
use crate::errors::Errors;
use crate::expand::{Around, Home};
use crate::names::Names;
use crate::signature::Signature;
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{format_ident, quote};
use syn::{FnArg, ItemFn, ItemTrait, TraitItem, TraitItemFn, TypeParamBound};

/// Expands the attribute on a trait.
pub fn expand(attr: TokenStream, mut item: ItemTrait) -> TokenStream {
    let options = attr::parse(attr.clone(), &mut Errors::default());
    let objects = has_objects(&item);
    let (mut methods, mut forwarded) = (Vec::new(), TokenStream::new());
    for inner in &mut item.items {
        let TraitItem::Fn(function) = inner else { continue };
        let own = function.attrs.iter().find(|attr| attr.path().is_ident("differentiate"));
        let (own, attr) = match own.map(|attr| &attr.meta) {
            Some(syn::Meta::List(list)) => (true, list.tokens.clone()),
            _ => (false, attr.clone()),
        };
        if objects && is_callable(function) {
            forwarded.extend(forward(function));
            methods.extend(method(&attr, function, &item.ident));
        }
        if !own {
            let home = Home::Impl { joint: true, declared: function.default.is_none() };
            let whole = quote!(#function);
            let around = Some(Around { home, generics: &item.generics, numbers: false });
            let expansion = crate::expand::expand_function(attr, whole, around);
            *inner = TraitItem::Verbatim(expansion);
        }
    }
    if !objects {
        return quote!(#item);
    }
    let support = support(&item, &options, &methods, &forwarded);
    let object = format_ident!("{}Object", item.ident);
    item.colon_token.get_or_insert_default();
    item.supertraits.push(syn::parse_quote!(#object));
    quote!(#item #support)
}

/// A method of `Box<dyn Trait>`, which calls that of the type behind it.
fn forward(function: &TraitItemFn) -> TokenStream {
    let mut sig = function.sig.clone();
    let mut args = Vec::new();
    for (k, arg) in sig.inputs.iter_mut().enumerate() {
        let attrs = match arg {
            FnArg::Typed(typed) => {
                let name = format_ident!("argument_{}", k);
                *typed.pat = syn::parse_quote!(#name);
                args.push(name);
                &mut typed.attrs
            }
            FnArg::Receiver(receiver) => &mut receiver.attrs,
        };
        attr::take_constant(attrs);
    }
    let (cfgs, name) = (function.attrs.iter().filter(|a| a.path().is_ident("cfg")), &sig.ident);
    quote!(#(#cfgs)* #sig { (**self).#name(#(#args),*) })
}

/// What a method that is differentiated adds.
fn method(attr: &TokenStream, function: &TraitItemFn, object: &Ident) -> Option<ObjectMethod> {
    // What is wrong with it is told where the method itself is expanded.
    let mut errors = Errors::default();
    let mut options = attr::parse(attr.clone(), &mut errors);
    // A trait that has trait objects has no type parameters.
    options.params_of_impl = Some(Vec::new());
    let mut names = Names::reserve(quote!(#function #object));
    let (vis, block) = (syn::Visibility::Inherited, Box::new(syn::parse_quote!({})));
    let TraitItemFn { attrs, modifiers, sig, .. } = function.clone();
    let attrs = attrs.into_iter().filter(|attr| attr.path().is_ident("cfg")).collect();
    let mut described = ItemFn { attrs, vis, modifiers, sig, block };
    let signature = Signature::read(&mut described, &options, &mut names, &mut errors);
    if errors.any() || !crate::expand::is_derived(&described, &signature) {
        return None;
    }
    Some(object_method(&described, &options, &signature, object, &mut names))
}

/// Whether a trait has trait objects, as far as its text tells.
fn has_objects(item: &ItemTrait) -> bool {
    let sized =
        |bound: &TypeParamBound| match bound {
            TypeParamBound::Trait(bound) => bound.path.segments.last().is_some_and(|last| {
                ["Sized", "Clone", "Copy"].iter().any(|name| last.ident == name)
            }),
            _ => false,
        };
    item.generics.params.is_empty()
        && !item.supertraits.iter().any(sized)
        && item.items.iter().all(|inner| match inner {
            TraitItem::Fn(function) => match asks_for_size(function) {
                true => function.default.is_some(),
                false => is_callable(function),
            },
            _ => false,
        })
}

/// Whether a method can be called on a trait object.
fn is_callable(function: &TraitItemFn) -> bool {
    let sig = &function.sig;
    let by_reference = sig
        .receiver()
        .is_some_and(|receiver| matches!(receiver.kind, syn::ReceiverKind::Reference(..)));
    let types =
        sig.generics.type_params().next().is_some() || sig.generics.const_params().next().is_some();
    let args = sig.inputs.iter().filter(|arg| matches!(arg, FnArg::Typed(_)));
    let output = &sig.output;
    let mentioned = quote!(#(#args)* #output);
    by_reference && !types && !asks_for_size(function) && !mentions_self(mentioned)
}

/// `where Self: Sized`
fn asks_for_size(function: &TraitItemFn) -> bool {
    let clause = &function.sig.generics.where_clause;
    mentions_self(quote!(#clause))
}

/// Whether tokens mention `Self`, or `impl Trait`, which is a type parameter.
fn mentions_self(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == "Self" || ident == "impl",
        TokenTree::Group(group) => mentions_self(group.stream()),
        _ => false,
    })
}

/// The hidden trait, and what trait objects have.
fn support(
    item: &ItemTrait,
    options: &Options,
    methods: &[ObjectMethod],
    forwarded: &TokenStream,
) -> TokenStream {
    let (vis, name, krate) = (&item.vis, &item.ident, options.runtime());
    let object = format_ident!("{}Object", name);
    let cfgs: Vec<_> = item.attrs.iter().filter(|attr| attr.path().is_ident("cfg")).collect();
    let ad = quote!(#krate::__private);
    let declared = methods.iter().map(|method| &method.declared);
    let implemented = methods.iter().map(|method| &method.implemented);
    let boxed = methods.iter().map(|method| &method.boxed);
    let lints = quote!(#[allow(unused, clippy::all, clippy::pedantic, clippy::nursery)]);
    quote! {
        #(#cfgs)*
        #[doc(hidden)]
        #lints
        #vis trait #object: ::core::any::Any {
            fn zeros_object(&self) -> #ad::Box<dyn #name>;
            fn set_object_zero(&mut self);
            fn accumulate_object(&mut self, other: &(dyn #name + 'static));
            fn dot_object(&self, other: &(dyn #name + 'static)) -> f64;
            fn for_each_real_object(&mut self, visit: &mut dyn ::core::ops::FnMut(&mut f64));
            fn object_difference(
                &self,
                other: &(dyn #name + 'static),
            ) -> #ad::Option<#ad::String>;
            #(#declared)*
        }

        #(#cfgs)*
        #[automatically_derived]
        #lints
        impl<T: #name + #ad::Differentiable<Owned = T>> #object for T {
            fn zeros_object(&self) -> #ad::Box<dyn #name> {
                #ad::Box::new(#ad::zeros(self))
            }
            fn set_object_zero(&mut self) {
                #ad::clear(self);
            }
            #[track_caller]
            fn accumulate_object(&mut self, other: &(dyn #name + 'static)) {
                #ad::accumulate(self, #ad::seen_object::<Self>(other));
            }
            #[track_caller]
            fn dot_object(&self, other: &(dyn #name + 'static)) -> f64 {
                #ad::dot(self, #ad::seen_object::<Self>(other))
            }
            fn for_each_real_object(&mut self, visit: &mut dyn ::core::ops::FnMut(&mut f64)) {
                #ad::Differentiable::for_each_real(self, visit);
            }
            fn object_difference(
                &self,
                other: &(dyn #name + 'static),
            ) -> #ad::Option<#ad::String> {
                #ad::object_difference(self, other)
            }
            #(#implemented)*
        }

        #(#cfgs)*
        #[automatically_derived]
        #lints
        impl #ad::Differentiable for dyn #name {
            type Owned = #ad::Box<Self>;
            fn zeros_like(&self) -> Self::Owned {
                self.zeros_object()
            }
            fn set_zero(&mut self) {
                self.set_object_zero();
            }
            #[track_caller]
            fn accumulate(&mut self, other: &Self) {
                self.accumulate_object(other);
            }
            #[track_caller]
            fn inner_product(&self, other: &Self) -> f64 {
                self.dot_object(other)
            }
            fn for_each_real(&mut self, visit: &mut dyn ::core::ops::FnMut(&mut f64)) {
                self.for_each_real_object(visit);
            }
            fn shape_difference(&self, other: &Self) -> #ad::Option<#ad::String> {
                self.object_difference(other)
            }
        }

        #(#cfgs)*
        #[automatically_derived]
        #lints
        impl #name for #ad::Box<dyn #name> {
            #forwarded
            #(#boxed)*
        }
    }
}
