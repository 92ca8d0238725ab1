//! Small improvements of a finished reverse sweep, for those who read it.

use crate::ir::*;
use crate::walk;
use std::collections::{HashMap, HashSet};

/// An adjoint that begins as 0 and then receives its first part begins as that part; one that
/// never receives any disappears, unless it is that of a parameter.
pub fn tidy(block: Block, params: &[VarId]) -> Block {
    let mut grown = HashSet::new();
    walk::each_stmt(&block, &mut |stmt| {
        grown.extend(walk::touches_itself(stmt));
    });
    let mut zero = HashSet::new();
    walk::each_stmt(&block, &mut |stmt| {
        if let Stmt::Tape(TapeOp::Begin { var, shape: Shape::Scalar }) = stmt
            && !params.contains(var)
            && !grown.contains(&walk::Access::Adjoint(*var))
        {
            zero.insert(*var);
        }
    });
    joined(without_zeros(block, &zero))
}

/// Removes what adjoints that stay 0 add to others.
fn without_zeros(block: Block, zero: &HashSet<VarId>) -> Block {
    let mut read = HashSet::new();
    let mut added = HashMap::new();
    let mut used: HashMap<VarId, usize> = HashMap::new();
    walk::each_stmt(&block, &mut |stmt| {
        match stmt {
            Stmt::Let { var, value: Value::Reverse(Reverse::Adjoint(adjoint)) }
                if adjoint.0.var().is_some_and(|var| zero.contains(&var)) =>
            {
                read.insert(*var);
            }
            Stmt::Tape(TapeOp::Accumulate { value: Atom::Var(var), .. }) => {
                *added.entry(*var).or_insert(0) += 1;
            }
            _ => {}
        }
        for var in walk::used(stmt).into_iter().filter_map(Atom::var) {
            *used.entry(var).or_insert(0) += 1;
        }
    });
    read.retain(|var| used.get(var) == added.get(var));
    let mut kept = zero.clone();
    walk::each_stmt(&block, &mut |stmt| {
        // Still read by something else: it stays, and so does its beginning.
        if let Stmt::Let { var, value } = stmt
            && !read.contains(var)
        {
            for access in walk::reads(value) {
                if let walk::Access::Adjoint(var) = access {
                    kept.remove(&var);
                }
            }
        }
    });
    filtered(block, &mut |stmt| match stmt {
        Stmt::Let { var, .. } => !read.contains(var),
        Stmt::Tape(TapeOp::Begin { var, .. }) => !kept.contains(var),
        Stmt::Tape(TapeOp::Accumulate { value: Atom::Var(var), .. }) => !read.contains(var),
        _ => true,
    })
}

fn filtered(block: Block, keep: &mut impl FnMut(&Stmt) -> bool) -> Block {
    let stmts = block.stmts.into_iter().filter(|stmt| keep(stmt)).collect::<Vec<_>>();
    let stmts = stmts.into_iter().map(|stmt| inner(stmt, &mut |block| filtered(block, keep)));
    Block { stmts: stmts.collect(), result: block.result }
}

fn joined(block: Block) -> Block {
    let Block { stmts, result } = block;
    let mut out: Vec<Stmt> = Vec::new();
    for stmt in stmts.into_iter().map(|stmt| inner(stmt, &mut joined)) {
        if let Stmt::Tape(TapeOp::Accumulate { adjoint, value, negative: false }) = &stmt
            && let Some(var) = adjoint.0.var().filter(|_| adjoint.0.path.is_empty())
            && let Some(at) = beginning(&out, var)
        {
            out.remove(at);
            out.push(Stmt::Tape(TapeOp::BeginWith { var, value: value.clone() }));
            continue;
        }
        out.push(stmt);
    }
    Block { stmts: out, result }
}

/// Where the adjoint of `var` begins as 0, if nothing behind that touches it.
fn beginning(stmts: &[Stmt], var: VarId) -> Option<usize> {
    for (k, stmt) in stmts.iter().enumerate().rev() {
        match stmt {
            Stmt::Tape(TapeOp::Begin { var: begun, shape: Shape::Scalar }) if *begun == var => {
                return Some(k);
            }
            Stmt::Let { value, .. }
                if !walk::reads(value).contains(&walk::Access::Adjoint(var)) => {}
            Stmt::Tape(TapeOp::Begin { .. } | TapeOp::BeginWith { .. }) => {}
            Stmt::Tape(TapeOp::Accumulate { adjoint, .. }) if adjoint.0.var() != Some(var) => {}
            _ => return None,
        }
    }
    None
}

/// Runs `change` on the blocks of a statement of the reverse sweep.
fn inner(stmt: Stmt, change: &mut dyn FnMut(Block) -> Block) -> Stmt {
    match stmt {
        Stmt::If { dest, cond, then, otherwise } => {
            Stmt::If { dest, cond, then: change(then), otherwise: change(otherwise) }
        }
        Stmt::Match { dest, scrutinee, decision, arms } => {
            let arms = arms.into_iter().map(|arm| Arm { body: change(arm.body), ..arm }).collect();
            Stmt::Match { dest, scrutinee, decision, arms }
        }
        Stmt::Tape(TapeOp::Repeat { trips, body }) => {
            Stmt::Tape(TapeOp::Repeat { trips, body: change(body) })
        }
        Stmt::Tape(TapeOp::ForRev { index, range, body }) => {
            Stmt::Tape(TapeOp::ForRev { index, range, body: change(body) })
        }
        other => other,
    }
}
