//! Primal IR → reverse sweep.
//!
//! The reverse of a block reverses its statements, last first. The reverse of a statement restores
//! the state in front of it, then pulls the adjoint of what it defined back to its operands:
//!
//! ```text
//! x = f(a, b)        a_adj += x_adj * ∂f/∂a;  b_adj += x_adj * ∂f/∂b
//! place = a          next_adj = take(place_adj);  a_adj += next_adj
//! if c { … }         if c { reversed … }             (c as it was)
//! for k in lo..hi    for k in (lo..hi).rev() { reversed body }
//! f(x, &mut y)       f::reverse(pullback, (x, x_adj), (y, y_adj))
//! ```
//!
//! Assumes the forward sweep of the same [`Shared`] state. Promises to touch no variable of the
//! forward sweep except through what it recorded, captured or was handed.

mod adjoint;
mod call;
mod exits;
mod memory;
mod pull;
mod sums;
mod unpack;
mod values;

pub use adjoint::{begins_with_its_use, count_flows, flows_from};

use crate::ir::*;
use crate::layout::Pos;
use crate::record::{is_active_call, slopes};
use crate::signature::{Passing, Signature};
use crate::sweep::{ReverseParts, Shared, counts_trips};
use crate::walk;
use proc_macro2::{Ident, Span};
use std::collections::{HashMap, HashSet};

/// Writes the reverse sweep.
pub fn reverse_sweep(shared: &mut Shared, signature: &Signature) -> ReverseParts {
    let mut definitions = HashMap::new();
    let primal = shared.primal;
    let uses = count_flows(primal);
    walk::each_stmt(&primal.body, &mut |stmt| {
        for var in crate::layout::definitions(stmt) {
            definitions.insert(var, stmt);
        }
    });
    let mut reverse = Reversal {
        shared,
        definitions,
        uses,
        slopes: slopes(primal),
        levels: Vec::new(),
        adjoints: HashMap::new(),
        direct: HashMap::new(),
        suppressed: HashSet::new(),
        unpacked: HashSet::new(),
        reach: None,
        at: Pos::MAX - 1,
        disturbed: Vec::new(),
    };
    let params: Vec<VarId> = primal.params.clone();
    let mut first = Level::default();
    for (var, param) in params.iter().zip(&signature.params) {
        first.defined.insert(*var);
        if param.active && param.passing != Passing::Value {
            first.begun.insert(*var);
            reverse.adjoint_name(*var);
        }
    }
    reverse.levels.push(first);
    let statements: Vec<&Stmt> = primal.body.stmts.iter().collect();
    // A result that `return` stores has its adjoint whichever way was taken.
    let stored = reverse.seed(primal.returns);
    let last = primal.body.result.as_ref().and_then(Atom::var);
    let mut given = None;
    reverse.segments(&statements, &mut |reverse| given = reverse.seed(last));
    let seed = match stored.or(given) {
        Some(seed) => seed,
        None => reverse.shared.names.fresh("value_adj", Span::call_site()),
    };
    let level = reverse.levels.pop().expect("the first level");
    let block = crate::tidy::tidy(Block { stmts: level.out, result: None }, &params);
    let block = reverse.sum_in_loops(block, &params.iter().copied().collect());
    let untouched = params.iter().zip(&signature.params).filter(|(var, param)| {
        param.active && param.passing == Passing::Value && !level.begun.contains(*var)
    });
    let untouched = untouched.map(|(var, _)| *var).collect();
    let begun = level.begun.into_iter().collect();
    let (adjoints, disturbed) = (reverse.adjoints, reverse.disturbed);
    ReverseParts { block, adjoints, begun, untouched, seed, disturbed }
}

/// A block of the reverse sweep being written.
#[derive(Default)]
struct Level {
    /// Primal variables whose definition this block reverses.
    defined: HashSet<VarId>,
    /// Values computed again here.
    known: HashSet<VarId>,
    /// Adjoints that began here.
    begun: HashSet<VarId>,
    /// Whether it reverses statements of the block that the level around it reverses.
    continues: bool,
    out: Vec<Stmt>,
}

struct Reversal<'s, 'a> {
    shared: &'s mut Shared<'a>,
    definitions: HashMap<VarId, &'a Stmt>,
    /// How often adjoints are added to.
    uses: HashMap<VarId, usize>,
    /// The values that are the slopes of others.
    slopes: HashMap<VarId, VarId>,
    levels: Vec<Level>,
    adjoints: HashMap<VarId, Ident>,
    /// Adjoints of temporaries with one use: they are that one contribution.
    direct: HashMap<VarId, Atom>,
    /// Loads whose adjoint stays where it is: `s` in `s += …`.
    suppressed: HashSet<VarId>,
    /// References into a value that is taken apart in the arm being written.
    unpacked: HashSet<VarId>,
    /// The innermost level from which what is computed again has to be seen, if not from all.
    reach: Option<usize>,
    /// The statement being reversed.
    at: Pos,
    disturbed: Vec<VarId>,
}

