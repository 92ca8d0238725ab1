//! Fresh identifiers.
//!
//! Every identifier among the item's tokens is taken from the start, so that a name made here never
//! means something of the user's, even where the expansion is printed and hygiene is lost.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use std::collections::HashSet;

/// The names in use.
#[derive(Clone, Default)]
pub struct Names(HashSet<String>);

impl Names {
    /// All identifiers in `tokens`, those inside string literals (format arguments) included.
    pub fn reserve(tokens: TokenStream) -> Self {
        let mut names = Names::default();
        names.add(tokens);
        names
    }

    /// These names and others.
    pub fn with(&self, others: &Names) -> Self {
        Names(self.0.union(&others.0).cloned().collect())
    }

    fn add(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Ident(ident) => {
                    self.0.insert(plain(&ident));
                }
                TokenTree::Group(group) => self.add(group.stream()),
                TokenTree::Literal(literal) => {
                    let text = literal.to_string();
                    let words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
                    self.0.extend(words.map(str::to_owned));
                }
                TokenTree::Punct(_) => {}
            }
        }
    }

    /// `wish`, or `wish_2`, `wish_3`, … if that is taken; located at `span`.
    pub fn fresh(&mut self, wish: &str, span: Span) -> Ident {
        let mut name = wish.to_owned();
        let mut number = 2;
        while !self.0.insert(name.clone()) {
            name = format!("{wish}_{number}");
            number += 1;
        }
        Ident::new(&name, Span::mixed_site().located_at(span))
    }

    /// The next of `t1`, `t2`, … .
    pub fn temporary(&mut self, span: Span) -> Ident {
        let mut number = 1;
        while !self.0.insert(format!("t{number}")) {
            number += 1;
        }
        Ident::new(&format!("t{number}"), Span::mixed_site().located_at(span))
    }
}

/// The identifier without `r#`.
pub fn plain(ident: &Ident) -> String {
    let text = ident.to_string();
    text.strip_prefix("r#").map(str::to_owned).unwrap_or(text)
}

/// The tokens, all at `span`.
pub fn respanned(tokens: TokenStream, span: Span) -> TokenStream {
    let moved = tokens.into_iter().map(|mut token| {
        token.set_span(span);
        token
    });
    moved.collect()
}

/// What tells two identifiers of the same text apart: a function written by `macro_rules!` may hold
/// a local of the macro and one of its caller under one name.
///
/// Stable Rust shows the context of a span only in its debug form (`#3 bytes(7..8)`). Where it does
/// not, all identifiers of one text are one variable, as they are outside of macros.
pub fn context(ident: &Ident) -> String {
    let text = format!("{:?}", ident.span());
    match text.strip_prefix('#').and_then(|rest| rest.split_once(' ')) {
        Some((number, _)) => number.to_owned(),
        None => String::new(),
    }
}
