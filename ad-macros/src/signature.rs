//! What the signature of a function says: parameters, types, what is active.

mod functions;
mod scalars;
mod types;

pub use functions::{Functional, called, name_types};
pub use scalars::types_of_user;
pub use types::{is_array_ref, is_view};

use crate::attr::{Options, take_constant};
use crate::errors::Errors;
use crate::ir::Ty;
use crate::lower::refusal::text;
use crate::names::{Names, plain};
use proc_macro2::{Ident, Span};
use syn::spanned::Spanned;
use syn::{FnArg, Pat, ReturnType, Type};

/// How a parameter is passed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Passing {
    /// `x: T`
    Value,
    /// `x: &T`
    Ref,
    /// `x: &mut T`
    RefMut,
}

/// A parameter.
#[derive(Clone, Debug)]
pub struct Param {
    /// Its name.
    pub name: Ident,
    /// Its type as written, without the reference.
    pub syn_ty: Type,
    /// Its type, the reference included.
    pub ty: Ty,
    /// How it is passed.
    pub passing: Passing,
    /// Whether it is declared `mut`.
    pub mutable: bool,
    /// Whether it has an adjoint.
    pub active: bool,
    /// What is known of it, if it is a function: derivatives flow through what it captures.
    pub functional: Option<Functional>,
}

impl Param {
    /// The user's name for it.
    pub fn written(&self) -> &Ident {
        self.functional.as_ref().map_or(&self.name, |function| &function.name)
    }

    /// Whether derivatives flow through it.
    pub fn carries(&self) -> bool {
        self.active || self.functional.is_some()
    }
}

/// The signature of the function.
#[derive(Clone, Debug)]
pub struct Signature {
    /// Its name.
    pub name: Ident,
    /// Its parameters.
    pub params: Vec<Param>,
    /// The type of the result as written, if there is one.
    pub syn_result: Option<Type>,
    /// The type of the result.
    pub result: Ty,
    /// Type parameters that are real scalars.
    pub scalars: Vec<String>,
    /// The float type of the function, if its signature names one only.
    pub float: Option<Type>,
    /// Parameters marked `#[constant]`.
    pub marked: Vec<Ident>,
    /// How many of the parameters a closure captures; they come first.
    pub captures: usize,
    /// Whether the `impl` around has to do with numbers of types of their own.
    pub numbers_around: bool,
    /// Whether no companion can be written, not even one that only has signatures.
    pub unusable: bool,
}

impl Signature {
    /// The signature of a closure in a function.
    pub fn of_closure(
        around: &Signature,
        (params, captures): (Vec<Param>, usize),
        syn_result: Option<Type>,
        result: Ty,
    ) -> Self {
        let marked = Vec::new();
        Signature { params, captures, syn_result, result, marked, ..around.clone() }
    }

    /// Reads a signature; refuses what cannot be differentiated.
    pub fn read(
        item: &mut syn::ItemFn,
        options: &Options,
        names: &mut Names,
        errors: &mut Errors,
    ) -> Self {
        refuse_qualifiers(&item.sig, errors);
        let scalars = scalars::scalars(item, options);
        let mut signature = Signature {
            name: item.sig.ident.clone(),
            params: Vec::new(),
            syn_result: None,
            result: Ty::Unit,
            scalars,
            float: float(&item.sig),
            marked: Vec::new(),
            captures: 0,
            numbers_around: options.numbers_in_impl,
            unusable: false,
        };
        if let ReturnType::Type(_, ty) = &item.sig.output {
            signature.result = signature.ty(ty);
            let refused = signature.refuse_result(ty, errors);
            if signature.result != Ty::Unit {
                signature.syn_result = Some(ty.as_ref().clone());
            }
            signature.unusable |= refused
                && !matches!(signature.result, Ty::Unknown | Ty::Named | Ty::Wrapped { .. });
        }
        let generics = item.sig.generics.clone();
        for arg in &mut item.sig.inputs {
            match signature.param(arg, &generics, options, names, errors) {
                Some(param) => signature.params.push(param),
                None => signature.unusable = true,
            }
        }
        for wanted in options.wrt.iter().flatten() {
            if signature.marked.contains(wanted) {
                errors.push(
                    wanted,
                    format!("`{wanted}` is listed in `wrt` and marked `#[constant]`"),
                    "remove one of the two",
                );
            }
            match signature.params.iter().find(|param| *param.written() == *wanted) {
                None => errors.push(
                    wanted,
                    format!("there is no parameter `{wanted}`"),
                    "`wrt` lists parameters of the function",
                ),
                Some(param) if !param.ty.may_hold_reals() => errors.push(
                    wanted,
                    format!("no derivative flows through `{wanted}`: its type holds no real"),
                    "remove it from `wrt`",
                ),
                Some(_) => {}
            }
        }
        signature
    }