impl<'a> Reversal<'_, 'a> {
    fn top(&mut self) -> &mut Level {
        self.levels.last_mut().expect("a block is being written")
    }

    fn emit(&mut self, stmt: Stmt) {
        self.top().out.push(stmt);
    }

    fn tape(&mut self, op: TapeOp) {
        self.emit(Stmt::Tape(op));
    }

    fn value(&mut self, value: Value, ty: Ty) -> Atom {
        let wish = match &value {
            Value::Reverse(Reverse::Take(_)) => "next_adj",
            Value::Reverse(Reverse::Pull(..) | Reverse::Neg(_) | Reverse::Sum(_)) => "t_adj",
            Value::Reverse(Reverse::Adjoint(_)) => "t_adj",
            _ => "t",
        };
        let var = self.shared.new_temp(wish, ty, Span::call_site());
        self.emit(Stmt::Let { var, value });
        Atom::Var(var)
    }

    /// The level in which the definition of `var` is reversed.
    fn home(&self, var: VarId) -> usize {
        let home = self.levels.iter().rposition(|level| level.defined.contains(&var));
        home.unwrap_or_else(|| {
            panic!(
                "`{}` is used where its definition is not reversed",
                self.shared.vars[var.0].name
            )
        })
    }

    fn active(&self, var: VarId) -> bool {
        self.shared.activity.is_active(var)
    }

    fn emit_if(&mut self, cond: Atom, then: Block, otherwise: Block) {
        if !(then.stmts.is_empty() && otherwise.stmts.is_empty()) {
            self.emit(Stmt::If { dest: None, cond, then, otherwise });
        }
    }

    fn close(&mut self) -> Block {
        let level = self.levels.pop().expect("a block is being written");
        Block { stmts: level.out, result: None }
    }

    /// Reverses the statements of an inner block into the current level.
    fn nested(&mut self, block: &'a Block) {
        let stmts: Vec<&'a Stmt> = block.stmts.iter().collect();
        self.segments(&stmts, &mut |_| {});
    }

    /// The value of a branch takes the adjoint of what the branch defines.
    fn branch_result(&mut self, dest: Option<VarId>, block: &'a Block) {
        let (Some(dest), Some(Atom::Var(result))) = (dest, &block.result) else {
            return;
        };
        // The value of a block is read at its end.
        self.at = block.stmts.last().map_or(0, |last| {
            let pos = self.shared.layout.pos(last);
            self.shared.layout.end(pos)
        });
        if !self.active(dest) || !self.active(*result) || !self.has_begun(dest) {
            return;
        }
        self.flow_from(dest, *result);
    }

    fn stmt(&mut self, stmt: &'a Stmt) {
        if !self.shared.matters(stmt) {
            return;
        }
        let pos = self.shared.layout.pos(stmt);
        self.at = pos;
        match stmt {
            Stmt::Let { var, value } => {
                self.definition(*var, value);
                self.undo_carried(stmt, pos);
            }
            Stmt::Store { place, value, .. } => self.store(place, value, pos),
            Stmt::CopyFrom { to, from, .. } => self.copy_from(to, from, pos),
            Stmt::Fill { to, value } => self.fill(to, value, pos),
            Stmt::Push { place, value } => self.push(place, value, pos),
            Stmt::Pop { var, place } => self.pop(*var, place, pos),
            Stmt::Permute { place, how } => self.permute(place, how, pos),
            Stmt::Swap { a, b } => self.swap(a, b, pos),
            Stmt::If { dest, cond, then, otherwise } => {
                self.need_atom(cond);
                let [then, otherwise] = [then, otherwise].map(|block| self.arm(*dest, block));
                self.emit_if(cond.clone(), then, otherwise);
            }
            Stmt::Match { dest, scrutinee, decision, arms } => {
                self.match_arms(*dest, scrutinee, *decision, arms, &|_| true);
            }
            Stmt::For(repeat) => self.counted(stmt, repeat, pos),
            Stmt::While { body, trips, .. } | Stmt::Loop { body, trips, .. } => {
                self.repeated(body, *trips, pos);
            }
            Stmt::Call(call) if is_active_call(call, self.shared.activity) => {
                if call.again {
                    self.undo_carried(stmt, pos);
                }
                self.call(call);
            }
            Stmt::Call(_) | Stmt::Verbatim { .. } => self.undo_carried(stmt, pos),
            Stmt::Declare { .. }
            | Stmt::Borrow { .. }
            | Stmt::Split { .. }
            | Stmt::Exit(_)
            | Stmt::Tape(_) => {}
        }
    }

    fn arm(&mut self, dest: Option<VarId>, block: &'a Block) -> Block {
        self.levels.push(Level::default());
        let stmts: Vec<&'a Stmt> = block.stmts.iter().collect();
        self.segments(&stmts, &mut |cx| cx.branch_result(dest, block));
        self.close()
    }

    /// Reverses the arms that `ran` tells.
    fn match_arms(
        &mut self,
        dest: Option<VarId>,
        scrutinee: &'a Scrutinee,
        decision: VarId,
        arms: &'a [Arm],
        ran: &dyn Fn(&Block) -> bool,
    ) {
        self.need(decision);
        let count = arms.len();
        let arms: Vec<Arm> = arms
            .iter()
            .enumerate()
            .map(|(k, arm)| {
                let number = proc_macro2::Literal::usize_unsuffixed(k);
                let pat =
                    if k + 1 == count { syn::parse_quote!(_) } else { syn::parse_quote!(#number) };
                let body = match ran(&arm.body) {
                    true => self.unpacked_arm(dest, scrutinee, arm, count > 1),
                    false => Block::default(),
                };
                Arm { pat, binds: 0, guard: None, body }
            })
            .collect();
        if arms.iter().any(|arm| !arm.body.stmts.is_empty()) {
            let scrutinee = Scrutinee::Value(Atom::Var(decision));
            self.emit(Stmt::Match { dest: None, scrutinee, decision, arms });
        }
    }

    /// Adjoints that live longer than one trip begin in front of the loop.
    fn begin_shared(&mut self, stmts: &[&'a Stmt], except: Option<VarId>) {
        let mut touched = Vec::new();
        let mut defined = HashSet::new();
        for stmt in stmts {
            visit(stmt, &mut |stmt| {
                touched.extend(flows_from(stmt));
                touched.extend(walk::writes(stmt));
                defined.extend(crate::layout::definitions(stmt));
            });
        }
        for var in touched {
            let Some(root) = self.shared.activity.origin(var) else {
                continue;
            };
            if self.active(root) && !defined.contains(&root) && except != Some(root) {
                self.begin(root);
            }
        }
    }

    fn loop_body(&mut self, body: &'a Block) -> Block {
        self.levels.push(Level::default());
        self.nested(body);
        self.close()
    }

    fn counted(&mut self, stmt: &'a Stmt, repeat: &'a ForLoop, pos: Pos) {
        let stmts: Vec<&'a Stmt> = repeat.body.stmts.iter().collect();
        self.begin_shared(&stmts, None);
        self.need_atom(&repeat.range.lo);
        self.need_atom(&repeat.range.hi);
        let mut range = repeat.range.clone();
        for adaptor in &range.adaptors {
            if let Adaptor::StepBy(step) = adaptor {
                self.need_atom(step);
            }
        }
        let body = self.loop_body(&repeat.body);
        if body.stmts.is_empty() {
            return;
        }
        if counts_trips(stmt) {
            let end = self.shared.end_of(repeat);
            let end = match self.shared.count_tape(pos, end) {
                Some(tape) => self.value(Value::Reverse(Reverse::Recorded(tape)), Ty::Discrete),
                None => Atom::Var(end),
            };
            if range.is_plain() {
                range.hi = end;
            } else {
                range.adaptors.push(Adaptor::Take(end));
            }
        }
        self.tape(TapeOp::ForRev { index: repeat.index, range, body });
    }

    fn repeated(&mut self, body: &'a Block, trips: VarId, pos: Pos) {
        let stmts: Vec<&'a Stmt> = body.stmts.iter().collect();
        self.begin_shared(&stmts, None);
        let body = self.loop_body(body);
        if body.stmts.is_empty() {
            return;
        }
        if let Some(tape) = self.shared.count_tape(pos, trips) {
            let value = Value::Reverse(Reverse::Recorded(tape));
            self.emit(Stmt::Let { var: trips, value });
        }
        self.tape(TapeOp::Repeat { trips, body });
    }
}

/// Runs `f` on a statement and all inside of it.
fn visit<'b>(stmt: &'b Stmt, f: &mut impl FnMut(&'b Stmt)) {
    f(stmt);
    for block in walk::blocks(stmt) {
        walk::each_stmt(block, f);
    }
}
