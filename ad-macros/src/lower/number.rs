//! Numbers of types of their own: which operands may be of one, and arithmetic with them.
//!
//! Nothing here knows a type by its name. What a type's own functions, methods and constants give may
//! be of that type, so arithmetic with it is left to the traits that rustc chooses the rule by; those
//! serve real numbers as well. What a free function gives is taken for a real number, unless the
//! function at hand has to do with such types.

use super::call::starts_upper;
use super::place::strip;
use super::{Lower, known, method, ruled};
use crate::attr::calls::CallRule;
use crate::ir::*;
use crate::signature::Signature;
use syn::Expr;
use syn::visit::{self, Visit};

/// Methods of real numbers that numbers of other types have, too.
const SHARED: &[&str] = &[
    "acos", "acosh", "asin", "asinh", "atan", "atanh", "cbrt", "cos", "cosh", "exp", "exp2", "ln",
    "log", "log10", "log2", "powf", "powi", "sin", "sinh", "sqrt", "tan", "tanh",
];

/// Methods that only compute, in every library of numbers: they do not change their receiver.
const COMPUTING: &[&str] =
    &["arg", "conj", "inv", "norm", "norm_sqr", "powc", "powu", "scale", "to_polar", "unscale"];

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
                path.is_ok_and(|path| self.hints.fields || self.is_of_type(&path))
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
                Some(_) => self.hints.fields,
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
            Callee::Method(_) => true,
            Callee::Associated(path) if self.is_of_type(&path.path) => true,
            Callee::Associated(_) | Callee::Function(_) | Callee::Param(_) => self.hints.results,
        }
    }

    fn is_of_type(&self, path: &syn::Path) -> bool {
        is_of_type(self.signature, path)
    }
}

/// What the text of a function tells of numbers of types of their own.
#[derive(Clone, Copy, Default)]
pub(super) struct Hints {
    /// What functions give may be such a number: a type in the signature or the body is not one of the language,
    /// or a method is called that real numbers do not have. Data does not count, nor does `self`.
    pub results: bool,
    /// What fields hold may be one: a type's own function or constant is used, or the type of a parameter, the
    /// result or a variable is not one whose fields are named here.
    pub fields: bool,
}

/// Whether methods of such numbers are called in an `impl`, which real numbers do not have.
pub fn computes_with_own(item: &syn::ItemImpl) -> bool {
    struct Called(bool);
    impl<'ast> Visit<'ast> for Called {
        fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
            self.0 |= COMPUTING.iter().any(|name| call.method == name);
            visit::visit_expr_method_call(self, call);
        }
    }
    let mut called = Called(false);
    called.visit_item_impl(item);
    called.0
}

/// Looks for hints.
pub(super) fn hints(signature: &Signature, rules: &[CallRule], body: &syn::Block) -> Hints {
    let structs = structs(signature, body);
    let around = signature.numbers_around;
    let found = Hints { results: around, fields: around };
    let mut shown = Shown { signature, rules, structs, found };
    let params = signature.params.iter().filter(|param| param.carries() && param.name != "self");
    params
        .map(|param| &param.syn_ty)
        .chain(&signature.syn_result)
        .for_each(|ty| shown.visit_type(ty));
    shown.visit_block(body);
    shown.found
}

/// The types that are shown to be structs.
fn structs(signature: &Signature, body: &syn::Block) -> Vec<String> {
    let mut seen = Structs { signature, found: vec!["Self".to_owned()] };
    seen.visit_block(body);
    seen.found
}

struct Structs<'a> {
    signature: &'a Signature,
    found: Vec<String>,
}

impl Structs<'_> {
    /// A struct, or an enum and its variant.
    fn add(&mut self, path: &syn::Path) {
        self.found.extend(path.segments.iter().map(|segment| segment.ident.to_string()));
    }
}

impl<'ast> Visit<'ast> for Structs<'_> {
    fn visit_expr_struct(&mut self, literal: &'ast syn::ExprStruct) {
        self.add(&literal.path);
        visit::visit_expr_struct(self, literal);
    }

    fn visit_pat_tuple_struct(&mut self, pat: &'ast syn::PatTupleStruct) {
        self.add(&pat.path);
        visit::visit_pat_tuple_struct(self, pat);
    }

    fn visit_expr_path(&mut self, path: &'ast syn::ExprPath) {
        if path.path.segments.last().is_some_and(|last| is_variant(&last.ident.to_string())) {
            self.add(&path.path);
        }
        visit::visit_expr_path(self, path);
    }

    fn visit_pat_struct(&mut self, pat: &'ast syn::PatStruct) {
        self.add(&pat.path);
        visit::visit_pat_struct(self, pat);
    }

    fn visit_expr_field(&mut self, field: &'ast syn::ExprField) {
        if let Expr::Path(path) = strip(&field.base)
            && let Some(param) =
                self.signature.params.iter().find(|param| path.path.is_ident(&param.name))
            && let Some(path) = named(&param.syn_ty)
        {
            self.add(path);
        }
        visit::visit_expr_field(self, field);
    }
}

/// The path of a type, behind references too.
fn named(ty: &syn::Type) -> Option<&syn::Path> {
    match ty {
        syn::Type::Reference(reference) => named(&reference.elem),
        syn::Type::Path(path) => Some(&path.path),
        _ => None,
    }
}

/// Whether a path names something of a type, `Type::name`, that is not one of the standard library.
fn is_of_type(signature: &Signature, path: &syn::Path) -> bool {
    let names: Vec<String> =
        path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    let [.., holder, name] = &names[..] else { return false };
    starts_upper(holder)
        && !is_variant(name)
        && !["Self", "Float", "Real"].contains(&holder.as_str())
        && !signature.scalars.contains(holder)
        && !known::TYPES.contains(&holder.as_str())
}

/// Whether a name is that of a variant, not of a constant or function.
fn is_variant(name: &str) -> bool {
    starts_upper(name) && name.contains(char::is_lowercase)
}

struct Shown<'a> {
    signature: &'a Signature,
    rules: &'a [CallRule],
    structs: Vec<String>,
    found: Hints,
}

impl<'ast> Visit<'ast> for Shown<'_> {
    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        let name = call.method.to_string();
        let known = known::METHODS.contains(&name.as_str()) || method::is_of_scalars(&name);
        self.found.results |= !known && ruled::method_rule(self.rules, &call.method).is_none();
        self.found.fields |= COMPUTING.contains(&name.as_str());
        visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_path(&mut self, path: &'ast syn::ExprPath) {
        let own = is_of_type(self.signature, &path.path);
        self.found.results |= own;
        self.found.fields |= own;
        visit::visit_expr_path(self, path);
    }

    fn visit_type_path(&mut self, path: &'ast syn::TypePath) {
        let name = path.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
        let ty = self.signature.ty(&syn::Type::Path(path.clone()));
        let own = ty.is_own() && !known::TYPES.contains(&name.as_str());
        self.found.results |= own;
        self.found.fields |= own && !self.structs.contains(&name);
        visit::visit_type_path(self, path);
    }
}
