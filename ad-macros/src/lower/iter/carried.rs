//! Sequences of data: the keys of a map, the words of a text, whatever carried code iterates over.
//!
//! Their items are collected in front of the loop, which is then one over positions; what an item refers
//! to is not there in the reverse sweep, so what is needed of it is recorded.

use super::{Effects, Item, Seq};
use crate::ir::*;
use crate::lower::pattern::Source;
use crate::lower::place::strip;
use crate::lower::{Lower, known};
use syn::Expr;
use syn::spanned::Spanned;

/// Methods that give finite iterators, or iterators that end with what they are called on.
const FINITE: &[&str] = &[
    "bytes",
    "chain",
    "char_indices",
    "chars",
    "cloned",
    "copied",
    "difference",
    "enumerate",
    "filter",
    "filter_map",
    "flat_map",
    "flatten",
    "intersection",
    "into_iter",
    "into_keys",
    "into_values",
    "iter",
    "keys",
    "lines",
    "map",
    "range",
    "rev",
    "rsplit",
    "skip",
    "skip_while",
    "split",
    "split_ascii_whitespace",
    "split_terminator",
    "split_whitespace",
    "splitn",
    "step_by",
    "symmetric_difference",
    "take",
    "take_while",
    "union",
    "values",
    "zip",
];

/// Methods that give text or data to iterate over.
const TEXT: &[&str] =
    &["as_bytes", "as_ref", "as_slice", "as_str", "trim", "trim_end", "trim_start"];

/// Collections that have no positions.
const COLLECTIONS: &[&str] =
    &["BTreeMap", "BTreeSet", "BinaryHeap", "HashMap", "HashSet", "LinkedList", "VecDeque"];

impl Lower<'_> {
    /// The items of data of which nothing is active, if the data is no slice.
    pub(in crate::lower) fn carried_seq<'e>(&mut self, expr: &Expr) -> Option<Seq<'e>> {
        if !self.near_reals
            || self.mentions_reals(expr)
            || self.changes_something(expr)
            || !self.is_collection(expr)
            || super::super::verbatim::returns(expr)
        {
            return None;
        }
        let (span, ad) = (expr.span(), self.runtime.clone());
        let collected: Expr = syn::parse_quote_spanned!(span=> #ad::items(#expr));
        let code = self.verbatim(&collected, false);
        let name = self.names.fresh("items", span);
        let items = self.new_var(name.clone(), Ty::Unknown, Role::Local, false);
        self.vars[items.0].carried = true;
        self.inert.insert(items);
        self.bind(&name, items);
        self.out.push(Stmt::Let { var: items, value: Value::Verbatim(code) });
        let len = self.verbatim(&syn::parse_quote!(#name.len()), true);
        let len = self.temp(Value::Verbatim(len), Ty::Discrete, span);
        let item: Item = Box::new(move |cx, k| {
            let at = cx.named(Source::Value(Value::Atom(k), Ty::Discrete));
            let item = syn::parse_quote!(::core::clone::Clone::clone(&#name[#at]));
            let mut code = cx.verbatim(&item, false);
            code.names.push((name.clone(), items));
            code.changes.clear();
            Source::Value(Value::Verbatim(code), Ty::Unknown)
        });
        Some(Seq::over(len, Effects::None, item))
    }

    /// Whether an expression iterates over a finite collection that is no slice.
    fn is_collection(&mut self, expr: &Expr) -> bool {
        let mut base = strip(expr);
        let (mut only_texts, mut by_value) = (false, true);
        while let Expr::MethodCall(call) = base {
            let name = call.method.to_string();
            let over_text = !known::SLICES.contains(&name.as_str());
            // What was collected is iterated over like what it was collected from.
            let kept = name == "collect" && call.turbofish.is_some();
            if !FINITE.contains(&name.as_str()) && !TEXT.contains(&name.as_str()) && !kept {
                return false;
            }
            only_texts |= FINITE.contains(&name.as_str()) && over_text;
            by_value = name != "iter";
            base = strip(&call.receiver);
        }
        let (base, by_value) = match base {
            Expr::Reference(reference) => (strip(&reference.expr), false),
            other => (other, by_value),
        };
        match base {
            Expr::Path(_) | Expr::Field(_) => only_texts || self.names_collection(base, by_value),
            Expr::Lit(_) => only_texts,
            _ => false,
        }
    }

    /// Whether a variable is a map, a set or the like, by its written type, or what carried code collected.
    fn names_collection(&mut self, base: &Expr, by_value: bool) -> bool {
        let Expr::Path(path) = base else { return false };
        let Some(var) = path.path.get_ident().and_then(|ident| self.lookup(ident)) else {
            return false;
        };
        let param = self.signature.params.get(var.0).map(|param| &param.syn_ty);
        let written = param.or(self.vars[var.0].written.as_ref());
        written.is_some_and(|ty| is_collection(ty, by_value))
            || by_value && self.gathered.contains(&var)
    }
}

/// Whether a type is that of a collection that has no positions, or whose items, `by_value`, are not
/// copied from their positions.
fn is_collection(ty: &syn::Type, by_value: bool) -> bool {
    let syn::Type::Path(path) = crate::signature::ungroup(ty) else { return false };
    let Some(last) = path.path.segments.last() else { return false };
    let owned = |ty: &syn::Type| match crate::signature::ungroup(ty) {
        syn::Type::Reference(_) => true,
        syn::Type::Path(path) => path.path.is_ident("String"),
        _ => false,
    };
    let items = match &last.arguments {
        syn::PathArguments::AngleBracketed(args) => args.args.first(),
        _ => None,
    };
    COLLECTIONS.iter().any(|name| last.ident == name)
        || by_value
            && last.ident == "Vec"
            && matches!(items, Some(syn::GenericArgument::Type(item)) if owned(item))
}
