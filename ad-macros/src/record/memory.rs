//! Memory: what is undone, what is kept, and whether a place still holds what was read from it.

use super::facts::{brings_lengths, is_active_call, is_plain};
use super::{Avail, Cx, Restoring};
use crate::ir::*;
use crate::layout::{Pos, Under};
use crate::walk;
use std::collections::HashSet;

impl<'a> Cx<'a> {
    pub(super) fn undo_writes(&mut self) {
        let mut statements: Vec<&'a Stmt> = Vec::new();
        walk::each_stmt(&self.function.body, &mut |stmt| {
            if !walk::writes(stmt).is_empty() {
                statements.push(stmt);
            }
        });
        for stmt in statements {
            let pos = self.layout.pos(stmt);
            // It begins again with the contents that its arguments had.
            let again = matches!(stmt, Stmt::Call(call) if self.runs_again(call));
            let mut wanted: Option<When> = None;
            for var in walk::writes(stmt) {
                let Some(root) = self.activity.origin(var) else {
                    continue;
                };
                // The result is stored once, in front of the exit, and never read. Nor is there anything in
                // a variable that gets its value.
                let first = matches!(stmt, Stmt::Store { place, .. } if place.path.is_empty())
                    && self.function.var(root).once;
                if self.is_plain(root) || self.function.returns == Some(root) || first {
                    continue;
                }
                let overwrites = match stmt {
                    Stmt::Store { .. } | Stmt::Fill { .. } | Stmt::CopyFrom { .. } => {
                        self.overwrites(root)
                    }
                    _ => Vec::new(),
                };
                let read = self.reads.iter().any(|(read, at)| {
                    self.class(*read) == self.class(root)
                        && (*at < pos || self.layout.share_loop(*at, pos, root))
                        && !self.is_separated(*at, pos, &overwrites)
                });
                let undone = self.is_undone(root);
                // The adjoint takes its shape from what was there before.
                let reshaped = match stmt {
                    Stmt::Store { place, value } => {
                        self.activity.is_active(root)
                            && brings_lengths(self.function, self.activity, place, value)
                    }
                    _ => false,
                };
                if reshaped && self.is_part(stmt) {
                    // To find that part again, the whole must have its length.
                    self.reads.insert((root, pos));
                }
                let when = if again || read && undone || reshaped {
                    Some(When::Always)
                } else if self.may_be_restored(root)
                    && (!self.is_opaque(root) || self.activity.is_active(root))
                {
                    Some(When::Restored)
                } else {
                    None
                };
                wanted = match (wanted, when) {
                    (Some(When::Always), _) | (_, Some(When::Always)) => Some(When::Always),
                    (a, b) => a.or(b),
                };
            }
            let Some(when) = wanted else { continue };
            if let Stmt::Call(call) = stmt {
                if is_active_call(call, self.activity) && !again {
                    let restoring = match when {
                        When::Always => Restoring::Restored,
                        When::Restored => Restoring::Inherit,
                    };
                    self.record.restored.insert(pos, restoring);
                    continue;
                }
                for arg in &call.args {
                    if let Arg::Ref { place, mutable: true } = arg {
                        self.place(place, pos);
                    }
                }
            }
            self.record.undo.insert(pos, when);
            match stmt {
                Stmt::Store { place, .. } => self.place(place, pos),
                Stmt::CopyFrom { to, .. } | Stmt::Fill { to, .. } => self.place(to, pos),
                Stmt::Push { place, .. } => self.place(place, pos),
                Stmt::Permute { place, how } => self.permutation(place, how, pos),
                Stmt::Pop { var, place } => {
                    self.place(place, pos);
                    self.need(*var, pos);
                }
                _ => {}
            }
        }
    }

    fn runs_again(&self, call: &Call) -> bool {
        call.again && is_active_call(call, self.activity)
    }

    /// Whether a statement stores into an element of a vector that grows or shrinks somewhere.
    fn is_part(&self, stmt: &Stmt) -> bool {
        let Stmt::Store { place, .. } = stmt else { return false };
        let root = place.var().and_then(|var| self.activity.origin(var));
        let mut resized = false;
        walk::each_stmt(&self.function.body, &mut |stmt| {
            if let Stmt::Push { place, .. } | Stmt::Pop { place, .. } = stmt {
                resized |= place.var().and_then(|var| self.activity.origin(var)) == root;
            }
        });
        resized && place.path.iter().any(|step| !matches!(step, Step::Deref))
    }

