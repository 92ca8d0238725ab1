//! `#[differentiate(…)] impl …`: every function of the `impl`, or the rule of an operator.
//!
//! An operator's trait has no room for further functions. Its function is taken as a free one, whose
//! companion then serves the traits of `ad_runtime`'s module `operator`.

use crate::attr::{self, Options};
use crate::errors::Errors;
use crate::expand::{Around, Home};
use crate::names::{Names, respanned};
use crate::signature::{Passing, Signature, ungroup};
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{format_ident, quote};
use syn::{ImplItem, ItemFn, ItemImpl, Type};

/// The operators, with the number of their operands.
const OPERATORS: &[(&str, usize)] =
    &[("Add", 2), ("Sub", 2), ("Mul", 2), ("Div", 2), ("Rem", 2), ("Neg", 1)];

/// Traits of the standard library that have no room for the companion of a method.
const CLOSED: &[&str] = &[
    "AddAssign",
    "SubAssign",
    "MulAssign",
    "DivAssign",
    "RemAssign",
    "Deref",
    "DerefMut",
    "Fn",
    "FnMut",
    "FnOnce",
    "From",
    "Into",
    "Default",
    "Clone",
    "PartialEq",
    "PartialOrd",
    "Iterator",
    "IntoIterator",
    "FromIterator",
    "Sum",
    "Product",
    "Display",
    "Debug",
    "Drop",
    "AsRef",
    "AsMut",
];

