//! Arrays of other crates, by their names.
//!
//! The macro sees no types, and needs none for most of what is done with such arrays: they are values of a
//! type that the program names, with methods that have companions. What is here are hints where the same
//! text means something else for slices: a wrong one leads to an error of the compiler, not to another
//! derivative.

use super::place::strip;
use super::{Lower, known};
use crate::ir::{Callee, Place, Step, Ty};
use crate::signature::{Passing, is_array_ref};
use syn::{Expr, Type};

/// Whether a type is one of ndarray or nalgebra, by its name.
fn is_array(name: &str) -> bool {
    const PLAIN: &[&str] = &[
        "Array",
        "ArrayD",
        "DMatrix",
        "DVector",
        "RowDVector",
        "SMatrix",
        "SVector",
        "RowSVector",
    ];
    let numbered = ["Array", "Matrix", "RowVector", "Vector"];
    let sizes = |name: &str| {
        let rest = numbered.iter().find_map(|front| name.strip_prefix(front));
        rest.is_some_and(|rest| rest.starts_with(|c: char| ('0'..='6').contains(&c)))
    };
    PLAIN.contains(&name) || sizes(name)
}

/// Methods of arrays whose names iterators and options have, too.
const SHARED: &[&str] = &["map", "product", "sum", "to_owned"];

/// Methods of arrays that give arrays.
const WHOLE: &[&str] = &[
    "column",
    "component_div",
    "component_mul",
    "cross",
    "diag",
    "diagonal",
    "mapv",
    "normalize",
    "row",
    "slice",
    "sum_axis",
    "t",
    "to_owned",
    "tr_mul",
    "transpose",
    "view",
];

/// Whether a call gives an array, as far as names tell. Should it give a number, the operators have rules
/// for that, too.
pub(super) fn gives_array(callee: &Callee) -> bool {
    match callee {
        Callee::Method(name) => WHOLE.iter().any(|known| name == known),
        Callee::Associated(path) => is_of_type(&path.path),
        Callee::Function(_) | Callee::Param(_) | Callee::Operator { .. } => false,
    }
}

/// Whether a path is that of a function of an array's type.
fn is_of_type(path: &syn::Path) -> bool {
    let holder = path.segments.iter().rev().nth(1);
    holder.is_some_and(|holder| is_array(&holder.ident.to_string()))
}

impl Lower<'_> {
    /// Whether a method that iterators or options have, too, is called on what may be an array of another
    /// crate: a value of a type that is named, or what an operator or a method of the program gives.
    pub(super) fn is_of_array(&mut self, call: &syn::ExprMethodCall) -> bool {
        SHARED.iter().any(|name| call.method == name) && self.may_be_array(&call.receiver)
    }

    /// `data.row(i)`, where `data` is a constant parameter that is an array of ndarray: a view, which the
    /// reverse sweep makes again rather than to keep what it borrows.
    pub(super) fn view_of_data(&mut self, call: &syn::ExprMethodCall) -> Option<(Place, Ty)> {
        const VIEWS: &[&str] = &["column", "diag", "index_axis", "row", "slice", "t", "view"];
        let Expr::Path(path) = strip(&call.receiver) else { return None };
        let var = self.lookup(path.path.get_ident()?)?;
        let param = self.signature.params.get(var.0)?;
        let known = match &param.syn_ty {
            ty if is_array_ref(ty) => true,
            Type::Path(ty) => ty.path.segments.last().is_some_and(|last| {
                let name = last.ident.to_string();
                is_array(&name) && name.starts_with("Array")
            }),
            _ => false,
        };
        if param.active || param.passing != Passing::Ref || !known {
            return None;
        }
        VIEWS.iter().find(|name| call.method == *name)?;
        let method = call.method.clone();
        let args = call.args.iter().map(|arg| self.atom(arg)).collect();
        let place = Place::of(var).then(Step::Deref).then(Step::View { method, args });
        Some((place, Ty::Named))
    }

    fn may_be_array(&mut self, expr: &Expr) -> bool {
        match strip(expr) {
            Expr::Binary(_) => true,
            Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Neg(_)) => true,
            Expr::MethodCall(call) => {
                let name = call.method.to_string();
                !known::METHODS.contains(&name.as_str()) || self.is_of_array(call)
            }
            Expr::Call(call) => match strip(&call.func) {
                Expr::Path(path) => is_of_type(&path.path),
                _ => false,
            },
            Expr::Path(path) => {
                let var = path.path.get_ident().and_then(|ident| self.lookup(ident));
                var.is_some_and(|var| match self.ty(var).peeled() {
                    Ty::Named | Ty::Number => true,
                    Ty::Unknown => !self.vars[var.0].carried,
                    _ => false,
                })
            }
            _ => false,
        }
    }
}
