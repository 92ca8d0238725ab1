//! The companion type: what users and other companions call.
//!
//! ```text
//! vjp       forward sweep; returns the value and the pullback, a closure holding the reverse sweep
//! reverse   how other companions run that pullback (see ad_runtime's `argument` module)
//! adjoint, value_and_gradient, value_and_gradient_into, gradient   what users call
//!
//! tangent   value and tangent, in one sweep; forward is how other companions call it
//! ```
//!
//! The companion of a method `f` is a set of methods `f_vjp`, `f_adjoint` and so on, next to it.

mod callers;
mod checked;
mod drivers;
mod functions;
mod generics;
mod method;
mod object;
mod products;
mod pullback;
mod ruled;
mod second;
mod tangent;
mod user;

use generics::Generics;
pub use object::{ObjectMethod, object_method};

use crate::attr::Options;
use crate::custom::Rule;
use crate::expand::Home;
use crate::ir::{Callee, Stmt, Ty, VarId};
use crate::names::{Names, plain};
use crate::signature::{Param, Passing, Signature};
use crate::sweep::Sweeps;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::visit_mut::{self, VisitMut};
use syn::{ItemFn, Type};

/// Where the derivative comes from.
#[derive(Clone, Copy)]
pub enum Derivative<'a> {
    /// From the sweeps that were made of the function's body.
    Swept(&'a Sweeps),
    /// From a rule that the user wrote.
    Ruled(&'a Rule),
    /// From nowhere, after an error: the companion's functions only have signatures.
    Missing,
}

impl<'a> Derivative<'a> {
    fn sweeps(self) -> Option<&'a Sweeps> {
        match self {
            Derivative::Swept(sweeps) => Some(sweeps),
            Derivative::Ruled(_) | Derivative::Missing => None,
        }
    }

    fn is_missing(self) -> bool {
        matches!(self, Derivative::Missing)
    }

    /// Whether the pullback may change the primal of a `&mut` parameter, the one at `at`, when
    /// nobody asked for it.
    fn disturbs(self, param: &Param, at: VarId) -> bool {
        match self {
            Derivative::Swept(sweeps) => sweeps.disturbed.contains(&at),
            Derivative::Ruled(rule) => rule.may_change_buffers() && !is_state(param),
            Derivative::Missing => false,
        }
    }
}

/// The modes of a companion, and where the derivatives of each come from.
#[derive(Clone, Copy)]
pub struct Modes<'a> {
    /// Reverse mode.
    pub reverse: Option<Derivative<'a>>,
    /// Forward mode; its sweep gives value and tangent.
    pub forward: Option<Derivative<'a>>,
    /// Second derivatives: the sweeps of reverse mode with tangents.
    pub second: Option<&'a Sweeps>,
}

/// Writes the companion.
pub fn companion(
    item: &ItemFn,
    home: Home,
    options: &Options,
    signature: &Signature,
    modes: Modes,
    runtime: Ident,
    names: &mut Names,
) -> TokenStream {
    Writer::new(item, home, options, signature, modes, runtime, names).write(options, modes)
}

fn is_recursive(sweeps: &Sweeps) -> bool {
    let mut found = false;
    crate::walk::each_stmt(&sweeps.function.body, &mut |stmt| {
        if let Stmt::Call(call) = stmt {
            found |= call.recursive;
        }
    });
    found || sweeps.lambdas.values().any(|lambda| is_recursive(&lambda.sweeps))
}

/// Whether companions of methods are called, which may be those that the runtime has for other crates.
fn calls_methods(sweeps: &Sweeps) -> bool {
    let mut found = false;
    crate::walk::each_stmt(&sweeps.function.body, &mut |stmt| {
        if let Stmt::Call(call) = stmt {
            found |= matches!(call.companion(), Callee::Method(_) | Callee::Associated(_));
        }
    });
    found || sweeps.lambdas.values().any(|lambda| calls_methods(&lambda.sweeps))
}

