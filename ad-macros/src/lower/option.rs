//! Methods that make one `Option` of another: they mean a `match`, and become one.

use super::iter::is_function;
use super::place::strip;
use super::{Lower, verbatim};
use crate::ir::*;
use syn::spanned::Spanned;
use syn::{Expr, ExprMethodCall};

impl Lower<'_> {
    /// `option.and_then(f)`, `option.or(other)`, `option.ok_or(error)` and the like, if a derivative may
    /// pass through.
    pub(super) fn option_made(&mut self, call: &ExprMethodCall) -> Option<(Value, Ty)> {
        let (args, span): (Vec<&Expr>, _) = (call.args.iter().collect(), call.method.span());
        if call.method == "then" && self.mentions_reals(&Expr::MethodCall(call.clone())) {
            let (test, part) = (&call.receiver, called(args.first()?, None)?);
            let whole = syn::parse_quote_spanned!(span=> if #test { Some(#part) } else { None });
            return self.made_so(&whole);
        }
        let known = ["map", "filter", "zip", "and_then", "or", "or_else", "ok_or", "ok_or_else"];
        // Sequences have methods of these names, too.
        let shared = known[..3].iter().any(|name| call.method == name);
        if !known.iter().any(|name| call.method == name)
            || !self.mentions_reals(&Expr::MethodCall(call.clone()))
            || !self.may_be_option(&call.receiver, shared)
        {
            return None;
        }
        let whole = match (call.method.to_string().as_str(), &args[..]) {
            ("map", [function]) => self.mapped(&call.receiver, function)?,
            ("and_then", [function]) => self.and_then(&call.receiver, function)?,
            ("filter", [test]) => self.filtered(&call.receiver, test)?,
            ("or", [other]) => self.or(&call.receiver, other),
            ("or_else", [make]) => self.or_else(&call.receiver, make)?,
            ("zip", [other]) => self.zipped(&call.receiver, other),
            ("ok_or", [error]) => {
                let [whole, value, made] = std::array::from_fn(|_| self.item_name(call));
                let receiver = &call.receiver;
                syn::parse_quote_spanned!(span=> {
                    let #whole = #receiver;
                    let #made = #error;
                    match #whole { Some(#value) => Ok(#value), None => Err(#made) }
                })
            }
            ("ok_or_else", [make]) => {
                let (value, receiver) = (self.item_name(call), &call.receiver);
                let error = called(make, None)?;
                syn::parse_quote_spanned!(span=> match #receiver { Some(#value) => Ok(#value), None => Err(#error) })
            }
            _ => return None,
        };
        self.made_so(&whole)
    }

    /// The value of what a method means, unless something in it is refused.
    fn made_so(&mut self, whole: &Expr) -> Option<(Value, Ty)> {
        self.tentatively(|cx| {
            let made = cx.value(whole);
            (!cx.errors.any()).then_some(made)
        })
    }

    fn item_name(&mut self, at: &impl Spanned) -> proc_macro2::Ident {
        self.names.fresh("item", at.span())
    }

    fn mapped(&mut self, receiver: &Expr, function: &Expr) -> Option<Expr> {
        let (item, span) = (self.item_name(receiver), receiver.span());
        let part = called(function, Some(&syn::parse_quote!(#item)))?;
        Some(syn::parse_quote_spanned!(span=> match #receiver {
            Some(#item) => Some(#part),
            None => None,
        }))
    }

    fn and_then(&mut self, receiver: &Expr, function: &Expr) -> Option<Expr> {
        let span = receiver.span();
        let item = self.item_name(receiver);
        let next = called(function, Some(&syn::parse_quote!(#item)))?;
        Some(
            syn::parse_quote_spanned!(span=> match #receiver { Some(#item) => #next, None => None }),
        )
    }

    fn filtered(&mut self, receiver: &Expr, test: &Expr) -> Option<Expr> {
        let span = receiver.span();
        let item = self.item_name(receiver);
        let test = called(test, Some(&syn::parse_quote!(&#item)))?;
        Some(syn::parse_quote_spanned!(span=> match #receiver {
            Some(#item) => if #test { Some(#item) } else { None },
            None => None,
        }))
    }

    /// The other one is made in any case.
    fn or(&mut self, receiver: &Expr, other: &Expr) -> Expr {
        let span = receiver.span();
        let [first, second, item] = std::array::from_fn(|_| self.item_name(receiver));
        syn::parse_quote_spanned!(span=> {
            let #first = #receiver;
            let #second = #other;
            match #first { Some(#item) => Some(#item), None => #second }
        })
    }

    fn or_else(&mut self, receiver: &Expr, make: &Expr) -> Option<Expr> {
        let span = receiver.span();
        let item = self.item_name(receiver);
        let other = called(make, None)?;
        Some(
            syn::parse_quote_spanned!(span=> match #receiver { Some(#item) => Some(#item), None => #other }),
        )
    }

    fn zipped(&mut self, receiver: &Expr, other: &Expr) -> Expr {
        let span = receiver.span();
        let [first, second, left, right] = std::array::from_fn(|_| self.item_name(receiver));
        syn::parse_quote_spanned!(span=> {
            let #first = #receiver;
            let #second = #other;
            match #first {
                Some(#left) => match #second {
                    Some(#right) => Some((#left, #right)),
                    None => None,
                },
                None => None,
            }
        })
    }

    /// Whether an expression may give an `Option`: one of a type that is not known is taken for one, unless
    /// it may be a sequence and that is `shared`.
    fn may_be_option(&mut self, expr: &Expr, shared: bool) -> bool {
        let mut found = None;
        self.tentatively(|cx| {
            found = cx.place(expr);
            None::<()>
        });
        if let Some((place, ty)) = found {
            let carried = |stmt: &Stmt| matches!(stmt, Stmt::Let { var, value: Value::Verbatim(_) } if place.var() == Some(*var));
            return match ty.peeled() {
                Ty::Wrapped { result, .. } => !result,
                // A function that is differentiated gives no sequence.
                Ty::Unknown => !shared || place.var().is_some() && !self.out.iter().any(carried),
                _ => false,
            };
        }
        match strip(expr) {
            Expr::MethodCall(call) if shared => {
                let made = ["map", "and_then", "or", "or_else", "filter", "zip", "ok"];
                made.iter().any(|name| call.method == name)
                    && self.may_be_option(&call.receiver, shared)
            }
            Expr::MethodCall(_) | Expr::Call(_) => true,
            _ => !shared,
        }
    }
}

/// The result of a closure or function that is called where it stands; it must not leave on its own.
fn called(function: &Expr, arg: Option<&Expr>) -> Option<Expr> {
    match (strip(function), arg) {
        (Expr::Closure(closure), arg) if closure.inputs.len() == usize::from(arg.is_some()) => {
            let body = &closure.body;
            if verbatim::returns(body) {
                return None;
            }
            let bound =
                arg.zip(closure.inputs.first()).map(|(arg, pat)| quote::quote!(let #pat = #arg;));
            Some(match bound {
                Some(bound) => syn::parse_quote!({ #bound #body }),
                None => (**body).clone(),
            })
        }
        (path @ Expr::Path(_), arg) if is_function(path) => Some(syn::parse_quote!(#path(#arg))),
        _ => None,
    }
}
