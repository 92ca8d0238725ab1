//! `#[differentiate(…)]` and the attributes of parameters → [`Options`].

pub mod calls;

use crate::errors::Errors;
use calls::CallRule;
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Path, Token};

/// The options of an attribute.
pub struct Known {
    /// Their names.
    pub keys: &'static [&'static str],
    /// The help that lists them.
    pub list: &'static str,
    /// The help that shows how they are written.
    pub forms: &'static str,
}

const KNOWN: Known = Known {
    keys: &[
        "reverse",
        "forward",
        "second_order",
        "wrt",
        "rules",
        "name",
        "crate",
        "strong_zero",
        "associated",
        "joint",
        "recursive",
        "cross_check",
    ],
    list: "the options are `reverse`, `forward`, `second_order`, `wrt(…)`, `rules(…)`, `name = …`, `crate = …`, \
           `strong_zero = false`, `associated`, `joint`, `recursive`, \
           `cross_check`",
    forms: "the forms are `reverse`, `forward`, `second_order`, `wrt(a, b)`, `rules(libm::erf = my::erf, .process = my::fft)`, \
            `name = Loss`, `crate = path`, `strong_zero = false`, `associated`, `joint`, `recursive`, \
            `cross_check`",
};

/// What the attribute asks for.
#[derive(Default)]
pub struct Options {
    /// Emit the reverse mode.
    pub reverse: bool,
    /// Emit the forward mode.
    pub forward: bool,
    /// The only active parameters, if given.
    pub wrt: Option<Vec<Ident>>,
    /// The companions of calls that are written in a certain way, if given.
    pub rules: Option<Vec<CallRule>>,
    /// The companion's name, if not the function's.
    pub name: Option<Ident>,
    /// The path of ad-runtime, if not `::ad_runtime`.
    pub krate: Option<Path>,
    /// Whether a zero factor absorbs an infinite one; yes unless told otherwise.
    pub strong_zero: Option<bool>,
    /// Whether the function stands in an `impl` or trait, though its signature does not tell.
    pub associated: bool,
    /// Whether callers run a method again in their reverse sweeps instead of keeping its pullback.
    pub joint: bool,
    /// Whether the function calls itself through others, so that its pullback is boxed.
    pub recursive: bool,
    /// Emit second derivatives.
    pub second_order: bool,
    /// Whether each gradient is compared with a tangent.
    pub cross_check: bool,
    /// The type parameters of the `impl` or trait that the function stands in, if that is known.
    pub params_of_impl: Option<Vec<String>>,
    /// Whether the `impl` has to do with numbers of types of their own, as far as its text tells.
    pub numbers_in_impl: bool,
}

impl Options {
    /// The path of the runtime crate.
    pub fn runtime(&self) -> TokenStream {
        match &self.krate {
            Some(path) => quote!(#path),
            None => quote!(::ad_runtime),
        }
    }
}

/// Reads the attribute's arguments; errors stand at the option that is wrong.
pub fn parse(attr: TokenStream, errors: &mut Errors) -> Options {
    let mut options = Options::default();
    if attr.is_empty() {
        errors.push(
            proc_macro2::Span::call_site(),
            "`#[differentiate]` needs a mode",
            "write `#[differentiate(reverse)]`, or `forward`, or both",
        );
        return options;
    }
    let parser = syn::punctuated::Punctuated::<Choice, Token![,]>::parse_terminated;
    match syn::parse::Parser::parse2(parser, attr) {
        Ok(choices) => {
            for choice in choices {
                set(&mut options, choice, &KNOWN, errors);
            }
            if !(options.reverse || options.forward || errors.any()) {
                errors.push(
                    proc_macro2::Span::call_site(),
                    "no mode is given",
                    "add `reverse` or `forward`: `#[differentiate(reverse, …)]`",
                );
            }
        }
        Err(error) => errors.push(error.span(), error, KNOWN.forms),
    }
    if options.second_order && !options.reverse && !errors.any() {
        errors.push(
            proc_macro2::Span::call_site(),
            "`second_order` goes with `reverse`, which is not given",
            "write `#[differentiate(reverse, second_order)]`",
        );
    }
    if options.cross_check && !(options.reverse && options.forward) && !errors.any() {
        errors.push(
            proc_macro2::Span::call_site(),
            "`cross_check` compares two modes, of which one is not given",
            "write `#[differentiate(reverse, forward, cross_check)]`",
        );
    }
    options
}

/// One option as written.
pub struct Choice {
    /// Its name.
    pub key: Ident,
    value: ChoiceValue,
}

enum ChoiceValue {
    None,
    List(Vec<Ident>),
    Rules(Vec<CallRule>),
    Path(Path),
    Bool(bool),
}

impl Parse for Choice {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let key = <Ident as syn::ext::IdentExt>::parse_any(input)?;
        let value = if input.peek(syn::token::Paren) {
            let content;
            syn::parenthesized!(content in input);
            if key == "rules" {
                let list = content.parse_terminated(CallRule::parse, Token![,])?;
                return Ok(Choice { key, value: ChoiceValue::Rules(list.into_iter().collect()) });
            }
            let list =
                content.parse_terminated(<Ident as syn::ext::IdentExt>::parse_any, Token![,])?;
            ChoiceValue::List(list.into_iter().collect())
        } else if input.peek(Token![=]) {
            input.parse::<Token![=]>()?;
            if input.peek(syn::LitBool) {
                ChoiceValue::Bool(input.parse::<syn::LitBool>()?.value)
            } else {
                ChoiceValue::Path(input.call(Path::parse_mod_style)?)
            }
        } else {
            ChoiceValue::None
        };
        Ok(Choice { key, value })
    }
}

