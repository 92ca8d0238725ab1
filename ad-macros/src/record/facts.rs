//! Facts about statements, values and variables that both sweeps agree on.

use crate::activity::Activity;
use crate::ir::*;
use crate::walk;
use std::collections::HashMap;

/// Whether reversing a statement may do anything, or tells what else is reversed.
pub fn matters(stmt: &Stmt, function: &Function, activity: &Activity) -> bool {
    !walk::stmt_exits(stmt).is_empty() || does(stmt, function, activity)
}

/// Whether reversing a statement may do anything.
pub(super) fn does(stmt: &Stmt, function: &Function, activity: &Activity) -> bool {
    let own = match stmt {
        Stmt::Let { var, .. } | Stmt::Declare { var } => {
            activity.is_active(*var) || carried_writes(stmt).next().is_some()
        }
        Stmt::Store { place, .. }
        | Stmt::Fill { to: place, .. }
        | Stmt::Push { place, .. }
        | Stmt::Pop { place, .. }
        | Stmt::Permute { place, .. } => {
            activity.place(place) || !is_plain_place(place, function, activity)
        }
        Stmt::Swap { .. } | Stmt::CopyFrom { .. } => true,
        Stmt::Call(call) => is_active_call(call, activity) || carried_writes(stmt).next().is_some(),
        Stmt::Verbatim { .. } => carried_writes(stmt).next().is_some(),
        Stmt::If { dest: Some(dest), .. } | Stmt::Match { dest: Some(dest), .. } => {
            activity.is_active(*dest)
        }
        _ => false,
    };
    let inner = |block: &Block| block.stmts.iter().any(|stmt| does(stmt, function, activity));
    let conditions = match stmt {
        Stmt::While { body, .. } => return inner(body),
        _ => walk::blocks(stmt),
    };
    own || conditions.into_iter().any(inner)
}

/// The places that code without derivative may write: verbatim code, calls of any function.
pub fn carried_writes(stmt: &Stmt) -> impl Iterator<Item = Place> {
    let places: Vec<Place> = match stmt {
        Stmt::Call(call) => {
            let refs = call.args.iter().filter_map(|arg| match arg {
                Arg::Ref { place, mutable: true } => Some(place.clone()),
                _ => None,
            });
            refs.collect()
        }
        Stmt::Verbatim { code, .. } | Stmt::Let { value: Value::Verbatim(code), .. } => {
            code.changes.iter().map(|var| Place::of(*var)).collect()
        }
        _ => Vec::new(),
    };
    places.into_iter()
}

pub(super) fn is_plain_place(place: &Place, function: &Function, activity: &Activity) -> bool {
    place
        .var()
        .and_then(|var| activity.origin(var))
        .is_none_or(|root| is_plain(function, activity, root))
}

/// Whether a variable is a scalar that is only ever assigned as a whole.
pub fn is_plain(function: &Function, activity: &Activity, root: VarId) -> bool {
    let info = function.var(root);
    if info.role == Role::Alias || matches!(info.ty, Ty::Ref { .. }) {
        return false;
    }
    let aggregate = matches!(
        info.ty,
        Ty::Array { .. }
            | Ty::Slice(_)
            | Ty::Tuple(_)
            | Ty::Named
            | Ty::Number
            | Ty::Wrapped { .. }
    );
    let mut plain = !aggregate;
    walk::each_stmt(&function.body, &mut |stmt| match stmt {
        Stmt::Store { place, .. } if place.var() == Some(root) => plain &= place.path.is_empty(),
        Stmt::Swap { .. }
        | Stmt::CopyFrom { .. }
        | Stmt::Fill { .. }
        | Stmt::Push { .. }
        | Stmt::Pop { .. }
        | Stmt::Permute { .. } => {
            plain &= !walk::writes(stmt).contains(&root);
        }
        Stmt::Borrow { mutable: true, place, .. } | Stmt::Split { mutable: true, place, .. } => {
            plain &= place.var().and_then(|var| activity.origin(var)) != Some(root);
        }
        Stmt::Borrow { place, .. } => plain &= place.var() != Some(root),
        Stmt::Let { value: Value::Load(place) | Value::Copy { place, .. }, .. } => {
            plain &= place.var() != Some(root) || place.path.is_empty();
        }
        Stmt::Call(call) => {
            for arg in &call.args {
                if let Arg::Ref { place, .. } = arg {
                    plain &= place.var() != Some(root);
                }
            }
        }
        _ => {}
    });
    plain
}

