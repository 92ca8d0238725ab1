//! What statements and values mention: the only place, besides the transformations and `emit`, that
//! lists the variants of the IR.

mod tape;

pub use tape::{grows, restores};

use crate::ir::*;
use tape::{tape_mentions, tape_operands};

/// Runs `visit` on every statement of a block, outer before inner, in order.
pub fn each_stmt<'b>(block: &'b Block, visit: &mut impl FnMut(&'b Stmt)) {
    for stmt in &block.stmts {
        visit(stmt);
        for inner in blocks(stmt) {
            each_stmt(inner, visit);
        }
    }
}

/// The blocks inside a statement, in the order in which they may run.
pub fn blocks(stmt: &Stmt) -> Vec<&Block> {
    match stmt {
        Stmt::If { then, otherwise, .. } => vec![then, otherwise],
        Stmt::Match { arms, .. } => {
            arms.iter().flat_map(|arm| arm.guard.iter().chain([&arm.body])).collect()
        }
        Stmt::For(repeat) => vec![&repeat.body],
        Stmt::While { cond, body, .. } => vec![cond, body],
        Stmt::Loop { body, .. } => vec![body],
        Stmt::Tape(TapeOp::Repeat { body, .. } | TapeOp::ForRev { body, .. }) => vec![body],
        Stmt::Let { .. }
        | Stmt::Declare { .. }
        | Stmt::Store { .. }
        | Stmt::Borrow { .. }
        | Stmt::Split { .. }
        | Stmt::Swap { .. }
        | Stmt::CopyFrom { .. }
        | Stmt::Fill { .. }
        | Stmt::Push { .. }
        | Stmt::Pop { .. }
        | Stmt::Permute { .. }
        | Stmt::Exit(_)
        | Stmt::Call(_)
        | Stmt::Verbatim { .. }
        | Stmt::Tape(_) => Vec::new(),
    }
}

/// The same, to be changed.
pub fn blocks_mut(stmt: &mut Stmt) -> Vec<&mut Block> {
    match stmt {
        Stmt::If { then, otherwise, .. } => vec![then, otherwise],
        Stmt::Match { arms, .. } => {
            arms.iter_mut().flat_map(|arm| arm.guard.iter_mut().chain([&mut arm.body])).collect()
        }
        Stmt::For(repeat) => vec![&mut repeat.body],
        Stmt::While { cond, body, .. } => vec![cond, body],
        Stmt::Loop { body, .. } => vec![body],
        Stmt::Tape(TapeOp::Repeat { body, .. } | TapeOp::ForRev { body, .. }) => vec![body],
        Stmt::Let { .. }
        | Stmt::Declare { .. }
        | Stmt::Store { .. }
        | Stmt::Borrow { .. }
        | Stmt::Split { .. }
        | Stmt::Swap { .. }
        | Stmt::CopyFrom { .. }
        | Stmt::Fill { .. }
        | Stmt::Push { .. }
        | Stmt::Pop { .. }
        | Stmt::Permute { .. }
        | Stmt::Exit(_)
        | Stmt::Call(_)
        | Stmt::Verbatim { .. }
        | Stmt::Tape(_) => Vec::new(),
    }
}

/// The operands of a value, those that index its places included.
pub fn operands(value: &Value) -> Vec<&Atom> {
    match value {
        Value::Atom(a) | Value::Unary(_, a) | Value::Cast(a, _) => vec![a],
        Value::Load(place)
        | Value::Copy { place, .. }
        | Value::Length { place, .. }
        | Value::Test { place, .. } => indices(place),
        Value::Binary(_, a, b) => vec![a, b],
        Value::Operator { args, .. } => args.iter().map(|(arg, _)| arg).collect(),
        Value::Method { args, .. } | Value::Function { args, .. } => args.iter().collect(),
        Value::Array { elems, .. } | Value::Tuple(elems) | Value::Struct { parts: elems, .. } => {
            elems.iter().collect()
        }
        Value::Repeat { elem, len, .. } => vec![elem, len],
        Value::Order { place, .. } => indices(place),
        Value::Verbatim(_) => Vec::new(),
        Value::Reverse(reverse) => match reverse {
            Reverse::Partial { rule, arg, args, result } => {
                // As often as the partial mentions them: what is popped must not be written twice.
                let names = rule.args.iter().chain(rule.others).zip(args);
                let names: Vec<_> = names.chain([(&rule.result, result)]).collect();
                let words = rule.partials[*arg].split(|c: char| !(c.is_alphanumeric() || c == '_'));
                let named = |word| names.iter().find(|(name, _)| **name == word);
                words.filter_map(named).map(|(_, atom)| *atom).collect()
            }
            Reverse::Pull(a, b) => vec![a, b],
            Reverse::Neg(a) => vec![a],
            Reverse::Take(place)
            | Reverse::Adjoint(place)
            | Reverse::Sum(place)
            | Reverse::Popped(place) => indices(&place.0),
            Reverse::Recorded(_) => Vec::new(),
            Reverse::Operator { args, seed, .. } => with(indices(&seed.0), args),
        },
        Value::Tangent(tangent) => match tangent {
            Tangent::Zero(_) | Tangent::Literal(_) => Vec::new(),
            Tangent::Zeros(place) => indices(place),
            Tangent::Sum { a, b, .. } | Tangent::Scaled(a, b) => vec![a, b],
            Tangent::Neg(a) | Tangent::Cast(a, _) => vec![a],
            Tangent::PowerSlope { base, n, .. } => vec![base, n],
            Tangent::Operator { args, tangents, .. } => args.iter().chain(tangents).collect(),
        },
    }
}

