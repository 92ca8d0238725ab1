//! The sweeps of the closures that are handed to calls.
//!
//! Assumes the activity of the function around, which tells which captured variables are active, and
//! that the call is active. What kept a closure from becoming a function is an error here.

use crate::activity::Activity;
use crate::errors::Errors;
use crate::expand::{MakeSweeps, analysed};
use crate::ir::*;
use crate::names::Names;
use crate::record::is_active_call;
use crate::signature::Signature;
use crate::sweep::Sweeps;
use crate::walk;
use std::collections::HashMap;

/// A closure with its sweeps.
pub struct Derived {
    /// Its parameters, what it captures among them.
    pub signature: Signature,
    /// Its sweeps.
    pub sweeps: Sweeps,
    /// The names that mean something in it.
    pub names: Names,
}

/// The closures of a function, by the pullback of the call and the position of the argument.
pub type Lambdas = HashMap<(VarId, usize), Derived>;

/// Differentiates the closures that active calls get.
pub fn lambdas(
    function: &Function,
    activity: &Activity,
    sweeps: MakeSweeps,
    names: &Names,
    errors: &mut Errors,
) -> Lambdas {
    let mut found = Lambdas::new();
    walk::each_stmt(&function.body, &mut |stmt| {
        let Stmt::Call(call) = stmt else { return };
        if !is_active_call(call, activity) {
            return;
        }
        for (k, arg) in call.args.iter().enumerate() {
            match arg {
                Arg::Function(Handed::Closure(lambda)) => {
                    if let Some(derived) = derived(lambda, call, activity, sweeps, names, errors) {
                        found.insert((call.pullback, k), derived);
                    }
                }
                Arg::Function(Handed::Refused { errors: refused, .. }) => {
                    errors.append(refused.clone());
                }
                Arg::Function(Handed::Path { .. } | Handed::Param { .. })
                | Arg::Value(_)
                | Arg::Ref { .. } => {}
            }
        }
    });
    found
}

fn derived(
    lambda: &Lambda,
    call: &Call,
    activity: &Activity,
    sweeps: MakeSweeps,
    names: &Names,
    errors: &mut Errors,
) -> Option<Derived> {
    let mut signature = (*lambda.signature).clone();
    let captured = &call.args[lambda.first..lambda.first + lambda.captures];
    for (param, arg) in signature.params.iter_mut().zip(captured) {
        param.active = matches!(arg, Arg::Ref { place, .. } if activity.place(place));
    }
    let mut names = names.clone();
    let (function, activity) = analysed(lambda.function.clone(), &signature, errors)?;
    let sweeps = sweeps(&function, &activity, &signature, &mut names, errors)?;
    Some(Derived { signature, sweeps, names })
}