/// Whether a call has a pullback: something active may come out of it.
pub fn is_active_call(call: &Call, activity: &Activity) -> bool {
    let result = call.dest.is_some_and(|dest| activity.is_active(dest));
    result
        || call.args.iter().any(|arg| match arg {
            Arg::Ref { place, mutable: true } => activity.place(place),
            Arg::Ref { .. } | Arg::Value(_) | Arg::Function(_) => false,
        })
}

/// For each variable that takes part in a swap, one that stands for all it may exchange with.
pub(super) fn swapped(function: &Function, activity: &Activity) -> HashMap<VarId, VarId> {
    let mut classes: HashMap<VarId, VarId> = HashMap::new();
    walk::each_stmt(&function.body, &mut |stmt| {
        let Stmt::Swap { a, b } = stmt else { return };
        let root = |place: &Place| place.var().and_then(|var| activity.origin(var));
        let (Some(a), Some(b)) = (root(a), root(b)) else {
            return;
        };
        let (a_class, b_class) = (*classes.get(&a).unwrap_or(&a), *classes.get(&b).unwrap_or(&b));
        classes.insert(a, a_class);
        classes.insert(b, b_class);
        classes.values_mut().filter(|class| **class == b_class).for_each(|class| *class = a_class);
    });
    classes
}

/// Whether a variable may end with another length than it begins with.
fn is_resized(function: &Function, activity: &Activity, var: VarId) -> bool {
    let mut resized = false;
    walk::each_stmt(&function.body, &mut |stmt| {
        let resizes = match stmt {
            Stmt::Store { place, value } => brings_lengths(function, activity, place, value),
            Stmt::Call(call) => call.args.iter().any(|arg| match arg {
                Arg::Ref { place, mutable: true } => function.place_ty(place).is_resizable(),
                Arg::Ref { .. } | Arg::Value(_) | Arg::Function(_) => false,
            }),
            Stmt::Permute { place, .. } => function.place_ty(place).element().is_resizable(),
            Stmt::Swap { .. } | Stmt::Push { .. } | Stmt::Pop { .. } => true,
            _ => false,
        };
        let origin = |written: &VarId| activity.origin(*written) == Some(var);
        resized |= resizes && walk::writes(stmt).iter().any(origin);
    });
    resized && (function.var(var).ty.is_resizable() || function.var(var).ty == Ty::Unknown)
}

/// Whether storing `value` may change lengths in `place`. The result of a call may be anything.
pub fn brings_lengths(
    function: &Function,
    activity: &Activity,
    place: &Place,
    value: &Atom,
) -> bool {
    let ty = match value {
        Atom::Var(var) => &function.var(*var).ty,
        Atom::Text(_, ty) => ty,
    };
    let there = function.place_ty(place);
    match (ty, &there) {
        (Ty::Unknown, Ty::Unknown) => !is_plain_place(place, function, activity),
        (Ty::Unknown, there) => there.is_resizable(),
        (ty, _) => ty.is_resizable(),
    }
}