/// The operands that index a place.
pub fn indices(place: &Place) -> Vec<&Atom> {
    let mut found = Vec::new();
    for step in &place.path {
        match step {
            Step::Index(atom) => found.push(atom),
            Step::View { args, .. } => found.extend(args),
            Step::Range { lo, hi, .. } => found.extend(lo.iter().chain(hi)),
            Step::Field(_) | Step::Payload(_) | Step::Held | Step::Deref => {}
        }
    }
    found
}

/// The place whose contents a value reads, if any.
pub fn source(value: &Value) -> Option<&Place> {
    match value {
        Value::Load(place)
        | Value::Copy { place, .. }
        | Value::Length { place, .. }
        | Value::Test { place, .. } => Some(place),
        _ => None,
    }
}

/// Lets a value read from another place.
pub fn set_source(value: &mut Value, from: Place) {
    match value {
        Value::Load(place)
        | Value::Copy { place, .. }
        | Value::Length { place, .. }
        | Value::Test { place, .. } => *place = from,
        _ => {}
    }
}

/// The variables through which a statement itself writes, not those in its blocks.
pub fn writes(stmt: &Stmt) -> Vec<VarId> {
    match stmt {
        Stmt::Store { place, .. } => place.var().into_iter().collect(),
        Stmt::Swap { a, b } => a.var().into_iter().chain(b.var()).collect(),
        Stmt::CopyFrom { to, .. } | Stmt::Fill { to, .. } => to.var().into_iter().collect(),
        Stmt::Push { place, .. } | Stmt::Pop { place, .. } | Stmt::Permute { place, .. } => {
            place.var().into_iter().collect()
        }
        Stmt::Call(call) => call_writes(&call.args),
        Stmt::Verbatim { code, .. } | Stmt::Let { value: Value::Verbatim(code), .. } => {
            code.changes.clone()
        }
        Stmt::Let { .. }
        | Stmt::Declare { .. }
        | Stmt::Borrow { .. }
        | Stmt::Split { .. }
        | Stmt::If { .. }
        | Stmt::Match { .. }
        | Stmt::For(_)
        | Stmt::While { .. }
        | Stmt::Loop { .. }
        | Stmt::Exit(_)
        | Stmt::Tape(_) => Vec::new(),
    }
}

/// The variables through which a call writes.
fn call_writes<'a>(args: impl IntoIterator<Item = &'a Arg>) -> Vec<VarId> {
    let written = args.into_iter().filter_map(|arg| match arg {
        Arg::Ref { place, mutable: true } => place.var(),
        _ => None,
    });
    written.collect()
}

/// Whether a block only defines temporaries, by code without side effects.
pub fn is_pure(block: &Block) -> bool {
    block.stmts.iter().all(|stmt| match stmt {
        Stmt::Let { value: Value::Verbatim(code), .. } => code.changes.is_empty(),
        Stmt::Let { .. } => true,
        Stmt::If { then, otherwise, .. } => is_pure(then) && is_pure(otherwise),
        _ => false,
    })
}

/// Where control may leave a block for: exits of loops inside of it stay inside.
pub fn exits(block: &Block) -> Vec<Exit> {
    let mut found = Vec::new();
    for stmt in &block.stmts {
        found.extend(stmt_exits(stmt));
    }
    found
}

/// Where control may leave a statement for.
pub fn stmt_exits(stmt: &Stmt) -> Vec<Exit> {
    if let Stmt::Exit(exit) = stmt {
        return vec![*exit];
    }
    let own = match stmt {
        Stmt::For(repeat) => Some(repeat.id),
        Stmt::While { id, .. } | Stmt::Loop { id, .. } => Some(*id),
        _ => None,
    };
    let mut found: Vec<Exit> = blocks(stmt).into_iter().flat_map(exits).collect();
    found.retain(|exit| match exit {
        Exit::Break(id) | Exit::Continue(id) => Some(*id) != own,
        Exit::Return => true,
    });
    found
}

