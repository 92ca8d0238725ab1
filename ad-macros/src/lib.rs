//! Procedural macros of `ad-runtime`, which re-exports them; depend on that crate alone.

mod activity;
mod attr;
mod companion;
mod custom;
mod derive;
mod emit;
mod errors;
mod expand;
mod hoist;
mod impls;
mod ir;
mod lambda;
mod layout;
mod lower;
mod names;
mod objects;
mod record;
mod reverse;
mod rules;
mod signature;
mod sweep;
mod tangent;
#[cfg(test)]
mod tests;
mod tidy;
mod walk;

use proc_macro::TokenStream;

/// Derives derivatives of a function, in reverse or forward mode: see the documentation of `ad_runtime`.
#[proc_macro_attribute]
pub fn differentiate(attr: TokenStream, item: TokenStream) -> TokenStream {
    expand::expand(attr.into(), item.into()).into()
}

/// Gives a function its derivative by a rule: see the documentation of `ad_runtime`.
#[proc_macro_attribute]
pub fn custom_rule(attr: TokenStream, item: TokenStream) -> TokenStream {
    custom::expand(attr.into(), item.into()).into()
}

/// Derives `Differentiable` for a struct or an enum: see the trait in `ad_runtime`.
#[proc_macro_derive(Differentiable, attributes(constant, differentiable))]
pub fn derive_differentiable(item: TokenStream) -> TokenStream {
    derive::derive(item.into()).into()
}
