//! `rules(…)`: the companions of calls that are written in a certain way.

use crate::errors::Errors;
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::parse::{Parse, ParseStream};
use syn::{Path, Token};

/// `libm::erf = my::erf`: calls that are written so have that companion.
pub struct CallRule {
    /// What is called.
    pub written: Written,
    /// The companion, or the associated function whose siblings it consists of.
    pub companion: Path,
}

/// How a call is written.
pub enum Written {
    /// `libm::erf(…)`
    Path(Path),
    /// `x.process(…)`
    Method(Token![.], Ident),
}

impl CallRule {
    /// What tells the rule from others.
    pub fn key(&self) -> String {
        match &self.written {
            Written::Path(path) => spelled(path),
            Written::Method(_, name) => format!(".{name}"),
        }
    }
}

/// The path as text, without generic arguments.
pub fn spelled(path: &Path) -> String {
    let names: Vec<String> =
        path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    let colons = if path.leading_colon.is_some() { "::" } else { "" };
    format!("{colons}{}", names.join("::"))
}

impl ToTokens for CallRule {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match &self.written {
            Written::Path(path) => path.to_tokens(tokens),
            Written::Method(dot, name) => tokens.extend(quote!(#dot #name)),
        }
    }
}

impl Parse for CallRule {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let written = match input.parse()? {
            Some(dot) => Written::Method(dot, input.parse()?),
            None => Written::Path(input.call(Path::parse_mod_style)?),
        };
        input.parse::<Token![=]>()?;
        Ok(CallRule { written, companion: input.call(Path::parse_mod_style)? })
    }
}

/// Refuses lists that name a call twice, or none.
pub fn check(key: &Ident, list: &[CallRule], errors: &mut Errors) {
    if list.is_empty() {
        let help = "name a call and its companion: `rules(libm::erf = my::erf)`";
        errors.push(key, "`rules` lists no call", help);
    }
    for (k, rule) in list.iter().enumerate() {
        let text = rule.key();
        if list[..k].iter().any(|other| other.key() == text) {
            errors.push(rule, format!("`{text}` is listed twice"), "remove one of them");
        }
    }
}

/// Refuses rules for calls that the code does not have.
pub fn refuse_unused(rules: &[CallRule], code: &TokenStream, errors: &mut Errors) {
    for rule in rules {
        if !is_called(&rule.written, code.clone()) {
            errors.push(
                rule,
                format!("no call here is written `{}`", rule.key()),
                "remove the rule, or write it as the call is written",
            );
        }
    }
}

/// Whether tokens seem to hold such a call, those of macros included.
fn is_called(written: &Written, tokens: TokenStream) -> bool {
    let wanted: Vec<String> = match written {
        Written::Path(path) => {
            let text = spelled(path);
            let names: Vec<&str> = text.split("::").filter(|name| !name.is_empty()).collect();
            names.iter().map(ToString::to_string).collect()
        }
        Written::Method(_, name) => vec![name.to_string()],
    };
    let before = if matches!(written, Written::Method(..)) { "." } else { "" };
    // The names of the path that is being read, and what stands in front of it.
    let (mut names, mut front, mut last) = (Vec::new(), String::new(), String::new());
    for token in tokens {
        match &token {
            TokenTree::Group(group) => {
                if is_called(written, group.stream()) {
                    return true;
                }
            }
            TokenTree::Ident(ident) => {
                if last != ":" {
                    names.clear();
                    front.clone_from(&last);
                }
                names.push(ident.to_string());
                let fits = match before {
                    "." => front == "." && names == wanted,
                    _ => front != "." && names == wanted,
                };
                if fits {
                    return true;
                }
            }
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
        last = token.to_string();
    }
    false
}
