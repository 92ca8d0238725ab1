//! Calls: the companion of an active one gives value and tangent.

use super::Forward;
use crate::ir::*;
use crate::names::plain;
use crate::record::{Restoring, is_active_call};

impl Forward<'_> {
    pub(super) fn call(&mut self, call: &Call, stmt: &Stmt, out: &mut Vec<Stmt>) {
        if !is_active_call(call, self.activity) {
            out.push(stmt.clone());
            return;
        }
        let tangent = self.tangent_call(call);
        out.push(Stmt::Tape(TapeOp::Tangent(Box::new(tangent))));
    }

    fn tangent_call(&mut self, call: &Call) -> TangentCall {
        let tangents = call.args.iter().map(|arg| self.argument(arg)).collect();
        let dest = call.dest.filter(|dest| self.is_active(*dest));
        let dest = dest.map(|dest| self.tangent(dest));
        TangentCall { call: call.clone(), tangents, dest }
    }

    /// A call whose pullback is kept.
    pub(super) fn second_call(&mut self, call: &Call, restoring: Restoring, out: &mut Vec<Stmt>) {
        self.refuse_call(call);
        let call = Box::new(self.tangent_call(call));
        out.push(Stmt::Tape(TapeOp::SecondCall { call, restoring }));
    }

    fn refuse_call(&mut self, call: &Call) {
        let (what, help) = match call.companion() {
            Callee::Operator { .. } => (
                "an operator of a type has no second derivative yet",
                "write a function that does the same, and call it",
            ),
            _ if call.recursive => {
                ("a function that calls itself has no second derivative yet", "write it as a loop")
            }
            _ if call.again => (
                "a call that gets a closure has no second derivative yet",
                "write the closure's code where it is called",
            ),
            Callee::Param(_) => (
                "a function that is a parameter has no second derivative yet",
                "call a function by its name",
            ),
            Callee::Method(_) | Callee::Associated(_) => (
                "a method has no second derivative yet",
                "write it as a free function, and call that",
            ),
            Callee::Function(_) => return,
        };
        self.refuse(call.span, what, help);
    }

    /// Its pullback runs.
    pub(super) fn second_pullback(&mut self, pullback: &PullbackCall, out: &mut Vec<Stmt>) {
        self.refuse_call(&pullback.call);
        let tangents = pullback.args.iter().map(|arg| self.pullback_argument(arg)).collect();
        let seed = pullback.seed.as_ref().map(|seed| self.tangent_or_zero(seed, out));
        let results = pullback.results.iter().map(|result| {
            let part = (*result)?;
            self.derived.insert(part);
            Some(self.tangent(part))
        });
        let results = results.collect();
        let pullback = pullback.clone();
        let second = SecondPullback { pullback, tangents, seed, results };
        out.push(Stmt::Tape(TapeOp::SecondPullback(Box::new(second))));
    }

    fn pullback_argument(&mut self, arg: &PullbackArg) -> Option<PullbackArg> {
        let adjoint = match &arg.adjoint {
            Passed::Constant => return None,
            Passed::InPlace => Passed::InPlace,
            Passed::Temporary(part) => {
                let name = format!("{}_tan", plain(part));
                Passed::Temporary(self.names.fresh(&name, part.span()))
            }
        };
        let place = self.adjoint(&Adjoint(arg.place.clone())).0;
        Some(PullbackArg { place, mutable: arg.mutable, adjoint })
    }

    /// The tangent of an argument, if it has one.
    fn argument(&mut self, arg: &Arg) -> Option<Arg> {
        match arg {
            Arg::Value(Atom::Var(var)) if self.is_active(*var) => {
                Some(Arg::Value(Atom::Var(self.tangent(*var))))
            }
            Arg::Ref { place, mutable } if self.place_is_active(place) => {
                Some(Arg::Ref { place: self.place(place), mutable: *mutable })
            }
            Arg::Value(_) | Arg::Ref { .. } | Arg::Function(_) => None,
        }
    }
}
