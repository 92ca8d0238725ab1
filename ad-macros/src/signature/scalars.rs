//! Which type parameters are scalars, and which names of one capital are none.

use crate::attr::Options;
use syn::visit::{self, Visit};
use syn::{GenericParam, Type, TypeParamBound, WherePredicate};

/// Bounds that make a type parameter a real scalar.
const NUMERIC: &[&str] = &[
    "Float",
    "Real",
    "Num",
    "NumOps",
    "NumAssign",
    "NumAssignOps",
    "NumRef",
    "FloatCore",
    "Mul",
    "Add",
    "Sub",
    "Div",
    "Neg",
    "MulAssign",
    "AddAssign",
    "SubAssign",
    "DivAssign",
    "Signed",
    "RealField",
    "FloatConst",
    "FromPrimitive",
    "Zero",
    "One",
];

/// The type parameters that are real scalars.
pub fn scalars(item: &syn::ItemFn, options: &Options) -> Vec<String> {
    let mut found = scalars_of(&item.sig.generics);
    if item.sig.receiver().is_some() {
        let around = scalars_of_impl(&item.sig);
        let concrete = types_of_user(item);
        found.extend(around.into_iter().filter(|name| match &options.params_of_impl {
            Some(params) => params.contains(name),
            None => !concrete.contains(name),
        }));
    }
    found
}

fn scalars_of(generics: &syn::Generics) -> Vec<String> {
    let mut found = Vec::new();
    for param in &generics.params {
        if let GenericParam::Type(param) = param
            && param.bounds.iter().any(is_numeric)
        {
            found.push(param.ident.to_string());
        }
    }
    for predicate in generics.where_clause.iter().flat_map(|clause| &clause.predicates) {
        if let WherePredicate::Type(predicate) = predicate
            && predicate.bounds.iter().any(is_numeric)
            && let Type::Path(path) = &predicate.bounded_ty
            && let Some(ident) = path.path.get_ident()
        {
            found.push(ident.to_string());
        }
    }
    found
}

/// Type parameters of the `impl` around a method that its signature mentions: their bounds are not
/// seen here, so they are known by the names that scalars have.
fn scalars_of_impl(sig: &syn::Signature) -> Vec<String> {
    struct Mentioned(Vec<String>);
    impl<'ast> Visit<'ast> for Mentioned {
        fn visit_type_path(&mut self, path: &'ast syn::TypePath) {
            let name = path.path.get_ident().map(ToString::to_string).unwrap_or_default();
            if ["T", "S", "F", "R"].contains(&name.as_str()) && !self.0.contains(&name) {
                self.0.push(name);
            }
            visit::visit_type_path(self, path);
        }
    }
    let mut mentioned = Mentioned(Vec::new());
    mentioned.visit_signature(sig);
    let own = |name: &String| sig.generics.type_params().any(|param| param.ident == name);
    mentioned.0.retain(|name| !own(name));
    mentioned.0
}

fn is_numeric(bound: &TypeParamBound) -> bool {
    match bound {
        TypeParamBound::Trait(bound) => bound
            .path
            .segments
            .last()
            .is_some_and(|segment| NUMERIC.iter().any(|name| segment.ident == name)),
        _ => false,
    }
}

/// Names that the function shows to be types of the user: it makes values of them, takes them apart, or
/// reads their fields, which no type parameter has.
pub fn types_of_user(item: &syn::ItemFn) -> Vec<String> {
    let mut shown = Shown { types: Vec::new(), typed: Vec::new() };
    for arg in &item.sig.inputs {
        if let syn::FnArg::Typed(typed) = arg
            && let syn::Pat::Ident(name) = &*typed.pat
            && let Some(ty) = named(&typed.ty)
        {
            shown.typed.push((name.ident.to_string(), ty));
        }
    }
    shown.visit_block(&item.block);
    shown.types
}

/// The name of a type, behind references too.
fn named(ty: &Type) -> Option<String> {
    match super::ungroup(ty) {
        Type::Reference(reference) => named(&reference.elem),
        Type::Path(path) => path.path.get_ident().map(ToString::to_string),
        _ => None,
    }
}

struct Shown {
    types: Vec<String>,
    /// Parameters and the names of their types.
    typed: Vec<(String, String)>,
}

impl Shown {
    fn made(&mut self, path: &syn::Path) {
        self.types.extend(path.get_ident().map(ToString::to_string));
    }
}

impl<'ast> Visit<'ast> for Shown {
    fn visit_expr_struct(&mut self, literal: &'ast syn::ExprStruct) {
        self.made(&literal.path);
        visit::visit_expr_struct(self, literal);
    }

    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        if let syn::Expr::Path(path) = &*call.func {
            self.made(&path.path);
        }
        visit::visit_expr_call(self, call);
    }

    fn visit_pat_struct(&mut self, pat: &'ast syn::PatStruct) {
        self.made(&pat.path);
        visit::visit_pat_struct(self, pat);
    }

    fn visit_pat_tuple_struct(&mut self, pat: &'ast syn::PatTupleStruct) {
        self.made(&pat.path);
        visit::visit_pat_tuple_struct(self, pat);
    }

    fn visit_expr_field(&mut self, field: &'ast syn::ExprField) {
        if let syn::Expr::Path(path) = &*field.base
            && let Some(name) = path.path.get_ident()
        {
            let owner = self.typed.iter().find(|(param, _)| name == param);
            self.types.extend(owner.map(|(_, ty)| ty.clone()));
        }
        visit::visit_expr_field(self, field);
    }
}
