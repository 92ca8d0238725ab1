//! Operators with operands by reference: `&a + b`, `a += &b`.
//!
//! ```text
//! let t = &a + b;                                             // as the user wrote it
//!
//! let (a_part, b_part) = ad::Operator::<ad::operator::Add, _>::adjoint(&a, &b, &t_adj);
//! ad::accumulate(&mut a_adj, &a_part);
//! ```

use super::Emit;
use super::value::{binary, borrowed_expr, operator_name, unary, uncloned};
use crate::ir::*;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::Expr;

impl Emit<'_> {
    /// The operator as the user wrote it.
    pub(super) fn operator(&mut self, call: &Call, op: Operator, assigns: bool) -> TokenStream {
        let args = call.args.iter().map(|arg| match arg {
            Arg::Value(atom) => self.operand(atom),
            other => self.plain_arg(other),
        });
        let args: Vec<Expr> = args.collect();
        let expr = match (op, &args[..]) {
            (Operator::Unary(op), [arg]) => unary(op, arg.clone()),
            (Operator::Binary(op), [place, value]) if assigns => {
                let place = match place {
                    Expr::Reference(reference) => (*reference.expr).clone(),
                    reference => syn::parse_quote!(*#reference),
                };
                binary(place, assigning(op), value.clone())
            }
            (Operator::Binary(op), [a, b]) => binary(a.clone(), op, b.clone()),
            _ => panic!("an operator has one operand or two, not {}", args.len()),
        };
        expr.into_token_stream()
    }

    /// An operand by value; cloned if the reverse sweep wants to see it again.
    pub(super) fn operand(&mut self, atom: &Atom) -> Expr {
        let expr = self.atom(atom);
        match atom.var() {
            // What is written in place is written again in the reverse sweep.
            Some(var)
                if !self.var(var).ty.is_copy()
                    && self.facts.used.contains(&var)
                    && !self.inline.contains_key(&var) =>
            {
                syn::parse_quote!(#expr.clone())
            }
            _ => expr,
        }
    }

    /// What the operator's rule gives is added to the adjoints of the operands.
    pub(super) fn operator_pullback(
        &mut self,
        op: Operator,
        assigns: bool,
        pullback: &PullbackCall,
    ) -> TokenStream {
        let (name, span) = operator_name(op);
        let (mut before, mut after) = (TokenStream::new(), TokenStream::new());
        let (mut refs, mut values) = (pullback.args.iter(), pullback.results.iter());
        let (mut operands, mut parts, mut target) = (Vec::new(), Vec::new(), None);
        for arg in &pullback.call.args {
            let (primal, part) = match arg {
                Arg::Ref { .. } => {
                    let arg = refs.next().expect("a pullback has every reference argument");
                    let (primal, adjoint) = self.handed_over(arg, &mut before, &mut after);
                    let part = adjoint.map(|adjoint| self.part(adjoint, arg.mutable, &mut after));
                    if let (true, Some((_, adjoint))) = (arg.mutable, &part) {
                        target = Some(adjoint.clone());
                    }
                    (borrowed(primal), part.map(|(name, _)| name))
                }
                Arg::Value(atom) => {
                    let result = values.next().expect("a pullback gives every value's adjoint");
                    let part = result.map(|var| self.name(var));
                    (borrowed_expr(uncloned(self.atom(atom)), span), part)
                }
                Arg::Function(_) => panic!("an operand is no function"),
            };
            operands.push(primal);
            parts.push(part);
        }
        // At the operator, where a missing rule is blamed.
        let ad = Ident::new(&self.ad.to_string(), span);
        let rule = match op {
            Operator::Binary(_) => {
                quote::quote_spanned!(span=> #ad::Operator::<#ad::operator::#name, _>)
            }
            Operator::Unary(_) => {
                quote::quote_spanned!(span=> #ad::UnaryOperator::<#ad::operator::#name>)
            }
        };
        let seed = match (&pullback.seed, target) {
            (Some(seed), _) => {
                let seed = self.atom(seed);
                quote!(&#seed)
            }
            (None, Some(adjoint)) => {
                let adjoint = syn::parse2(adjoint).expect("an adjoint is an expression");
                borrowed(adjoint).into_token_stream()
            }
            (None, None) => panic!("an operator has a result, or what it changes has an adjoint"),
        };
        let call = match &parts[..] {
            [Some(part)] => quote!(let #part = #rule::adjoint(#(#operands,)* #seed);),
            [Some(a), Some(b)] => {
                quote!(let (#a, #b) = #rule::adjoint(#(#operands,)* #seed);)
            }
            [Some(a), None] => quote!(let #a = #rule::left_adjoint(#(#operands,)* #seed);),
            [None, Some(b)] => quote!(let #b = #rule::right_adjoint(#(#operands,)* #seed);),
            _ => TokenStream::new(),
        };
        debug_assert!(assigns || pullback.seed.is_some());
        quote!(#before #call #after)
    }

    /// A name for what goes to an operand's adjoint; it replaces that of an operand that is changed.
    fn part(
        &mut self,
        adjoint: TokenStream,
        replaced: bool,
        after: &mut TokenStream,
    ) -> (Ident, TokenStream) {
        let (ad, part) = (self.ad.clone(), self.names.fresh("part", Span::call_site()));
        let added = std::mem::take(after);
        let code = match replaced {
            true => quote!(#ad::overwrite(#adjoint, &#part);),
            false => quote!(#ad::accumulate(#adjoint, &#part);),
        };
        *after = quote!(#code #added);
        (part, adjoint)
    }
}

/// A reference to an operand that is one already if it is mutable.
fn borrowed(primal: Expr) -> Expr {
    match primal {
        Expr::Reference(mut reference) => {
            reference.mutability = None;
            Expr::Reference(reference)
        }
        reference => reference,
    }
}

/// `+=` for `+`
fn assigning(op: syn::BinOp) -> syn::BinOp {
    use syn::{BinOp, Token, spanned::Spanned};
    let span = op.span();
    match op {
        BinOp::Add(_) => BinOp::AddAssign(Token![+=](span)),
        BinOp::Sub(_) => BinOp::SubAssign(Token![-=](span)),
        BinOp::Mul(_) => BinOp::MulAssign(Token![*=](span)),
        BinOp::Div(_) => BinOp::DivAssign(Token![/=](span)),
        BinOp::Rem(_) => BinOp::RemAssign(Token![%=](span)),
        other => panic!("`lower` makes no operator {other:?} of types of the user"),
    }
}