/// Expands the attribute on an `impl`.
pub fn expand(attr: TokenStream, mut item: ItemImpl) -> TokenStream {
    let name = item.trait_.as_ref().and_then(|(path, _)| path.segments.last());
    let name = name.map(|last| last.ident.to_string()).unwrap_or_default();
    if let Some((_, operands)) = OPERATORS.iter().find(|(known, _)| *known == name) {
        return operator(attr, &item, &name, *operands);
    }
    if matches!(name.as_str(), "Index" | "IndexMut") || CLOSED.contains(&name.as_str()) {
        let mut errors = Errors::default();
        let help = match name.as_str() {
            "Index" | "IndexMut" => {
                "remove the attribute: elements are read and written as they are"
            }
            _ => "differentiate a function or method of the type, and call it",
        };
        errors.push(&item.self_ty, format!("an `impl` of `{name}` is not differentiated"), help);
        let error = errors.finish(()).err().map(|error| error.into_compile_error());
        return quote!(#item #error);
    }
    // What is wrong with the attribute is told where a function is expanded.
    let options = attr::parse(attr.clone(), &mut Errors::default());
    // Nothing but the `impl` tells whether the type of a pullback can be named.
    let joint = item.trait_.is_some() || !item.generics.params.is_empty() || options.joint;
    let home = Home::Impl { joint, declared: false };
    let (rules, whole) = (rules(&item), quote!(#item));
    let numbers = crate::lower::number::computes_with_own(&item);
    for inner in &mut item.items {
        if let ImplItem::Fn(function) = inner
            && !function.attrs.iter().any(has_derivative)
            && !crate::expand::mentions(rules.clone(), &function.sig.ident.to_string())
        {
            let whole = quote!(#function);
            let around = Some(Around { home, generics: &item.generics, numbers });
            let expansion = crate::expand::expand_function(attr.clone(), whole, around);
            *inner = ImplItem::Verbatim(expansion);
        }
    }
    let mut errors = Errors::default();
    attr::calls::refuse_unused(options.rules.as_deref().unwrap_or_default(), &whole, &mut errors);
    let error = crate::expand::report(errors);
    quote!(#item #error)
}

/// What `#[custom_rule(…)]` on functions of the `impl` mentions: the rules among it are no functions
/// to differentiate.
fn rules(item: &ItemImpl) -> TokenStream {
    let functions = item.items.iter().filter_map(|inner| match inner {
        ImplItem::Fn(function) => Some(function),
        _ => None,
    });
    let attrs = functions.flat_map(|function| &function.attrs);
    attrs.filter(|attr| is_called(attr, "custom_rule")).map(|attr| quote!(#attr)).collect()
}

/// Whether an attribute of a function gives it a derivative of its own.
fn has_derivative(attr: &syn::Attribute) -> bool {
    is_called(attr, "differentiate") || is_called(attr, "custom_rule")
}

fn is_called(attr: &syn::Attribute, name: &str) -> bool {
    attr.path().segments.last().is_some_and(|last| last.ident == name)
}

/// The rule of an operator.
fn operator(attr: TokenStream, item: &ItemImpl, name: &str, operands: usize) -> TokenStream {
    let mut errors = Errors::default();
    let options = attr::parse(attr.clone(), &mut errors);
    let krate = options.runtime();
    let Some(twin) = Twin::of(item, operands) else {
        let help = "write `type Output` and the function of the operator, with `self`";
        errors.push(&item.self_ty, "an `impl` of an operator without its parts", help);
        let error = errors.finish(()).err().map(|error| error.into_compile_error());
        return quote!(#item #error);
    };
    let active = twin.active(&options);
    let function = &twin.function;
    let (called, expansion) = (&function.sig.ident, crate::expand::expand(attr, quote!(#function)));
    let (marker, ad) = (format_ident!("{}", name), quote!(#krate::__private));
    let rule = Rule { item, twin: &twin, active, marker, ad };
    let adjoint = options.reverse.then(|| rule.adjoint(called));
    let tangent = options.forward.then(|| rule.tangent(called));
    quote! {
        #item
        const _: () = {
            #expansion
            #adjoint
            #tangent
        };
    }
}

/// The rule of an operator, from the companion of its twin.
struct Rule<'a> {
    item: &'a ItemImpl,
    twin: &'a Twin,
    /// Which operands carry derivatives.
    active: Vec<bool>,
    marker: Ident,
    ad: TokenStream,
}

impl Rule<'_> {
    /// The operands: their types, names, and whether they are active.
    fn operands(&self) -> impl Iterator<Item = (&Type, Ident, bool)> {
        let names = [format_ident!("this"), format_ident!("rhs")];
        let operands = self.twin.operands.iter().zip(names).zip(&self.active);
        operands.map(|((ty, name), active)| (ty, name, *active))
    }

    fn adjoint(&self, called: &Ident) -> TokenStream {
        let ad = &self.ad;
        let (mut begins, mut args, mut results) = (TokenStream::new(), Vec::new(), Vec::new());
        let mut found = vec![quote!(_)];
        for (ty, name, active) in self.operands() {
            let adjoint = format_ident!("{}_adj", name);
            let by_ref = matches!(ungroup(ty), Type::Reference(_));
            args.push(if by_ref { quote!(#name) } else { quote!(#ad::copied(#name)) });
            results.push(if active { quote!(#adjoint) } else { quote!(#ad::copied(#name)) });
            match (active, by_ref) {
                (true, true) => {
                    begins.extend(quote!(let mut #adjoint = #ad::zeros(#name);));
                    args.push(quote!(&mut #adjoint));
                }
                (true, false) => found.push(quote!(#adjoint)),
                (false, _) => {}
            }
        }
        let found = if found.len() == 1 { quote!(_) } else { quote!((#(#found),*)) };
        let (head, output) = (self.head("Operator"), &self.twin.output);
        let owned: Vec<Type> = self.twin.operands.iter().map(owned).collect();
        let rhs = owned.get(1).map(|rhs| quote!(rhs: &#rhs,));
        let returned = if owned.len() == 1 { quote!(#(#owned)*) } else { quote!((#(#owned),*)) };
        let results = if owned.len() == 1 { quote!(#(#results)*) } else { quote!((#(#results),*)) };
        quote! {
            #[automatically_derived]
            #head {
                type Output = #output;
                fn adjoint(&self, #rhs seed: &#output) -> #returned {
                    let this = self;
                    #begins
                    let #found = #called::adjoint(#(#args,)* #ad::copied(seed));
                    #results
                }
            }
        }
    }

    fn tangent(&self, called: &Ident) -> TokenStream {
        let (ad, output) = (&self.ad, &self.twin.output);
        let mut args = Vec::new();
        for (ty, name, active) in self.operands() {
            let by_ref = matches!(ungroup(ty), Type::Reference(_));
            let handed = |name: Ident| match by_ref {
                true => quote!(#name),
                false => quote!(#ad::copied(#name)),
            };
            let tangent = format_ident!("{}_tan", name);
            args.push(handed(name));
            args.extend(active.then(|| handed(tangent)));
        }
        let head = self.head("OperatorTangent");
        let rhs = self.twin.operands.get(1).map(owned);
        let rhs = rhs.map(|rhs| quote!(, rhs: &#rhs, rhs_tan: &#rhs));
        quote! {
            #[automatically_derived]
            #head {
                type Output = #output;
                fn tangent(&self, this_tan: &Self #rhs) -> #output {
                    let this = self;
                    #called::tangent(#(#args),*).1
                }
            }
        }
    }

    /// `impl Operator<Mul, Rhs> for Lhs`
    fn head(&self, of: &str) -> TokenStream {
        let (ad, marker) = (&self.ad, &self.marker);
        let (params, _, clause) = self.item.generics.split_for_impl();
        let lhs = owned(&self.twin.operands[0]);
        match self.twin.operands.get(1).map(owned) {
            Some(rhs) => {
                let name = format_ident!("{}", of);
                quote!(impl #params #ad::#name<#ad::operator::#marker, #rhs> for #lhs #clause)
            }
            None => {
                let name = format_ident!("Unary{}", of);
                quote!(impl #params #ad::#name<#ad::operator::#marker> for #lhs #clause)
            }
        }
    }
}

/// The function of an operator, as a free one.
struct Twin {
    function: ItemFn,
    operands: Vec<Type>,
    output: Type,
}

impl Twin {
    fn of(item: &ItemImpl, count: usize) -> Option<Self> {
        let (mut output, mut function) = (None, None);
        for inner in &item.items {
            match inner {
                ImplItem::Type(ty) if ty.ident == "Output" => output = Some(ty.ty.clone()),
                ImplItem::Fn(found) => function = Some(found.clone()),
                _ => {}
            }
        }
        let (output, function) = (output?, function?);
        let own = &item.self_ty;
        let replaced = |tokens: TokenStream| -> TokenStream {
            without_self(tokens, &quote!(#own), &quote!(this))
        };
        let output: Type = syn::parse2(replaced(quote!(#output))).ok()?;
        let (path, _) = item.trait_.as_ref()?;
        let rhs = match &path.segments.last()?.arguments {
            syn::PathArguments::AngleBracketed(args) => args.args.first().cloned(),
            _ => None,
        };
        let mut operands: Vec<Type> = vec![(**own).clone()];
        if count == 2 {
            operands.push(match rhs {
                Some(syn::GenericArgument::Type(ty)) => syn::parse2(replaced(quote!(#ty))).ok()?,
                _ => (**own).clone(),
            });
        }
        // The context of its span tells a variable from others of its name.
        let receiver = function.sig.receiver()?;
        let this = Ident::new("this", receiver.self_token.span);
        let mutability = receiver.mutability;
        let mut params = vec![quote!(#mutability #this: #own)];
        if let Some(syn::FnArg::Typed(typed)) = function.sig.inputs.iter().nth(1) {
            let (attrs, pat, ty) = (&typed.attrs, &typed.pat, &operands[1]);
            params.push(quote!(#(#attrs)* #pat: #ty));
        }
        let (name, block) = (&function.sig.ident, &function.block);
        let (params_of, _, clause) = item.generics.split_for_impl();
        let body = replaced(quote!(#block));
        let function = quote!(fn #name #params_of (#(#params),*) -> #output #clause #body);
        Some(Twin { function: syn::parse2(function).ok()?, operands, output })
    }

    /// Which operands carry derivatives.
    fn active(&self, options: &Options) -> Vec<bool> {
        let (mut function, mut names) = (self.function.clone(), Names::default());
        // What is wrong with the signature is told when the twin is expanded.
        let mut errors = Errors::default();
        let signature = Signature::read(&mut function, options, &mut names, &mut errors);
        debug_assert!(signature.params.iter().all(|param| param.passing != Passing::RefMut));
        signature.params.iter().map(|param| param.active).collect()
    }
}

/// The type without a reference around it.
fn owned(ty: &Type) -> Type {
    match ungroup(ty) {
        Type::Reference(reference) => (*reference.elem).clone(),
        other => other.clone(),
    }
}

/// The tokens with other ones for `Self` and `self`.
fn without_self(tokens: TokenStream, ty: &TokenStream, value: &TokenStream) -> TokenStream {
    let mut out = TokenStream::new();
    for token in tokens {
        match token {
            TokenTree::Ident(ident) if ident == "Self" => out.extend(ty.clone()),
            TokenTree::Ident(ident) if ident == "self" => {
                out.extend(respanned(value.clone(), ident.span()));
            }
            TokenTree::Group(group) => {
                let inner = without_self(group.stream(), ty, value);
                let mut replaced = proc_macro2::Group::new(group.delimiter(), inner);
                replaced.set_span(group.span());
                out.extend([TokenTree::Group(replaced)]);
            }
            other => out.extend([other]),
        }
    }
    out
}
