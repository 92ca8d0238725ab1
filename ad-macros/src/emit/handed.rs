//! Functions as arguments, and calls that the reverse sweep runs again for their sake.
//!
//! ```text
//! let a_shared = &ad::Shared::new(&mut a_adj);
//! let (value, f_pullback) = f::vjp(ad::Unspecified, |_: ad::Unspecified, x| {
//!     let t = a * x;                                // forward sweep of the closure
//!     (t, move |seed| {
//!         let a_adj = a_shared.take();
//!         let x_adj = ad::pull(seed, a);            // reverse sweep of the closure
//!         *a_adj += ad::pull(seed, x);
//!         a_shared.give(a_adj);
//!         x_adj
//!     })
//! }, x0);
//! let x0_part = f::reverse(f_pullback, value_adj);
//! ```
//!
//! The pullbacks of a closure are many, and each adds to the adjoints of what the closure captures: so
//! these lie in a cell, from which each pullback takes them and to which it gives them back.

use super::Emit;
use crate::ir::*;
use crate::lambda::Derived;
use crate::names::{Names, plain};
use crate::signature::{Param, Passing};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::Expr;

/// What a closure captures, as the reverse sweep around it has it.
pub(super) struct Captured {
    /// The reference to its contents.
    pub primal: Expr,
    /// The reference to its adjoint.
    pub adjoint: Option<TokenStream>,
}

