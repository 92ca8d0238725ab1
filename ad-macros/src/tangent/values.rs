//! The tangents of values.

use super::Forward;
use crate::ir::*;
use crate::record::{Partial, is_negative_slope, partials};
use crate::walk;
use proc_macro2::TokenStream;
use quote::quote;

impl Forward<'_> {
    /// `let x = value; let x_tan = …;`
    pub(super) fn definition(
        &mut self,
        var: VarId,
        value: &Value,
        stmt: &Stmt,
        out: &mut Vec<Stmt>,
    ) {
        if let Value::Reverse(Reverse::Partial { rule, arg, args, result }) = value {
            // As statements, so that it has a tangent like any other value.
            let ty = self.vars[var.0].ty.clone();
            let partial = self.partial((rule, *arg), (args, result), &ty, out);
            let value = Value::Atom(partial);
            let stmt = Stmt::Let { var, value: value.clone() };
            return self.definition(var, &value, &stmt, out);
        }
        if !self.activity.covers(var) && self.carries(value) {
            self.derived.insert(var);
        }
        // Their operands are moved into them.
        let moves = match value {
            Value::Operator { .. } | Value::Array { .. } | Value::Tuple(_) => true,
            Value::Struct { .. } | Value::Repeat { .. } => true,
            Value::Atom(_) => !self.vars[var.0].ty.is_copy(),
            _ => false,
        };
        if moves {
            self.definition_tangent(var, value, out);
        }
        out.push(stmt.clone());
        self.defined.insert(var);
        if let Value::Atom(atom) = value
            && is_own_tangent(atom)
            && !self.vars[var.0].mutable
        {
            self.own.insert(var, atom.clone());
        }
        if !moves {
            self.definition_tangent(var, value, out);
        }
    }

    /// `let x_tan = …;`, if `x` is active.
    pub(super) fn definition_tangent(&mut self, var: VarId, value: &Value, out: &mut Vec<Stmt>) {
        if !self.is_active(var) {
            return;
        }
        let ty = self.vars[var.0].ty.clone();
        let twin = match value {
            Value::Load(place) if self.place_is_active(place) => self.loaded(place, &ty),
            Value::Copy { place, method } if self.place_is_active(place) => {
                Value::Copy { place: self.place(place), method: method.clone() }
            }
            Value::Operator { op, args } => self.operator(*op, args, out),
            Value::Array { elems, heap } => {
                Value::Array { elems: self.parts(elems, out), heap: *heap }
            }
            Value::Tuple(parts) => Value::Tuple(self.parts(parts, out)),
            Value::Struct { maker, parts } => {
                Value::Struct { maker: maker.clone(), parts: self.parts(parts, out) }
            }
            Value::Repeat { elem, len, heap } => {
                let elem = self.tangent_or_zero(elem, out);
                Value::Repeat { elem, len: len.clone(), heap: *heap }
            }
            Value::Atom(atom) => Value::Atom(self.tangent_or_zero(atom, out)),
            Value::Cast(Atom::Var(from), to) if self.is_active(*from) => {
                let from_tan = Atom::Var(self.tangent(*from));
                match self.vars[from.0].ty.is_real() {
                    true => Value::Cast(from_tan, to.clone()),
                    false => Value::Tangent(Tangent::Cast(from_tan, to.clone())),
                }
            }
            Value::Reverse(reverse) => self.reverse_tangent(reverse, &ty, out),
            Value::Tangent(Tangent::PowerSlope { base, n, .. }) => {
                let (base, n) = (base.clone(), n.clone());
                let tangent = self.tangent_or_zero(&base, out);
                let curvature = Tangent::PowerSlope { base, n, again: true };
                let curvature = self.bound(Value::Tangent(curvature), &ty, out);
                Value::Tangent(Tangent::Scaled(tangent, curvature))
            }
            _ => self.by_partials(var, value, &ty, out),
        };
        let tangent = self.tangent(var);
        out.push(Stmt::Let { var: tangent, value: twin });
    }

    /// The tangent of what a place holds. What a pattern binds is cloned: the tangent of a value that
    /// is taken apart stays whole.
    fn loaded(&mut self, place: &Place, ty: &Ty) -> Value {
        let bound = matches!(place.path.last(), Some(Step::Payload(_)));
        let place = self.place(place);
        match bound && !ty.is_real() {
            true => Value::Copy { place, method: quote::format_ident!("clone") },
            false => Value::Load(place),
        }
    }

    fn parts(&mut self, parts: &[Atom], out: &mut Vec<Stmt>) -> Vec<Atom> {
        parts.iter().map(|part| self.tangent_or_zero(part, out)).collect()
    }

    fn operator(&mut self, op: Operator, args: &[(Atom, bool)], out: &mut Vec<Stmt>) -> Value {
        let args: Vec<Atom> = args.iter().map(|(arg, _)| arg.clone()).collect();
        let tangents = self.parts(&args, out);
        Value::Tangent(Tangent::Operator { op, args, tangents })
    }

    /// `Σ x_tan * ∂y/∂x`
    fn by_partials(&mut self, var: VarId, value: &Value, ty: &Ty, out: &mut Vec<Stmt>) -> Value {
        let operands: Vec<Atom> = walk::operands(value).into_iter().cloned().collect();
        let flows: Vec<(Atom, Partial)> = partials(value)
            .into_iter()
            .filter(|(atom, _)| self.atom_is_active(atom))
            .map(|(atom, partial)| (atom.clone(), partial))
            .collect();
        let mut terms: Vec<(Atom, bool)> = Vec::new();
        for (atom, partial) in flows {
            let tangent = self.tangent_or_zero(&atom, out);
            terms.push(match partial {
                Partial::Sign(sign) => (tangent, sign < 0),
                Partial::Rule(rule, arg) => {
                    let slope = self.slopes.get(&var).filter(|slope| self.defined.contains(slope));
                    let (slope, negative) = match slope.copied() {
                        Some(slope) => (Atom::Var(slope), is_negative_slope(value)),
                        None => {
                            let (args, result) = (operands.clone(), Atom::Var(var));
                            let slope = Reverse::Partial { rule, arg, args, result };
                            (self.bound(Value::Reverse(slope), ty, out), false)
                        }
                    };
                    let scaled = Value::Tangent(Tangent::Scaled(tangent, slope));
                    (self.bound(scaled, ty, out), negative)
                }
            });
        }
        // No derivative flows through what code that is carried gives.
        self.sum(terms, ty, out).unwrap_or(Value::Tangent(match ty.is_real() {
            true => Tangent::Zero(ty.clone()),
            false => Tangent::Zeros(Place::of(var)),
        }))
    }

    /// The sum of terms, of which some are subtracted.
    pub(super) fn sum(
        &mut self,
        mut terms: Vec<(Atom, bool)>,
        ty: &Ty,
        out: &mut Vec<Stmt>,
    ) -> Option<Value> {
        // `a - b` reads better than `-b + a`.
        terms.sort_by_key(|(_, negative)| *negative);
        let mut terms = terms.into_iter();
        let (first, negative) = terms.next()?;
        let mut total = match negative {
            true => Value::Tangent(Tangent::Neg(first)),
            false => Value::Atom(first),
        };
        for (b, negative) in terms {
            let a = match total {
                Value::Atom(atom) => atom,
                value => self.bound(value, ty, out),
            };
            total = Value::Tangent(Tangent::Sum { a, b, negative });
        }
        Some(total)
    }

    /// A temporary for a value.
    pub(super) fn bound(&mut self, value: Value, ty: &Ty, out: &mut Vec<Stmt>) -> Atom {
        let var = self.temp("t", ty.clone());
        out.push(Stmt::Let { var, value });
        Atom::Var(var)
    }

    /// The tangent of an operand; that of a constant is 0, and what is not a real number rides along.
    pub(super) fn tangent_or_zero(&mut self, atom: &Atom, out: &mut Vec<Stmt>) -> Atom {
        let ty = match atom {
            Atom::Var(var) if self.is_active(*var) => return Atom::Var(self.tangent(*var)),
            Atom::Var(var) if self.own.contains_key(var) => return self.own[var].clone(),
            Atom::Var(var) => self.vars[var.0].ty.clone(),
            Atom::Text(_, ty) => ty.clone(),
        };
        if ty == Ty::Discrete || ty == Ty::Unit {
            return match atom {
                Atom::Text(..) => atom.clone(),
                Atom::Var(var) => {
                    let value = Tangent::Zeros(Place::of(*var));
                    self.bound(Value::Tangent(value), &ty, out)
                }
            };
        }
        if is_own_tangent(atom) {
            return atom.clone();
        }
        if ty.is_real() {
            return self.bound(Value::Tangent(Tangent::Zero(ty.clone())), &ty, out);
        }
        let var = match atom {
            Atom::Var(var) => *var,
            Atom::Text(text, _) => {
                let code = Atom::Text(quote!(#text), ty.clone());
                match self.bound(Value::Atom(code), &ty, out) {
                    Atom::Var(var) => var,
                    Atom::Text(..) => panic!("a value that was just bound is a variable"),
                }
            }
        };
        self.bound(Value::Tangent(Tangent::Zeros(Place::of(var))), &ty, out)
    }
}

/// Whether a constant is its own tangent: `None`, and what stands in a variable until it gets its value
/// and is never read.
fn is_own_tangent(atom: &Atom) -> bool {
    let Atom::Text(text, _) = atom else { return false };
    let text = text.to_string();
    let ends = |with: TokenStream| text.ends_with(&with.to_string());
    text == "None" || ends(quote!(Option::None)) || ends(quote!(Default::default()))
}
