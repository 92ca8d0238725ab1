//! `#[custom_rule(…)]`: a function whose derivative its author wrote.
//!
//! The function may be anything that rustc accepts, since nobody looks into its body. Its companion
//! is that of a differentiated function, with the rule in place of the sweeps.

use crate::attr::{self, Choice, Known, Options};
use crate::companion::{Derivative, Modes, companion};
use crate::errors::Errors;
use crate::expand::{
    Home, StripAttributes, mentions, read, refuse_cfg, refuse_inactive, refuse_other, report,
};
use crate::ir::Ty;
use crate::names::{Names, plain};
use crate::signature::{Param, Passing, Signature, name_types};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::visit_mut::VisitMut;
use syn::{Expr, ExprPath, ItemFn, Token};

const KNOWN: Known = Known {
    keys: &["reverse", "forward", "name", "crate", "associated", "joint"],
    list: "the options are `vjp = …`, `jvp = …`, `partials(…)`, `zero`, `reverse`, `forward`, \
           `name = …`, `crate = …`, `associated`, `joint`",
    forms: "the forms are `vjp = path`, `jvp = path`, `partials(x = …, y = …)`, `zero`, `reverse`, \
            `forward`, `name = Loss`, `crate = path`, `associated`, `joint`",
};

/// A derivative as its author wrote it.
pub enum Rule {
    /// `vjp = path`: a function that gives the value and a pullback.
    Vjp(ExprPath),
    /// `jvp = path`: a function that gives the value and its tangent.
    Jvp(ExprPath),
    /// `partials(x = …)`: one expression for each active parameter.
    Partials(Vec<Partial>),
    /// `zero`: nothing that comes out of the function depends on its parameters.
    Zero,
}

/// A row of `partials`.
pub struct Partial {
    /// The parameter.
    pub param: Ident,
    /// The derivative of the result by it.
    pub expr: Expr,
}

impl Rule {
    /// Whether a pullback of this rule may leave `&mut` arguments with other contents.
    pub fn may_change_buffers(&self) -> bool {
        match self {
            Rule::Vjp(_) => true,
            Rule::Jvp(_) | Rule::Partials(_) | Rule::Zero => false,
        }
    }

    /// Whether two rules are for one mode.
    fn excludes(&self, other: &Rule) -> bool {
        let pair = |a: &Rule, b: &Rule| matches!((a, b), (Rule::Vjp(_), Rule::Jvp(_)));
        !(pair(self, other) || pair(other, self))
    }

    fn key(&self) -> &'static str {
        match self {
            Rule::Vjp(_) => "vjp",
            Rule::Jvp(_) => "jvp",
            Rule::Partials(_) => "partials",
            Rule::Zero => "zero",
        }
    }
}

