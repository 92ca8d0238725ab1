//! Reads variables in front of the loops that do not change them.
//!
//! What the reverse sweep needs of a value that is read from a variable is recorded where it is
//! read. A read that gives the same in every trip of a loop moves in front of the loop, so that it
//! is recorded once. Reading a number has no effect and cannot fail; and a variable that is not
//! assigned in a loop, but read there, has its value before.

use crate::ir::*;
use crate::layout::definitions;
use crate::walk;
use std::collections::HashSet;

/// Moves reads of numbers out of the loops of a function.
pub fn hoist(mut function: Function) -> Function {
    let mut body = std::mem::take(&mut function.body);
    let mut referred = HashSet::new();
    walk::each_stmt(&body, &mut |stmt| referred.extend(refers_to(stmt)));
    loops(&mut body, &function, &referred);
    Function { body, ..function }
}

/// Variables that may change through another name.
fn refers_to(stmt: &Stmt) -> Option<VarId> {
    match stmt {
        Stmt::Borrow { place, mutable: true, .. }
        | Stmt::Split { place, mutable: true, .. }
        | Stmt::Match { scrutinee: Scrutinee::Place { place, by: Some(true) }, .. } => place.var(),
        _ => None,
    }
}

/// Treats the loops of a block, inner ones first.
fn loops(block: &mut Block, function: &Function, referred: &HashSet<VarId>) {
    for mut stmt in std::mem::take(&mut block.stmts) {
        for inner in walk::blocks_mut(&mut stmt) {
            loops(inner, function, referred);
        }
        if matches!(stmt, Stmt::For(_) | Stmt::While { .. } | Stmt::Loop { .. }) {
            let mut changed = referred.clone();
            for inner in walk::blocks(&stmt) {
                walk::each_stmt(inner, &mut |stmt| {
                    changed.extend(walk::writes(stmt));
                    changed.extend(definitions(stmt));
                });
            }
            for inner in walk::blocks_mut(&mut stmt) {
                take_reads(inner, function, &changed, &mut block.stmts);
            }
        }
        block.stmts.push(stmt);
    }
}

/// Moves reads of what is not `changed` to `front`.
fn take_reads(
    block: &mut Block,
    function: &Function,
    changed: &HashSet<VarId>,
    front: &mut Vec<Stmt>,
) {
    for mut stmt in std::mem::take(&mut block.stmts) {
        if read_by(&stmt, function).is_some_and(|var| !changed.contains(&var)) {
            front.push(stmt);
            continue;
        }
        for inner in walk::blocks_mut(&mut stmt) {
            take_reads(inner, function, changed, front);
        }
        block.stmts.push(stmt);
    }
}

/// The variable whose number a statement reads into a temporary.
fn read_by(stmt: &Stmt, function: &Function) -> Option<VarId> {
    let Stmt::Let { var, value: Value::Load(place) } = stmt else { return None };
    let (into, from) = (function.var(*var), function.var(place.var()?));
    let number = from.ty.is_real() || from.ty == Ty::Discrete;
    let movable = into.role == Role::Temp && !into.mutable && !into.by_pattern;
    (number && movable && from.role != Role::Alias && place.path.is_empty()).then_some(place.var()?)
}
