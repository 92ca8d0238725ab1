//! Refutable patterns, and the parts that they bind.

use super::control::is_constant;
use crate::ir::Ty;
use proc_macro2::Ident;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{Pat, parse_quote};

/// A variable that a pattern binds to a part of the value.
pub(super) struct Part {
    pub(super) ident: Ident,
    pub(super) ty: Ty,
    /// The pattern that binds `part` to that part alone; `None` for the whole value.
    pub(super) pat: Option<Pat>,
    pub(super) mutable: bool,
    /// `ref`, `ref mut`
    pub(super) by_ref: Option<bool>,
    /// Whether a `&` in the pattern copies the part out of a reference.
    pub(super) by_value: bool,
    /// Whether it is of what an `Err` holds, which has no adjoint.
    pub(super) of_error: bool,
}

impl Part {
    fn inside(mut self, wrap: impl FnOnce(Pat) -> Pat) -> Self {
        self.pat = Some(wrap(self.pat.unwrap_or_else(|| parse_quote!(part))));
        self
    }
}

/// The parts that `pat` binds in a value of type `ty`, or `None` where they cannot be told.
pub(super) fn parts(pat: &Pat, ty: &Ty) -> Option<Vec<Part>> {
    match pat {
        Pat::Wild(_)
        | Pat::Lit(_)
        | Pat::Range(_)
        | Pat::Path(_)
        | Pat::Const(_)
        | Pat::Rest(_) => Some(Vec::new()),
        Pat::Ident(ident) if is_constant(&ident.ident) => Some(Vec::new()),
        Pat::Ident(ident) => {
            if let Some((_, inner)) = &ident.subpat
                && !matches!(**inner, Pat::Rest(_))
                && !parts(inner, ty)?.is_empty()
            {
                return None;
            }
            let rest = ident.subpat.as_ref().is_some_and(|(_, pat)| matches!(**pat, Pat::Rest(_)));
            Some(vec![Part {
                ident: ident.ident.clone(),
                ty: ty.clone(),
                pat: rest.then(|| parse_quote!(part @ ..)),
                mutable: ident.mutability.is_some() && ident.by_ref.is_none(),
                by_ref: ident.by_ref.map(|_| ident.mutability.is_some()),
                by_value: false,
                of_error: false,
            }])
        }
        Pat::Paren(paren) => parts(&paren.pat, ty),
        Pat::Reference(reference) => {
            let mut found = parts(&reference.pat, ty.peeled())?;
            found.iter_mut().for_each(|part| part.by_value = true);
            Some(found)
        }
        Pat::Tuple(tuple) => {
            let elem = |k: usize| ty.field(k);
            children(&tuple.elems, elem, |k, part| {
                let mut whole = tuple.clone();
                replace(&mut whole.elems, k, part);
                Pat::Tuple(whole)
            })
        }
        Pat::TupleStruct(tuple) => {
            let elem = |_: usize| payload(&tuple.path, ty);
            let mut found = children(&tuple.elems, elem, |k, part| {
                let mut whole = tuple.clone();
                replace(&mut whole.elems, k, part);
                Pat::TupleStruct(whole)
            })?;
            let of_error = tuple.path.segments.last().is_some_and(|last| last.ident == "Err");
            found.iter_mut().for_each(|part| part.of_error |= of_error);
            Some(found)
        }
        Pat::Slice(slice) => {
            let elem = |k: usize| match slice.elems.get(k) {
                Some(Pat::Ident(ident)) if ident.subpat.is_some() => {
                    Ty::Slice(Box::new(ty.element()))
                }
                _ => ty.element(),
            };
            children(&slice.elems, elem, |k, part| {
                let mut whole = slice.clone();
                replace(&mut whole.elems, k, part);
                Pat::Slice(whole)
            })
        }
        Pat::Struct(whole) => {
            let mut found = Vec::new();
            for field in &whole.fields {
                for part in parts(&field.pat, &Ty::Unknown)? {
                    let (path, member) = (&whole.path, &field.member);
                    found.push(part.inside(|part| parse_quote!(#path { #member: #part, .. })));
                }
            }
            Some(found)
        }
        Pat::Or(or) => alternatives(or, ty),
        _ => None,
    }
}

fn children<'p>(
    elems: impl IntoIterator<Item = &'p Pat>,
    ty: impl Fn(usize) -> Ty,
    wrap: impl Fn(usize, Pat) -> Pat,
) -> Option<Vec<Part>> {
    let mut found = Vec::new();
    for (k, elem) in elems.into_iter().enumerate() {
        let inner = parts(elem, &ty(k))?;
        found.extend(inner.into_iter().map(|part| part.inside(|pat| wrap(k, pat))));
    }
    Some(found)
}

/// Puts `part` at `k`, and `_` everywhere else.
fn replace(elems: &mut syn::punctuated::Punctuated<Pat, syn::Token![,]>, k: usize, part: Pat) {
    for (j, elem) in elems.iter_mut().enumerate() {
        if j == k {
            *elem = part.clone();
        } else if is_rest(elem) {
            *elem = parse_quote!(..);
        } else {
            *elem = parse_quote!(_);
        }
    }
}

fn is_rest(pat: &Pat) -> bool {
    match pat {
        Pat::Rest(_) => true,
        Pat::Ident(ident) => {
            ident.subpat.as_ref().is_some_and(|(_, pat)| matches!(**pat, Pat::Rest(_)))
        }
        _ => false,
    }
}

/// What `Some`, `Ok` and `Err` hold in a value of a known type.
fn payload(path: &syn::Path, ty: &Ty) -> Ty {
    let last = path.segments.last().map(|segment| segment.ident.to_string());
    match (last.as_deref(), ty.peeled()) {
        (Some("Some" | "Ok"), Ty::Wrapped { inner, .. }) => (**inner).clone(),
        (Some("Err"), _) => Ty::Discrete,
        _ => Ty::Unknown,
    }
}

/// The alternatives of an arm that are told apart by values, `(0, x) | (x, _)`: each is an arm of its
/// own, since an adjoint has other values. Any other pattern is its own one case.
pub(super) fn cases(pat: &Pat) -> Vec<&Pat> {
    match pat {
        Pat::Paren(paren) => cases(&paren.pat),
        Pat::Or(or) if compares(pat) && binds(or, &Ty::Unknown) => {
            or.cases.iter().flat_map(cases).collect()
        }
        other => vec![other],
    }
}

/// Whether alternatives bind names.
fn binds(or: &syn::PatOr, ty: &Ty) -> bool {
    or.cases.iter().any(|case| parts(case, ty).is_none_or(|found| !found.is_empty()))
}

/// Whether a pattern compares parts with values.
fn compares(pat: &Pat) -> bool {
    struct Compared(bool);
    impl<'ast> Visit<'ast> for Compared {
        fn visit_pat(&mut self, pat: &'ast Pat) {
            self.0 |= matches!(pat, Pat::Lit(_) | Pat::Range(_) | Pat::Const(_));
            visit::visit_pat(self, pat);
        }
    }
    let mut compared = Compared(false);
    compared.visit_pat(pat);
    compared.0
}

/// Every alternative binds the same names.
fn alternatives(or: &syn::PatOr, ty: &Ty) -> Option<Vec<Part>> {
    if binds(or, ty) && or.cases.iter().any(compares) {
        return None;
    }
    let cases: Option<Vec<Vec<Part>>> = or.cases.iter().map(|case| parts(case, ty)).collect();
    let mut cases = cases?.into_iter();
    let first = cases.next()?;
    let mut others: Vec<Vec<Part>> = cases.collect();
    let mut found = Vec::new();
    for part in first {
        let whole = || parse_quote!(part);
        let mut pats: Vec<Pat> = vec![part.pat.clone().unwrap_or_else(whole)];
        for other in &mut others {
            let at = other.iter().position(|other| other.ident == part.ident)?;
            pats.push(other.remove(at).pat.unwrap_or_else(whole));
        }
        let pat = Pat::Or(syn::PatOr {
            attrs: Vec::new(),
            leading_vert: None,
            cases: pats.into_iter().collect(),
        });
        found.push(Part { pat: Some(pat), ..part });
    }
    Some(found)
}

/// The pattern with its variables under the names that they have in the function.
pub(super) fn renamed(pat: &Pat, names: &[(Ident, Ident)]) -> Pat {
    struct Rename<'a>(&'a [(Ident, Ident)]);
    impl VisitMut for Rename<'_> {
        fn visit_pat_ident_mut(&mut self, ident: &mut syn::PatIdent) {
            if let Some((_, new)) = self.0.iter().find(|(old, _)| *old == ident.ident) {
                ident.ident = new.clone();
            }
            visit_mut::visit_pat_ident_mut(self, ident);
        }
        fn visit_field_pat_mut(&mut self, field: &mut syn::FieldPat) {
            visit_mut::visit_field_pat_mut(self, field);
            if let (None, Pat::Ident(ident)) = (&field.colon_token, &*field.pat)
                && !matches!(&field.member, syn::Member::Named(name) if *name == ident.ident)
            {
                field.colon_token = Some(Default::default());
            }
        }
        fn visit_expr_mut(&mut self, _: &mut syn::Expr) {}
    }
    let mut pat = pat.clone();
    Rename(names).visit_pat_mut(&mut pat);
    pat
}

/// The pattern without bindings, for a test.
pub(super) fn wild(pat: &Pat) -> Pat {
    struct Wild;
    impl VisitMut for Wild {
        fn visit_pat_mut(&mut self, pat: &mut Pat) {
            if let Pat::Ident(ident) = pat
                && !is_constant(&ident.ident)
            {
                *pat = match &ident.subpat {
                    Some((_, inner)) => (**inner).clone(),
                    None => parse_quote!(_),
                };
            }
            visit_mut::visit_pat_mut(self, pat);
        }
        fn visit_field_pat_mut(&mut self, field: &mut syn::FieldPat) {
            visit_mut::visit_field_pat_mut(self, field);
            field.colon_token = Some(Default::default());
        }
    }
    let mut pat = pat.clone();
    Wild.visit_pat_mut(&mut pat);
    pat
}
