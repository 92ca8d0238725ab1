//! Arms whose patterns bind references: the reverse sweep takes the value and its adjoint apart once,
//! where nothing else in the arm touches them.

use super::Reversal;
use crate::ir::*;
use crate::walk;
use syn::visit::Visit;

impl<'a> Reversal<'_, 'a> {
    /// The reverse of an arm, with its bindings in front.
    pub(super) fn unpacked_arm(
        &mut self,
        dest: Option<VarId>,
        scrutinee: &Scrutinee,
        arm: &'a Arm,
        refutable: bool,
    ) -> Block {
        let bound = bound_references(arm);
        let Scrutinee::Place { place, .. } = scrutinee else { return self.arm(dest, &arm.body) };
        let changes = bound.iter().any(|(_, mutable)| *mutable) && tests_what_it_binds(&arm.pat);
        if bound.is_empty() || changes || !self.only_through(&bound, &arm.body) {
            return self.arm(dest, &arm.body);
        }
        for (var, _) in &bound {
            self.adjoint_name(*var);
            self.unpacked.insert(*var);
        }
        let mut block = self.arm(dest, &arm.body);
        let vars: Vec<VarId> = bound.iter().map(|(var, _)| *var).collect();
        let (primal, adjoint) = uses(&block, &vars);
        self.unpacked.retain(|var| !vars.contains(var));
        if primal || adjoint {
            let place = self.resolved(place);
            let mutable = bound.iter().any(|(_, mutable)| *mutable);
            let (pat, bound) = (arm.pat.clone(), vars);
            let unpack = Unpack { pat, place, bound, mutable, refutable, primal, adjoint };
            block.stmts.insert(0, Stmt::Tape(TapeOp::Unpack(Box::new(unpack))));
        }
        block
    }

    /// Whether a block sees what the references refer to through them alone.
    fn only_through(&self, bound: &[(VarId, bool)], body: &Block) -> bool {
        let origin = |var: VarId| self.shared.activity.origin(var);
        let whole = origin(bound[0].0);
        let mut only = whole.is_some() && bound.iter().all(|(var, _)| origin(*var) == whole);
        walk::each_stmt(body, &mut |stmt| {
            if matches!(stmt, Stmt::Borrow { var, .. } if bound.iter().any(|(own, _)| own == var)) {
                return;
            }
            let seen = walk::mentions(stmt).into_iter().chain(walk::writes(stmt));
            only &= seen.into_iter().all(|var| origin(var) != whole || self.leads_to(var, bound));
        });
        only
    }

    /// Whether a reference was made from one of those that are bound.
    fn leads_to(&self, var: VarId, bound: &[(VarId, bool)]) -> bool {
        let mut next = Some(var);
        while let Some(var) = next {
            if bound.iter().any(|(own, _)| *own == var) {
                return true;
            }
            next = match self.definitions.get(&var) {
                Some(Stmt::Borrow { place, .. } | Stmt::Split { place, .. }) => place.var(),
                _ => None,
            };
        }
        false
    }
}

/// The references that an arm's pattern binds, and whether they are mutable; none if it binds
/// values, too.
fn bound_references(arm: &Arm) -> Vec<(VarId, bool)> {
    let mut found = Vec::new();
    for stmt in arm.body.stmts.iter().take(arm.binds) {
        match stmt {
            Stmt::Borrow { var, mutable, .. } => found.push((*var, *mutable)),
            _ => return Vec::new(),
        }
    }
    found
}

/// Whether a pattern binds what it tests, as `part @ Shape::Circle(_)` does: written through the
/// reference, that may be another variant at the end of the arm.
fn tests_what_it_binds(pat: &syn::Pat) -> bool {
    struct Tested(bool);
    impl<'ast> Visit<'ast> for Tested {
        fn visit_pat_ident(&mut self, ident: &'ast syn::PatIdent) {
            let rest = |pat: &syn::Pat| matches!(pat, syn::Pat::Rest(_));
            self.0 |= ident.subpat.as_ref().is_some_and(|(_, pat)| !rest(pat));
        }
    }
    let mut tested = Tested(false);
    tested.visit_pat(pat);
    tested.0
}

/// Whether a block of the reverse sweep uses the references, and whether it uses their adjoints.
fn uses(block: &Block, vars: &[VarId]) -> (bool, bool) {
    let (mut primal, mut adjoint) = (false, false);
    walk::each_stmt(block, &mut |stmt| {
        let mut seen = walk::touches_itself(stmt);
        if let Stmt::Let { value, .. } = stmt {
            seen.extend(walk::reads(value));
        }
        for access in seen {
            match access {
                walk::Access::Primal(var) => primal |= vars.contains(&var),
                walk::Access::Adjoint(var) => adjoint |= vars.contains(&var),
            }
        }
        primal |= walk::mentions(stmt).iter().any(|var| vars.contains(var));
    });
    (primal, adjoint)
}
