//! Methods of scalars, slices and arrays.

use super::expr::dereferenced;
use super::{Lower, number};
use crate::ir::*;
use crate::rules;
use syn::Expr;

/// Operators are not called as methods: a type's own `add` is something else.
const OPERATORS: &[&str] = &["add", "sub", "mul", "div", "rem", "neg"];

/// Methods of scalars whose result has no derivative.
const PREDICATES: &[&str] = &[
    "is_nan",
    "is_finite",
    "is_infinite",
    "is_normal",
    "is_subnormal",
    "is_sign_positive",
    "is_sign_negative",
    "classify",
];

/// Methods of integers that only compute, so that the reverse sweep may compute them again.
const INTEGER_METHODS: &[&str] = &[
    "abs",
    "abs_diff",
    "count_ones",
    "div_ceil",
    "div_euclid",
    "ilog2",
    "is_multiple_of",
    "is_power_of_two",
    "isqrt",
    "leading_zeros",
    "max",
    "min",
    "pow",
    "rem_euclid",
    "saturating_add",
    "saturating_sub",
    "signum",
    "trailing_zeros",
    "unsigned_abs",
    "wrapping_add",
    "wrapping_mul",
    "wrapping_sub",
];

impl Lower<'_> {
    pub(super) fn method_call(&mut self, call: &syn::ExprMethodCall) -> (Value, Ty) {
        let name = call.method.to_string();
        let whole = Expr::MethodCall(call.clone());
        if let Some(made) = self.ruled_method(call, true) {
            return made;
        }
        if let Some((place, ty)) = self.view_of_data(call) {
            return self.load(place, ty);
        }
        if let Some(value) = self.consumer(call) {
            return value;
        }
        if let Some(source) = self.unwrapped(call) {
            return self.as_value(source, call.method.span());
        }
        if let Some(value) = self.optional_value(call).or_else(|| self.vector_value(call)) {
            return value;
        }
        if let Some(value) = self.option_exchanged(call).or_else(|| self.option_made(call)) {
            return value;
        }
        match (name.as_str(), call.args.len()) {
            ("len" | "is_empty", 0) => match self.place(&call.receiver) {
                Some((place, _)) => {
                    (Value::Length { place, method: call.method.clone() }, Ty::Discrete)
                }
                None => self.verbatim_value(&whole),
            },
            ("to_vec" | "to_owned" | "clone", 0) => match self.place(&call.receiver) {
                Some((place, ty)) => self.copy(place, &ty, call),
                None => {
                    let own = self.companion_method(call, true);
                    own.unwrap_or_else(|| self.verbatim_value(&whole))
                }
            },
            // Their argument is a reference, and what they give is data.
            ("total_cmp" | "partial_cmp" | "cmp", 1) => {
                (Value::Verbatim(self.verbatim(&whole, true)), Ty::Discrete)
            }
            ("sin_cos", 0) => {
                let atom = self.scalar(&call.receiver);
                self.expect_scalar(&atom);
                let ty = self.atom_ty(&atom);
                let span = call.method.span();
                let parts = ["sin", "cos"].map(|part| {
                    let name = proc_macro2::Ident::new(part, span);
                    self.temp(Value::Method { name, args: vec![atom.clone()] }, ty.clone(), span)
                });
                (Value::Tuple(parts.to_vec()), Ty::Tuple(vec![ty.clone(), ty]))
            }
            _ => self.scalar_method(call, &name),
        }
    }

    pub(super) fn copy(
        &mut self,
        place: Place,
        ty: &Ty,
        call: &syn::ExprMethodCall,
    ) -> (Value, Ty) {
        let method = call.method.clone();
        let peeled = ty.peeled().clone();
        if peeled.is_real() || peeled == Ty::Discrete {
            let (place, ty) = dereferenced(place, ty.clone());
            return self.load(place, ty);
        }
        let ty = match (method == "clone", peeled) {
            (false, Ty::Slice(elem) | Ty::Array { elem, .. }) => Ty::Array { elem, heap: true },
            (_, other) => other,
        };
        (Value::Copy { place, method }, ty)
    }

    /// Whether an expression is data of a type that is not known: a constant of the program, or a
    /// part of a constant parameter.
    pub(super) fn is_foreign(&mut self, expr: &Expr) -> bool {
        match self.place(expr) {
            Some((place, ty)) if ty.peeled().is_opaque() => match place.var() {
                Some(var) => {
                    let param = self.signature.params.get(var.0);
                    param.is_some_and(|param| !param.active)
                }
                None => !place.path.is_empty(),
            },
            _ => false,
        }
    }

    pub(super) fn scalar_method(&mut self, call: &syn::ExprMethodCall, name: &str) -> (Value, Ty) {
        let whole = Expr::MethodCall(call.clone());
        let rule = rules::lookup(name)
            .filter(|rule| rule.args.len() + rule.others.len() == call.args.len() + 1);
        let predicate = PREDICATES.contains(&name);
        let integer = INTEGER_METHODS.contains(&name);
        let operator = rule.is_some_and(|rule| OPERATORS.contains(&rule.name));
        let is_real =
            |cx: &mut Self| cx.place(&call.receiver).is_some_and(|(_, ty)| ty.peeled().is_real());
        if rule.is_none() && number::is_shared(name) && is_real(self) {
            // With the wrong number of arguments.
            return self.verbatim_value(&whole);
        }
        if rule.is_none() && !predicate && !integer || operator {
            let own = self.companion_method(call, true);
            return own.unwrap_or_else(|| self.verbatim_value(&whole));
        }
        if self.is_foreign(&call.receiver) && (call.args.is_empty() || predicate) {
            // It may be any type with a method of that name.
            return self.verbatim_value(&whole);
        }
        let receiver = match self.place(&call.receiver) {
            Some((_, ty))
                if !matches!(
                    ty.peeled(),
                    Ty::Float | Ty::Generic | Ty::Discrete | Ty::Number | Ty::Unknown
                ) =>
            {
                let own = self.companion_method(call, true);
                return own.unwrap_or_else(|| self.verbatim_value(&whole));
            }
            _ => self.scalar(&call.receiver),
        };
        if self.is_method_of_own(&receiver, name) {
            self.expect_number(&receiver);
            return self.method_of(receiver, call);
        }
        let ty = self.atom_ty(&receiver);
        let mut args = vec![receiver];
        args.extend(call.args.iter().map(|arg| self.scalar(arg)));
        let method = Value::Method { name: call.method.clone(), args: args.clone() };
        if predicate || (ty == Ty::Discrete && integer) {
            return (method, Ty::Discrete);
        }
        let Some(rule) = rule.filter(|_| ty != Ty::Discrete) else {
            return self.verbatim_value(&whole);
        };
        let real: Vec<Ty> = args[..rule.args.len()].iter().map(|arg| self.atom_ty(arg)).collect();
        args[..rule.args.len()].iter().for_each(|arg| self.expect_scalar(arg));
        let ty = match real.into_iter().find(Ty::is_real) {
            Some(ty) => ty,
            None => self.real_ty(),
        };
        (method, ty)
    }
}
