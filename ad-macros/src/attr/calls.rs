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
    let (wanted, method) = match written {
        Written::Path(path) => (path.segments.iter().map(|s| s.ident.to_string()).collect(), false),
        Written::Method(_, name) => (vec![name.to_string()], true),
    };
    // The path that is being read, whether it stands behind a single dot, and the punctuation
    // between it and the next token.
    let (mut names, mut dotted) = (Vec::new(), false);
    let (mut colons, mut dots) = (0, 0);
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => {
                if colons != 2 {
                    names.clear();
                    dotted = dots == 1;
                }
                names.push(ident.to_string());
                if names == wanted && dotted == method {
                    return true;
                }
                (colons, dots) = (0, 0);
            }
            TokenTree::Punct(punct) if punct.as_char() == ':' => colons += 1,
            TokenTree::Punct(punct) => {
                names.clear();
                dotted = false;
                dots = if punct.as_char() == '.' { dots + 1 } else { 0 };
                colons = 0;
            }
            TokenTree::Group(group) if is_called(written, group.stream()) => return true,
            TokenTree::Group(_) | TokenTree::Literal(_) => {
                names.clear();
                (dotted, colons, dots) = (false, 0, 0);
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::{CallRule, is_called};
    use quote::ToTokens;

    fn found(rule: &str, code: &str) -> bool {
        let rule: CallRule = syn::parse_str(rule).expect("a test gives a rule");
        let code: syn::Block = syn::parse_str(&format!("{{ {code} }}")).expect("and code");
        is_called(&rule.written, code.to_token_stream())
    }

    #[test]
    fn paths_are_found_as_they_are_written() {
        for code in ["erf(x)", "y * erf(x)", "Pair { left: erf(x) }", "0..erf(x)", "m!(erf(x))"] {
            assert!(found("erf = my::erf", code), "{code}");
        }
        for code in ["a.erf(x)", "libm::erf(x)", "erfc(x)", "::libm::erf(x)", "x.0.erf()"] {
            assert!(!found("erf = my::erf", code), "{code}");
        }
        assert!(found("libm::erf = my::erf", "x.re * libm::erf::<f64>(x)"));
        assert!(found("::libm::erf = my::erf", "x.re * ::libm::erf(x)"));
        assert!(!found("libm::erf = my::erf", "a::libm::erf(x)"));
    }

    #[test]
    fn methods_are_found_by_name() {
        for code in ["a.fft(x)", "f(a)[0].fft(x)", "x.0.fft()", "Pair { left: a.fft::<2>() }"] {
            assert!(found(".fft = my::fft", code), "{code}");
        }
        for code in ["fft(x)", "0..fft(x)", "a.fft2(x)", "A::fft(a)"] {
            assert!(!found(".fft = my::fft", code), "{code}");
        }
    }
}
