//! Calls: the companion of an active one gives value and tangent.

use super::Forward;
use crate::ir::*;
use crate::record::is_active_call;

impl Forward<'_> {
    pub(super) fn call(&mut self, call: &Call, stmt: &Stmt, out: &mut Vec<Stmt>) {
        if !is_active_call(call, self.activity) {
            out.push(stmt.clone());
            return;
        }
        let tangents = call.args.iter().map(|arg| self.argument(arg)).collect();
        let dest = call.dest.filter(|dest| self.is_active(*dest));
        let dest = dest.map(|dest| self.tangent(dest));
        let call = call.clone();
        out.push(Stmt::Tape(TapeOp::Tangent(Box::new(TangentCall { call, tangents, dest }))));
    }

    /// The tangent of an argument, if it has one.
    fn argument(&mut self, arg: &Arg) -> Option<Arg> {
        match arg {
            Arg::Value(Atom::Var(var)) if self.is_active(*var) => {
                Some(Arg::Value(Atom::Var(self.tangent(*var))))
            }
            Arg::Ref { place, mutable } if self.activity.place(place) => {
                Some(Arg::Ref { place: self.place(place), mutable: *mutable })
            }
            Arg::Value(_) | Arg::Ref { .. } | Arg::Function(_) => None,
        }
    }
}