    /// Whether writes to `root` are undone where the reverse sweep reads it.
    pub(super) fn is_undone(&self, root: VarId) -> bool {
        let same = |other: &VarId| self.class(*other) == self.class(root);
        self.activity.is_active(root) || self.undone.iter().any(same)
    }

    /// Whether `root` is a `&mut` parameter, or may hold what a swap took from one.
    fn may_be_restored(&self, root: VarId) -> bool {
        self.mutable_params.iter().any(|param| self.class(*param) == self.class(root))
    }

    /// One variable for all that swaps exchange with `root`.
    pub(super) fn class(&self, root: VarId) -> VarId {
        self.swapped.get(&root).copied().unwrap_or(root)
    }

    /// Local memory in inner blocks that the reverse sweep reads, or takes shapes from.
    pub(super) fn keep_memory(&mut self) {
        let read: HashSet<VarId> = self.reads.iter().map(|(root, _)| *root).collect();
        for (k, info) in self.function.vars.iter().enumerate() {
            let var = VarId(k);
            let undone = self.writes(var).iter().any(|pos| self.record.undo.contains_key(pos));
            let wanted = read.contains(&var) || undone || self.shapes.contains(&var);
            if wanted && info.role == Role::Local && info.mutable && !self.is_plain(var) {
                self.record.keep.insert(var);
            }
        }
    }

    pub(super) fn is_opaque(&self, root: VarId) -> bool {
        self.function.var(root).ty.peeled().is_opaque()
    }

    /// Whether `root` is a reference through which nothing is assigned.
    pub(super) fn is_shared(&self, root: VarId) -> bool {
        matches!(self.function.var(root).ty, Ty::Ref { mutable: false, .. })
    }

    pub(super) fn resizable(&self, root: VarId) -> bool {
        let ty = &self.function.var(root).ty;
        ty.is_resizable() || ty.peeled().is_opaque()
    }

    /// Whether `place`, read by the definition of `var`, still has those contents (or has them
    /// again) in front of the reverse of the statement at `at`.
    pub(super) fn holds(&self, var: VarId, place: &Place, at: Pos) -> bool {
        let Some(root) = place.var() else { return true };
        // A reference is made again from its place.
        let Some(root) = self.activity.origin(root) else {
            return true;
        };
        if let Some(Stmt::Let { value: Value::Length { .. }, .. }) = self.definitions.get(&var)
            && !self.function.var(root).carried
        {
            // A local of an inner block is there again only if it is recorded itself.
            let local = self.definitions.contains_key(&root);
            let recorded = self.record.avail(root) == Some(Avail::Record);
            if local && !recorded && self.layout.under(root) != Under::Function {
                return false;
            }
            return self.keeps_its_length(root);
        }
        let read = self.layout.definition(var).expect("a local has a definition");
        let last = self.layout.end(at);
        // It may refer to what is not there any more.
        if self.function.var(root).carried {
            return false;
        }
        // A variable declared without a value may never get one.
        let declared = matches!(self.definitions.get(&root), Some(Stmt::Declare { .. }));
        if declared && self.is_plain(root) {
            return false;
        }
        let in_scope = !self.definitions.contains_key(&root)
            || self.layout.under(root) == Under::Function
            || !self.is_plain(root);
        let undone = !self.is_plain(root) && self.is_undone(root);
        in_scope
            && self.writes(root).iter().all(|write| {
                let between = read < *write && *write <= last;
                let later = *write > read || self.layout.share_loop(read, *write, root);
                if undone { !between } else { !later }
            })
    }

    pub(super) fn writes(&self, root: VarId) -> Vec<Pos> {
        self.layout.writes_to(|var| self.activity.origin(var) == Some(root))
    }

    /// A scalar variable that is only ever assigned as a whole: its values are recorded where they
    /// are read, and it is not there in the reverse sweep.
    pub(super) fn is_plain(&self, root: VarId) -> bool {
        is_plain(self.function, self.activity, root)
    }
}
