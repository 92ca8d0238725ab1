//! Parameters that are functions: `f: impl Fn(f64) -> f64`, `F: Fn(&[f64]) -> f64`, `&dyn Fn(f64) -> f64`,
//! `fn(f64) -> f64`.
//!
//! A companion takes such a parameter as what a companion's `vjp` is: a function of a policy and the
//! arguments that returns value and pullback. So whoever calls it hands over `g::vjp`, or a closure of
//! that shape, and what comes back to captured variables is the closure's own affair.

use super::{Passing, Signature, ungroup};
use crate::attr::is_constant;
use crate::ir::Ty;
use crate::names::{Names, plain};
use proc_macro2::{Ident, Span};
use syn::visit_mut::{self, VisitMut};
use syn::{FnArg, Pat, ReturnType, Type, TypeParamBound};

/// What is known of a parameter that is a function.
#[derive(Clone, Debug)]
pub struct Functional {
    /// The user's name for it; the parameter's own is that of its `vjp`.
    pub name: Ident,
    /// Its type parameter.
    pub generic: Ident,
    /// The type parameter of its pullbacks.
    pub pullback: Ident,
    /// The name of what gives its value and tangent.
    pub tangent: Ident,
    /// Whether it is declared as a reference.
    pub by_reference: bool,
    /// Its parameters.
    pub inputs: Vec<Input>,
    /// The type of its result, if it has one.
    pub syn_result: Option<Type>,
    /// The same, as far as it is known.
    pub result: Ty,
}

/// A parameter of a function that is a parameter.
#[derive(Clone, Debug)]
pub struct Input {
    /// How it is passed.
    pub passing: Passing,
    /// Its type, without the reference.
    pub syn_ty: Type,
    /// Whether derivatives flow through it.
    pub active: bool,
}

impl Functional {
    /// Whether it writes to an argument, so that its caller may want that put back.
    pub fn writes(&self) -> bool {
        self.inputs.iter().any(|input| input.passing == Passing::RefMut)
    }

    /// Whether a derivative flows from its result.
    pub fn result_active(&self) -> bool {
        self.syn_result.is_some() && self.result.may_hold_reals()
    }

    /// Its active parameters that are passed by value.
    pub fn by_value(&self) -> impl Iterator<Item = &Input> {
        self.inputs.iter().filter(|input| input.active && input.passing == Passing::Value)
    }
}

