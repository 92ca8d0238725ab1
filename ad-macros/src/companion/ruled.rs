//! The body of `vjp` for a function whose derivative its author wrote.

use super::{Generics, Writer, Written, is_state, tuple};
use crate::custom::{Partial, Rule};
use crate::expand::Home;
use crate::ir::Ty;
use crate::names::plain;
use crate::signature::{Param, Passing, ungroup};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::Type;
use syn::spanned::Spanned;

impl Writer<'_> {
    /// The value and the pullback, by the rule; a method that takes its receiver has it as `own`.
    pub(super) fn ruled(&mut self, rule: &Rule, own: TokenStream) -> TokenStream {
        match rule {
            Rule::Vjp(path) => self.ruled_by_vjp(path, own),
            Rule::Partials(rows) => self.ruled_by_partials(rows, own),
            Rule::Zero => self.ruled_zero(own),
            Rule::Jvp(_) => panic!("a tangent gives no pullback"),
        }
    }

    /// Calls the user's `vjp`, and puts buffers back for callers that read them.
    fn ruled_by_vjp(&mut self, path: &syn::ExprPath, own: TokenStream) -> TokenStream {
        if !self.keeps_buffers() {
            return self.rule_call(path, &own);
        }
        let (saves, restores) = self.saves();
        let call = self.call("unrestored", None, &self.handed_on(&own));
        let seed = self.fresh_seed();
        let params = self.pullback_params(|k| self.adjoints[k].clone(), &seed);
        let seed = self.result_active().then_some(seed);
        let args = self.pullback_arguments().into_iter().chain(seed);
        let pullback = self.names.fresh("pullback", Span::call_site());
        let found = tuple(self.value_adjoints());
        let run = match found.to_string() == "()" {
            true => quote!(#pullback(#(#args),*); #restores),
            false => quote!(let #found = #pullback(#(#args),*); #restores #found),
        };
        let closure = quote!(move |#(#params),*| { #run });
        if !self.has_result() {
            return quote!(#saves let #pullback = #call; #closure);
        }
        let value = self.names.fresh("value", Span::call_site());
        quote!(#saves let (#value, #pullback) = #call; (#value, #closure))
    }

    /// The value and the pullback of the rule itself, which `vjp` wraps: as a function of its own it
    /// shows the compiler what the pullback has to be.
    pub(super) fn unrestored(&mut self, path: &syn::ExprPath) -> TokenStream {
        let Generics { params: generics, clause, captured } = self.generics();
        let output = located_at(self.vjp_output(&captured), path.span());
        let written = Written {
            name: "unrestored",
            attributes: quote!(#[doc(hidden)] #[inline]),
            generics,
            params: self.primal_params(),
            output: quote!(-> #output),
            clause,
            body: self.rule_call(path, &quote!(self)),
        };
        self.function(written)
    }

    /// A call of the rule.
    fn rule_call(&mut self, path: &syn::ExprPath, own: &TokenStream) -> TokenStream {
        let rule = self.names.fresh("rule", path.span());
        let types = self.signature.params.iter().map(|param| self.passed_type(param));
        let returned = match self.has_result() {
            true => {
                let result_ty = self.result_ty();
                quote!((#result_ty, _))
            }
            false => quote!(_),
        };
        let args = self.handed_on(own);
        // Nothing but the path is to blame for what the rule returns.
        let call = located_at(quote!(#rule(#(#args),*)), path.span());
        // The type is what a rule has to be: the compiler shows it if the user's is another.
        quote!(let #rule: fn(#(#types),*) -> #returned = #path; #call)
    }

    /// `x_adj = seed * ∂value/∂x` for each active parameter.
    fn ruled_by_partials(&mut self, rows: &[Partial], own: TokenStream) -> TokenStream {
        let value =
            value_ident(rows).unwrap_or_else(|| self.names.fresh("value", Span::call_site()));
        let call = self.own_call(&own);
        let seed = self.fresh_seed();
        let (ad, mut parts) = (self.ad.clone(), TokenStream::new());
        for (k, param) in self.signature.params.iter().enumerate() {
            let Some(row) = rows.iter().find(|row| param.active && row.param == param.name) else {
                continue;
            };
            let (adj, expr) = (&self.adjoints[k], &row.expr);
            let expr = with_receiver(quote!(#expr), &self.this);
            parts.extend(match param.passing {
                Passing::Value => quote!(let #adj = #ad::pull(#seed, #expr);),
                Passing::Ref | Passing::RefMut => quote!(*#adj += #ad::pull(#seed, #expr);),
            });
        }
        let (saves, restores) = self.saves();
        let params = self.pullback_params(|k| self.adjoints[k].clone(), &seed);
        let found = tuple(self.value_adjoints());
        let found = (found.to_string() != "()").then_some(found);
        quote! {
            #saves
            let #value = #call;
            (#value, move |#(#params),*| { #parts #restores #found })
        }
    }

    /// Adjoints of 0: by-value parameters get zeros, shared data nothing, and what the function
    /// leaves in a buffer does not depend on what it found there.
    fn ruled_zero(&mut self, own: TokenStream) -> TokenStream {
        let ad = self.ad.clone();
        let (mut zeros, mut clears, mut found) =
            (TokenStream::new(), TokenStream::new(), Vec::new());
        let own = if self.owns_receiver() {
            let this = &self.this;
            zeros.extend(quote!(let #this = #own;));
            quote!(#this)
        } else {
            own
        };
        for (k, param) in self.signature.params.iter().enumerate().filter(|(_, p)| p.active) {
            let adj = &self.adjoints[k];
            let primal = if param.name == "self" { &own } else { &param.name.to_token_stream() };
            match (param.passing, &param.ty) {
                (Passing::Ref, _) => {}
                (Passing::Value, Ty::Float) => found.push(quote!(0.0)),
                (Passing::Value, Ty::Generic) => found.push(quote!(#ad::zero())),
                (Passing::Value, _) => {
                    zeros.extend(quote!(let #adj = #ad::zeros(&#primal);));
                    found.push(quote!(#adj));
                }
                (Passing::RefMut, ty) if ty.is_resizable() => {
                    // The function may leave another length, and the adjoint gets the first one.
                    let wish = format!("{}_zeros", plain(&param.name));
                    let name = self.names.fresh(&wish, param.name.span());
                    zeros.extend(quote!(let #name = #ad::zeros(&*#primal);));
                    clears.extend(match ungroup(&param.syn_ty) {
                        Type::Slice(_) => quote!(#ad::overwrite(#adj, &#name);),
                        _ => quote!(*#adj = #name;),
                    });
                }
                (Passing::RefMut, _) => clears.extend(quote!(#ad::clear(#adj);)),
            }
        }
        let (saves, restores) = self.saves();
        let params = self.pullback_params(|k| self.adjoints[k].clone(), &quote!(_));
        let found = (!found.is_empty()).then(|| tuple(found));
        let closure = quote!(move |#(#params),*| { #clears #restores #found });
        let call = self.own_call(&own);
        if !self.has_result() {
            return quote!(#zeros #saves #call; #closure);
        }
        let value = self.names.fresh("value", Span::call_site());
        quote!(#zeros #saves let #value = #call; (#value, #closure))
    }

    /// Whether `vjp` copies what a parameter holds for callers that read what was there before.
    fn is_kept(&self, param: &Param) -> bool {
        // Callers of joint methods keep copies themselves.
        let joint = matches!(self.home, Home::Impl { joint: true, .. });
        !joint && param.passing == Passing::RefMut && !is_state(param)
    }

    pub(super) fn keeps_buffers(&self) -> bool {
        self.signature.params.iter().any(|param| self.is_kept(param))
    }

    /// Copies of `&mut` arguments in front of the call, and what puts them back in the pullback.
    fn saves(&mut self) -> (TokenStream, TokenStream) {
        let (mut saves, mut restores) = (TokenStream::new(), TokenStream::new());
        let (ad, policy) = (self.ad.clone(), self.policy_ty.clone());
        for param in self.signature.params.iter() {
            if !self.is_kept(param) {
                continue;
            }
            let name = &param.name;
            let saved = self.names.fresh(&format!("{}_saved", plain(name)), name.span());
            saves.extend(quote!(let #saved = #policy::RESTORE.then(|| #ad::copied(&*#name));));
            let primal = self.in_pullback(param);
            restores.extend(quote! {
                if let #ad::Some(#saved) = &#saved {
                    #ad::overwrite(#primal, #saved);
                }
            });
        }
        (saves, restores)
    }

    /// A call of the function itself.
    pub(super) fn own_call(&self, own: &TokenStream) -> TokenStream {
        let (name, args) = (&self.signature.name, self.handed_on(own));
        match self.home {
            Home::Module => quote!(#name(#(#args),*)),
            Home::Impl { .. } => quote!(Self::#name(#(#args),*)),
        }
    }

    /// The parameters as arguments.
    fn handed_on(&self, own: &TokenStream) -> Vec<TokenStream> {
        let args = self.signature.params.iter().map(|param| match param.name == "self" {
            true => own.clone(),
            false => param.name.to_token_stream(),
        });
        args.collect()
    }

    /// The type of a parameter as the function takes it.
    pub(super) fn passed_type(&self, param: &Param) -> TokenStream {
        let ty = self.ty(param);
        match param.passing {
            Passing::Value => quote!(#ty),
            Passing::Ref => quote!(&#ty),
            Passing::RefMut => quote!(&mut #ty),
        }
    }

    /// The arguments of the user's pullback inside of ours.
    fn pullback_arguments(&self) -> Vec<TokenStream> {
        let mut args = Vec::new();
        for (k, param) in self.signature.params.iter().enumerate() {
            let name = self.in_pullback(param);
            args.push(match param.passing {
                Passing::Value => continue,
                Passing::Ref => quote!(#name),
                Passing::RefMut => quote!(&mut *#name),
            });
            if param.active {
                args.push(self.adjoints[k].to_token_stream());
            }
        }
        args
    }

    /// What the pullback calls a parameter.
    fn in_pullback(&self, param: &Param) -> Ident {
        if param.name == "self" { self.this.clone() } else { param.name.clone() }
    }

    fn fresh_seed(&mut self) -> TokenStream {
        self.names.fresh("seed", Span::call_site()).to_token_stream()
    }
}

/// The tokens as if they all stood at `span`, each with the hygiene that it has.
pub(super) fn located_at(tokens: TokenStream, span: Span) -> TokenStream {
    let moved = tokens.into_iter().map(|token| {
        let mut token = match token {
            TokenTree::Group(group) => {
                let inner = located_at(group.stream(), span);
                TokenTree::Group(proc_macro2::Group::new(group.delimiter(), inner))
            }
            other => other,
        };
        token.set_span(token.span().located_at(span));
        token
    });
    moved.collect()
}

/// The tokens with the pullback's name for `self`.
fn with_receiver(tokens: TokenStream, this: &Ident) -> TokenStream {
    let replaced = tokens.into_iter().map(|token| match token {
        TokenTree::Ident(ident) if ident == "self" => {
            let mut this = this.clone();
            this.set_span(this.span().located_at(ident.span()));
            TokenTree::Ident(this)
        }
        TokenTree::Group(group) => {
            let inner = with_receiver(group.stream(), this);
            let mut replaced = proc_macro2::Group::new(group.delimiter(), inner);
            replaced.set_span(group.span());
            TokenTree::Group(replaced)
        }
        other => other,
    });
    replaced.collect()
}

/// The name of the result where partials mention it: a variable of the user's context.
pub(super) fn value_ident(rows: &[Partial]) -> Option<Ident> {
    fn find(tokens: TokenStream) -> Option<Ident> {
        tokens.into_iter().find_map(|token| match token {
            TokenTree::Ident(ident) if ident == "value" => Some(ident),
            TokenTree::Group(group) => find(group.stream()),
            _ => None,
        })
    }
    rows.iter().find_map(|row| find(row.expr.to_token_stream()))
}
