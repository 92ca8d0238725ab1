//! What to say of code that is carried as it is when a derivative would have to pass through it.

use super::place::strip;
use crate::ir::Refusal;
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::Expr;

/// Methods that begin a chain of iterators.
const SOURCES: &[&str] = &[
    "chunks",
    "chunks_exact",
    "chunks_exact_mut",
    "chunks_mut",
    "into_iter",
    "iter",
    "iter_mut",
    "rchunks",
    "rchunks_exact",
    "rchunks_exact_mut",
    "rchunks_mut",
    "windows",
];

/// Methods of iterators that are not.
const UNSUPPORTED: &[&str] =
    &["by_ref", "cycle", "partition", "peekable", "rposition", "split", "unzip"];

/// Methods of iterators whose `Option` has to be taken apart in the chain.
const OPTIONAL: &[&str] = &[
    "find",
    "find_map",
    "max_by",
    "max_by_key",
    "min_by",
    "min_by_key",
    "next",
    "nth",
    "position",
    "reduce",
    "try_fold",
];

const CALL: &str = "write a function with `#[differentiate(reverse)]` and call it by its name";

/// The refusal of `expr`.
pub fn refusal(expr: &Expr) -> Refusal {
    match strip(expr) {
        Expr::MethodCall(call) => method(call),
        Expr::Call(call) => callee(call),
        Expr::Closure(_) => refuse(expr, "a closure", CALL),
        Expr::Struct(literal) => refuse(
            &literal.path,
            &format!("the struct literal `{} {{ … }}`", text(&literal.path)),
            "keep the values in variables or tuples",
        ),
        Expr::If(_) => refuse(expr, "`if let`", APART),
        Expr::While(_) => refuse(expr, "`while let`", APART),
        Expr::Match(branch) => refuse(
            &branch.match_token,
            "a `match` whose patterns take the value apart",
            "take the data apart in front, or match on an integer or `bool`",
        ),
        Expr::ForLoop(repeat) => items(&repeat.expr),
        Expr::Unary(unary) if matches!(strip(&unary.expr), Expr::MethodCall(_)) => {
            refusal(&unary.expr)
        }
        Expr::Try(attempt) => refuse(
            &attempt.question_token,
            "`?`",
            "unwrap the value in front, or return early with `if`",
        ),
        Expr::Reference(_) => refuse(
            expr,
            "a reference that is chosen or stored",
            "copy the value, or choose an index",
        ),
        Expr::Macro(mac) => refuse(
            &mac.mac.path,
            &format!("the macro `{}!`", text(&mac.mac.path)),
            "write what it expands to",
        ),
        Expr::Block(_) => refuse(expr, "a labelled block", "use `loop { …; break value; }`"),
        Expr::Range(_) => refuse(expr, "a range outside of `for`", "keep its ends in variables"),
        Expr::Binary(_) => {
            refuse(expr, "this operator", "compute the operands that carry derivatives in front")
        }
        _ => refuse(expr, "this expression", "write it with the supported constructs"),
    }
}

/// The refusal of what a `for` runs over.
fn items(iter: &Expr) -> Refusal {
    if let Expr::MethodCall(call) = strip(iter)
        && let Some(refusal) = chain(call)
    {
        return refusal;
    }
    refuse(
        iter,
        "a `for` over this iterator",
        "loop over a range with two ends, a slice, or a chain of `map`, `zip`, `enumerate` on them",
    )
}

const APART: &str = "take the data apart in front, or use a condition without `let`";

/// Of memory that several own.
pub(super) const SHARED: &str =
    "let one variable own the value, and lend it as `&` and `&mut`: shared memory has no adjoint";

fn callee(call: &syn::ExprCall) -> Refusal {
    let Expr::Path(path) = strip(&call.func) else {
        return refuse(&call.func, "a call of this expression", CALL);
    };
    let name = text(path);
    let last = path.path.segments.last().map(|segment| segment.ident.to_string());
    if last.is_some_and(|last| last.starts_with(char::is_uppercase)) {
        return refuse(
            path,
            &format!("the constructor `{name}`"),
            "keep the value in a variable, a tuple or an array",
        );
    }
    match name.as_str() {
        "Rc::new" | "Arc::new" | "RefCell::new" | "Cell::new" | "Mutex::new" | "RwLock::new" => {
            refuse(path, &format!("`{name}`"), SHARED)
        }
        _ if path.path.get_ident().is_some() => {
            refuse(path, &format!("`{name}`, a closure or function pointer,"), CALL)
        }
        _ => refuse(path, &format!("the associated function `{name}`"), CALL),
    }
}

