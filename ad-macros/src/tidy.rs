//! Small improvements of a finished reverse sweep, for those who read it.

use crate::ir::*;
use crate::walk;

/// An adjoint that begins as 0 and then receives its first part begins as that part.
pub fn tidy(block: Block) -> Block {
    let Block { stmts, result } = block;
    let mut out: Vec<Stmt> = Vec::new();
    for stmt in stmts.into_iter().map(inner) {
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
            Stmt::Let { value, .. } if !walk::reads(value).contains(&walk::Access::Adjoint(var)) => {}
            Stmt::Tape(TapeOp::Begin { .. } | TapeOp::BeginWith { .. }) => {}
            Stmt::Tape(TapeOp::Accumulate { adjoint, .. }) if adjoint.0.var() != Some(var) => {}
            _ => return None,
        }
    }
    None
}

fn inner(stmt: Stmt) -> Stmt {
    match stmt {
        Stmt::If { dest, cond, then, otherwise } => {
            Stmt::If { dest, cond, then: tidy(then), otherwise: tidy(otherwise) }
        }
        Stmt::Match { dest, scrutinee, decision, arms } => {
            let tidied = |arm: Arm| Arm { body: tidy(arm.body), ..arm };
            Stmt::Match { dest, scrutinee, decision, arms: arms.into_iter().map(tidied).collect() }
        }
        Stmt::Tape(TapeOp::Repeat { trips, body }) => {
            Stmt::Tape(TapeOp::Repeat { trips, body: tidy(body) })
        }
        Stmt::Tape(TapeOp::ForRev { index, range, body }) => {
            Stmt::Tape(TapeOp::ForRev { index, range, body: tidy(body) })
        }
        other => other,
    }
}
