//! Memory that is overwritten as a whole, such as a buffer that every trip of a loop fills anew.
//!
//! Undoing the statement that overwrites it brings back what an earlier trip read, whatever was
//! written in between. So what writes to the buffer behind that statement need not be undone for
//! the sake of that trip, and a sum that is built up in its elements is not recorded.

use super::Cx;
use super::facts::brings_lengths;
use crate::ir::*;
use crate::layout::Pos;
use crate::walk;

/// A length, so that equal ones compare equal.
#[derive(PartialEq, Eq, Debug)]
enum Length {
    /// A literal or constant.
    Text(String),
    /// The value of a variable.
    Value(VarId),
    /// That of a variable's contents.
    Of(VarId),
}

impl<'a> Cx<'a> {
    /// The statements that overwrite all of `root`, if what is in it are real numbers and their
    /// number does not change.
    pub(super) fn overwrites(&self, root: VarId) -> Vec<Pos> {
        let mut found = Vec::new();
        let real = self.function.var(root).ty.element().is_real();
        if real && !self.swapped.contains_key(&root) && self.keeps_its_length(root) {
            walk::each_stmt(&self.function.body, &mut |stmt| {
                if self.overwrites_all(stmt, root) {
                    found.push(self.layout.pos(stmt));
                }
            });
        }
        found
    }

    /// Whether all ways from the statement at `read` to the one at `write` pass by a statement of
    /// `overwrites` in between.
    pub(super) fn is_separated(&self, read: Pos, write: Pos, overwrites: &[Pos]) -> bool {
        overwrites.iter().any(|all| {
            // Control comes to what stands behind it in its block by way of it alone.
            let behind = self.layout.is_beside(write, *all) && self.layout.end(*all) < write;
            let contains = read < *all && *all <= self.layout.end(read);
            let between = contains || *all <= read && self.layout.is_beside(read, *all);
            let first = read < write || self.layout.share_loop_without(read, write, Some(*all));
            behind && !(between && first)
        })
    }

    fn overwrites_all(&self, stmt: &Stmt, root: VarId) -> bool {
        match stmt {
            Stmt::Store { place, .. } => self.is_whole(place, root),
            Stmt::Fill { to, .. } | Stmt::CopyFrom { to, .. } => self.is_whole(to, root),
            Stmt::For(repeat) => self.covers(repeat, root),
            _ => false,
        }
    }

    /// Whether `repeat` is `for k in 0..n { … root[k] = …; … }` with the length `n` of `root`.
    fn covers(&self, repeat: &ForLoop, root: VarId) -> bool {
        let Range { lo: Atom::Text(lo, _), hi, inclusive: false, adaptors } = &repeat.range else {
            return false;
        };
        let every = adaptors.iter().all(|adaptor| matches!(adaptor, Adaptor::Rev));
        let stored = repeat.body.stmts.iter().any(|stmt| {
            let Stmt::Store { place, .. } = stmt else { return false };
            matches!(
                self.steps(place, root).as_deref(),
                Some([Step::Index(Atom::Var(index))]) if *index == repeat.index
            )
        });
        stored
            && every
            && lo.to_string() == "0"
            && walk::exits(&repeat.body).is_empty()
            && Some(self.value_of(hi)) == self.length_of(root)
    }

    fn is_whole(&self, place: &Place, root: VarId) -> bool {
        self.steps(place, root).is_some_and(|steps| steps.is_empty())
    }

    /// The way from `root` to a place, through references, if it is known.
    fn steps(&self, place: &Place, root: VarId) -> Option<Vec<Step>> {
        let var = place.var()?;
        let mut steps = match self.definitions.get(&var) {
            _ if var == root => Vec::new(),
            Some(Stmt::Borrow { place, .. }) => self.steps(place, root)?,
            _ => return None,
        };
        steps.extend(place.path.iter().filter(|step| !matches!(step, Step::Deref)).cloned());
        Some(steps)
    }

    /// Whether what is in `root` has one length: that of a slice, or of a `Vec` that only elements
    /// without a length of their own are assigned to.
    pub(super) fn keeps_its_length(&self, root: VarId) -> bool {
        let mut keeps = true;
        walk::each_stmt(&self.function.body, &mut |stmt| {
            let origin = |var: &VarId| self.activity.origin(*var) == Some(root);
            let writes = walk::writes(stmt).iter().any(origin);
            if writes && self.layout.definition(root) != Some(self.layout.pos(stmt)) {
                keeps &= match stmt {
                    Stmt::Store { place, value } => {
                        !brings_lengths(self.function, self.activity, place, value)
                    }
                    Stmt::Fill { .. } | Stmt::CopyFrom { .. } => true,
                    _ => false,
                };
            }
        });
        keeps || !self.resizable(root)
    }

    /// The length of what is in `root`, which keeps it.
    fn length_of(&self, root: VarId) -> Option<Length> {
        match self.definitions.get(&root) {
            None => Some(Length::Of(root)),
            Some(Stmt::Let { value, .. }) => match value {
                Value::Repeat { len, .. } => Some(self.value_of(len)),
                Value::Array { elems, .. } => Some(Length::Text(elems.len().to_string())),
                Value::Copy { place: Place { root: Root::Var(from), path }, .. }
                    if path.is_empty() && self.keeps_its_length(*from) =>
                {
                    self.length_of(*from)
                }
                _ => Some(Length::Of(root)),
            },
            Some(_) => None,
        }
    }

    fn value_of(&self, atom: &Atom) -> Length {
        let var = match atom {
            Atom::Text(text, _) => return Length::Text(text.to_string()),
            Atom::Var(var) => *var,
        };
        match self.definitions.get(&var) {
            Some(Stmt::Let { value: Value::Atom(other), .. }) => self.value_of(other),
            Some(Stmt::Let { value: Value::Length { place, method }, .. }) if method == "len" => {
                place
                    .var()
                    .and_then(|var| self.activity.origin(var))
                    .filter(|root| self.is_whole(place, *root) && self.keeps_its_length(*root))
                    .and_then(|root| self.length_of(root))
                    .unwrap_or(Length::Value(var))
            }
            _ => Length::Value(var),
        }
    }
}
