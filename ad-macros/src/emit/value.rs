//! Values, places and operands as expressions.

use super::Emit;
use crate::ir::*;
use crate::names::context;
use proc_macro2::Span;
use quote::{ToTokens, quote};
use syn::visit::Visit;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, Token, parse_quote};

impl Emit<'_> {
    /// An operand.
    pub(super) fn atom(&mut self, atom: &Atom) -> Expr {
        match atom {
            Atom::Text(text, _) => match syn::parse2(text.clone()) {
                Ok(expr) => expr,
                Err(_) => Expr::Verbatim(text.clone()),
            },
            Atom::Var(var) => match self.inline.get(var) {
                Some(expr) => expr.clone(),
                None => {
                    let name = self.name(*var);
                    parse_quote!(#name)
                }
            },
        }
    }

    /// An operand that is handed on: cloned if the reverse sweep wants to see it again.
    pub(super) fn moved(&mut self, atom: &Atom) -> Expr {
        let expr = self.atom(atom);
        match atom.var() {
            Some(var)
                if !self.var(var).ty.is_copy()
                    && self.var(var).role != Role::Temp
                    && self.facts.used.contains(&var) =>
            {
                parse_quote!(#expr.clone())
            }
            _ => expr,
        }
    }

    /// What defines `var`.
    pub(super) fn value(&mut self, value: &Value, var: VarId) -> Expr {
        match value {
            Value::Atom(atom) => self.moved(atom),
            // What the reverse sweep wants to see again is not moved away.
            Value::Load(place) if self.is_moved_but_needed(place, var) => {
                let expr = self.place(place);
                parse_quote!(#expr.clone())
            }
            Value::Load(place) => self.contents(place, var),
            Value::Test { place, pat: Some(pat) } => {
                let place = self.place(place);
                parse_quote!(matches!(#place, #pat))
            }
            Value::Test { place, pat: None } => {
                let (whole, ad) = (self.reference(place, false), &self.ad);
                parse_quote!(#ad::Holding::holds(#whole))
            }
            Value::Copy { place, method } | Value::Length { place, method } => {
                let place = dotted(self.place(place));
                call_method(place, method, &[])
            }
            Value::Unary(op, atom) => unary(*op, self.atom(atom)),
            Value::Binary(op, a, b) => binary(self.atom(a), *op, self.atom(b)),
            Value::Operator { op, args } => {
                let args = args.iter().map(|(arg, by_ref)| match by_ref {
                    true => borrowed_expr(self.atom(arg), Span::mixed_site()),
                    false => self.operand(arg),
                });
                let args: Vec<Expr> = args.collect();
                match (op, &args[..]) {
                    (Operator::Unary(op), [arg]) => unary(*op, arg.clone()),
                    (Operator::Binary(op), [a, b]) => binary(a.clone(), *op, b.clone()),
                    _ => panic!("an operator has one operand or two, not {}", args.len()),
                }
            }
            Value::Method { name, args } => {
                let args: Vec<Expr> = args.iter().map(|arg| self.atom(arg)).collect();
                let (receiver, rest) = args.split_first().expect("a method has a receiver");
                // A literal has no methods before its type is known.
                if is_untyped_literal(receiver) {
                    let ad = &self.ad;
                    return parse_quote!(#ad::Float::#name(#receiver #(, #rest)*));
                }
                call_method(receiver.clone(), name, rest)
            }
            Value::Function { path, args } => {
                let args: Vec<Expr> = args.iter().map(|arg| self.atom(arg)).collect();
                parse_quote!(#path(#(#args),*))
            }
            Value::Cast(atom, ty) => {
                let expr = Box::new(self.atom(atom));
                let (attrs, ty) = (Vec::new(), ty.clone());
                Expr::Cast(syn::ExprCast { attrs, expr, as_token: Default::default(), ty })
            }
            Value::Array { elems, heap } => {
                let elems: Vec<Expr> = elems.iter().map(|elem| self.moved(elem)).collect();
                if *heap { parse_quote!(vec![#(#elems),*]) } else { parse_quote!([#(#elems),*]) }
            }
            Value::Repeat { elem, len, heap } => {
                let (elem, len) = (self.atom(elem), self.atom(len));
                if *heap { parse_quote!(vec![#elem; #len]) } else { parse_quote!([#elem; #len]) }
            }
            Value::Tuple(parts) => {
                let parts: Vec<Expr> = parts.iter().map(|part| self.moved(part)).collect();
                tuple(&parts)
            }
            Value::Struct { maker, parts } => {
                let parts = parts.iter().map(|part| self.moved(part)).collect();
                made(maker, parts)
            }
            Value::Order { place, by_key, code } => {
                let (ad, place, by) = (self.ad.clone(), self.reference(place, false), &code.code);
                let call = match by_key {
                    true => parse_quote!(#ad::order_by_key(#place, #by)),
                    false => parse_quote!(#ad::order_by(#place, #by)),
                };
                self.verbatim(&Verbatim { code: Box::new(call), ..code.clone() })
            }
            Value::Verbatim(code) => self.verbatim(code),
            Value::Reverse(reverse) => self.reverse_value(reverse, var),
            Value::Tangent(tangent) => self.tangent_value(tangent, var),
        }
    }

    /// The contents of a place, copied or moved out of it.
    fn contents(&mut self, place: &Place, var: VarId) -> Expr {
        let Some((last @ (Step::Payload(_) | Step::Held), outer)) = place.path.split_last() else {
            return self.place(place);
        };
        let outer = Place { root: place.root.clone(), path: outer.to_vec() };
        let owned = !outer.path.iter().any(|step| matches!(step, Step::Deref));
        let wanted = outer.var().is_some_and(|root| {
            self.facts.used.contains(&root) || self.facts.recorded.contains(&root)
        });
        let cloned = owned && wanted && !self.var(var).ty.is_copy();
        let outer = self.place(&outer);
        let outer = if cloned { parse_quote!(#outer.clone()) } else { outer };
        let ad = &self.ad;
        match last {
            // With parentheses, since it may begin a statement.
            Step::Payload(pat) => {
                parse_quote!((match #outer { #pat => part, _ => #ad::other_variant() }))
            }
            _ => parse_quote!(#ad::Holding::into_held(#outer)),
        }
    }

    fn is_moved_but_needed(&self, place: &Place, var: VarId) -> bool {
        let Some(root) = place.var() else {
            return false;
        };
        place.path.is_empty()
            && !self.var(var).ty.is_copy()
            && (self.facts.used.contains(&root) || self.facts.recorded.contains(&root))
    }

    fn reverse_value(&mut self, reverse: &Reverse, var: VarId) -> Expr {
        let ad = self.ad.clone();
        match reverse {
            Reverse::Partial { rule, args, .. }
                if rule.name == "powi"
                    && let Some(n) = literal_exponent(&args[1]) =>
            {
                let (base, generic) = (self.atom(&args[0]), self.var(var).ty == Ty::Generic);
                power_slope(self.literal(n.unsigned_abs(), generic), base, n)
            }
            Reverse::Partial { rule, arg, args, result } => {
                let names = rule.args.iter().chain(rule.others);
                let mut subst: Vec<(&str, Expr)> =
                    names.zip(args).map(|(name, arg)| (*name, self.atom(arg))).collect();
                subst.push((rule.result, self.atom(result)));
                let mut expr: Expr = syn::parse_str(rule.partials[*arg])
                    .expect("the rules' partials are expressions, as a test checks");
                let generic = self.var(var).ty == Ty::Generic;
                let scalar = self.scalar.clone();
                Substitute { subst, ad, generic, scalar }.visit_expr_mut(&mut expr);
                expr
            }
            Reverse::Pull(adjoint, partial) => {
                let (adjoint, partial) = (self.atom(adjoint), self.atom(partial));
                self.pulled(adjoint, partial)
            }
            Reverse::Neg(atom) => {
                unary(syn::UnOp::Neg(Token![-](Span::mixed_site())), self.atom(atom))
            }
            Reverse::Take(adjoint) => {
                let target = self.adjoint_reference(&adjoint.0, true);
                parse_quote!(#ad::take(#target))
            }
            Reverse::Adjoint(adjoint) => self.adjoint_place(&adjoint.0),
            Reverse::Popped(adjoint) => {
                let target = self.adjoint_reference(&adjoint.0, true);
                parse_quote!(#ad::popped(#target))
            }
            Reverse::Sum(adjoint) => {
                let target = self.adjoint_reference(&adjoint.0, false);
                parse_quote!(#ad::sum(#target))
            }
            Reverse::Operator { op, args, seed } => {
                let seed = self.adjoint_reference(&seed.0, false);
                let (name, span) = operator_name(*op);
                let args = args.iter().map(|arg| match arg {
                    Atom::Var(var) if self.is_borrowed(*var) => self.atom(arg),
                    _ => borrowed_expr(uncloned(self.atom(arg)), span),
                });
                let args: Vec<Expr> = args.collect();
                // At the operator, where a missing rule is blamed.
                let ad = proc_macro2::Ident::new(&ad.to_string(), span);
                match op {
                    Operator::Binary(_) => syn::parse_quote_spanned! { span =>
                        #ad::Operator::<#ad::operator::#name, _>::adjoint(#(#args,)* #seed)
                    },
                    Operator::Unary(_) => syn::parse_quote_spanned! { span =>
                        #ad::UnaryOperator::<#ad::operator::#name>::adjoint(#(#args,)* #seed)
                    },
                }
            }
            Reverse::Recorded(Tape::Stack(name)) => parse_quote!(#name.pop()),
            Reverse::Recorded(Tape::Slot(name)) => parse_quote!(#ad::recorded(#name)),
        }
    }

    /// A whole number as a real one.
    fn literal(&self, n: u32, generic: bool) -> Expr {
        let literal = proc_macro2::Literal::f64_unsuffixed(f64::from(n));
        let literal: Expr = parse_quote!(#literal);
        if generic { real(&self.ad, &self.scalar, &literal) } else { literal }
    }

    /// The slope of a power, or the slope of that.
    pub(super) fn power(&mut self, base: &Atom, n: &Atom, again: bool, generic: bool) -> Expr {
        if let (Some(n), false) = (literal_exponent(n), again) {
            return power_slope(self.literal(n.unsigned_abs(), generic), self.atom(base), n);
        }
        if let (Some(n @ 2..), true) = (literal_exponent(n), again)
            && let Some(factor) = n.unsigned_abs().checked_mul(n.unsigned_abs() - 1)
        {
            return power_slope(self.literal(factor, generic), self.atom(base), n - 1);
        }
        let (ad, base, n) = (self.ad.clone(), self.atom(base), self.atom(n));
        match again {
            true => parse_quote!(#ad::power_curvature(#base, #n)),
            false => parse_quote!(#ad::power_slope(#base, #n)),
        }
    }

    /// A product that is 0 if either factor is.
    pub(super) fn pulled(&self, derivative: Expr, partial: Expr) -> Expr {
        if self.strong_zero && !is_finite_literal(&partial) {
            let ad = &self.ad;
            return parse_quote!(#ad::pull(#derivative, #partial));
        }
        binary(derivative, syn::BinOp::Mul(Token![*](Span::mixed_site())), partial)
    }

    /// Code as the user wrote it; variables that had to be renamed get their names for it.
    pub(super) fn verbatim(&mut self, code: &Verbatim) -> Expr {
        let mut bindings = Vec::new();
        for (ident, var) in &code.names {
            let info = self.var(*var).clone();
            if info.name == *ident && info.role != Role::Temp {
                continue;
            }
            let value = self.atom(&Atom::Var(*var));
            let value = match (&info.ty, code.changes.contains(var)) {
                (_, true) => quote!(&mut #value),
                (Ty::Array { .. } | Ty::Named | Ty::Number | Ty::Unknown | Ty::Tuple(_), false) => {
                    quote!(&#value)
                }
                _ => quote!(#value),
            };
            bindings.push((ident, quote!(let #ident = #value;)));
        }
        let body = &code.code;
        if bindings.is_empty() {
            return (**body).clone();
        }
        within_closure(body, &bindings).unwrap_or_else(|| {
            let bindings = bindings.iter().map(|(_, binding)| binding);
            parse_quote!({ #(#bindings)* #body })
        })
    }
}

/// A closure with bindings in front of its body, where they live as long as its calls. A parameter of
/// that name is meant by what is in the body.
fn within_closure(
    code: &Expr,
    bindings: &[(&proc_macro2::Ident, proc_macro2::TokenStream)],
) -> Option<Expr> {
    let mut code = code.clone();
    let inner = match &mut code {
        Expr::Reference(reference) => &mut *reference.expr,
        other => other,
    };
    let Expr::Closure(closure) = inner else { return None };
    let mut own = Bound(Vec::new());
    closure.inputs.iter().for_each(|pat| own.visit_pat(pat));
    let meant = |ident: &proc_macro2::Ident| {
        own.0.iter().any(|known| *known == ident && context(known) == context(ident))
    };
    let outer = bindings.iter().filter(|(ident, _)| !meant(ident));
    let (outer, body) = (outer.map(|(_, binding)| binding), &closure.body);
    closure.body = parse_quote!({ #(#outer)* #body });
    Some(code)
}

/// What patterns bind.
struct Bound<'a>(Vec<&'a proc_macro2::Ident>);

impl<'ast> Visit<'ast> for Bound<'ast> {
    fn visit_pat_ident(&mut self, pat: &'ast syn::PatIdent) {
        self.0.push(&pat.ident);
        syn::visit::visit_pat_ident(self, pat);
    }
}

/// The expression in front of a `.`, which goes through references by itself.
pub(super) fn dotted(expr: Expr) -> Expr {
    match expr {
        Expr::Unary(syn::ExprUnary { op: syn::UnOp::Deref(_), expr, .. }) => match *expr {
            found @ Expr::Match(_) => parse_quote!((#found)),
            other => other,
        },
        other => other,
    }
}

/// Puts operands for the names in a rule's partial.
struct Substitute<'a> {
    subst: Vec<(&'a str, Expr)>,
    ad: proc_macro2::Ident,
    generic: bool,
    scalar: Option<proc_macro2::Ident>,
}

impl VisitMut for Substitute<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Path(path) => {
                if let Some(ident) = path.path.get_ident()
                    && let Some((_, operand)) = self.subst.iter().find(|(name, _)| ident == name)
                {
                    *expr = operand.clone();
                    return;
                }
                if path.path.segments[0].ident == "ad" {
                    path.path.segments[0].ident = self.ad.clone();
                }
            }
            Expr::Lit(lit) if self.generic && matches!(lit.lit, syn::Lit::Float(_)) => {
                *expr = real(&self.ad, &self.scalar, &parse_quote!(#lit));
                return;
            }
            _ => {}
        }
        visit_mut::visit_expr_mut(self, expr);
        // A literal has no methods before its type is known.
        if let Expr::MethodCall(call) = expr
            && matches!(&*call.receiver, Expr::Lit(_) | Expr::Unary(_))
            && is_finite_literal(&call.receiver)
        {
            let (ad, method, receiver) = (&self.ad, &call.method, &call.receiver);
            let args = call.args.iter();
            *expr = parse_quote!(#ad::Float::#method(#receiver #(, #args)*));
        }
    }
}

/// `&expr`
pub(super) fn borrowed_expr(expr: Expr, span: Span) -> Expr {
    Expr::Reference(syn::ExprReference {
        attrs: Vec::new(),
        and_token: Token![&](span),
        mutability: None,
        expr: Box::new(expr),
    })
}

/// What a clone is made of, where the rule of an operator borrows it.
pub(super) fn uncloned(expr: Expr) -> Expr {
    match expr {
        Expr::MethodCall(call) if call.method == "clone" && call.args.is_empty() => *call.receiver,
        other => other,
    }
}

/// The name of an operator's marker in the runtime.
pub(super) fn operator_name(op: Operator) -> (proc_macro2::Ident, Span) {
    use syn::spanned::Spanned;
    let span = match op {
        Operator::Binary(op) => op.span(),
        Operator::Unary(op) => op.span(),
    };
    let span = Span::mixed_site().located_at(span);
    let name = match op {
        Operator::Binary(syn::BinOp::Add(_)) => "Add",
        Operator::Binary(syn::BinOp::Sub(_)) => "Sub",
        Operator::Binary(syn::BinOp::Mul(_)) => "Mul",
        Operator::Binary(syn::BinOp::Div(_)) => "Div",
        Operator::Binary(syn::BinOp::Rem(_)) => "Rem",
        Operator::Unary(syn::UnOp::Neg(_)) => "Neg",
        other => panic!("`lower` makes no operator {other:?} of types of the user"),
    };
    (proc_macro2::Ident::new(name, span), span)
}

/// A struct or variant of its parts.
pub(super) fn made(maker: &Maker, parts: Vec<Expr>) -> Expr {
    let path = &maker.path;
    if maker.call {
        return parse_quote!(#path(#(#parts),*));
    }
    let fields = maker.members.iter().zip(parts).map(|(member, part)| match (member, &part) {
        (syn::Member::Named(name), Expr::Path(path)) if path.path.is_ident(name) => quote!(#name),
        _ => quote!(#member: #part),
    });
    parse_quote!(#path { #(#fields),* })
}

/// `a op b`, with parentheses where a tree needs them.
pub(super) fn binary(a: Expr, op: syn::BinOp, b: Expr) -> Expr {
    Expr::Binary(syn::ExprBinary { attrs: Vec::new(), left: Box::new(a), op, right: Box::new(b) })
}

pub(super) fn unary(op: syn::UnOp, expr: Expr) -> Expr {
    Expr::Unary(syn::ExprUnary { attrs: Vec::new(), op, expr: Box::new(expr) })
}

pub(super) fn not(expr: Expr) -> Expr {
    unary(syn::UnOp::Not(Token![!](Span::mixed_site())), expr)
}

pub(super) fn tuple(parts: &[Expr]) -> Expr {
    match parts {
        [single] => parse_quote!((#single,)),
        several => parse_quote!((#(#several),*)),
    }
}

pub(super) fn call_method(receiver: Expr, name: &proc_macro2::Ident, args: &[Expr]) -> Expr {
    Expr::MethodCall(syn::ExprMethodCall {
        attrs: Vec::new(),
        receiver: Box::new(receiver),
        dot_token: Default::default(),
        method: name.clone(),
        turbofish: None,
        paren_token: Default::default(),
        args: args.iter().cloned().collect(),
    })
}

/// An expression that stands next to `..` in quoted code.
pub(super) fn operand(expr: Expr) -> Expr {
    match expr {
        Expr::Range(_) | Expr::Closure(_) | Expr::Assign(_) | Expr::Return(_) => {
            parse_quote!((#expr))
        }
        other => other,
    }
}

/// A constant in the scalar type of a generic function.
pub(super) fn real(
    ad: &proc_macro2::Ident,
    scalar: &Option<proc_macro2::Ident>,
    literal: &Expr,
) -> Expr {
    match scalar {
        Some(scalar) => parse_quote!(#ad::real::<#scalar>(#literal)),
        None => parse_quote!(#ad::real(#literal)),
    }
}

/// The exponent of `x.powi(3)`.
fn literal_exponent(atom: &Atom) -> Option<i32> {
    match atom {
        Atom::Text(text, _) => text.to_string().replace(' ', "").parse().ok(),
        Atom::Var(_) => None,
    }
}

/// The derivative of `base.powi(n)`: `3.0 * base.powi(2)` for `n = 3`.
fn power_slope(factor: Expr, base: Expr, n: i32) -> Expr {
    let minus = syn::UnOp::Neg(Token![-](Span::mixed_site()));
    let factor = if n < 0 { unary(minus, factor) } else { factor };
    let times = syn::BinOp::Mul(Token![*](Span::mixed_site()));
    match n {
        0 | 1 => factor,
        2 => binary(factor, times, base),
        _ => {
            let less = proc_macro2::Literal::i32_unsuffixed(n.saturating_sub(1));
            let name = proc_macro2::Ident::new("powi", Span::mixed_site());
            binary(factor, times, call_method(base, &name, &[parse_quote!(#less)]))
        }
    }
}

/// Whether a real literal does not say its type.
fn is_untyped_literal(expr: &Expr) -> bool {
    match expr {
        Expr::Lit(syn::ExprLit { lit: syn::Lit::Float(lit), .. }) => lit.suffix().is_empty(),
        Expr::Unary(unary) => is_untyped_literal(&unary.expr),
        Expr::Paren(paren) => is_untyped_literal(&paren.expr),
        _ => false,
    }
}

/// Whether a partial is a literal, which cannot be infinite.
fn is_finite_literal(expr: &Expr) -> bool {
    match expr {
        Expr::Lit(lit) => matches!(lit.lit, syn::Lit::Float(_)),
        Expr::Unary(unary) => is_finite_literal(&unary.expr),
        Expr::Call(call) => {
            let name = call.func.to_token_stream().to_string();
            name.contains(":: real") && !name.contains(". real")
        }
        _ => false,
    }
}