/// Whether control never reaches the end of a block.
pub fn diverges(block: &Block) -> bool {
    block.stmts.iter().any(|stmt| match stmt {
        Stmt::Exit(_) | Stmt::Verbatim { diverges: true, .. } => true,
        Stmt::If { then, otherwise, .. } => diverges(then) && diverges(otherwise),
        Stmt::Match { arms, .. } => !arms.is_empty() && arms.iter().all(|arm| diverges(&arm.body)),
        Stmt::Loop { id, body, .. } => {
            let mut inner = Vec::new();
            each_stmt(body, &mut |stmt| {
                if let Stmt::Exit(exit) = stmt {
                    inner.push(*exit);
                }
            });
            !inner.contains(&Exit::Break(*id))
        }
        _ => false,
    })
}

/// Memory that a statement or value touches.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Access {
    /// A variable of the function, or what it refers to.
    Primal(VarId),
    /// Its adjoint.
    Adjoint(VarId),
}

/// The memory that a value itself reads.
pub fn reads(value: &Value) -> Vec<Access> {
    match value {
        Value::Load(place)
        | Value::Copy { place, .. }
        | Value::Test { place, .. }
        | Value::Length { place, .. } => place.var().into_iter().map(Access::Primal).collect(),
        Value::Verbatim(code) => code.names.iter().map(|(_, var)| Access::Primal(*var)).collect(),
        Value::Order { place, code, .. } => {
            let names = code.names.iter().map(|(_, var)| *var);
            names.chain(place.var()).map(Access::Primal).collect()
        }
        Value::Reverse(
            Reverse::Take(a)
            | Reverse::Adjoint(a)
            | Reverse::Sum(a)
            | Reverse::Popped(a)
            | Reverse::Operator { seed: a, .. },
        ) => a.0.var().into_iter().map(Access::Adjoint).collect(),
        Value::Tangent(Tangent::Zeros(place)) => {
            place.var().into_iter().map(Access::Primal).collect()
        }
        _ => Vec::new(),
    }
}

/// The memory that a statement writes, its blocks included.
pub fn touches(stmt: &Stmt) -> Vec<Access> {
    let mut found = touches_itself(stmt);
    for block in blocks(stmt) {
        each_stmt(block, &mut |stmt| found.extend(touches_itself(stmt)));
    }
    found
}

/// The memory that a statement itself writes.
pub fn touches_itself(stmt: &Stmt) -> Vec<Access> {
    let primal = writes(stmt).into_iter().chain(restores(stmt)).map(Access::Primal);
    let adjoint = grows(stmt).into_iter().map(Access::Adjoint);
    let taken = match stmt {
        Stmt::Let { value: Value::Reverse(Reverse::Take(a) | Reverse::Popped(a)), .. } => a.0.var(),
        _ => None,
    };
    let moved = match stmt {
        Stmt::Tape(TapeOp::Record { value: Saved::Moved(var), .. }) => Some(*var),
        _ => None,
    };
    let primal = primal.chain(moved.map(Access::Primal));
    primal.chain(adjoint).chain(taken.map(Access::Adjoint)).collect()
}

/// Whether evaluating a value does more than give it.
pub fn has_effect(value: &Value) -> bool {
    matches!(
        value,
        Value::Verbatim(_)
            | Value::Order { .. }
            | Value::Reverse(Reverse::Take(_) | Reverse::Popped(_) | Reverse::Recorded(_))
    )
}

/// Whether a statement only defines something, so that what stands in front may move behind it.
pub fn is_inert(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::Let { value, .. } if !has_effect(value))
}

/// Whether a value only names something.
pub fn is_light(value: &Value) -> bool {
    match value {
        Value::Atom(_) => true,
        Value::Load(place) | Value::Reverse(Reverse::Adjoint(Adjoint(place))) => {
            place.path.iter().all(|step| !matches!(step, Step::Range { .. }))
                && place.path.iter().filter(|step| matches!(step, Step::Index(_))).count() <= 1
        }
        _ => false,
    }
}

/// The blocks inside a statement, and whether each runs repeatedly.
pub fn inner_blocks(stmt: &Stmt) -> Vec<(&Block, bool)> {
    let repeats = matches!(
        stmt,
        Stmt::For(_)
            | Stmt::While { .. }
            | Stmt::Loop { .. }
            | Stmt::Tape(TapeOp::Repeat { .. } | TapeOp::ForRev { .. })
    );
    blocks(stmt).into_iter().map(|block| (block, repeats)).collect()
}

