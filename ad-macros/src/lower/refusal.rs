//! What to say of code that is carried as it is when a derivative would have to pass through it.

use super::place::strip;
use crate::ir::Refusal;
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::Expr;

/// Methods of iterators.
const ADAPTORS: &[&str] = &[
    "all",
    "any",
    "by_ref",
    "chain",
    "chunks",
    "chunks_exact",
    "chunks_mut",
    "cloned",
    "collect",
    "copied",
    "count",
    "cycle",
    "enumerate",
    "filter",
    "filter_map",
    "flat_map",
    "flatten",
    "fold",
    "for_each",
    "inspect",
    "into_iter",
    "iter",
    "iter_mut",
    "last",
    "map",
    "max_by",
    "min_by",
    "next",
    "nth",
    "peekable",
    "position",
    "product",
    "reduce",
    "rev",
    "scan",
    "skip",
    "skip_while",
    "step_by",
    "sum",
    "take",
    "take_while",
    "try_fold",
    "windows",
    "zip",
];

const CLOSURE: &str = "write a function with `#[differentiate(reverse)]` and call it";

/// The refusal of `expr`.
pub fn refusal(expr: &Expr) -> Refusal {
    match strip(expr) {
        Expr::MethodCall(call) => method(call),
        Expr::Call(call) => refuse(
            &call.func,
            &format!("the function `{}`", text(&call.func)),
            CALL,
        ),
        Expr::Closure(_) => refuse(expr, "a closure", CLOSURE),
        Expr::Struct(literal) => refuse(
            &literal.path,
            &format!("the struct literal `{} {{ … }}`", text(&literal.path)),
            "keep the values in variables or tuples",
        ),
        Expr::If(branch) => pattern(&branch.cond),
        Expr::While(repeat) => pattern(&repeat.cond),
        Expr::Match(branch) => refuse(
            &branch.match_token,
            "a `match` whose patterns take the value apart",
            "take the data apart in front, or match on an integer or `bool`",
        ),
        Expr::ForLoop(repeat) => refuse(
            &repeat.expr,
            "a `for` over this iterator",
            "loop over a range, a slice, `iter()`, `iter_mut()` or `iter().enumerate()`",
        ),
        Expr::Try(attempt) => refuse(
            &attempt.question_token,
            "`?`",
            "unwrap the value in front, or return early with `if`",
        ),
        Expr::Reference(_) => refuse(
            expr,
            "a reference to this expression",
            "bind the value to a variable and refer to that",
        ),
        Expr::Macro(mac) => refuse(
            &mac.mac.path,
            &format!("the macro `{}!`", text(&mac.mac.path)),
            "write what it expands to",
        ),
        Expr::Block(_) => refuse(expr, "a labelled block", "use `loop { …; break value; }`"),
        Expr::Range(_) => refuse(expr, "a range as a value", "write it in the `for`"),
        Expr::Binary(_) => refuse(
            expr,
            "this operator",
            "compute the operands that carry derivatives in front",
        ),
        _ => refuse(
            expr,
            "this expression",
            "write it with the supported constructs",
        ),
    }
}

const CALL: &str = "write the call as a free function with `#[differentiate(reverse)]`";

/// `what` at the tokens `at`.
pub fn refuse(at: &impl ToTokens, what: &str, help: &str) -> Refusal {
    Refusal {
        at: at.to_token_stream(),
        what: what.to_owned(),
        help: help.to_owned(),
    }
}

fn method(call: &syn::ExprMethodCall) -> Refusal {
    // The innermost adaptor of a chain is what has to be rewritten first.
    let mut first = call;
    while let Expr::MethodCall(inner) = strip(&first.receiver) {
        let name = inner.method.to_string();
        if name == "iter" || name == "iter_mut" || !ADAPTORS.contains(&name.as_str()) {
            break;
        }
        first = inner;
    }
    let name = first.method.to_string();
    if ADAPTORS.contains(&name.as_str()) {
        return refuse(
            &first.method,
            &format!("the iterator method `{name}`"),
            "write a `for` loop",
        );
    }
    refuse(
        &call.method,
        &format!(
            "the method `{}`, which has no derivative rule,",
            call.method
        ),
        "write it as a free function with `#[differentiate(reverse)]`, or with supported methods",
    )
}

fn pattern(cond: &Expr) -> Refusal {
    refuse(
        cond,
        "a pattern in a condition",
        "take the data apart in front, or use a condition without `let`",
    )
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
