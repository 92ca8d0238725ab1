//! Whether a function computes with numbers of types of their own, as far as its text tells.
//!
//! A guess that is wrong costs speed, or an error of the compiler that a written type avoids.

use super::COMPUTING;
use crate::ir::Ty;
use crate::lower::call::starts_upper;
use crate::lower::known;
use crate::lower::place::strip;
use crate::signature::{Passing, Signature};
use syn::visit::{self, Visit};
use syn::{Expr, Type};

/// Whether a function is shown to compute with such numbers: it stands in an `impl` that does, takes or gives one
/// by value, calls a method that real numbers do not have, or computes with what a type has of its own. A type
/// whose parts are named is a struct.
pub fn computes(signature: &Signature, body: &syn::Block) -> bool {
    let mut seen = Seen { signature, parted: vec!["Self".to_owned()], computes: false };
    seen.visit_block(body);
    let params = signature.params.iter().filter(|param| param.carries() && param.name != "self");
    let by_value = params.filter(|param| param.passing == Passing::Value);
    let types = by_value.map(|param| &param.syn_ty).chain(&signature.syn_result);
    seen.computes || signature.numbers_around || types.into_iter().any(|ty| seen.is_number(ty))
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

/// Whether a path names something of a type, `Type::name`, that is not one of the standard library.
pub fn is_of_type(signature: &Signature, path: &syn::Path) -> bool {
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

struct Seen<'a> {
    signature: &'a Signature,
    /// The types whose parts are named.
    parted: Vec<String>,
    computes: bool,
}

impl Seen<'_> {
    /// A struct, or an enum and its variant.
    fn add(&mut self, path: &syn::Path) {
        self.parted.extend(path.segments.iter().map(|segment| segment.ident.to_string()));
    }

    /// The type of a parameter of which a part is taken.
    fn add_owner(&mut self, base: &Expr) {
        if let Expr::Path(path) = strip(base)
            && let Some(param) =
                self.signature.params.iter().find(|param| path.path.is_ident(&param.name))
            && let Some(path) = named(&param.syn_ty)
        {
            self.add(path);
        }
    }

    /// Whether a type is one of its own of which no part is taken, and says so by its name: a state or a
    /// model that is passed by value holds real numbers far more often.
    fn is_number(&self, ty: &Type) -> bool {
        let last = named(ty).and_then(|path| path.segments.last());
        last.is_some_and(|last| {
            let name = last.ident.to_string();
            name.contains("Complex")
                && self.signature.ty(ty) == Ty::Named
                && !self.parted.contains(&name)
                && !known::TYPES.contains(&name.as_str())
        })
    }

    fn is_of_type(&self, operand: &Expr) -> bool {
        let path = match strip(operand) {
            Expr::Call(call) => match &*call.func {
                Expr::Path(path) => path,
                _ => return false,
            },
            Expr::Path(path) => path,
            _ => return false,
        };
        path.qself.is_none() && is_of_type(self.signature, &path.path)
    }
}

impl<'ast> Visit<'ast> for Seen<'_> {
    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        self.computes |= COMPUTING.iter().any(|name| call.method == name);
        visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_binary(&mut self, binary: &'ast syn::ExprBinary) {
        self.computes |= self.is_of_type(&binary.left) || self.is_of_type(&binary.right);
        visit::visit_expr_binary(self, binary);
    }

    fn visit_expr_struct(&mut self, literal: &'ast syn::ExprStruct) {
        self.add(&literal.path);
        visit::visit_expr_struct(self, literal);
    }

    fn visit_pat_struct(&mut self, pat: &'ast syn::PatStruct) {
        self.add(&pat.path);
        visit::visit_pat_struct(self, pat);
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

    fn visit_expr_field(&mut self, field: &'ast syn::ExprField) {
        self.add_owner(&field.base);
        visit::visit_expr_field(self, field);
    }

    fn visit_expr_index(&mut self, index: &'ast syn::ExprIndex) {
        self.add_owner(&index.expr);
        visit::visit_expr_index(self, index);
    }
}

/// The path of a type, behind references too.
fn named(ty: &Type) -> Option<&syn::Path> {
    match ty {
        Type::Reference(reference) => named(&reference.elem),
        Type::Path(path) => Some(&path.path),
        _ => None,
    }
}