/// How the adjoint of `var` begins.
pub fn shape(
    function: &Function,
    activity: &Activity,
    definitions: &HashMap<VarId, &Stmt>,
    var: VarId,
) -> Shape {
    if function.var(var).ty.is_real() {
        return Shape::Scalar;
    }
    let Some(Stmt::Let { value, .. }) = definitions.get(&var) else {
        return Shape::Itself;
    };
    if is_resized(function, activity, var) {
        return Shape::Itself;
    }
    let scalar = |atom: &Atom| match atom {
        Atom::Var(id) => function.var(*id).ty.is_real(),
        Atom::Text(_, ty) => ty.is_real(),
    };
    match value {
        Value::Repeat { elem, len, heap } if scalar(elem) => {
            Shape::Repeat { len: len.clone(), heap: *heap }
        }
        Value::Array { elems, heap } if elems.iter().all(scalar) => {
            Shape::Literal { len: elems.len(), tuple: false, heap: *heap }
        }
        Value::Tuple(elems) if elems.iter().all(scalar) => {
            Shape::Literal { len: elems.len(), tuple: true, heap: false }
        }
        Value::Struct { maker, parts } if parts.iter().all(scalar) => Shape::Struct(maker.clone()),
        // Moved into the variable, which keeps its shape.
        Value::Atom(Atom::Var(from))
            if function.var(*from).role == Role::Temp && function.var(var).ty == Ty::Named =>
        {
            Shape::Itself
        }
        // Of a type that is not known: the value itself has the shape that the copy began with.
        Value::Atom(Atom::Var(from)) if function.var(var).ty.is_opaque() => {
            match shape(function, activity, definitions, *from) {
                Shape::Itself => Shape::Like(Place::of(*from)),
                other => other,
            }
        }
        Value::Load(place) | Value::Copy { place, .. } => {
            let root = place.var().and_then(|var| activity.origin(var));
            match root {
                Some(root)
                    if function.params.contains(&root)
                        && !function.var(root).mutable
                        && !is_resized(function, activity, root) =>
                {
                    Shape::Like(place.clone())
                }
                _ => Shape::Itself,
            }
        }
        _ => Shape::Itself,
    }
}

/// Whether computing a value again costs about as much as reading it from a stack.
pub(super) fn is_cheap(value: &Value, ty: &Ty) -> bool {
    match value {
        Value::Atom(_)
        | Value::Unary(..)
        | Value::Cast(..)
        | Value::Length { .. }
        | Value::Test { .. }
        | Value::Function { .. } => true,
        Value::Load(_) => ty.is_copy() || matches!(ty, Ty::Unknown) || ty.is_own(),
        Value::Binary(op, ..) => {
            *ty == Ty::Discrete || !matches!(op, syn::BinOp::Div(_) | syn::BinOp::Rem(_))
        }
        Value::Method { name, .. } => {
            let cheap = ["abs", "max", "min", "mul_add", "to_radians", "to_degrees", "clamp"];
            *ty == Ty::Discrete || cheap.iter().any(|known| name == known)
        }
        // Positions in several dimensions.
        Value::Tuple(_) => !ty.may_hold_reals(),
        Value::Copy { .. }
        | Value::Array { .. }
        | Value::Repeat { .. }
        | Value::Struct { .. }
        | Value::Operator { .. }
        | Value::Order { .. }
        | Value::Verbatim(_)
        | Value::Reverse(_)
        | Value::Tangent(_) => false,
    }
}

/// Whether a branch only computes an integer from others: `if i == 0 { 0 } else { i - 1 }`. Such a
/// choice is made again rather than recorded.
pub(super) fn is_choice_of_integers(function: &Function, block: &Block) -> bool {
    block.result.is_some()
        && block.stmts.iter().all(|stmt| match stmt {
            Stmt::Let { var, value } => {
                function.var(*var).role == Role::Temp
                    && function.var(*var).ty == Ty::Discrete
                    && walk::source(value).is_none()
                    && is_cheap(value, &Ty::Discrete)
            }
            _ => false,
        })
}

/// The operands of a choice that are defined outside of its branches.
pub fn outer_operands(cond: &Atom, branches: [&Block; 2]) -> Vec<VarId> {
    let mut inner = Vec::new();
    let mut used: Vec<VarId> = cond.var().into_iter().collect();
    for branch in branches {
        for stmt in &branch.stmts {
            if let Stmt::Let { var, value } = stmt {
                inner.push(*var);
                used.extend(walk::operands(value).into_iter().filter_map(Atom::var));
            }
        }
        used.extend(branch.result.as_ref().and_then(Atom::var));
    }
    used.retain(|var| !inner.contains(var));
    used
}