struct Writer<'a> {
    item: &'a ItemFn,
    home: Home,
    signature: &'a Signature,
    /// The runtime's private module inside of functions.
    ad: Ident,
    /// The same in signatures.
    outer: TokenStream,
    /// What brings `ad` into a function.
    prologue: TokenStream,
    /// `self` in the pullback of a method.
    this: Ident,
    policy_ty: Ident,
    /// The names of the parameters' adjoints.
    adjoints: Vec<Ident>,
    /// The names of the parameters' tangents.
    tangents: Vec<Ident>,
    recursive: bool,
    strong_zero: bool,
    /// Whether each gradient is compared with a tangent.
    cross_check: bool,
    second_order: bool,
    names: &'a mut Names,
}

/// A generated function, in parts.
struct Written {
    name: &'static str,
    attributes: TokenStream,
    generics: Vec<TokenStream>,
    params: Vec<TokenStream>,
    output: TokenStream,
    clause: TokenStream,
    body: TokenStream,
}

impl<'a> Writer<'a> {
    fn new(
        item: &'a ItemFn,
        home: Home,
        options: &Options,
        signature: &'a Signature,
        modes: Modes,
        runtime: Ident,
        names: &'a mut Names,
    ) -> Self {
        let sweeps = modes.reverse.and_then(Derivative::sweeps);
        let tangents = modes.forward.and_then(Derivative::sweeps).or(modes.second);
        let tangents = Writer::tangent_names(signature, tangents, names);
        // Where callers run the method again, its own pullback is called where it is made.
        let joint = matches!(home, Home::Impl { joint: true, .. });
        let recursive = !joint && (options.recursive || sweeps.is_some_and(is_recursive));
        let policy_ty = names.fresh("P", Span::call_site());
        let adjoints = signature
            .params
            .iter()
            .enumerate()
            .map(|(k, param)| match sweeps.and_then(|sweeps| sweeps.adjoints.get(&VarId(k))) {
                Some(name) => name.clone(),
                None => names.fresh(&format!("{}_adj", plain(&param.name)), param.name.span()),
            })
            .collect();
        let krate = options.runtime();
        let (outer, prologue) = match home {
            Home::Module => (quote!(#runtime), TokenStream::new()),
            Home::Impl { .. } => {
                (quote!(#krate::__private), quote!(use #krate::__private as #runtime;))
            }
        };
        let this = names.fresh("this", Span::call_site());
        Writer {
            item,
            home,
            signature,
            ad: runtime,
            outer,
            prologue,
            this,
            policy_ty,
            adjoints,
            tangents,
            recursive,
            strong_zero: options.strong_zero.unwrap_or(true),
            cross_check: options.cross_check,
            second_order: modes.second.is_some(),
            names,
        }
    }
}

impl Writer<'_> {
    fn write(mut self, options: &Options, modes: Modes) -> TokenStream {
        if let Home::Impl { joint, declared } = self.home {
            return self.methods(modes, joint, declared);
        }
        let (ad, krate) = (self.ad.clone(), options.runtime());
        let name = options.name.clone().unwrap_or_else(|| self.signature.name.clone());
        let vis = &self.item.vis;
        let doc = format!(" Derivatives of [`{}()`].", plain(&self.signature.name));
        let tangents = modes.forward.map(|derivative| self.tangents(derivative, false));
        let seconds = modes.second.map(|sweeps| self.seconds(sweeps));
        let adjoints = modes.reverse.map(|derivative| {
            let vjp = self.vjp(derivative);
            let reverse = self.reverse(derivative.is_missing());
            let adjoint = self.adjoint(derivative);
            let gradients = self.gradients(derivative.is_missing(), derivative);
            quote!(#adjoint #gradients #vjp #reverse)
        });
        let driven = self.driven(&name, modes);
        let cfgs = self.cfgs();
        quote! {
            #(#cfgs)*
            #[doc = #doc]
            #[allow(non_camel_case_types, dead_code)]
            #vis enum #name {}

            #(#cfgs)*
            const _: () = {
                use #krate::__private as #ad;

                #[automatically_derived]
                #[allow(unused, clippy::all, clippy::pedantic, clippy::nursery)]
                impl #name {
                    #adjoints
                    #tangents
                    #seconds
                }

                #driven
            };
        }
    }

    fn cfgs(&self) -> Vec<&syn::Attribute> {
        self.item.attrs.iter().filter(|attr| attr.path().is_ident("cfg")).collect()
    }

    /// The name of a generated function: `vjp`, or `loss_vjp` for a method `loss`.
    fn called(&self, name: &str) -> Ident {
        match self.home {
            Home::Module => Ident::new(name, Span::mixed_site()),
            Home::Impl { .. } => {
                let own = &self.signature.name;
                Ident::new(&format!("{}_{name}", plain(own)), own.span())
            }
        }
    }

    /// A call of a generated function: a method's receiver stands in front of everything else.
    fn call(&self, name: &str, first: Option<TokenStream>, args: &[TokenStream]) -> TokenStream {
        let name = self.called(name);
        let by_reference = (first.is_some() && self.owns_receiver()).then(|| quote!(&));
        match (self.signature.self_param(), args) {
            (Some(_), [receiver, rest @ ..]) => {
                let first = first.into_iter();
                quote!(Self::#name(#by_reference #receiver #(, #first)* #(, #rest)*))
            }
            _ => {
                let all = first.iter().chain(args);
                quote!(Self::#name(#(#all),*))
            }
        }
    }

    /// A generated function.
    fn function(&self, written: Written) -> TokenStream {
        let Written { name, attributes, generics, params, output, clause, body } = written;
        let explained = match name {
            "reverse" | "forward" => None,
            "tangent" => Some(self.functional_docs("tangent")),
            _ => Some(self.functional_docs("vjp")),
        };
        let attributes = quote!(#attributes #explained);
        let (name, prologue) = (self.called(name), &self.prologue);
        let body = quote!({ #prologue #body });
        self.declaration(&attributes, &name, &generics, &params, &output, &clause, &body)
    }

    /// A generated function with its body, or `;`.
    #[expect(clippy::too_many_arguments, reason = "the parts of a function")]
    fn declaration(
        &self,
        attributes: &TokenStream,
        name: &Ident,
        generics: &[TokenStream],
        params: &[TokenStream],
        output: &TokenStream,
        clause: &TokenStream,
        body: &TokenStream,
    ) -> TokenStream {
        let (vis, allow) = match self.home {
            Home::Module => (quote!(pub), None),
            Home::Impl { .. } => {
                let (vis, cfgs) = (&self.item.vis, self.cfgs());
                let lints = quote!(unused, clippy::all, clippy::pedantic, clippy::nursery);
                (quote!(#vis), Some(quote!(#(#cfgs)* #[allow(#lints)])))
            }
        };
        let generics = (!generics.is_empty()).then(|| quote!(<#(#generics),*>));
        quote! {
            #attributes
            #allow
            #vis fn #name #generics(#(#params),*) #output #clause #body
        }
    }

    fn ty(&self, param: &Param) -> Type {
        let mut ty = param.syn_ty.clone();
        Elide.visit_type_mut(&mut ty);
        ty
    }

    fn result_ty(&self) -> TokenStream {
        match &self.signature.syn_result {
            Some(ty) => {
                let mut ty = ty.clone();
                Elide.visit_type_mut(&mut ty);
                quote!(#ty)
            }
            None => quote!(()),
        }
    }

    fn has_result(&self) -> bool {
        self.signature.syn_result.is_some()
    }

    fn result_active(&self) -> bool {
        self.signature.result.may_hold_reals() && self.has_result()
    }

    fn adj(&self, param: &Param) -> Ident {
        // Not by name: a macro's parameter may have that of its caller's.
        let k = self.signature.params.iter().position(|other| std::ptr::eq(other, param));
        self.adjoints[k.expect("the parameter is one of the signature's")].clone()
    }

    /// The parameter as the function itself takes it.
    fn primal_param(&self, param: &Param) -> TokenStream {
        let (name, ty) = (&param.name, self.ty(param));
        if param.name == "self" {
            return match param.passing {
                Passing::Value => quote!(self),
                Passing::Ref => quote!(&self),
                Passing::RefMut => quote!(&mut self),
            };
        }
        match param.passing {
            // A function by its type parameter, be it declared as a reference or not.
            Passing::Value => quote!(#name: #ty),
            Passing::Ref => quote!(#name: &#ty),
            Passing::RefMut => quote!(#name: &mut #ty),
        }
    }

    /// The types of the pullback's parameters.
    fn pullback_types(&self) -> Vec<TokenStream> {
        let mut types = Vec::new();
        for param in &self.signature.params {
            let ty = self.ty(param);
            match param.passing {
                Passing::Value => continue,
                Passing::Ref => types.push(quote!(&#ty)),
                Passing::RefMut => types.push(quote!(&mut #ty)),
            }
            if param.active {
                types.push(quote!(&mut #ty));
            }
        }
        if self.result_active() {
            types.push(self.result_ty());
        }
        types
    }

    /// What the pullback returns: adjoints of active by-value parameters.
    fn pullback_result(&self) -> TokenStream {
        let types: Vec<Type> = self.by_value().map(|param| self.ty(param)).collect();
        tuple(types.iter().map(|ty| quote!(#ty)).collect())
    }

    fn by_value(&self) -> impl Iterator<Item = &Param> {
        let params = self.signature.params.iter();
        params.filter(|param| param.active && param.passing == Passing::Value)
    }

    /// The names of the adjoints that the pullback returns.
    fn value_adjoints(&self) -> Vec<TokenStream> {
        self.by_value().map(|param| self.adj(param).to_token_stream()).collect()
    }

    fn active(&self) -> impl Iterator<Item = &Param> {
        self.signature.params.iter().filter(|param| param.active)
    }

    /// Whether the function is a method that takes its receiver by value.
    fn owns_receiver(&self) -> bool {
        self.signature.self_param().is_some_and(|param| param.passing == Passing::Value)
    }

    fn primal_params(&self) -> Vec<TokenStream> {
        self.signature.params.iter().map(|param| self.primal_param(param)).collect()
    }

    /// The parameters as the function takes them, `mut` included.
    fn mutable_params(&self) -> Vec<TokenStream> {
        let params = self.signature.params.iter().map(|param| {
            let mutability = param.mutable.then(|| quote!(mut));
            let param = self.primal_param(param);
            quote!(#mutability #param)
        });
        params.collect()
    }

    /// The function as documentation links to it.
    fn linked(&self) -> String {
        let name = plain(&self.signature.name);
        match self.home {
            Home::Module => name,
            Home::Impl { .. } => format!("Self::{name}"),
        }
    }
}

/// Whether a `&mut` parameter is state such as a random number generator: data of a type that is not
/// known here. No pullback reads it, so nobody keeps copies.
fn is_state(param: &Param) -> bool {
    !param.active && param.ty.peeled().is_opaque()
}

/// No element: `()`; one: itself; more: a tuple.
fn tuple(mut parts: Vec<TokenStream>) -> TokenStream {
    match parts.len() {
        0 => quote!(()),
        1 => parts.remove(0),
        _ => quote!((#(#parts),*)),
    }
}

/// `-> ty`, unless that is `()`.
fn arrow(ty: &TokenStream) -> TokenStream {
    if ty.to_string() == "()" { TokenStream::new() } else { quote!(-> #ty) }
}

fn has_dynamic_shape(ty: &Ty) -> bool {
    match ty.peeled() {
        Ty::Slice(_) | Ty::Named | Ty::Number | Ty::Wrapped { .. } | Ty::Unknown => true,
        Ty::Array { elem, heap } => *heap || has_dynamic_shape(elem),
        Ty::Tuple(parts) => parts.iter().any(has_dynamic_shape),
        _ => false,
    }
}

/// Elides lifetimes: generated signatures tie no borrow to another.
pub struct Elide;

impl VisitMut for Elide {
    fn visit_type_reference_mut(&mut self, reference: &mut syn::TypeReference) {
        reference.lifetime.take_if(|lifetime| lifetime.ident != "static");
        visit_mut::visit_type_reference_mut(self, reference);
    }

    fn visit_lifetime_mut(&mut self, lifetime: &mut syn::Lifetime) {
        if lifetime.ident != "static" {
            lifetime.ident = Ident::new("_", lifetime.ident.span());
        }
    }
}