/// Takes an option over; reports it if it is not one of the `known` ones, or not written so.
pub fn set(options: &mut Options, choice: Choice, known: &Known, errors: &mut Errors) {
    let Choice { key, value } = choice;
    let text = key.to_string();
    if !known.keys.contains(&text.as_str()) {
        errors.push(key.span(), format!("there is no option `{key}`"), known.list);
        return;
    }
    let taken = match (text.as_str(), value) {
        ("reverse", ChoiceValue::None) => std::mem::replace(&mut options.reverse, true),
        ("forward", ChoiceValue::None) => std::mem::replace(&mut options.forward, true),
        ("wrt", ChoiceValue::List(list)) => {
            check_list(&key, &list, errors);
            options.wrt.replace(list).is_some()
        }
        ("rules", ChoiceValue::Rules(list)) => {
            calls::check(&key, &list, errors);
            options.rules.replace(list).is_some()
        }
        ("name", ChoiceValue::Path(path)) => match path.get_ident() {
            Some(name) => options.name.replace(name.clone()).is_some(),
            None => {
                errors.push(key.span(), "`name` takes one identifier", "write `name = Loss`");
                false
            }
        },
        ("crate", ChoiceValue::Path(path)) => options.krate.replace(path).is_some(),
        ("strong_zero", ChoiceValue::Bool(on)) => options.strong_zero.replace(on).is_some(),
        ("associated", ChoiceValue::None) => std::mem::replace(&mut options.associated, true),
        ("joint", ChoiceValue::None) => std::mem::replace(&mut options.joint, true),
        ("second_order", ChoiceValue::None) => std::mem::replace(&mut options.second_order, true),
        ("cross_check", ChoiceValue::None) => std::mem::replace(&mut options.cross_check, true),
        ("recursive", ChoiceValue::None) => std::mem::replace(&mut options.recursive, true),
        _ => {
            errors.push(key.span(), format!("the option `{key}` is not written so"), known.forms);
            false
        }
    };
    if taken {
        errors.push(key.span(), format!("the option `{key}` is given twice"), "remove one of them");
    }
}

fn check_list(key: &Ident, list: &[Ident], errors: &mut Errors) {
    if list.is_empty() {
        errors.push(key, "`wrt` lists no parameter", "name the active parameters: `wrt(x, y)`");
    }
    for (k, name) in list.iter().enumerate() {
        if list[..k].contains(name) {
            errors.push(name, format!("`{name}` is listed twice"), "remove one of them");
        }
    }
}

/// Removes our attributes from a parameter and says whether `#[constant]` was among them.
pub fn take_constant(attrs: &mut Vec<Attribute>) -> bool {
    let before = attrs.len();
    attrs.retain(|attr| !is_constant(attr));
    attrs.len() < before
}

/// Whether an attribute is `#[constant]`.
pub fn is_constant(attr: &Attribute) -> bool {
    attr.path().is_ident("constant")
}
