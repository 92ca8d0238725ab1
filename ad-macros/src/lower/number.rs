//! Numbers of types of their own: which operands may be of one, and arithmetic with them.
//!
//! Nothing here knows a type by its name. What a type's own functions, methods and constants give may
//! be of that type, so arithmetic with it is left to the traits that rustc chooses the rule by; those
//! serve real numbers as well. What other functions give, and what fields hold, is taken for a real
//! number, unless the function at hand is known to compute with such types ([`hints`]).

mod hints;

pub(super) use hints::computes;
pub use hints::computes_with_own;

use super::Lower;
use crate::ir::*;
use hints::is_of_type;
use syn::Expr;

/// Methods of real numbers that numbers of other types have, too.
const SHARED: &[&str] = &[
    "acos", "acosh", "asin", "asinh", "atan", "atanh", "cbrt", "cos", "cosh", "exp", "exp2", "ln",
    "log", "log10", "log2", "powf", "powi", "sin", "sinh", "sqrt", "tan", "tanh",
];

/// Methods that only compute, in every library of numbers: they do not change their receiver.
const COMPUTING: &[&str] = &["arg", "conj", "inv", "norm", "norm_sqr", "powc", "powu", "to_polar"];

/// Whether real numbers have the method, and others.
pub(super) fn is_shared(name: &str) -> bool {
    SHARED.contains(&name)
}

/// Whether a method whose value is used is taken for one that does not change its receiver. rustc refuses it
/// if it does, as it is handed a shared reference.
pub(super) fn only_computes(name: &str) -> bool {
    is_shared(name) || COMPUTING.contains(&name)
}

impl Lower<'_> {
    /// Whether arithmetic with these operands goes by the rules of their types. What is next to an integer is
    /// one, unless its type is known.
    pub(super) fn has_own_rules(&self, operands: &[&Atom]) -> bool {
        let discrete = operands.iter().any(|atom| self.atom_ty(atom) == Ty::Discrete);
        operands
            .iter()
            .any(|atom| self.atom_ty(atom).is_own() || !discrete && self.may_be_own(atom))
    }

    /// `a * b`, by the rule that rustc finds.
    pub(super) fn operator(&mut self, op: Operator, args: Vec<(Atom, bool)>) -> (Value, Ty) {
        args.iter().for_each(|(atom, _)| self.expect_number(atom));
        self.numbers = true;
        (Value::Operator { op, args }, Ty::Number)
    }

    /// Whether a method may be one of a number of a type of its own, though real numbers have it.
    pub(super) fn is_method_of_own(&self, receiver: &Atom, name: &str) -> bool {
        is_shared(name) && self.has_own_rules(&[receiver])
    }

    /// Takes what is kept in an array for a number if it may be one.
    pub(super) fn expect_kept(&mut self, atom: &Atom) {
        if self.may_be_own(atom) {
            self.expect_number(atom);
        }
    }

    /// Takes a variable of unknown type for a number, and what it was read or copied from.
    pub(super) fn expect_number(&mut self, atom: &Atom) {
        self.expect(atom, &Ty::Number);
    }

    /// Whether an operand of unknown type may be a number of a type of its own.
    fn may_be_own(&self, atom: &Atom) -> bool {
        match atom {
            Atom::Var(var) => *self.ty(*var) == Ty::Unknown && self.own.contains(var),
            Atom::Text(text, Ty::Unknown) => {
                let path = syn::parse2::<syn::Path>(text.clone());
                path.is_ok_and(|path| self.numbers || self.is_of_type(&path))
            }
            Atom::Text(..) => false,
        }
    }

    /// Notes whether a variable may hold such a number.
    pub(super) fn note_number(&mut self, var: VarId, value: &Value) {
        if self.makes_own(value) {
            self.own.insert(var);
        }
    }

    /// Whether a value may be a number of a type of its own.
    pub(super) fn makes_own(&self, value: &Value) -> bool {
        match value {
            Value::Atom(atom) => self.may_be_own(atom),
            Value::Load(place) => match place.var() {
                Some(var) if place.path.is_empty() => self.own.contains(&var),
                Some(_) => self.numbers,
                None => false,
            },
            Value::Verbatim(code) => match &*code.code {
                Expr::Call(call) => match &*call.func {
                    Expr::Path(path) => path.qself.is_none() && self.is_of_type(&path.path),
                    _ => false,
                },
                Expr::Path(path) => path.qself.is_none() && self.is_of_type(&path.path),
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether what a call gives may be such a number.
    pub(super) fn gives_own(&self, callee: &Callee) -> bool {
        match callee {
            Callee::Method(name) if only_computes(&name.to_string()) => true,
            Callee::Associated(path) if self.is_of_type(&path.path) => true,
            _ => self.numbers,
        }
    }

    fn is_of_type(&self, path: &syn::Path) -> bool {
        is_of_type(self.signature, path)
    }
}
