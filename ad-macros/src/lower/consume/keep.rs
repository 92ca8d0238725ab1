//! Items that a loop keeps for what follows.
//!
//! They are kept by value, in variables in front of the loop, one for each part of a tuple; where the
//! program has a reference, it is one to the variable.

use crate::ir::*;
use crate::lower::Lower;
use crate::lower::pattern::Source;
use proc_macro2::{Ident, Span};
use quote::quote;

/// Variables that hold an item.
#[derive(Clone)]
pub(super) enum Kept {
    Value(VarId),
    /// What the item refers to.
    Borrowed(VarId),
    Tuple(Vec<Kept>),
}

/// What a loop that keeps an item has for it.
pub(super) struct Keeper {
    /// Whether an item is kept yet.
    pub found: VarId,
    /// The item, once the loop has been written that far.
    pub kept: Option<Kept>,
    span: Span,
}

impl Keeper {
    pub fn new(found: VarId, span: Span) -> Self {
        Keeper { found, kept: None, span }
    }

    pub fn keep(&mut self, cx: &mut Lower<'_>, item: Source) {
        let mut kept = self.kept.take();
        self.keep_as(cx, &mut kept, item, "chosen");
        self.kept = kept;
    }

    /// Keeps the item and leaves the loop.
    pub fn stop_with(&mut self, cx: &mut Lower<'_>, id: LoopId, item: Source) {
        self.keep(cx, item);
        cx.set(self.found, Atom::Text(quote!(true), Ty::Discrete));
        cx.out.push(Stmt::Exit(Exit::Break(id)));
    }

    /// Stores an item in variables, which are made for the first.
    pub fn keep_as(&self, cx: &mut Lower<'_>, kept: &mut Option<Kept>, item: Source, wish: &str) {
        match item {
            Source::Tuple(parts) => {
                let mut slots: Vec<Option<Kept>> = match kept.take() {
                    None => parts.iter().map(|_| None).collect(),
                    Some(Kept::Tuple(slots)) if slots.len() == parts.len() => {
                        slots.into_iter().map(Some).collect()
                    }
                    Some(Kept::Tuple(_) | Kept::Value(_) | Kept::Borrowed(_)) => {
                        cx.abandoned = true;
                        return;
                    }
                };
                for (slot, part) in slots.iter_mut().zip(parts) {
                    self.keep_as(cx, slot, part, wish);
                }
                *kept = slots.into_iter().collect::<Option<Vec<Kept>>>().map(Kept::Tuple);
            }
            Source::Value(value, ty) => {
                let atom = cx.settle(Source::Value(value, ty), self.span);
                let slot = self.slot(cx, kept, &atom, wish, Kept::Value);
                match slot {
                    Some(Kept::Value(var)) => cx.set(var, atom),
                    _ => cx.abandoned = true,
                }
            }
            Source::Borrow { place, ty, mutable } => {
                // What is written through the reference would be lost, and a reference to a reference
                // or to a part of a slice has no value of its own.
                if mutable || matches!(ty, Ty::Ref { .. } | Ty::Slice(_)) {
                    cx.abandoned = true;
                    return;
                }
                let value = if ty.is_copy() || ty == Ty::Unknown {
                    cx.load(place, ty)
                } else {
                    (Value::Copy { place, method: Ident::new("clone", self.span) }, ty)
                };
                let atom = cx.settle(Source::Value(value.0, value.1), self.span);
                let slot = self.slot(cx, kept, &atom, wish, Kept::Borrowed);
                match slot {
                    Some(Kept::Borrowed(var)) => cx.set(var, atom),
                    _ => cx.abandoned = true,
                }
            }
        }
    }

    fn slot(
        &self,
        cx: &mut Lower<'_>,
        kept: &mut Option<Kept>,
        atom: &Atom,
        wish: &str,
        new: fn(VarId) -> Kept,
    ) -> Option<Kept> {
        if kept.is_none() {
            let name = cx.names.fresh(wish, self.span);
            let ty = cx.atom_ty(atom);
            *kept = Some(new(cx.new_var(name, ty, Role::Local, true)));
        }
        kept.clone()
    }
}

impl Kept {
    /// The item, as the program sees it.
    pub fn source(&self, cx: &mut Lower<'_>) -> Source {
        match self {
            Kept::Value(var) => {
                let (value, ty) = cx.result_of(*var);
                Source::Value(value, ty)
            }
            Kept::Borrowed(var) => {
                let ty = cx.ty(*var).clone();
                Source::Borrow { place: Place::of(*var), ty, mutable: false }
            }
            Kept::Tuple(parts) => Source::Tuple(parts.iter().map(|part| part.source(cx)).collect()),
        }
    }

    /// A reference to the item.
    pub fn seen(&self, cx: &mut Lower<'_>) -> Source {
        match self {
            Kept::Value(var) => {
                let ty = cx.ty(*var).clone();
                Source::Borrow { place: Place::of(*var), ty, mutable: false }
            }
            Kept::Borrowed(_) => {
                let item = self.source(cx);
                cx.seen(item).1
            }
            Kept::Tuple(parts) => Source::Tuple(parts.iter().map(|part| part.seen(cx)).collect()),
        }
    }
}

impl Lower<'_> {
    /// Lets the variables begin in front of the loop; their first values are never read.
    pub(super) fn declare_kept(&mut self, kept: &Kept, at: usize) {
        match kept {
            Kept::Value(var) | Kept::Borrowed(var) => {
                let ty = self.ty(*var).clone();
                self.vars[var.0].written = self.written_scalar(&ty);
                let start = match ty {
                    Ty::Float => quote!(0.0),
                    _ => quote!(::core::default::Default::default()),
                };
                let value = Value::Atom(Atom::Text(start, ty));
                self.out.insert(at, Stmt::Let { var: *var, value });
            }
            Kept::Tuple(parts) => parts.iter().for_each(|part| self.declare_kept(part, at)),
        }
    }
}