    /// Refuses types of results that have no derivative; whether it did.
    fn refuse_result(&self, ty: &Type, errors: &mut Errors) -> bool {
        match &self.result {
            // Refused with the qualifiers.
            _ if matches!(ty, Type::ImplTrait(_)) => return true,
            Ty::Ref { .. } => errors.push(
                ty,
                "a function that returns a reference is not differentiated",
                "return the value, or write it to a `&mut` parameter",
            ),
            _ if matches!(ty, Type::Never(_)) => return false,
            known => match self.foreign(ty, known) {
                Some(foreign) => errors.push(
                    foreign,
                    format!("results of type `{}` are not supported", text(ty)),
                    match known {
                        Ty::Wrapped { result: true, .. } => {
                            "an `Err` carries no derivative: tell the error without real numbers, \
                             or return an enum that derives `Differentiable`"
                        }
                        _ => "return a scalar, array, `Vec`, tuple, or a type that is `Differentiable`",
                    },
                ),
                None => return false,
            },
        }
        true
    }

    fn param(
        &mut self,
        arg: &mut FnArg,
        generics: &syn::Generics,
        options: &Options,
        names: &mut Names,
        errors: &mut Errors,
    ) -> Option<Param> {
        let typed = match arg {
            FnArg::Typed(typed) => typed,
            FnArg::Receiver(receiver) => return self.receiver(receiver, options, errors),
        };
        let constant = take_constant(&mut typed.attrs);
        let (name, mutable) = match &*typed.pat {
            Pat::Ident(pat) if pat.subpat.is_none() && pat.by_ref.is_none() => {
                (pat.ident.clone(), pat.mutability.is_some())
            }
            Pat::Wild(wild) => (names.fresh("unused", wild.span()), false),
            other => {
                errors.push(
                    other,
                    "a parameter that is a pattern is not supported",
                    "give it a name and destructure it in the body",
                );
                (names.fresh("argument", other.span()), false)
            }
        };
        if constant {
            self.marked.push(name.clone());
        }
        let ty = self.ty(&typed.ty);
        let (passing, syn_ty) = match ungroup(&typed.ty) {
            Type::Reference(reference) if reference.mutability.is_some() => {
                (Passing::RefMut, (*reference.elem).clone())
            }
            Type::Reference(reference) => (Passing::Ref, (*reference.elem).clone()),
            other => (Passing::Value, other.clone()),
        };
        let chosen = options.wrt.as_ref().is_none_or(|list| list.contains(&name));
        if !constant
            && chosen
            && let Some(functional) = self.functional(&name, &typed.ty, generics, names)
        {
            self.refuse_inputs(&functional, errors);
            let name = names.fresh(&format!("{}_vjp", plain(&name)), name.span());
            let (generic, passing) = (&functional.generic, Passing::Value);
            let (syn_ty, ty) = (syn::parse_quote!(#generic), Ty::Unknown);
            let functional = Some(functional);
            let (mutable, active) = (false, false);
            return Some(Param { name, syn_ty, ty, passing, mutable, active, functional });
        }
        let active = ty.may_hold_reals() && !constant && chosen;
        if mutable && passing != Passing::Value {
            errors.push(
                &name,
                "a reference that is set anew is not supported",
                "remove `mut`, and bind another variable in the body",
            );
        }
        if active {
            self.refuse_type(&typed.ty, &ty, &name, errors);
        }
        Some(Param { name, syn_ty, ty, passing, mutable, active, functional: None })
    }

    /// `self`, a parameter like any other.
    fn receiver(
        &mut self,
        receiver: &mut syn::Receiver,
        options: &Options,
        errors: &mut Errors,
    ) -> Option<Param> {
        let constant = take_constant(&mut receiver.attrs);
        let name = Ident::new("self", receiver.self_token.span);
        let behind = |mutable| Ty::Ref { mutable, to: Box::new(Ty::Named) };
        let (passing, ty) = match &receiver.kind {
            syn::ReceiverKind::Value => (Passing::Value, Ty::Named),
            syn::ReceiverKind::Reference(_, _, None) => (Passing::Ref, behind(false)),
            syn::ReceiverKind::Reference(_, _, Some(_)) => (Passing::RefMut, behind(true)),
            _ => {
                errors.push(
                    &*receiver,
                    "a receiver of this type is not supported",
                    "take `&self`, `&mut self` or `self`",
                );
                return None;
            }
        };
        if constant {
            self.marked.push(name.clone());
        }
        let chosen = options.wrt.as_ref().is_none_or(|list| list.contains(&name));
        let mutable = receiver.mutability.is_some();
        let (syn_ty, active) = (syn::parse_quote!(Self), !constant && chosen);
        Some(Param { name, syn_ty, ty, passing, mutable, active, functional: None })
    }

    /// The parameter `self`.
    pub fn self_param(&self) -> Option<&Param> {
        self.params.first().filter(|param| param.name == "self")
    }

    fn refuse_type(&mut self, syn_ty: &Type, ty: &Ty, name: &Ident, errors: &mut Errors) {
        let nested = match ungroup(syn_ty) {
            Type::Reference(reference) => &reference.elem,
            other => other,
        };
        let Some(foreign) = self.foreign(nested, ty.peeled()) else { return };
        let constant = format!("mark it as data: `#[constant] {name}: …`");
        let help = match foreign {
            _ if functions::is_function(foreign) => {
                format!("take a function as `impl Fn(…)` or `&dyn Fn(…)`, or {constant}")
            }
            view if is_view(view) => {
                "take a reference to an array, such as `&ArrayRef1<f64>` of ndarray, to which views \
                 dereference, too"
                    .to_owned()
            }
            Type::TraitObject(_) => {
                format!(
                    "take `&Box<{}>`, whose trait is differentiated, or {constant}",
                    text(foreign)
                )
            }
            _ => constant,
        };
        errors.push(
            syn_ty,
            format!("active parameters of type `{}` are not supported yet", text(syn_ty)),
            &help,
        );
        self.unusable = true;
    }

    /// Refuses functions of what has no adjoint, such as functions.
    fn refuse_inputs(&self, functional: &Functional, errors: &mut Errors) {
        let inputs = functional.inputs.iter().map(|input| &input.syn_ty);
        for ty in inputs.chain(&functional.syn_result) {
            if let Some(foreign) = self.foreign(ty, &self.ty(ty)) {
                errors.push(
                    foreign,
                    format!(
                        "a function of values of type `{}` is not differentiated",
                        text(foreign)
                    ),
                    "let it take and give numbers, arrays, `Vec`s, or types that are \
                     `Differentiable`",
                );
            }
        }
    }
}

/// The type without the invisible groups that `macro_rules!` puts around fragments.
pub fn ungroup(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => ungroup(&group.elem),
        Type::Paren(paren) => ungroup(&paren.elem),
        other => other,
    }
}

/// `f64` or `f32`, whichever alone occurs; `f64` if neither does.
fn float(sig: &syn::Signature) -> Option<Type> {
    let mentions = |name| crate::expand::mentions(quote::quote!(#sig), name);
    match (mentions("f64"), mentions("f32")) {
        (_, false) => Some(syn::parse_quote!(f64)),
        (false, true) => Some(syn::parse_quote!(f32)),
        (true, true) => None,
    }
}

fn refuse_qualifiers(sig: &syn::Signature, errors: &mut Errors) {
    let mut refuse = |span: Span, what: &str, help: &str| {
        errors.push(span, format!("{what} functions are not differentiated"), help);
    };
    if let Some(token) = &sig.asyncness {
        refuse(token.span(), "`async`", "differentiate the part that computes");
    }
    if let syn::Safety::Unsafe(token) = &sig.safety {
        refuse(token.span(), "`unsafe`", "differentiate a safe function");
    }
    if let Some(abi) = &sig.abi {
        refuse(abi.span(), "`extern`", "differentiate a Rust function and call it from this one");
    }
    if let Some(variadic) = &sig.variadic {
        refuse(variadic.span(), "variadic", "take a slice");
    }
    if let ReturnType::Type(_, ty) = &sig.output
        && matches!(**ty, Type::ImplTrait(_))
    {
        refuse(ty.span(), "`impl Trait` returning", "return a concrete type");
    }
}
