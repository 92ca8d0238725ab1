//! The pipeline, from the tokens of an attribute and its item to those of the expansion.

use crate::activity::Activity;
use crate::attr::calls::{CallRule, refuse_unused};
use crate::attr::{self, Options};
use crate::companion::{Derivative, Modes, companion};
use crate::errors::Errors;
use crate::ir::Function;
use crate::layout::Layout;
use crate::names::Names;
use crate::signature::{Param, Signature, name_types, types_of_user};
use crate::sweep::{Shared, Sweeps};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::quote;
use syn::visit::Visit;
use syn::visit_mut::{self, VisitMut};
use syn::{ItemFn, TraitItemFn};

/// Expands `#[differentiate(attr)] item`. The item is always part of the result.
pub fn expand(attr: TokenStream, item: TokenStream) -> TokenStream {
    if let Ok(item) = syn::parse2::<syn::ItemImpl>(item.clone()) {
        return crate::impls::expand(attr, item);
    }
    match syn::parse2::<syn::ItemTrait>(item.clone()) {
        Ok(item) => crate::objects::expand(attr, item),
        Err(_) => expand_function(attr, item, None),
    }
}

/// The `impl` or trait that a function stands in.
pub struct Around<'a> {
    /// What it is to the function.
    pub home: Home,
    /// Its type parameters.
    pub generics: &'a syn::Generics,
    /// Whether it has to do with numbers of types of their own.
    pub numbers: bool,
}

