//! What the text of a type tells: whether it holds reals, and whether it has an adjoint.

use super::{Signature, functions, ungroup};
use crate::ir::Ty;
use syn::Type;

const DISCRETE: &[&str] = &[
    "bool", "char", "str", "String", "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16",
    "u32", "u64", "u128", "usize",
];

impl Signature {
    /// The part of a type that has no adjoint, as far as its text tells: a reference inside, a
    /// function, a trait object, real numbers of an error.
    pub(super) fn foreign<'t>(&self, syn_ty: &'t Type, ty: &Ty) -> Option<&'t Type> {
        if !ty.may_hold_reals() {
            return None;
        }
        match ungroup(syn_ty) {
            Type::Array(array) => self.foreign(&array.elem, &self.ty(&array.elem)),
            Type::Slice(slice) => self.foreign(&slice.elem, &self.ty(&slice.elem)),
            Type::Tuple(tuple) => tuple.elems.iter().find_map(|ty| self.foreign(ty, &self.ty(ty))),
            view if is_view(view) => Some(view),
            Type::Path(path) if path.qself.is_none() => {
                let last = path.path.segments.last()?;
                let syn::PathArguments::AngleBracketed(args) = &last.arguments else { return None };
                let boxed = last.ident == "Box" && !args.args.iter().any(functions::is_called);
                if last.ident == "Result"
                    && let Some(syn::GenericArgument::Type(error)) = args.args.get(1)
                    && self.ty(error).holds_known_reals()
                {
                    return Some(error);
                }
                args.args.iter().find_map(|arg| match arg {
                    // Its trait has to be differentiated.
                    syn::GenericArgument::Type(Type::TraitObject(_)) if boxed => None,
                    syn::GenericArgument::Type(ty) => self.foreign(ty, &self.ty(ty)),
                    _ => None,
                })
            }
            other => Some(other),
        }
    }

    /// The types of active parameters, and of the result, that are not known to have an adjoint.
    pub fn asked(&self) -> Vec<&Type> {
        let params = self.params.iter().filter(|param| param.active).map(|param| &param.syn_ty);
        let mut found = Vec::new();
        for ty in params.chain(&self.syn_result) {
            self.unknown_parts(ty, &mut found);
        }
        found
    }

    fn unknown_parts<'t>(&self, ty: &'t Type, found: &mut Vec<&'t Type>) {
        match ungroup(ty) {
            Type::Array(array) => self.unknown_parts(&array.elem, found),
            Type::Slice(slice) => self.unknown_parts(&slice.elem, found),
            Type::Tuple(tuple) => {
                tuple.elems.iter().for_each(|ty| self.unknown_parts(ty, found));
            }
            known if matches!(self.ty(known), Ty::Named | Ty::Wrapped { .. }) => found.push(known),
            _ => {}
        }
    }

    /// What is known of a type from its text.
    pub fn ty(&self, ty: &Type) -> Ty {
        match ungroup(ty) {
            Type::Reference(reference) => Ty::Ref {
                mutable: reference.mutability.is_some(),
                to: Box::new(self.ty(&reference.elem)),
            },
            Type::Array(array) => Ty::Array { elem: Box::new(self.ty(&array.elem)), heap: false },
            Type::Slice(slice) => Ty::Slice(Box::new(self.ty(&slice.elem))),
            Type::Tuple(tuple) if tuple.elems.is_empty() => Ty::Unit,
            Type::Tuple(tuple) => Ty::Tuple(tuple.elems.iter().map(|ty| self.ty(ty)).collect()),
            Type::Path(path) if path.qself.is_none() => self.path_ty(&path.path),
            _ => Ty::Unknown,
        }
    }

    fn path_ty(&self, path: &syn::Path) -> Ty {
        let Some(last) = path.segments.last() else {
            return Ty::Unknown;
        };
        let name = last.ident.to_string();
        if path.segments.len() == 1 && self.scalars.contains(&name) {
            return Ty::Generic;
        }
        if name == "f64" || name == "f32" {
            return Ty::Float;
        }
        if DISCRETE.contains(&name.as_str()) {
            return Ty::Discrete;
        }
        if name == "Vec"
            && let syn::PathArguments::AngleBracketed(args) = &last.arguments
            && let Some(syn::GenericArgument::Type(elem)) = args.args.first()
        {
            return Ty::Array { elem: Box::new(self.ty(elem)), heap: true };
        }
        if let ("Option" | "Result", syn::PathArguments::AngleBracketed(args)) =
            (name.as_str(), &last.arguments)
            && let Some(syn::GenericArgument::Type(inner)) = args.args.first()
        {
            let inner = Box::new(self.ty(inner));
            return Ty::Wrapped { inner, result: name == "Result" };
        }
        Ty::Named
    }
}

/// Whether a type is one behind references alone, by its name: `ArrayRef` of ndarray, to which arrays and
/// views dereference as vectors do to slices.
pub fn is_array_ref(ty: &Type) -> bool {
    match ungroup(ty) {
        Type::Path(path) => path.path.segments.last().is_some_and(|last| {
            last.ident.to_string().strip_prefix("ArrayRef").is_some_and(|rest| rest.len() <= 1)
        }),
        _ => false,
    }
}

/// Whether a type is a view of an array of ndarray or nalgebra, by its name: an adjoint would be a view, too,
/// with nothing to refer to.
pub fn is_view(ty: &Type) -> bool {
    const OWNERS: &[&str] =
        &["Array", "Matrix", "Vector", "DMatrix", "DVector", "SMatrix", "SVector"];
    let Type::Path(path) = ungroup(ty) else { return false };
    let name = path.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
    let mut parts = name.splitn(2, "View");
    let (owner, rest) = (parts.next().unwrap_or_default(), parts.next());
    OWNERS.contains(&owner)
        && rest.is_some_and(|rest| {
            let size = rest.strip_prefix("Mut").unwrap_or(rest);
            size.chars().all(|c| c.is_ascii_digit() || c == 'D' || c == 'X' || c == 'x')
        })
}
