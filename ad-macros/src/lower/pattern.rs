//! `let` patterns and the patterns of `for` loops.

use super::Lower;
use super::consume::total;
use super::place::strip;
use crate::ir::*;
use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::{Expr, Pat};

/// What a pattern is bound to.
#[derive(Clone)]
pub(super) enum Source {
    /// A computed value.
    Value(Value, Ty),
    /// A reference to a place.
    Borrow { place: Place, ty: Ty, mutable: bool },
    /// A tuple of them, as `zip` and `enumerate` make it.
    Tuple(Vec<Source>),
}

impl Lower<'_> {
    /// `let pat = expr;`
    pub(super) fn bind_init(&mut self, pat: &Pat, expr: &Expr) {
        match (pat, strip(expr)) {
            (Pat::Tuple(pats), Expr::Tuple(values)) if pats.elems.len() == values.elems.len() => {
                let sources: Vec<Source> =
                    values.elems.iter().map(|value| self.settled(value)).collect();
                for (pat, source) in pats.elems.iter().zip(sources) {
                    self.bind_source(pat, source);
                }
            }
            (Pat::Tuple(pats), Expr::MethodCall(call))
                if call.method == "split_at" || call.method == "split_at_mut" =>
            {
                self.split(pats, call);
            }
            (Pat::Ident(ident), Expr::Closure(closure)) if self.can_inline(closure) => {
                self.bind_closure(ident, closure);
            }
            (Pat::Type(typed), _) => {
                let ty = self.signature.ty(&typed.ty);
                self.wanted.clone_from(&ty);
                // It is also that of the value of every branch.
                let outer = self.result_ty.clone();
                if ty != Ty::Unknown {
                    self.result_ty = Some(ty.clone());
                }
                let mut source = match ty {
                    Ty::Named => self.source(&total::typed(expr, &elided(&typed.ty))),
                    _ => self.source(expr),
                };
                self.result_ty = outer;
                if let Source::Value(value, known) = &mut source
                    && ty != Ty::Unknown
                {
                    known.clone_from(&ty);
                    if let (Value::Tuple(atoms), Ty::Tuple(parts)) = (value, &ty) {
                        atoms.iter().zip(parts).for_each(|(atom, part)| self.learn(atom, part));
                    }
                }
                if let Source::Value(value @ Value::Verbatim(_), known) = source {
                    // Carried code may need the type to be inferred at all.
                    let atom = self.temp(value, known.clone(), expr.span());
                    let var = atom.var().expect("a temporary is a variable");
                    self.vars[var.0].written = Some(elided(&typed.ty));
                    return self.bind_value(&typed.pat, atom, known);
                }
                self.bind_source(&typed.pat, source);
                if let Pat::Ident(ident) = &*typed.pat
                    && let Some(var) = self.lookup(&ident.ident)
                {
                    self.vars[var.0].written = Some(elided(&typed.ty));
                    if ty != Ty::Unknown {
                        self.vars[var.0].ty = ty;
                    }
                }
            }
            (Pat::Wild(_), expr) => self.statement_value(expr),
            _ => {
                let source = self.source(expr);
                self.bind_source(pat, source);
            }
        }
    }

    /// `let _ = expr;`
    fn statement_value(&mut self, expr: &Expr) {
        let (value, ty) = self.value(expr);
        match value {
            Value::Verbatim(code) => self.out.push(Stmt::Verbatim { code, diverges: false }),
            Value::Atom(_) => {}
            value => {
                self.temp(value, ty, expr.span());
            }
        }
    }

    pub(super) fn source(&mut self, expr: &Expr) -> Source {
        if let Expr::Reference(reference) = strip(expr) {
            let mutable = reference.mutability.is_some();
            return match self.place(&reference.expr) {
                Some((place, ty)) => Source::Borrow { place, ty, mutable },
                None => {
                    let atom = self.atom(&reference.expr);
                    self.borrow_of(atom, mutable, expr.span())
                }
            };
        }
        if let Some((place, Ty::Ref { mutable, to })) = self.place(expr) {
            return Source::Borrow { place: place.then(Step::Deref), ty: *to, mutable };
        }
        if let Expr::Try(attempt) = strip(expr) {
            return self.attempt(attempt);
        }
        if let Expr::MethodCall(call) = strip(expr)
            && let Some(source) = self.unwrapped(call)
        {
            return source;
        }
        let (value, ty) = self.value(expr);
        Source::Value(value, ty)
    }

    /// Takes the type of an operand, where it is not known, from what is written.
    fn learn(&mut self, atom: &Atom, ty: &Ty) {
        if let Some(var) = atom.var().filter(|var| *self.ty(*var) == Ty::Unknown) {
            self.vars[var.0].ty.clone_from(ty);
        }
    }

    /// A source as a value: a reference stands for what it refers to.
    pub(super) fn as_value(&mut self, source: Source, span: Span) -> (Value, Ty) {
        match source {
            Source::Value(value, ty) => (value, ty),
            other => {
                let atom = self.settle(other, span);
                let ty = self.atom_ty(&atom);
                (Value::Atom(atom), ty)
            }
        }
    }

    /// A reference to a value that has no place yet.
    pub(super) fn borrow_of(&mut self, atom: Atom, mutable: bool, span: Span) -> Source {
        let ty = self.atom_ty(&atom);
        let var = match atom {
            Atom::Var(var) if self.vars[var.0].role == Role::Temp => var,
            atom => {
                let copy = self.temp(Value::Atom(atom), ty.clone(), span);
                copy.var().expect("a temporary is a variable")
            }
        };
        if mutable {
            self.vars[var.0].mutable = true;
            self.vars[var.0].role = Role::Local;
            self.vars[var.0].name = self.names.fresh("buffer", span);
        }
        Source::Borrow { place: Place::of(var), ty, mutable }
    }

    /// A source whose value is computed now, so that what follows cannot change it.
    pub(super) fn settled(&mut self, expr: &Expr) -> Source {
        match self.source(expr) {
            Source::Value(Value::Atom(atom), ty) => Source::Value(Value::Atom(atom), ty),
            Source::Value(value, ty) => {
                let atom = self.temp(value, ty.clone(), expr.span());
                Source::Value(Value::Atom(atom), ty)
            }
            borrow => borrow,
        }
    }

    /// Binds a pattern to an operand.
    pub(super) fn bind_value(&mut self, pat: &Pat, atom: Atom, ty: Ty) {
        self.bind_source(pat, Source::Value(Value::Atom(atom), ty));
    }

    /// A parameter of a closure: its type may be all that tells what a literal is.
    fn bind_typed(&mut self, typed: &syn::PatType, mut source: Source) {
        let ty = self.signature.ty(&typed.ty);
        let number = ty.is_real() || ty == Ty::Discrete;
        match &mut source {
            Source::Value(_, known) if number && *known == Ty::Unknown => *known = ty,
            Source::Value(..) if number => {}
            _ => return self.bind_source(&typed.pat, source),
        }
        self.bind_source(&typed.pat, source);
        if let Pat::Ident(ident) = &*typed.pat
            && let Some(var) = self.lookup(&ident.ident)
        {
            self.vars[var.0].written = Some(elided(&typed.ty));
        }
    }

    pub(super) fn bind_source(&mut self, pat: &Pat, source: Source) {
        match pat {
            Pat::Paren(paren) => self.bind_source(&paren.pat, source),
            Pat::Type(typed) => self.bind_typed(typed, source),
            Pat::Wild(_) => {}
            Pat::Ident(ident) if ident.subpat.is_none() && ident.by_ref.is_none() => {
                self.bind_ident(ident, source);
            }
            Pat::Ident(ident) if ident.by_ref.is_none() => {
                let Source::Value(value, ty) = source else {
                    return self.refuse_pattern(pat);
                };
                let atom = match value {
                    Value::Atom(atom) => atom,
                    value => self.temp(value, ty.clone(), pat.span()),
                };
                if let Some((_, inner)) = &ident.subpat {
                    self.bind_value(inner, atom.clone(), ty.clone());
                }
                let var =
                    self.new_binding(&ident.ident, ty, Role::Local, ident.mutability.is_some());
                self.out.push(Stmt::Let { var, value: Value::Atom(atom) });
            }
            Pat::Reference(reference) if !is_carried(&source) => match source {
                Source::Borrow { place, ty: Ty::Ref { mutable, to }, .. } => {
                    let place = place.then(Step::Deref);
                    self.bind_source(&reference.pat, Source::Borrow { place, ty: *to, mutable });
                }
                Source::Borrow { place, ty, .. } => {
                    let (value, ty) = self.load(place, ty);
                    self.bind_source(&reference.pat, Source::Value(value, ty));
                }
                tuple @ Source::Tuple(_) => {
                    let parts = self.unreferenced(tuple);
                    self.bind_source(&reference.pat, parts);
                }
                Source::Value(..) => self.refuse_pattern(pat),
            },
            pat if is_carried(&source) => {
                self.bind_carried(pat, source);
            }
            Pat::Tuple(tuple) if matches!(&source, Source::Tuple(p) if p.len() == tuple.elems.len()) =>
            {
                let Source::Tuple(parts) = source else { return };
                for (pat, part) in tuple.elems.iter().zip(parts) {
                    self.bind_source(pat, part);
                }
            }
            Pat::Tuple(tuple) => match leading(&tuple.elems) {
                Some((pats, steps)) => self.bind_parts(pats, steps, source, pat.span()),
                None => self.refuse_pattern(pat),
            },
            Pat::Struct(pat) => {
                let fields = pat.fields.iter();
                let (pats, steps) =
                    fields.map(|field| (&*field.pat, Step::Field(field.member.clone()))).unzip();
                self.bind_parts(pats, steps, source, pat.path.span());
            }
            Pat::TupleStruct(tuple) => match leading(&tuple.elems) {
                Some((pats, steps)) => self.bind_parts(pats, steps, source, tuple.path.span()),
                None => self.refuse_pattern(pat),
            },
            Pat::Slice(slice) if !slice.elems.iter().any(|p| matches!(p, Pat::Rest(_))) => {
                let steps = (0..slice.elems.len()).map(|k| {
                    let index = proc_macro2::Literal::usize_unsuffixed(k);
                    Step::Index(Atom::Text(quote::quote!(#index), Ty::Discrete))
                });
                let steps = steps.collect();
                self.bind_parts(slice.elems.iter().collect(), steps, source, pat.span());
            }
            _ => self.refuse_pattern(pat),
        }
    }

    /// Binds a pattern to what carried code gives: the pattern goes through references that are not
    /// known here, so it stays as it is.
    fn bind_carried(&mut self, pat: &Pat, source: Source) {
        let Source::Value(Value::Verbatim(mut code), _) = source else {
            unreachable!("the caller has seen carried code")
        };
        let mut binds = Binds { names: &mut *self.names, found: Vec::new() };
        let mut inner = pat.clone();
        syn::visit_mut::VisitMut::visit_pat_mut(&mut binds, &mut inner);
        let found = binds.found;
        let (fresh, whole): (Vec<&syn::Ident>, _) =
            (found.iter().map(|(_, fresh)| fresh).collect(), &code.code);
        code.code = match &fresh[..] {
            [] => return self.out.push(Stmt::Verbatim { code, diverges: false }),
            [single] => syn::parse_quote!({ let #inner = #whole; #single }),
            several => syn::parse_quote!({ let #inner = #whole; (#(#several),*) }),
        };
        let value = Value::Verbatim(code);
        if let [(ident, _)] = &found[..] {
            return self.bind_ident(ident, Source::Value(value, Ty::Unknown));
        }
        let parts = self.temp(value, Ty::Unknown, pat.span());
        let parts = parts.var().expect("a temporary is a variable");
        for (k, (ident, _)) in found.iter().enumerate() {
            let index = syn::Index { index: k as u32, span: ident.ident.span() };
            let place = Place::of(parts).then(Step::Field(syn::Member::Unnamed(index)));
            self.bind_ident(ident, Source::Value(Value::Load(place), Ty::Unknown));
        }
    }

    /// What a reference refers to, for `|&(u, v)|` on a tuple whose parts are seen by reference.
    pub(super) fn unreferenced(&mut self, source: Source) -> Source {
        match source {
            Source::Borrow { place, ty: Ty::Ref { mutable, to }, .. } => {
                Source::Borrow { place: place.then(Step::Deref), ty: *to, mutable }
            }
            Source::Borrow { place, ty, .. } => {
                let (value, ty) = self.load(place, ty);
                Source::Value(value, ty)
            }
            Source::Tuple(parts) => {
                Source::Tuple(parts.into_iter().map(|part| self.unreferenced(part)).collect())
            }
            value => value,
        }
    }

    pub(super) fn refuse_pattern(&mut self, pat: &Pat) {
        self.errors.push(
            pat,
            "this pattern is not supported yet",
            "bind the whole value to a name and read its parts",
        );
    }

    fn bind_parts(&mut self, pats: Vec<&Pat>, steps: Vec<Step>, source: Source, span: Span) {
        let (place, ty, borrow) = match source {
            Source::Borrow { place, ty, mutable } => (place, ty, Some(mutable)),
            source @ Source::Tuple(_) => {
                let atom = self.settle(source, span);
                let ty = self.atom_ty(&atom);
                (Place::of(atom.var().expect("a temporary is a variable")), ty, None)
            }
            // A place stays where it is: its parts are read from it.
            Source::Value(Value::Load(place), ty) => (place, ty, None),
            Source::Value(Value::Atom(Atom::Var(var)), ty) => (Place::of(var), ty, None),
            Source::Value(Value::Tuple(atoms), _) if atoms.len() == pats.len() => {
                for (pat, atom) in pats.into_iter().zip(atoms) {
                    let ty = self.atom_ty(&atom);
                    self.bind_value(pat, atom, ty);
                }
                return;
            }
            Source::Value(value, ty) => {
                let atom = self.temp(value, ty.clone(), span);
                (Place::of(atom.var().expect("a temporary is a variable")), ty, None)
            }
        };
        for (pat, step) in pats.into_iter().zip(steps) {
            let part_ty = match &step {
                Step::Field(syn::Member::Unnamed(index)) => ty.field(index.index as usize),
                _ => ty.element(),
            };
            let part = place.clone().then(step);
            let source = match borrow {
                Some(mutable) => Source::Borrow { place: part, ty: part_ty, mutable },
                None => Source::Value(Value::Load(part), part_ty),
            };
            self.bind_source(pat, source);
        }
    }

    fn bind_ident(&mut self, pat: &syn::PatIdent, source: Source) {
        let mutable = pat.mutability.is_some();
        match source {
            Source::Borrow { place, ty, mutable: by_mut } => {
                if mutable && !by_mut && self.seat(pat, &place, &ty) {
                    return;
                }
                let ty = Ty::Ref { mutable: by_mut, to: Box::new(ty) };
                if mutable {
                    self.errors.push(
                        pat,
                        "a reference that is set anew is not supported",
                        "bind another variable, or index the slice from a variable offset",
                    );
                }
                let var = self.new_binding(&pat.ident, ty, Role::Alias, false);
                self.extend_from(var, &place, pat.span());
                self.out.push(Stmt::Borrow { var, mutable: by_mut, place });
            }
            source @ Source::Tuple(_) => {
                let atom = self.settle(source, pat.span());
                let ty = self.atom_ty(&atom);
                self.bind_ident(pat, Source::Value(Value::Atom(atom), ty));
            }
            Source::Value(Value::Atom(Atom::Var(index)), _)
                if self.unnamed == Some(index) && !mutable =>
            {
                self.unnamed = None;
                let named = self.new_binding(&pat.ident, Ty::Discrete, Role::Local, false);
                self.vars[index.0] = self.vars[named.0].clone();
                self.vars.pop();
                self.bind(&pat.ident, index);
            }
            Source::Value(value, ty) => {
                if let Value::Load(place) = &value
                    && let Some(made) = place.var().filter(|_| place.path.is_empty())
                    && self.collected.take() == Some(made)
                {
                    let written = self.vars[made.0].written.take();
                    let named = self.new_binding(&pat.ident, ty, Role::Local, true);
                    self.vars[made.0] = Var { written, ..self.vars[named.0].clone() };
                    self.vars.pop();
                    return self.bind(&pat.ident, made);
                }
                // A partial may mention the result, so a variable that changes is only a copy of it.
                let value = match value {
                    Value::Atom(_) => value,
                    // What is carried is data, though the variable may become active.
                    value
                        if mutable
                            && (!is_aggregate(&ty) || matches!(value, Value::Verbatim(_))) =>
                    {
                        Value::Atom(self.temp(value, ty.clone(), pat.span()))
                    }
                    value => value,
                };
                if let Value::Atom(Atom::Var(temp)) = &value
                    && !mutable
                    && self.is_fresh(*temp)
                {
                    return self.promote(*temp, &pat.ident);
                }
                let counts = self.counts_positions(&value);
                let var = self.new_binding(&pat.ident, ty, Role::Local, mutable);
                if counts {
                    self.positions.insert(var);
                }
                self.note_number(var, &value);
                if !mutable {
                    self.note_origin(var, &value);
                }
                self.out.push(Stmt::Let { var, value });
            }
        }
    }

    /// Whether `temp` was just made, for nobody else: temporaries have one use, unless they hold
    /// what was read of a variable.
    fn is_fresh(&self, temp: VarId) -> bool {
        let made = |stmt: &Stmt| crate::layout::definitions(stmt).contains(&temp);
        self.vars[temp.0].role == Role::Temp
            && !self.reads.values().any(|cached| *cached == temp)
            && self.out.iter().rev().take(8).any(made)
    }

    /// Gives a temporary the name that the user binds it to.
    fn promote(&mut self, temp: VarId, ident: &syn::Ident) {
        let ty = self.ty(temp).clone();
        let (written, carried) = (self.vars[temp.0].written.take(), self.vars[temp.0].carried);
        let named = self.new_binding(ident, ty, Role::Local, false);
        self.vars[temp.0] = Var { written, carried, ..self.vars[named.0].clone() };
        self.vars.pop();
        self.bind(ident, temp);
    }

    fn split(&mut self, pats: &syn::PatTuple, call: &syn::ExprMethodCall) {
        let (Some((place, ty)), Some(mid)) = (self.place(&call.receiver), call.args.first()) else {
            self.errors.push(
                call,
                "`split_at` of this expression is not supported",
                "bind it to a name first",
            );
            return;
        };
        let mid = self.atom(mid);
        let mutable = call.method == "split_at_mut";
        let part = Ty::Slice(Box::new(ty.element()));
        let ty = Ty::Ref { mutable, to: Box::new(part) };
        let mut sides = pats.elems.iter().map(|pat| match pat {
            Pat::Ident(ident) if ident.mutability.is_none() => {
                Some(self.new_binding(&ident.ident, ty.clone(), Role::Alias, false))
            }
            Pat::Wild(wild) => {
                let name = self.names.fresh("rest", wild.span());
                Some(self.new_var(name, ty.clone(), Role::Alias, false))
            }
            other => {
                self.refuse_pattern(other);
                None
            }
        });
        if let (Some(Some(left)), Some(Some(right)), None) =
            (sides.next(), sides.next(), sides.next())
        {
            self.extend_split([left, right], &place, &mid, call.span());
            self.out.push(Stmt::Split { left, right, mutable, place, mid });
        }
    }
}

fn is_aggregate(ty: &Ty) -> bool {
    matches!(ty, Ty::Array { .. } | Ty::Tuple(_) | Ty::Named | Ty::Number | Ty::Wrapped { .. })
}

/// The patterns in front of a `..` at the end, with the fields that they take; `None` where a
/// pattern stands behind the `..`.
fn leading(
    elems: &syn::punctuated::Punctuated<Pat, syn::Token![,]>,
) -> Option<(Vec<&Pat>, Vec<Step>)> {
    let rest = elems.iter().position(|pat| matches!(pat, Pat::Rest(_))).unwrap_or(elems.len());
    if rest + 1 < elems.len() {
        return None;
    }
    let parts = elems.iter().take(rest).enumerate().map(|(k, pat)| {
        let index = syn::Index { index: k as u32, span: pat.span() };
        (pat, Step::Field(syn::Member::Unnamed(index)))
    });
    Some(parts.unzip())
}

/// A written type without lifetimes, which generated functions do not name.
fn elided(ty: &syn::Type) -> syn::Type {
    use syn::visit_mut::VisitMut;
    let mut ty = ty.clone();
    crate::companion::Elide.visit_type_mut(&mut ty);
    ty
}

fn is_carried(source: &Source) -> bool {
    matches!(source, Source::Value(Value::Verbatim(_), ty) if !ty.is_copy())
}

/// Gives other names to what a pattern binds.
struct Binds<'n> {
    names: &'n mut crate::names::Names,
    found: Vec<(syn::PatIdent, syn::Ident)>,
}

impl syn::visit_mut::VisitMut for Binds<'_> {
    fn visit_pat_ident_mut(&mut self, pat: &mut syn::PatIdent) {
        let ident = &pat.ident;
        if ident.to_string().starts_with(char::is_uppercase) {
            return;
        }
        let fresh = self.names.fresh(&crate::names::plain(ident), ident.span());
        let plain = syn::PatIdent { by_ref: None, subpat: None, ..pat.clone() };
        self.found.push((plain, fresh.clone()));
        (pat.ident, pat.mutability) = (fresh, None);
        syn::visit_mut::visit_pat_ident_mut(self, pat);
    }

    fn visit_field_pat_mut(&mut self, field: &mut syn::FieldPat) {
        field.colon_token.get_or_insert_default();
        syn::visit_mut::visit_field_pat_mut(self, field);
    }
}