/// Expands the attribute on a function, or on the `impl` or trait that it stands in: what is `around` it is known
/// then, and functions that have no derivative stay as they are.
pub fn expand_function(
    attr: TokenStream,
    item: TokenStream,
    around: Option<Around>,
) -> TokenStream {
    let mut errors = Errors::default();
    let mut options = attr::parse(attr, &mut errors);
    options.params_of_impl = around.as_ref().map(|around| type_params(around.generics));
    options.numbers_in_impl = around.as_ref().is_some_and(|around| around.numbers);
    let home = around.map(|around| around.home);
    let (mut function, declared) = match read("differentiate", &item) {
        Ok(read) => read,
        Err(rejected) => {
            errors.append(rejected);
            let error = report(errors);
            return quote!(#item #error);
        }
    };
    refuse_other("differentiate", "custom_rule", &mut function, &mut errors);
    let mut names = Names::reserve(item);
    // Companions need names for types that the function leaves without one.
    let mut described = function.clone();
    name_types(&mut described.sig, &mut names);
    let signature = Signature::read(&mut described, &options, &mut names, &mut errors);
    StripAttributes.visit_item_fn_mut(&mut function);
    refuse_cfg(&function.sig, Some(&function.block), &mut errors);
    if home.is_some() && !is_derived(&described, &signature) {
        return match declared {
            Some(end) => {
                let (attrs, marked) = (&function.attrs, &function.sig);
                quote!(#(#attrs)* #marked #end)
            }
            None => quote!(#function),
        };
    }
    refuse_inactive(&signature, &mut errors);
    let rules = options.rules.as_deref().unwrap_or_default();
    if home.is_none() {
        let body = &function.block;
        refuse_unused(rules, &quote!(#body), &mut errors);
    }
    let runtime = names.fresh("ad", Span::call_site());
    let lowered = match declared {
        Some(_) => None,
        None => lowered(&signature, rules, &described.block, &runtime, &mut names, &mut errors),
    };
    let reverse = lowered.as_ref().filter(|_| options.reverse).and_then(|(function, activity)| {
        reverse_sweeps(function, activity, &signature, &mut names, &mut errors)
    });
    let home = home.unwrap_or_else(|| Home::of(&function, &options, declared.is_some()));
    let second = match (&lowered, &reverse) {
        (Some((_, activity)), Some(sweeps)) if options.second_order && !errors.any() => {
            refuse_second(home, &signature, &mut errors);
            let second = crate::tangent::second_sweeps(sweeps, activity, &names, &mut errors);
            (!errors.any()).then_some(second)
        }
        _ => None,
    };
    let forward = lowered.as_ref().filter(|_| options.forward && !errors.any());
    let forward = forward.and_then(|(function, activity)| {
        tangent_sweeps(function, activity, &signature, &mut names, &mut errors)
    });
    let companion = (!signature.unusable).then(|| {
        let swept = |sweeps| Option::map_or(sweeps, Derivative::Missing, Derivative::Swept);
        let modes = Modes {
            reverse: options.reverse.then(|| swept(reverse.as_ref())),
            forward: options.forward.then(|| swept(forward.as_ref())),
            second: second.as_ref(),
        };
        companion(&described, home, &options, &signature, modes, runtime, &mut names)
    });
    let (errors, marked) = (report(errors), &function.sig);
    if let Some(declared) = declared {
        let attrs = &function.attrs;
        return quote!(#(#attrs)* #marked #declared #companion #errors);
    }
    // A function whose derivatives alone are called is used all the same.
    quote!(#[allow(dead_code)] #function #companion #errors)
}

/// The names of type parameters.
pub fn type_params(generics: &syn::Generics) -> Vec<String> {
    generics.type_params().map(|param| param.ident.to_string()).collect()
}

/// Refuses functions without active parameters.
pub fn refuse_inactive(signature: &Signature, errors: &mut Errors) {
    if !errors.any() && !signature.params.iter().any(Param::carries) {
        errors.push(
            signature.name.span(),
            format!("`{}` has no active parameter", signature.name),
            "remove the attribute: a call without active arguments needs no derivative",
        );
    }
}

/// Refuses a derivative of the other kind, and takes its attribute off.
pub fn refuse_other(attribute: &str, other: &str, function: &mut ItemFn, errors: &mut Errors) {
    function.attrs.retain(|attr| {
        if attr.path().segments.last().is_none_or(|last| last.ident != other) {
            return true;
        }
        let message = format!("both `#[{attribute}]` and `#[{other}]` on one function");
        errors.push(attr, message, "remove one of them: a function has one derivative");
        false
    });
}

/// The function that `attribute` stands on; one that a trait declares without a body comes with its
/// `;`.
pub fn read(
    attribute: &str,
    item: &TokenStream,
) -> Result<(ItemFn, Option<syn::Token![;]>), Errors> {
    parse(item).map_err(|error| {
        let mut errors = Errors::default();
        if is_function(item) {
            let message = format!("`#[{attribute}]` cannot read this function: {error}");
            errors.push(error.span(), message, "write it so that rustc accepts it");
        } else {
            errors.push(
                item,
                format!("`#[{attribute}]` stands on something that is not a function with a body"),
                "put it on a function or method",
            );
        }
        errors
    })
}

fn parse(item: &TokenStream) -> syn::Result<(ItemFn, Option<syn::Token![;]>)> {
    let error = match syn::parse2::<ItemFn>(item.clone()) {
        Ok(function) => return Ok((function, None)),
        Err(error) => error,
    };
    match syn::parse2::<TraitItemFn>(item.clone()) {
        Ok(TraitItemFn { attrs, modifiers, sig, default: None, semi_token: Some(end) }) => {
            let (vis, block) = (syn::Visibility::Inherited, Box::new(syn::parse_quote!({})));
            Ok((ItemFn { attrs, vis, modifiers, sig, block }, Some(end)))
        }
        _ => Err(error),
    }
}

/// Where a function stands, which decides what its companion looks like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Home {
    /// By itself: the companion is a type.
    Module,
    /// In an `impl`: the companion is a set of methods next to it.
    Impl {
        /// Whether callers run it again in their reverse sweeps. Its pullback would be of a type
        /// that a trait, or an `impl` with parameters that are not known here, cannot name.
        joint: bool,
        /// Whether it is only declared.
        declared: bool,
    },
}

impl Home {
    /// As far as the text of the function tells.
    pub fn of(function: &ItemFn, options: &Options, declared: bool) -> Self {
        let inside = function.sig.receiver().is_some() || uses_self(function);
        if !(inside || options.associated || declared) {
            return Home::Module;
        }
        let private = matches!(function.vis, syn::Visibility::Inherited);
        let joint = private || options.joint || mentions_parameters(function);
        Home::Impl { joint, declared }
    }
}

/// Whether a function seems to mention parameters of its `impl`: names of one or two capitals that
/// are not its own.
fn mentions_parameters(function: &ItemFn) -> bool {
    fn named(tokens: TokenStream, own: &[String]) -> bool {
        tokens.into_iter().any(|token| match token {
            TokenTree::Ident(ident) => {
                let text = ident.to_string();
                let capitals = text.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit());
                text.len() <= 2 && capitals && !own.contains(&text)
            }
            TokenTree::Group(group) => named(group.stream(), own),
            _ => false,
        })
    }
    let mut own: Vec<String> = function
        .sig
        .generics
        .params
        .iter()
        .filter_map(|param| match param {
            syn::GenericParam::Type(ty) => Some(ty.ident.to_string()),
            syn::GenericParam::Const(constant) => Some(constant.ident.to_string()),
            syn::GenericParam::Lifetime(_) => None,
        })
        .collect();
    own.extend(types_of_user(function));
    let (signature, body) = (&function.sig, &function.block);
    named(quote!(#signature #body), &own)
}

/// Whether `fn` comes before any body or end of an item.
fn is_function(item: &TokenStream) -> bool {
    let mut words = item.clone().into_iter().filter_map(|token| match token {
        TokenTree::Ident(ident) => Some(ident.to_string()),
        _ => None,
    });
    let qualifiers = ["pub", "const", "async", "unsafe", "extern", "safe"];
    words.find(|word| !qualifiers.contains(&word.as_str())).is_some_and(|word| word == "fn")
}

/// Refuses functions that have no second derivatives yet.
fn refuse_second(home: Home, signature: &Signature, errors: &mut Errors) {
    if home != Home::Module {
        errors.push(
            signature.name.span(),
            "a method has no second derivative yet",
            "write it as a free function, and call that",
        );
    }
    for param in signature.params.iter().filter(|param| param.functional.is_some()) {
        errors.push(
            param.written().span(),
            "a function that is a parameter has no second derivative yet",
            "call a function by its name",
        );
    }
}

/// The passes that every mode shares, in order; `None` after an error.
fn lowered(
    signature: &Signature,
    rules: &[CallRule],
    body: &syn::Block,
    runtime: &Ident,
    names: &mut Names,
    errors: &mut Errors,
) -> Option<(Function, Activity)> {
    let function = crate::lower::lower(signature, rules, body, runtime, names, errors);
    if errors.any() {
        return None;
    }
    analysed(function, signature, errors)
}

/// A function, or a closure in it, and what is active; `None` after an error.
pub fn analysed(
    function: Function,
    signature: &Signature,
    errors: &mut Errors,
) -> Option<(Function, Activity)> {
    let function = crate::hoist::hoist(function);
    let activity = crate::activity::activity(&function, signature, errors);
    (!errors.any()).then_some((function, activity))
}

/// What makes sweeps of a function, or of a closure in it; `None` after an error.
pub type MakeSweeps =
    fn(&Function, &Activity, &Signature, &mut Names, &mut Errors) -> Option<Sweeps>;

/// Both sweeps of reverse mode.
fn reverse_sweeps(
    function: &Function,
    activity: &Activity,
    signature: &Signature,
    names: &mut Names,
    errors: &mut Errors,
) -> Option<Sweeps> {
    let lambdas = crate::lambda::lambdas(function, activity, reverse_sweeps, names, errors);
    if errors.any() {
        return None;
    }
    let layout = Layout::of(function);
    let record = crate::record::record(function, signature, activity, &layout);
    let mut shared = Shared::new(function, activity, &layout, &record, names);
    let forward = crate::sweep::forward_sweep(&mut shared);
    let reverse = crate::reverse::reverse_sweep(&mut shared, signature);
    Some(shared.finish(forward, reverse, lambdas))
}

/// The sweep of forward mode.
fn tangent_sweeps(
    function: &Function,
    activity: &Activity,
    signature: &Signature,
    names: &mut Names,
    errors: &mut Errors,
) -> Option<Sweeps> {
    let lambdas = crate::lambda::lambdas(function, activity, tangent_sweeps, names, errors);
    if errors.any() {
        return None;
    }
    Some(crate::tangent::tangent_sweep(function, activity, signature, lambdas, names))
}

/// Whether a function of an `impl` or trait that is differentiated as a whole has a derivative: not if it
/// lends what it has, gives a trait object, or nothing active goes in.
pub fn is_derived(function: &ItemFn, signature: &Signature) -> bool {
    struct Objects(bool);
    impl<'ast> Visit<'ast> for Objects {
        fn visit_type_trait_object(&mut self, _: &'ast syn::TypeTraitObject) {
            self.0 = true;
        }
        fn visit_type_reference(&mut self, _: &'ast syn::TypeReference) {
            self.0 = true;
        }
    }
    let mut found = Objects(false);
    found.visit_return_type(&function.sig.output);
    !found.0 && signature.params.iter().any(Param::carries)
}

/// Refuses `cfg` inside the function: a macro cannot tell which code is compiled.
pub fn refuse_cfg(sig: &syn::Signature, body: Option<&syn::Block>, errors: &mut Errors) {
    struct Cfgs<'a>(&'a mut Errors);
    impl<'ast> Visit<'ast> for Cfgs<'_> {
        fn visit_attribute(&mut self, attribute: &'ast syn::Attribute) {
            if attribute.path().is_ident("cfg") || attribute.path().is_ident("cfg_attr") {
                self.0.push(
                    attribute,
                    "`#[cfg]` inside of a differentiated function is not supported",
                    "use `if cfg!(…)`, or put `#[cfg]` on two versions of the function",
                );
            }
        }
        fn visit_item(&mut self, _: &'ast syn::Item) {}
    }
    let mut cfgs = Cfgs(errors);
    cfgs.visit_signature(sig);
    if let Some(body) = body {
        cfgs.visit_block(body);
    }
}

/// Whether a function names `Self`, as it does only in an `impl` or trait.
fn uses_self(function: &ItemFn) -> bool {
    let (signature, body) = (&function.sig, &function.block);
    mentions(quote!(#signature #body), "Self")
}

/// Whether an identifier is among the tokens.
pub fn mentions(tokens: TokenStream, name: &str) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == name,
        TokenTree::Group(group) => mentions(group.stream(), name),
        _ => false,
    })
}

/// The errors as tokens, if there are any.
pub fn report(errors: Errors) -> Option<TokenStream> {
    errors.finish(()).err().map(|error| error.into_compile_error())
}

/// Removes our attributes from the function that is passed through.
pub struct StripAttributes;

impl VisitMut for StripAttributes {
    fn visit_signature_mut(&mut self, sig: &mut syn::Signature) {
        for arg in &mut sig.inputs {
            let attrs = match arg {
                syn::FnArg::Typed(typed) => &mut typed.attrs,
                syn::FnArg::Receiver(receiver) => &mut receiver.attrs,
            };
            attr::take_constant(attrs);
        }
    }

    fn visit_local_mut(&mut self, local: &mut syn::Local) {
        attr::take_constant(&mut local.attrs);
        visit_mut::visit_local_mut(self, local);
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}
