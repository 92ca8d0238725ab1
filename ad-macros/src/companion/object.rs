//! Methods on trait objects: what a trait object adds to the functions next to a method.
//!
//! The adjoint of a `Box<dyn Trait>` is a `Box<dyn Trait>`, with the type of its primal behind it. A hidden
//! trait, which all that implement `Trait` have, finds that type again.

use super::{Derivative, Modes, Writer, Written};
use crate::attr::Options;
use crate::expand::Home;
use crate::names::Names;
use crate::signature::{Passing, Signature};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::ItemFn;

/// What a method adds to the support of trait objects.
#[derive(Default)]
pub struct ObjectMethod {
    /// Its declaration in the hidden trait.
    pub declared: TokenStream,
    /// Its implementation for a type that is known.
    pub implemented: TokenStream,
    /// The derivatives of a `Box<dyn Trait>`.
    pub boxed: TokenStream,
}

impl ObjectMethod {
    fn extend(&mut self, other: ObjectMethod) {
        self.declared.extend(other.declared);
        self.implemented.extend(other.implemented);
        self.boxed.extend(other.boxed);
    }
}

/// The functions of a method on `dyn object`.
pub fn object_method(
    item: &ItemFn,
    options: &Options,
    signature: &Signature,
    object: &Ident,
    names: &mut Names,
) -> ObjectMethod {
    let runtime = names.fresh("ad", Span::call_site());
    let home = Home::Impl { joint: true, declared: false };
    let missing = |wanted: bool| wanted.then_some(Derivative::Missing);
    let (reverse, forward) = (missing(options.reverse), missing(options.forward));
    let modes = Modes { reverse, forward, second: None };
    let writer = Writer::new(item, home, options, signature, modes, runtime, names);
    let mut method = ObjectMethod::default();
    if options.reverse {
        method.extend(writer.object_adjoint(object));
    }
    if options.forward {
        method.extend(writer.object_tangent(object));
    }
    method
}

impl Writer<'_> {
    fn object_adjoint(&self, object: &Ident) -> ObjectMethod {
        let receiver = self.signature.self_param().expect("a method has a receiver");
        let (outer, own) = (&self.outer, self.called("adjoint"));
        let written = self.adjoint_of(Derivative::Missing, TokenStream::new());
        let (output, mut params) = (written.output.clone(), written.params.clone());
        let args = self.adjoint_args();
        if !receiver.active {
            let body = quote!((**self).#own(#(#args),*));
            let boxed = self.function(Written { body, ..written });
            return ObjectMethod { boxed, ..ObjectMethod::default() };
        }
        let (adjoint, name) = (self.adj(receiver), self.called("object"));
        params[1] = quote!(#adjoint: &mut (dyn #object + 'static));
        let head = quote!(fn #name(#(#params),*) #output);
        let body = quote!((**self).#name(&mut **#adjoint #(, #args)*));
        ObjectMethod {
            declared: quote!(#head;),
            implemented: quote! {
                #[track_caller]
                #head {
                    let #adjoint = #outer::behind_object::<Self>(#adjoint);
                    Self::#own(self, #adjoint #(, #args)*)
                }
            },
            boxed: self.function(Written { body, ..written }),
        }
    }

    fn object_tangent(&self, object: &Ident) -> ObjectMethod {
        let receiver = self.signature.self_param().expect("a method has a receiver");
        let (outer, own) = (&self.outer, self.called("tangent"));
        let written = self.tangent_of(TokenStream::new(), false);
        let (output, mut params) = (written.output.clone(), written.params.clone());
        let mut args = self.tangent_args();
        args.remove(0);
        if !receiver.active {
            let body = quote!((**self).#own(#(#args),*));
            let boxed = self.function(Written { body, ..written });
            return ObjectMethod { boxed, ..ObjectMethod::default() };
        }
        args.remove(0);
        let (tangent, name) = (self.tan(receiver), self.called("object_tangent"));
        let changes = receiver.passing == Passing::RefMut;
        let mutability = changes.then(|| quote!(mut));
        params[1] = quote!(#tangent: &#mutability (dyn #object + 'static));
        let head = quote!(fn #name(#(#params),*) #output);
        let body = quote!((**self).#name(&#mutability **#tangent #(, #args)*));
        let found = match changes {
            true => quote!(behind_object),
            false => quote!(seen_object),
        };
        ObjectMethod {
            declared: quote!(#head;),
            implemented: quote! {
                #[track_caller]
                #head {
                    let #tangent = #outer::#found::<Self>(#tangent);
                    Self::#own(self, #tangent #(, #args)*)
                }
            },
            boxed: self.function(Written { body, ..written }),
        }
    }

    /// The arguments of `adjoint` behind the receiver and its adjoint, by their names.
    fn adjoint_args(&self) -> Vec<TokenStream> {
        let mut args = Vec::new();
        for param in self.signature.params.iter().skip(1) {
            let (name, adj) = (&param.name, self.adj(param));
            args.push(quote!(#name));
            args.extend((param.active && param.passing != Passing::Value).then(|| quote!(#adj)));
        }
        if self.result_active() {
            let seed = self.local("seed");
            args.push(quote!(#seed));
        }
        args
    }
}