/// Expands `#[custom_rule(attr)] item`. The item is always part of the result.
pub fn expand(attr: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let (mut options, rules) = parse(attr.clone(), &mut errors);
    let (mut function, declared) = match read("custom_rule", &item) {
        Ok(read) => read,
        Err(rejected) => {
            errors.append(rejected);
            let error = report(errors);
            return quote!(#item #error);
        }
    };
    if declared.is_some() {
        let help = "put `#[differentiate(reverse)]` on the declaration, and the rule on the \
                    function in an `impl`";
        errors.push(&function.sig.ident, "a function without a body has no rule", help);
        let error = report(errors);
        return quote!(#item #error);
    }
    options.associated |= mentions(attr.clone(), "Self");
    let mut names = Names::reserve(quote!(#attr #item));
    refuse_other("custom_rule", "differentiate", &mut function, &mut errors);
    let mut described = function.clone();
    name_types(&mut described.sig, &mut names);
    let signature = Signature::read(&mut described, &options, &mut names, &mut errors);
    StripAttributes.visit_signature_mut(&mut function.sig);
    refuse_functions(&signature, &mut errors);
    refuse_cfg(&function.sig, None, &mut errors);
    refuse_inactive(&signature, &mut errors);
    let home = Home::of(&function, &options, false);
    rules.iter().for_each(|rule| check(rule, &function, home, &signature, &mut errors));
    refuse_modes_without_rule(&rules, &options, &mut errors);
    let modes = match errors.any() {
        true => Modes {
            reverse: Some(Derivative::Missing),
            forward: Some(Derivative::Missing),
            second: None,
        },
        false => modes(&rules, &options, home),
    };
    let runtime = names.fresh("ad", Span::call_site());
    let companion = (!signature.unusable)
        .then(|| companion(&described, home, &options, &signature, modes, runtime, &mut names));
    let errors = report(errors);
    // A function whose derivatives alone are called is used all the same.
    quote!(#[allow(dead_code)] #function #companion #errors)
}

/// The rules by mode: all that they serve, unless the options name some.
///
/// A trait that was differentiated in reverse mode alone has no room for what belongs to the other, so
/// methods that may belong to a trait have a tangent only if they are told.
fn modes<'r>(rules: &'r [Rule], options: &Options, home: Home) -> Modes<'r> {
    let serving =
        |mode: fn(&Rule) -> bool| rules.iter().find(|rule| mode(rule)).map(Derivative::Ruled);
    let named = options.reverse || options.forward;
    let joint = matches!(home, Home::Impl { joint: true, .. });
    let has_jvp = rules.iter().any(|rule| matches!(rule, Rule::Jvp(_)));
    let reverse = !named || options.reverse;
    let forward = if named { options.forward } else { !joint || has_jvp };
    Modes {
        reverse: serving(|rule| !matches!(rule, Rule::Jvp(_))).filter(|_| reverse),
        forward: serving(|rule| !matches!(rule, Rule::Vjp(_))).filter(|_| forward),
        second: None,
    }
}

/// Refuses a mode that is asked for and that no rule serves.
fn refuse_modes_without_rule(rules: &[Rule], options: &Options, errors: &mut Errors) {
    let all = |of: fn(&Rule) -> bool| !rules.is_empty() && rules.iter().all(of);
    if options.forward && all(|rule| matches!(rule, Rule::Vjp(_))) {
        errors.push(
            Span::call_site(),
            "`forward` has no rule: `vjp` gives pullbacks, not tangents",
            "add `jvp = path`, or remove `forward`",
        );
    }
    if options.reverse && all(|rule| matches!(rule, Rule::Jvp(_))) {
        errors.push(
            Span::call_site(),
            "`reverse` has no rule: `jvp` gives tangents, not pullbacks",
            "add `vjp = path`, or remove `reverse`",
        );
    }
}

/// Reads the attribute's arguments: rules of different modes, and options.
fn parse(attr: TokenStream, errors: &mut Errors) -> (Options, Vec<Rule>) {
    let (mut options, mut rules) = (Options::default(), Vec::<Rule>::new());
    let parser = Punctuated::<Entry, Token![,]>::parse_terminated;
    let entries = match syn::parse::Parser::parse2(parser, attr) {
        Ok(entries) => entries,
        Err(error) => {
            errors.push(error.span(), error, KNOWN.forms);
            return (options, rules);
        }
    };
    for entry in entries {
        match entry {
            Entry::Option(choice) => attr::set(&mut options, choice, &KNOWN, errors),
            Entry::Malformed(key) => {
                let message = format!("the option `{key}` is not written so");
                errors.push(key.span(), message, KNOWN.forms);
            }
            Entry::Rule(key, found) => match rules.iter().find(|rule| rule.excludes(&found)) {
                None => rules.push(found),
                Some(first) if first.key() == found.key() => errors.push(
                    key.span(),
                    format!("the option `{key}` is given twice"),
                    "remove one of them",
                ),
                Some(first) => errors.push(
                    key.span(),
                    format!("`{}` and `{key}` are two rules for one function", first.key()),
                    "remove one of them",
                ),
            },
        }
    }
    if rules.is_empty() && !errors.any() {
        errors.push(
            Span::call_site(),
            "`#[custom_rule]` needs a rule",
            "write `vjp = path`, `jvp = path`, `partials(x = …)` or `zero`",
        );
    }
    (options, rules)
}

/// An argument of the attribute.
enum Entry {
    Rule(Ident, Rule),
    Option(Choice),
    /// One of the rules, written in another form.
    Malformed(Ident),
}

impl Parse for Entry {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let key = <Ident as syn::ext::IdentExt>::parse_any(&input.fork())?;
        let text = key.to_string();
        if !matches!(text.as_str(), "vjp" | "jvp" | "partials" | "zero") {
            return Ok(Entry::Option(input.parse()?));
        }
        input.parse::<Ident>()?;
        let rule = match text.as_str() {
            "vjp" | "jvp" if input.peek(Token![=]) => {
                input.parse::<Token![=]>()?;
                match ungrouped(input.parse()?) {
                    Expr::Path(path) if text == "vjp" => Rule::Vjp(path),
                    Expr::Path(path) => Rule::Jvp(path),
                    _ => return Ok(Entry::Malformed(key)),
                }
            }
            "partials" if input.peek(syn::token::Paren) => {
                let content;
                syn::parenthesized!(content in input);
                let rows = content.parse_terminated(Partial::parse, Token![,])?;
                Rule::Partials(rows.into_iter().collect())
            }
            "zero" if input.is_empty() || input.peek(Token![,]) => Rule::Zero,
            _ => {
                while !input.is_empty() && !input.peek(Token![,]) {
                    input.parse::<proc_macro2::TokenTree>()?;
                }
                return Ok(Entry::Malformed(key));
            }
        };
        Ok(Entry::Rule(key, rule))
    }
}

/// The expression without the invisible groups that `macro_rules!` puts around fragments.
fn ungrouped(expr: Expr) -> Expr {
    match expr {
        Expr::Group(group) => ungrouped(*group.expr),
        other => other,
    }
}

impl Parse for Partial {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let param = input.parse()?;
        input.parse::<Token![=]>()?;
        Ok(Partial { param, expr: input.parse()? })
    }
}

/// Refuses rules that do not fit the function.
fn check(rule: &Rule, function: &ItemFn, home: Home, signature: &Signature, errors: &mut Errors) {
    match rule {
        Rule::Vjp(path) | Rule::Jvp(path) => {
            if home != Home::Module {
                refuse_sibling(path, &function.sig.ident, errors);
            }
        }
        Rule::Partials(rows) => {
            check_scalars(signature, errors);
            check_rows(rows, signature, errors);
        }
        Rule::Zero => {}
    }
}

/// Refuses functions that could capture something active: the rule could not know.
fn refuse_functions(signature: &Signature, errors: &mut Errors) {
    for param in signature.params.iter().filter(|param| param.functional.is_some()) {
        let name = param.written();
        errors.push(
            name.span(),
            format!("a rule has no derivative for the function `{name}`"),
            &format!("mark it as data: `#[constant] {name}: …`"),
        );
    }
}

/// Refuses a rule under a name that the companion of a method takes.
fn refuse_sibling(path: &ExprPath, method: &Ident, errors: &mut Errors) {
    let Some(last) = path.path.segments.last() else { return };
    let (own, name) = (plain(method), plain(&last.ident));
    let siblings = [
        "vjp",
        "unrestored",
        "reverse",
        "adjoint",
        "gradient",
        "value_and_gradient",
        "value_and_gradient_into",
        "tangent",
        "forward",
    ];
    if siblings.iter().any(|sibling| name == format!("{own}_{sibling}")) {
        errors.push(
            &last.ident,
            format!("`{name}` is the name of a function that is generated"),
            &format!("give the rule another name, such as `{own}_rule`"),
        );
    }
}

/// Refuses `partials` on functions of anything but scalars.
fn check_scalars(signature: &Signature, errors: &mut Errors) {
    const HELP: &str = "write a function that gives the value and a pullback: `vjp = path`";
    if !signature.result.is_real() {
        let message = format!("`partials` is for one real result, which `{}` does not have", {
            &signature.name
        });
        errors.push(signature.name.span(), message, HELP);
    }
    for param in signature.params.iter().filter(|param| param.active && !is_scalar(param)) {
        let message = format!("`partials` is for real parameters, which `{}` is not", param.name);
        errors.push(param.name.span(), message, HELP);
    }
}

/// `x: f64` or `x: &f64`
fn is_scalar(param: &Param) -> bool {
    match (&param.ty, param.passing) {
        (Ty::Float | Ty::Generic, Passing::Value) => true,
        (Ty::Ref { to, .. }, Passing::Ref) => to.is_real(),
        _ => false,
    }
}

fn check_rows(rows: &[Partial], signature: &Signature, errors: &mut Errors) {
    for (k, Partial { param: name, .. }) in rows.iter().enumerate() {
        if rows[..k].iter().any(|other| other.param == *name) {
            errors.push(name, format!("`{name}` is listed twice"), "remove one of them");
        }
        match signature.params.iter().find(|param| param.name == *name) {
            None => errors.push(
                name,
                format!("there is no parameter `{name}`"),
                "`partials` lists parameters of the function",
            ),
            Some(param) if !param.active => errors.push(
                name,
                format!("no derivative flows through `{name}`"),
                "remove its partial: it is data",
            ),
            Some(_) => {}
        }
    }
    for param in signature.params.iter().filter(|param| param.active) {
        let name = &param.name;
        if !rows.iter().any(|row| row.param == *name) {
            errors.push(
                name.span(),
                format!("`partials` has no row for `{name}`"),
                &format!("add `{name} = …`, or mark it as data: `#[constant] {name}: …`"),
            );
        }
    }
    if let Some(param) = signature.params.iter().find(|param| plain(&param.name) == "value") {
        errors.push(
            param.name.span(),
            "a parameter has the name of the result in `partials`",
            "give it another name than `value`",
        );
    }
}
