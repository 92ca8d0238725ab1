//! Calls of companions: `vjp` in the forward sweep, `reverse` in the reverse sweep.

use super::handed::{Captured, companion_function};
use super::tape::reborrowed;
use super::{Emit, policy_of};
use crate::ir::*;
use crate::record::Restoring;
use crate::signature::Passing;
use proc_macro2::TokenStream;
use quote::quote;
use syn::Expr;

impl Emit<'_> {
    /// `let (y, f_pullback) = f::vjp(policy, x);`
    pub(super) fn split_call(&mut self, call: &Call, restoring: Restoring) -> TokenStream {
        let policy = policy_of(self, restoring);
        // A method may take any policy by reference, as no caller can know.
        let borrowed = match restoring {
            Restoring::Inherit => {
                let policy_ty = &self.policy.0;
                quote!(#policy_ty::BORROWED)
            }
            Restoring::Unspecified | Restoring::Restored => quote!(&#policy),
        };
        let args = self.vjp_args(call);
        let pullback = self.name(call.pullback);
        let code = self.vjp_call(call, &policy, &borrowed, args);
        let Some(dest) = call.dest else {
            return quote!(let #pullback = #code;);
        };
        let name = self.name(dest);
        if self.hoisted.contains(&dest) {
            return quote!(let #pullback; (#name, #pullback) = #code;);
        }
        let mutability = self.mutability(dest);
        quote!(let (#mutability #name, #pullback) = #code;)
    }

    /// `f::vjp(policy, x)`; a method takes the policy by reference.
    pub(super) fn vjp_call(
        &self,
        call: &Call,
        policy: &TokenStream,
        borrowed: &TokenStream,
        args: Vec<TokenStream>,
    ) -> TokenStream {
        let vjp = self.companion_path(call, "vjp");
        match call.companion() {
            Callee::Method(_) => {
                let mut args = args.into_iter();
                let receiver = args.next().expect("a method has a receiver");
                let receiver = syn::parse2(receiver).expect("an argument is an expression");
                let (receiver, _) = self.receiver_of(call, vec![receiver]);
                quote!(#receiver.#vjp(#borrowed #(, #args)*))
            }
            Callee::Operator { .. } => panic!("an operator has no pullback of its own"),
            Callee::Associated(_) => quote!(#vjp(#borrowed #(, #args)*)),
            Callee::Function(_) => quote!(#vjp(#policy #(, #args)*)),
            Callee::Param(of) => {
                let (ad, vjp) = (&self.ad, &of.vjp);
                let known =
                    if of.functional.writes() { quote!(Restored) } else { quote!(Unspecified) };
                quote!(#vjp(#ad::#known #(, #args)*))
            }
        }
    }

    /// `f::vjp`, with the span of `f`, so that a function without companion is blamed itself.
    pub(super) fn companion_path(&self, call: &Call, name: &str) -> TokenStream {
        let method = proc_macro2::Ident::new(name, call.span);
        match call.companion() {
            Callee::Function(_) if call.recursive => quote!(Self::#method),
            Callee::Function(path) => companion_function(path, name),
            Callee::Param(of) => {
                let name = &of.functional.name;
                quote!(#name)
            }
            Callee::Associated(path) => {
                let mut path = path.clone();
                if let Some(last) = path.path.segments.last_mut() {
                    last.ident = sibling(&last.ident, name);
                }
                quote!(#path)
            }
            Callee::Method(own) => {
                let method = sibling(own, name);
                quote!(#method)
            }
            Callee::Operator { .. } => quote!(#method),
        }
    }

    /// A primal argument, reborrowed where it would be moved.
    pub(super) fn handed_on(&self, primal: Expr, arg: &PullbackArg) -> Expr {
        let ty = arg.place.var().map(|var| &self.var(var).ty);
        match (arg.mutable, ty) {
            (true, _) => reborrowed(primal),
            (false, Some(Ty::Ref { mutable: true, .. })) if matches!(primal, Expr::Path(_)) => {
                syn::parse_quote!(&*#primal)
            }
            _ => primal,
        }
    }

    /// `let (x_part, _) = f::reverse(f_pullback, (w, w_adj), y_adj);`
    pub(super) fn pullback(&mut self, pullback: &PullbackCall) -> TokenStream {
        let call = &pullback.call;
        if let Callee::Operator { op, assigns, .. } = call.companion() {
            return self.operator_pullback(*op, *assigns, pullback);
        }
        let (mut before, mut after) = (TokenStream::new(), TokenStream::new());
        let referred = call.written().iter().filter(|arg| matches!(arg, Arg::Ref { .. })).count();
        let (written, captured) = pullback.args.split_at(referred);
        let captured = captured.iter().map(|arg| {
            let (primal, adjoint) = self.handed_over(arg, &mut before, &mut after);
            Captured { primal, adjoint }
        });
        let captured: Vec<Captured> = captured.collect();
        let again = call.again.then(|| self.run_again(call, written, captured));
        let seed = pullback.seed.as_ref().map(|seed| self.atom(seed));
        let code = match call.companion() {
            Callee::Param(of) => self.own_pullback(of, pullback, seed, &mut before, &mut after),
            _ => self.reversed(pullback, written, seed, &mut before, &mut after),
        };
        let code = match again {
            Some(again) => quote!({ #again #code }),
            None => code,
        };
        let results: Vec<TokenStream> = pullback
            .results
            .iter()
            .map(|result| match result {
                Some(var) => {
                    let name = self.name(*var);
                    quote!(#name)
                }
                None => quote!(_),
            })
            .collect();
        let code = match &results[..] {
            _ if pullback.results.iter().all(Option::is_none) => quote!(#code;),
            [single] => quote!(let #single = #code;),
            several => quote!(let (#(#several),*) = #code;),
        };
        quote!(#before #code #after)
    }

    /// `f::reverse(f_pullback, (w, w_adj), y_adj)`
    fn reversed(
        &mut self,
        pullback: &PullbackCall,
        written: &[PullbackArg],
        seed: Option<Expr>,
        before: &mut TokenStream,
        after: &mut TokenStream,
    ) -> TokenStream {
        let reverse = self.companion_path(&pullback.call, "reverse");
        let name = self.name(pullback.call.pullback);
        let method = matches!(pullback.call.companion(), Callee::Method(_));
        let (receiver, rest) = written.split_at(usize::from(method));
        let mut args: Vec<TokenStream> = Vec::new();
        let mut front = None;
        for arg in receiver {
            let (primal, adjoint) = self.handed_over(arg, before, after);
            let (primal, _) = self.receiver_of(&pullback.call, vec![primal]);
            front = Some(quote!(#primal.));
            let ad = &self.ad;
            args.push(adjoint.unwrap_or_else(|| quote!(#ad::Constant(()))));
        }
        args.push(quote!(#name));
        for arg in rest {
            let (primal, adjoint) = self.handed_over(arg, before, after);
            let (primal, ad) = (self.handed_on(primal, arg), &self.ad);
            args.push(match adjoint {
                Some(adjoint) => quote!((#primal, #adjoint)),
                None => quote!(#ad::Constant(#primal)),
            });
        }
        args.push(seed.map_or_else(|| quote!(()), |seed| quote!(#seed)));
        quote!(#front #reverse(#(#args),*))
    }

    /// `f_pullback(x, x_adj, y_adj)`, for a parameter that is a function: all its parameters are
    /// active, and it gives no adjoints of others.
    fn own_pullback(
        &mut self,
        of: &CalledParam,
        pullback: &PullbackCall,
        seed: Option<Expr>,
        before: &mut TokenStream,
        after: &mut TokenStream,
    ) -> TokenStream {
        let ad = self.ad.clone();
        let name = self.name(pullback.call.pullback);
        let inputs = &of.functional.inputs;
        let mut args: Vec<TokenStream> = Vec::new();
        let referred = inputs.iter().filter(|input| input.passing != Passing::Value);
        for (input, arg) in referred.zip(&pullback.args) {
            let (primal, adjoint) = self.handed_over(arg, before, after);
            let primal = self.handed_on(primal, arg);
            if input.active && adjoint.is_none() {
                let part = self.names.fresh("part_adj", pullback.call.span);
                before.extend(quote!(let mut #part = #ad::zeros(#primal);));
                args.push(quote!(#primal, &mut #part));
            } else {
                let adjoint = adjoint.into_iter();
                args.push(quote!(#primal #(, #adjoint)*));
            }
        }
        if of.functional.result_active() {
            args.extend(seed.map(|seed| quote!(#seed)));
        }
        let call = quote!(#name(#(#args),*));
        let owned: Vec<bool> = inputs
            .iter()
            .filter(|input| input.passing == Passing::Value)
            .map(|input| input.active)
            .collect();
        if owned.iter().all(|active| *active) {
            return call;
        }
        let names = (0..owned.len()).map(|k| quote::format_ident!("part_{}", k));
        let parts: Vec<proc_macro2::Ident> = names.collect();
        let found = parts.iter().zip(&owned).filter(|(_, active)| **active).map(|(part, _)| part);
        let found: Vec<&proc_macro2::Ident> = found.collect();
        let all = parts.iter().zip(&owned).map(|(part, active)| match active {
            true => quote!(#part),
            false => quote!(#ad::ConstantInCallee),
        });
        let all: Vec<TokenStream> = all.collect();
        quote!({ let (#(#found),*) = #call; (#(#all),*) })
    }

    /// A reference argument of a pullback, and its adjoint if it has one.
    pub(super) fn handed_over(
        &mut self,
        arg: &PullbackArg,
        before: &mut TokenStream,
        after: &mut TokenStream,
    ) -> (Expr, Option<TokenStream>) {
        let ad = self.ad.clone();
        let primal = self.reference(&arg.place, arg.mutable);
        let adjoint = match &arg.adjoint {
            Passed::Constant => None,
            Passed::InPlace => {
                let adjoint = reborrowed(self.adjoint_reference(&arg.place, true));
                Some(quote!(#adjoint))
            }
            Passed::Temporary(part) => {
                before.extend(quote!(let mut #part = #ad::zeros(#primal);));
                let target = self.adjoint_reference(&arg.place, true);
                after.extend(quote!(#ad::accumulate(#target, &#part);));
                Some(quote!(&mut #part))
            }
        };
        (primal, adjoint)
    }
}

/// The companion function of a method: `loss_vjp`.
fn sibling(name: &proc_macro2::Ident, suffix: &str) -> proc_macro2::Ident {
    let text = format!("{}_{suffix}", crate::names::plain(name));
    proc_macro2::Ident::new(&text, name.span())
}