/// The operands of a statement itself, not those in its blocks.
pub fn used(stmt: &Stmt) -> Vec<&Atom> {
    match stmt {
        Stmt::Let { value, .. } => operands(value),
        Stmt::Declare { .. } | Stmt::Loop { .. } | Stmt::Exit(_) | Stmt::While { .. } => Vec::new(),
        Stmt::Store { place, value, .. } => with(indices(place), [value]),
        Stmt::Borrow { place, .. } => indices(place),
        Stmt::Split { place, mid, .. } => with(indices(place), [mid]),
        Stmt::Swap { a, b } => with(indices(a), indices(b)),
        Stmt::CopyFrom { to, from, .. } => with(indices(to), indices(from)),
        Stmt::Fill { to, value } => with(indices(to), [value]),
        Stmt::Push { place, value } => with(indices(place), [value]),
        Stmt::Pop { place, .. } => indices(place),
        Stmt::Permute { place, how } => with(indices(place), permutation_operand(how)),
        Stmt::If { cond, .. } => vec![cond],
        Stmt::Match { scrutinee: Scrutinee::Value(scrutinee), .. } => vec![scrutinee],
        Stmt::Match { scrutinee: Scrutinee::Place { place, .. }, .. } => indices(place),
        Stmt::For(repeat) => range_operands(&repeat.range),
        Stmt::Call(call) => call_operands(&call.args),
        Stmt::Verbatim { .. } => Vec::new(),
        Stmt::Tape(op) => tape_operands(op),
    }
}

fn with<'a>(mut atoms: Vec<&'a Atom>, more: impl IntoIterator<Item = &'a Atom>) -> Vec<&'a Atom> {
    atoms.extend(more);
    atoms
}

/// What tells how far, or into which order.
pub fn permutation_operand(how: &Permutation) -> Option<&Atom> {
    match how {
        Permutation::Rotate { by, .. } => Some(by),
        Permutation::Order(order) => Some(order),
        Permutation::Reverse => None,
    }
}

fn range_operands(range: &Range) -> Vec<&Atom> {
    let mut atoms = vec![&range.lo, &range.hi];
    for adaptor in &range.adaptors {
        match adaptor {
            Adaptor::StepBy(count) | Adaptor::Take(count) => atoms.push(count),
            Adaptor::Rev => {}
        }
    }
    atoms
}

fn call_operands<'a>(args: impl IntoIterator<Item = &'a Arg>) -> Vec<&'a Atom> {
    let mut atoms = Vec::new();
    for arg in args {
        match arg {
            Arg::Value(atom) => atoms.push(atom),
            Arg::Ref { place, .. } => atoms.extend(indices(place)),
            Arg::Function(handed) => atoms.extend(handed.plain()),
        }
    }
    atoms
}

/// The variables that a statement records.
pub fn saved(stmt: &Stmt) -> Vec<VarId> {
    match stmt {
        Stmt::Tape(TapeOp::Record { value: Saved::Var(var), .. }) => vec![*var],
        _ => Vec::new(),
    }
}

/// Variables that a statement mentions other than as operands: roots of places, names in code.
pub fn mentions(stmt: &Stmt) -> Vec<VarId> {
    match stmt {
        Stmt::Verbatim { code, .. } | Stmt::Let { value: Value::Verbatim(code), .. } => {
            code.names.iter().map(|(_, var)| *var).collect()
        }
        Stmt::Let { value: Value::Order { place, code, .. }, .. } => {
            code.names.iter().map(|(_, var)| *var).chain(place.var()).collect()
        }
        Stmt::Let { value: Value::Reverse(_), .. } => Vec::new(),
        Stmt::Let { value: Value::Tangent(Tangent::Zeros(place)), .. } => {
            place.var().into_iter().collect()
        }
        Stmt::Let { value, .. } => source(value).and_then(Place::var).into_iter().collect(),
        Stmt::Borrow { place, .. } | Stmt::Split { place, .. } => place.var().into_iter().collect(),
        Stmt::CopyFrom { to, from, .. } => to.var().into_iter().chain(from.var()).collect(),
        Stmt::Match { scrutinee: Scrutinee::Place { place, .. }, .. } => {
            place.var().into_iter().collect()
        }
        Stmt::Tape(op) => tape_mentions(op),
        Stmt::Call(call) => call_mentions(call),
        _ => writes(stmt),
    }
}

fn call_mentions(call: &Call) -> Vec<VarId> {
    let refs = call.args.iter().filter_map(arg_mention);
    let called = match &call.callee {
        Callee::Param(of) => Some(of.var),
        Callee::Function(_)
        | Callee::Associated(_)
        | Callee::Method(_)
        | Callee::Operator { .. } => None,
    };
    refs.chain(called).collect()
}

fn arg_mention(arg: &Arg) -> Option<VarId> {
    match arg {
        Arg::Ref { place, .. } => place.var(),
        Arg::Function(Handed::Param { of, .. }) => Some(of.var),
        Arg::Value(_) | Arg::Function(_) => None,
    }
}
