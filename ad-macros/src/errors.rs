//! Errors are collected, so that one compilation shows all of them.

use proc_macro2::Span;
use quote::ToTokens;

/// The errors of one macro call.
#[derive(Clone, Default, Debug)]
pub struct Errors(Option<syn::Error>);

/// What an error points at.
pub trait Blame {
    /// An error there.
    fn error(self, message: String) -> syn::Error;
}

impl Blame for Span {
    fn error(self, message: String) -> syn::Error {
        syn::Error::new(self, message)
    }
}

/// All the tokens, from the first to the last.
impl<T: ToTokens> Blame for &T {
    fn error(self, message: String) -> syn::Error {
        syn::Error::new_spanned(self, message)
    }
}

impl Errors {
    /// Records `message` at `blame`. The way out stands behind `help`.
    pub fn push(&mut self, blame: impl Blame, message: impl std::fmt::Display, help: &str) {
        self.add(blame.error(format!("{message}\n\nhelp: {help}")));
    }

    /// Records an error made elsewhere.
    pub fn add(&mut self, error: syn::Error) {
        match &mut self.0 {
            Some(errors) => errors.combine(error),
            None => self.0 = Some(error),
        }
    }

    /// Records the errors of others.
    pub fn append(&mut self, others: Errors) {
        if let Some(error) = others.0 {
            self.add(error);
        }
    }

    /// `value` if nothing went wrong, else all errors.
    pub fn finish<T>(self, value: T) -> syn::Result<T> {
        self.0.map_or(Ok(value), Err)
    }

    /// Whether an error was recorded.
    pub fn any(&self) -> bool {
        self.0.is_some()
    }
}