impl Emit<'_> {
    /// The arguments of a companion's `vjp`; a closure has its own, from what it captures.
    pub(super) fn vjp_args(&mut self, call: &Call) -> Vec<TokenStream> {
        call.written().iter().map(|arg| self.vjp_arg(arg)).collect()
    }

    fn vjp_arg(&mut self, arg: &Arg) -> TokenStream {
        match arg {
            Arg::Function(Handed::Path { path, .. }) => companion_function(path, "vjp"),
            Arg::Function(Handed::Param { of, .. }) => {
                let vjp = &of.vjp;
                quote!(#vjp)
            }
            other => {
                let arg = self.plain_arg(other);
                quote!(#arg)
            }
        }
    }

    /// An argument of a call without derivative.
    pub(super) fn plain_arg(&mut self, arg: &Arg) -> Expr {
        let referred = |by_reference: &bool| by_reference.then(|| quote!(&));
        match arg {
            Arg::Value(atom) => self.moved(atom),
            Arg::Ref { place, mutable } => self.reference(place, *mutable),
            Arg::Function(Handed::Path { path, by_reference }) => {
                let referred = referred(by_reference);
                syn::parse_quote!(#referred #path)
            }
            Arg::Function(Handed::Param { of, by_reference }) => {
                let (name, referred) = (&of.functional.name, referred(by_reference));
                syn::parse_quote!(#referred #name)
            }
            Arg::Function(Handed::Closure(lambda)) => self.atom(&lambda.plain),
            Arg::Function(Handed::Refused { plain, .. }) => self.atom(plain),
        }
    }

    /// `let (value, f_pullback) = f::vjp(…);` in the reverse sweep, and what it needs in front.
    pub(super) fn run_again(
        &mut self,
        call: &Call,
        written: &[PullbackArg],
        mut captured: Vec<Captured>,
    ) -> TokenStream {
        let (mut before, mut args) = (TokenStream::new(), Vec::new());
        let mut places = written.iter();
        let mut functions = Vec::new();
        for (k, arg) in call.written().iter().enumerate() {
            if let Arg::Function(Handed::Closure(lambda)) = arg {
                let own = lambda.signature.params[..lambda.captures].iter();
                let own = own.filter(|param| param.functional.is_none()).count();
                let rest = captured.split_off(own);
                let own = std::mem::replace(&mut captured, rest);
                functions.push((k, self.closure(call, k, lambda, own, &mut before)));
            }
        }
        for (k, arg) in call.written().iter().enumerate() {
            let closure = functions.iter().find(|(at, _)| *at == k);
            args.push(match (closure, arg) {
                (Some((_, closure)), _) => closure.clone(),
                (None, Arg::Ref { .. }) => {
                    // Where it lies in the reverse sweep.
                    let arg = places.next().expect("a pullback has every reference argument");
                    let primal = self.reference(&arg.place, arg.mutable);
                    let primal = self.handed_on(primal, arg);
                    quote!(#primal)
                }
                (None, arg) => self.vjp_arg(arg),
            });
        }
        let (ad, name) = (self.ad.clone(), self.name(call.pullback));
        let writes = |arg: &Arg| matches!(arg, Arg::Ref { mutable: true, .. });
        let policy = match call.written().iter().any(writes) {
            true => quote!(#ad::Restored),
            false => quote!(#ad::Unspecified),
        };
        let code = self.vjp_call(call, &policy, &quote!(&#policy), args);
        let made = match call.dest {
            None => quote!(let #name = #code;),
            Some(dest) if self.var(dest).ty.is_real() => {
                let again = self.names.fresh("value_again", call.span);
                let (value, function) = (self.atom(&Atom::Var(dest)), plain(call.callee.name()));
                quote! {
                    let (#again, #name) = #code;
                    #ad::assert_same(#function, #value, #again);
                }
            }
            Some(_) => quote!(let (_, #name) = #code;),
        };
        quote!(#before #made)
    }

    /// A closure as a `vjp`.
    fn closure(
        &mut self,
        call: &Call,
        k: usize,
        lambda: &Lambda,
        captured: Vec<Captured>,
        before: &mut TokenStream,
    ) -> TokenStream {
        let Some(derived) = self.sweeps.lambdas.get(&(call.pullback, k)) else {
            panic!("argument {k} of `{}` is a closure without sweeps", call.callee.name());
        };
        let around = Around {
            ad: self.ad.clone(),
            strong_zero: self.strong_zero,
            scalar: self.scalar.clone(),
        };
        let closure = Closure { lambda, derived, around };
        let shared = closure.bind(captured, self.names, before);
        closure.write(&shared)
    }
}

/// What a closure shares with the function around it.
struct Around {
    ad: Ident,
    strong_zero: bool,
    scalar: Option<Ident>,
}

struct Closure<'a> {
    lambda: &'a Lambda,
    derived: &'a Derived,
    around: Around,
}

impl Closure<'_> {
    /// Binds what the closure captures; gives the cells of the adjoints, by variable.
    fn bind(
        &self,
        captured: Vec<Captured>,
        names: &mut Names,
        before: &mut TokenStream,
    ) -> Vec<(VarId, Ident)> {
        let (ad, mut cells) = (&self.around.ad, Vec::new());
        for ((param, id), captured) in self.captured().zip(captured) {
            before.extend(bound(&param.name, param, &captured.primal));
            if let (Some(adjoint), true) =
                (captured.adjoint, self.derived.sweeps.adjoints.contains_key(&id))
            {
                let cell =
                    names.fresh(&format!("{}_shared", plain(&param.name)), Span::call_site());
                before.extend(quote!(let #cell = &#ad::Shared::new(#adjoint);));
                cells.push((id, cell));
            }
        }
        cells
    }

    /// The captured variables, without functions.
    fn captured(&self) -> impl Iterator<Item = (&Param, VarId)> {
        let params = &self.derived.signature.params[..self.lambda.captures];
        let all = params.iter().zip(self.derived.sweeps.function.params.iter().copied());
        all.filter(|(param, _)| param.functional.is_none())
    }

    fn write(&self, cells: &[(VarId, Ident)]) -> TokenStream {
        let (ad, sweeps) = (&self.around.ad, &self.derived.sweeps);
        let inputs = &self.derived.signature.params[self.lambda.captures..];
        let mut names = self.derived.names.clone();
        let [policy_ty, policy] =
            ["Policy", "policy"].map(|wish| names.fresh(wish, Span::call_site()));
        let owned = || self.captured().filter(|(param, _)| !matches!(param.ty, Ty::Ref { .. }));
        let (scalar, zero) = (self.around.scalar.clone(), self.around.strong_zero);
        let policies = (policy_ty.clone(), policy.clone());
        let mut emit = Emit::new(sweeps, ad.clone(), policies, zero, scalar, &mut names);
        emit.borrowed = owned().map(|(_, id)| id).collect();
        let (forward, result) = emit.forward();
        let reverse = emit.reverse();
        let (seed_grows, policy_used) = (emit.seed_grows(), emit.policy_used());

        let (takes, gives): (TokenStream, TokenStream) = cells
            .iter()
            .map(|(id, cell)| {
                let adjoint = &sweeps.adjoints[id];
                (quote!(let #adjoint = #cell.take();), quote!(#cell.give(#adjoint);))
            })
            .unzip();
        let pulled = self.pulled(inputs, seed_grows);
        let returned = self.returned(inputs);
        let pullback = quote!(move |#(#pulled),*| { #takes #reverse #gives #returned });
        // What is not copied into the pullback is lent to it.
        let lent: TokenStream = owned()
            .filter(|(param, id)| !param.ty.is_copy() && super::is_wanted(sweeps, *id))
            .map(|(param, _)| {
                let name = &param.name;
                quote!(let #name = &#name;)
            })
            .collect();
        let pullback = if lent.is_empty() { pullback } else { quote!({ #lent #pullback }) };
        let end = match result {
            Some(result) if self.is_moved() => {
                let value = names.fresh("value", Span::call_site());
                quote!(let #value = #result.clone(); (#value, #pullback))
            }
            Some(result) => quote!((#result, #pullback)),
            None => pullback,
        };
        let (stacks, slots) = (&sweeps.stacks, &sweeps.slots);
        let body = quote! {
            #(let mut #stacks = #ad::Stack::new();)*
            #(let mut #slots = #ad::None;)*
            #forward
            #end
        };
        let known =
            if self.lambda.writes { quote!(#ad::Restored) } else { quote!(#ad::Unspecified) };
        let alias = mentions(&body, &policy_ty)
            .then(|| quote!(use #ad::Restore as _; type #policy_ty = #known;));
        let policy = if policy_used { quote!(#policy) } else { quote!(_) };
        let args = inputs.iter().zip(&self.lambda.inputs).map(|(param, written)| {
            let (name, mutability) = (&param.name, param.mutable.then(|| quote!(mut)));
            let ty = written.as_ref().map(|ty| quote!(: #ty));
            quote!(#mutability #name #ty)
        });
        quote!(|#policy: #known #(, #args)*| { #alias #body })
    }

    fn id(&self, param: &Param) -> VarId {
        let params = &self.derived.signature.params;
        let k = params.iter().position(|other| std::ptr::eq(other, param));
        self.derived.sweeps.function.params[k.expect("the parameter is one of the signature's")]
    }

    /// The parameters of the pullback.
    fn pulled(&self, inputs: &[Param], seed_grows: bool) -> Vec<TokenStream> {
        let sweeps = &self.derived.sweeps;
        let mut params = Vec::new();
        for (param, written) in inputs.iter().zip(&self.lambda.inputs) {
            let (name, ty) = (&param.name, &param.syn_ty);
            let known = written.is_some();
            let mutability = match param.passing {
                Passing::Value => continue,
                Passing::Ref => None,
                Passing::RefMut => Some(quote!(mut)),
            };
            let primal = known.then(|| quote!(: &#mutability #ty));
            params.push(quote!(#name #primal));
            if param.active {
                let adjoint = &sweeps.adjoints[&self.id(param)];
                let ty = known.then(|| quote!(: &mut #ty));
                params.push(quote!(#adjoint #ty));
            }
        }
        let result = &self.derived.signature.result;
        if self.lambda.has_result && result.may_hold_reals() {
            let (seed, mutability) = (&sweeps.seed, seed_grows.then(|| quote!(mut)));
            let ty = self.derived.signature.syn_result.as_ref().map(|ty| quote!(: #ty));
            params.push(quote!(#mutability #seed #ty));
        }
        params
    }

    /// The adjoints of the arguments that are passed by value.
    fn returned(&self, inputs: &[Param]) -> TokenStream {
        let (ad, sweeps) = (&self.around.ad, &self.derived.sweeps);
        let owned = inputs.iter().filter(|p| p.active && p.passing == Passing::Value);
        let adjoints: Vec<TokenStream> = owned
            .map(|param| {
                let id = self.id(param);
                if sweeps.begun.contains(&id) {
                    let name = &sweeps.adjoints[&id];
                    return quote!(#name);
                }
                let name = &param.name;
                match param.ty {
                    Ty::Float => quote!(0.0),
                    Ty::Generic => quote!(#ad::zero()),
                    _ => quote!(#ad::zeros(&#name)),
                }
            })
            .collect();
        match &adjoints[..] {
            [] => TokenStream::new(),
            [single] => single.clone(),
            several => quote!((#(#several),*)),
        }
    }

    /// Whether the result is a variable that the pullback captures too.
    fn is_moved(&self) -> bool {
        let sweeps = &self.derived.sweeps;
        let result = sweeps.function.body.result.as_ref().and_then(Atom::var);
        result.is_some_and(|var| {
            !sweeps.function.var(var).ty.is_copy() && super::is_wanted(sweeps, var)
        })
    }
}

/// `let a = …;`, unless the variable has that name already.
pub(super) fn bound(name: &Ident, param: &Param, primal: &Expr) -> Option<TokenStream> {
    let is_name = |expr: &Expr| matches!(expr, Expr::Path(path) if path.path.is_ident(name));
    match primal {
        Expr::Reference(reference) if is_name(&reference.expr) => None,
        known if is_name(known) => None,
        Expr::Reference(reference) if param.ty.is_copy() => {
            let value = &reference.expr;
            Some(quote!(let #name = #value;))
        }
        known if param.ty.is_copy() => Some(quote!(let #name = *#known;)),
        known => Some(quote!(let #name = #known;)),
    }
}

/// `f::vjp`, with the span of `f`, so that a function without companion is blamed itself.
pub(super) fn companion_function(path: &syn::Path, name: &str) -> TokenStream {
    let mut path = path.clone();
    let mut span = Span::call_site();
    if let Some(last) = path.segments.last_mut() {
        last.arguments = syn::PathArguments::None;
        span = last.ident.span();
    }
    let method = Ident::new(name, span);
    quote!(#path::#method)
}

/// Whether tokens mention a name.
pub fn mentions(tokens: &TokenStream, name: &Ident) -> bool {
    tokens.clone().into_iter().any(|token| match token {
        proc_macro2::TokenTree::Ident(ident) => ident == *name,
        proc_macro2::TokenTree::Group(group) => mentions(&group.stream(), name),
        _ => false,
    })
}