/// `what` at the tokens `at`.
pub fn refuse(at: &impl ToTokens, what: &str, help: &str) -> Refusal {
    Refusal { at: at.to_token_stream(), what: what.to_owned(), help: help.to_owned() }
}

fn method(call: &syn::ExprMethodCall) -> Refusal {
    if let Some(refusal) = chain(call) {
        return refusal;
    }
    let name = call.method.to_string();
    let help = match name.as_str() {
        "push" | "pop" | "extend_from_slice" | "append" | "clear" | "truncate" | "resize"
        | "insert" | "remove" | "swap_remove" | "rotate_left" | "rotate_right" | "reverse" => {
            "write the type of the vector, as in `let mut v: Vec<f64> = …`"
        }
        "extend" => "push the items in a `for` loop",
        "retain" | "dedup" | "dedup_by_key" | "drain" | "splice" => {
            "push what is kept to another vector in a `for` loop"
        }
        "select_nth_unstable_by" | "select_nth_unstable_by_key" | "sort_floats" => {
            "sort the whole: `v.sort_by(f64::total_cmp)`"
        }
        "sort_by" | "sort_unstable_by" => "compare by a closure that changes nothing",
        "first" | "get" | "first_mut" | "last_mut" | "get_mut" => "index it: `x[i]`",
        "into" => "cast: `as f64`",
        _ => "write it as a free function with `#[differentiate(reverse)]`",
    };
    refuse(&call.method, &format!("the method `{name}`"), help)
}

/// The refusal of a chain of iterator methods, at the first of them that is not supported.
fn chain(last: &syn::ExprMethodCall) -> Option<Refusal> {
    let mut calls = Vec::new();
    methods(last, &mut calls);
    let is = |call: &syn::ExprMethodCall, names: &[&str]| names.iter().any(|n| call.method == n);
    if let Some(call) = calls.iter().find(|call| is(call, UNSUPPORTED)) {
        let what = format!("the iterator method `{}`", call.method);
        return Some(refuse(&call.method, &what, "write a `for` loop"));
    }
    if is(last, OPTIONAL) {
        let what = format!("the `Option` of `{}`", last.method);
        let help = "take it apart in the chain: `….unwrap()`, `….unwrap_or(…)`, `….map_or(…, …)`";
        return Some(refuse(&last.method, &what, help));
    }
    if last.method == "collect" {
        return Some(refuse(
            &last.method,
            "`collect` into this type, or of this chain,",
            "collect into a `Vec`, with its type: `collect::<Vec<_>>()`, or write a `for` loop",
        ));
    }
    let known = calls.iter().any(|call| is(call, SOURCES));
    known.then(|| refuse(last, "this chain of iterator methods", "write a `for` loop"))
}

/// The methods of a chain and of the chains that it joins, in the order in which they are written.
fn methods<'e>(last: &'e syn::ExprMethodCall, calls: &mut Vec<&'e syn::ExprMethodCall>) {
    if let Expr::MethodCall(receiver) = strip(&last.receiver) {
        methods(receiver, calls);
    }
    calls.push(last);
    if last.method == "zip" || last.method == "chain" {
        for arg in &last.args {
            if let Expr::MethodCall(inner) = strip(arg) {
                methods(inner, calls);
            }
        }
    }
}

/// The text of some tokens as a person would write it.
pub fn text(tokens: &impl ToTokens) -> String {
    tidy(&tokens.to_token_stream())
}

/// Tokens print with spaces between them; these are the ones that nobody writes.
pub fn tidy(tokens: &TokenStream) -> String {
    let mut text = tokens.to_string();
    for (spaced, tight) in [
        (" :: ", "::"),
        (":: ", "::"),
        (" < ", "<"),
        ("< ", "<"),
        (" >", ">"),
        ("& ", "&"),
        (" ,", ","),
        (" ;", ";"),
        ("[ ", "["),
        (" ]", "]"),
        ("( ", "("),
        (" )", ")"),
    ] {
        text = text.replace(spaced, tight);
    }
    text
}