/// Gives a name to every anonymous type in argument position, so that companions can mention it.
pub fn name_types(sig: &mut syn::Signature, names: &mut Names) {
    let mut named = Vec::new();
    for arg in &mut sig.inputs {
        let FnArg::Typed(typed) = arg else { continue };
        let Pat::Ident(pat) = &*typed.pat else { continue };
        let wish = camel(&plain(&pat.ident));
        let span = pat.ident.span();
        let mut naming = NameTypes { wish, span, names, named: Vec::new() };
        naming.visit_type_mut(&mut typed.ty);
        if !typed.attrs.iter().any(is_constant) {
            naming.function(&mut typed.ty);
        }
        named.append(&mut naming.named);
    }
    for (name, bounds) in named {
        sig.generics.params.push(syn::parse_quote!(#name: #bounds));
    }
}

type Bounds = syn::punctuated::Punctuated<TypeParamBound, syn::Token![+]>;

struct NameTypes<'n> {
    wish: String,
    span: Span,
    names: &'n mut Names,
    named: Vec<(Ident, Bounds)>,
}

impl NameTypes<'_> {
    fn name(&mut self, ty: &mut Type, bounds: Bounds) {
        let name = self.names.fresh(&self.wish, self.span);
        self.named.push((name.clone(), bounds));
        *ty = syn::parse_quote!(#name);
    }

    /// `&dyn Fn(…) -> …`, `fn(…) -> …`
    fn function(&mut self, ty: &mut Type) {
        match ty {
            Type::Group(group) => self.function(&mut group.elem),
            Type::Paren(paren) => self.function(&mut paren.elem),
            Type::Reference(reference) => self.function(&mut reference.elem),
            Type::TraitObject(object) if object.bounds.iter().any(|b| called(b).is_some()) => {
                let bounds = object.bounds.clone();
                self.name(ty, bounds);
            }
            Type::FnPtr(pointer) if pointer.unsafety.is_none() && pointer.variadic.is_none() => {
                let inputs = pointer.inputs.iter().map(|input| &input.ty);
                let output = &pointer.output;
                let bounds = syn::parse_quote!(::core::ops::Fn(#(#inputs),*) #output);
                self.name(ty, bounds);
            }
            _ => {}
        }
    }
}

impl VisitMut for NameTypes<'_> {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        visit_mut::visit_type_mut(self, ty);
        if let Type::ImplTrait(anonymous) = ty {
            let bounds = anonymous.bounds.clone();
            self.name(ty, bounds);
        }
    }
}

/// `rhs_at` as the name of a type: `RhsAt`.
fn camel(name: &str) -> String {
    let words = name.split('_').filter(|word| !word.is_empty());
    words
        .map(|word| {
            let mut letters = word.chars();
            let first = letters.next().map(|c| c.to_uppercase().collect::<String>());
            format!("{}{}", first.unwrap_or_default(), letters.as_str())
        })
        .collect()
}

/// Whether a type is a pointer to a function or a trait object of one.
pub fn is_function(ty: &Type) -> bool {
    match ty {
        Type::FnPtr(_) => true,
        Type::TraitObject(object) => object.bounds.iter().any(|bound| called(bound).is_some()),
        _ => false,
    }
}

/// Whether the argument of a type is a function.
pub fn is_called(arg: &syn::GenericArgument) -> bool {
    matches!(arg, syn::GenericArgument::Type(ty) if is_function(ty))
}

/// The arguments of a bound `Fn(…) -> …` and its like.
pub fn called(bound: &TypeParamBound) -> Option<&syn::ParenthesizedGenericArguments> {
    let TypeParamBound::Trait(bound) = bound else { return None };
    let last = bound.path.segments.last()?;
    let known = ["Fn", "FnMut", "FnOnce"].iter().any(|name| last.ident == name);
    match &last.arguments {
        syn::PathArguments::Parenthesized(args) if known => Some(args),
        _ => None,
    }
}

impl Signature {
    /// What is known of a parameter of this type, if it is a function.
    pub(super) fn functional(
        &self,
        name: &Ident,
        ty: &Type,
        generics: &syn::Generics,
        names: &mut Names,
    ) -> Option<Functional> {
        let (by_reference, ty) = match ungroup(ty) {
            Type::Reference(reference) => (true, ungroup(&reference.elem)),
            other => (false, other),
        };
        let Type::Path(path) = ty else { return None };
        let generic = path.path.get_ident()?.clone();
        let args = bounds_of(generics, &generic).find_map(called)?;
        let inputs = args.inputs.iter().map(|input| self.input(&input.ty)).collect();
        let (syn_result, result) = match &args.output {
            ReturnType::Default => (None, Ty::Unit),
            ReturnType::Type(_, ty) => match self.ty(ty) {
                Ty::Unit => (None, Ty::Unit),
                known => (Some((**ty).clone()), known),
            },
        };
        let pullback = names.fresh(&format!("{generic}Pullback"), generic.span());
        let tangent = names.fresh(&format!("{}_tangent", plain(name)), name.span());
        Some(Functional {
            name: name.clone(),
            generic,
            pullback,
            tangent,
            by_reference,
            inputs,
            syn_result,
            result,
        })
    }

    fn input(&self, ty: &Type) -> Input {
        let (passing, syn_ty) = match ungroup(ty) {
            Type::Reference(reference) if reference.mutability.is_some() => {
                (Passing::RefMut, (*reference.elem).clone())
            }
            Type::Reference(reference) => (Passing::Ref, (*reference.elem).clone()),
            other => (Passing::Value, other.clone()),
        };
        let active = self.ty(&syn_ty).may_hold_reals();
        Input { passing, syn_ty, active }
    }
}

/// All bounds of a type parameter.
fn bounds_of<'g>(
    generics: &'g syn::Generics,
    name: &Ident,
) -> impl Iterator<Item = &'g TypeParamBound> {
    let own = generics.type_params().filter(move |param| param.ident == *name);
    let clauses = generics.where_clause.iter().flat_map(|clause| &clause.predicates);
    let clauses = clauses.filter_map(move |predicate| match predicate {
        syn::WherePredicate::Type(predicate) => match ungroup(&predicate.bounded_ty) {
            Type::Path(path) if path.path.is_ident(name) => Some(&predicate.bounds),
            _ => None,
        },
        _ => None,
    });
    own.flat_map(|param| &param.bounds).chain(clauses.flatten())
}
