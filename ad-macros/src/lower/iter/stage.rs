//! Stages: statements around what follows in the body of a loop.
//!
//! A stage that leaves an item out is an `if` around the rest, one that ends the sequence leaves its
//! loop. What a stage counts or remembers is a variable in front of the loop, changed before the rest
//! runs, so that a `continue` in the rest skips nothing.

use super::optional::always_some;
use super::{Item, Seq, closure_body};
use crate::ir::*;
use crate::lower::Lower;
use crate::lower::pattern::Source;
use crate::lower::place::strip;
use proc_macro2::Span;
use quote::quote;
use syn::Expr;
use syn::spanned::Spanned;

pub(super) enum Stage<'e> {
    Map(&'e Expr),
    Copied,
    Inspect(&'e Expr),
    Filter(&'e Expr),
    TakeWhile(&'e Expr),
    /// The variable says whether the test has failed yet.
    SkipWhile(&'e Expr, VarId),
    FilterMap(&'e Expr),
    MapWhile(&'e Expr),
    FlatMap(&'e Expr),
    Flatten,
    /// The variable holds the state.
    Scan(&'e Expr, VarId),
    /// The next item, and whether there is one.
    Successors {
        closure: &'e Expr,
        state: VarId,
        more: VarId,
    },
    /// With its counter, as all that follow.
    Enumerate(VarId),
    Skip(VarId, Atom),
    Take(VarId, Atom),
    StepBy(VarId, Atom),
    /// Pairs with the items of another sequence, which come first or second.
    Zip {
        counter: VarId,
        len: Atom,
        item: Item<'e>,
        front: bool,
    },
}

/// A number of items after which no further one is asked for.
#[derive(Clone)]
pub(super) struct Limit {
    counter: VarId,
    count: Atom,
    /// The loop to leave.
    id: LoopId,
}

/// The limits of some stages, and those behind them.
pub(super) fn limits(stages: &[Stage], id: LoopId, behind: &[Limit]) -> Vec<Limit> {
    let own = stages.iter().filter_map(|stage| match stage {
        Stage::Take(counter, count) | Stage::Zip { counter, len: count, front: true, .. } => {
            Some(Limit { counter: *counter, count: count.clone(), id })
        }
        _ => None,
    });
    own.chain(behind.iter().cloned()).collect()
}

impl Stage<'_> {
    /// Whether as many items leave as enter.
    pub(super) fn keeps_all(&self) -> bool {
        match self {
            Stage::Map(_) | Stage::Copied | Stage::Inspect(_) | Stage::Enumerate(_) => true,
            Stage::Scan(closure, _) => closure_body(closure).is_some_and(always_some),
            Stage::Filter(_)
            | Stage::TakeWhile(_)
            | Stage::SkipWhile(..)
            | Stage::FilterMap(_)
            | Stage::MapWhile(_)
            | Stage::FlatMap(_)
            | Stage::Flatten
            | Stage::Successors { .. }
            | Stage::Skip(..)
            | Stage::Take(..)
            | Stage::StepBy(..)
            | Stage::Zip { .. } => false,
        }
    }

    /// Whether items may pass it in reverse order.
    pub(super) fn has_no_order(&self) -> bool {
        matches!(
            self,
            Stage::Map(_)
                | Stage::Copied
                | Stage::Inspect(_)
                | Stage::Filter(_)
                | Stage::FilterMap(_)
        )
    }
}

type Consume<'c, 'a> = &'c mut dyn FnMut(&mut Lower<'a>, Source);

impl<'a> Lower<'a> {
    /// Leaves the loops whose sequences have given all that is asked of them.
    pub(super) fn stop_at(&mut self, limits: &[Limit], span: Span) {
        for Limit { counter, count, id } in limits {
            let counted = self.current(*counter, span);
            let op = syn::BinOp::Ge(syn::Token![>=](span));
            let cond = self.temp(Value::Binary(op, counted, count.clone()), Ty::Discrete, span);
            self.leave_if(cond, *id);
        }
    }

    /// `if cond { break }`
    fn leave_if(&mut self, cond: Atom, id: LoopId) {
        let then = Block { stmts: vec![Stmt::Exit(Exit::Break(id))], result: None };
        self.out.push(Stmt::If { dest: None, cond, then, otherwise: Block::default() });
    }

    /// What a variable of a stage holds now.
    pub(in crate::lower) fn current(&mut self, var: VarId, span: Span) -> Atom {
        let ty = self.ty(var).clone();
        match self.load(Place::of(var), ty.clone()) {
            (Value::Atom(atom), _) => atom,
            (value, _) => self.temp(value, ty, span),
        }
    }

    pub(in crate::lower) fn set(&mut self, var: VarId, value: Atom) {
        self.written(var);
        self.out.push(Stmt::Store { place: Place::of(var), value });
    }

    /// What a counter holds now; it goes on by one.
    pub(in crate::lower) fn count(&mut self, counter: VarId, span: Span) -> Atom {
        let old = self.current(counter, span);
        let plus = syn::BinOp::Add(syn::Token![+](span));
        let new = Value::Binary(plus, old.clone(), Atom::Text(quote!(1), Ty::Discrete));
        let new = self.temp(new, Ty::Discrete, span);
        self.set(counter, new);
        old
    }

    /// `if cond { … }`
    pub(in crate::lower) fn only_if(
        &mut self,
        cond: Atom,
        otherwise: Block,
        fill: impl FnOnce(&mut Self),
    ) {
        let then = self.guarded(|cx| {
            cx.block(|cx| {
                fill(cx);
                None
            })
        });
        self.forget(&then);
        self.out.push(Stmt::If { dest: None, cond, then, otherwise });
    }

    /// Runs the stages on an item, and `consume` on what comes through.
    pub(super) fn through(
        &mut self,
        stages: &[Stage],
        item: Source,
        id: LoopId,
        behind: &[Limit],
        consume: Consume<'_, 'a>,
    ) {
        let Some((stage, rest)) = stages.split_first() else { return consume(self, item) };
        let span = Span::call_site();
        let mut go_on =
            |cx: &mut Self, item: Source| cx.through(rest, item, id, behind, &mut *consume);
        match stage {
            Stage::Map(closure) => {
                let item = self.apply(closure, vec![item]);
                go_on(self, item);
            }
            Stage::Copied => {
                let item = self.copied(item);
                go_on(self, item);
            }
            Stage::Inspect(closure) => {
                let item = self.inspected(closure, item);
                go_on(self, item);
            }
            Stage::Filter(test) => {
                let (item, cond) = self.tested(test, item);
                self.only_if(cond, Block::default(), |cx| go_on(cx, item));
            }
            Stage::TakeWhile(test) => {
                let (item, cond) = self.tested(test, item);
                let stop = Block { stmts: vec![Stmt::Exit(Exit::Break(id))], result: None };
                self.only_if(cond, stop, |cx| go_on(cx, item));
            }
            Stage::SkipWhile(test, begun) => {
                let item = self.skipped_while(test, *begun, item);
                let cond = self.current(*begun, test.span());
                self.only_if(cond, Block::default(), |cx| go_on(cx, item));
            }
            Stage::FilterMap(closure) => {
                self.optional_call(closure, vec![item], &mut go_on, &mut |_| ());
            }
            Stage::MapWhile(closure) => {
                let stop = &mut |cx: &mut Self| cx.out.push(Stmt::Exit(Exit::Break(id)));
                self.optional_call(closure, vec![item], &mut go_on, stop);
            }
            Stage::Scan(closure, state) => {
                let state = Source::Borrow {
                    place: Place::of(*state),
                    ty: self.ty(*state).clone(),
                    mutable: true,
                };
                let stop = &mut |cx: &mut Self| cx.out.push(Stmt::Exit(Exit::Break(id)));
                self.optional_call(closure, vec![state, item], &mut go_on, stop);
            }
            Stage::Successors { closure, state, more } => {
                let cond = self.current(*more, span);
                let not = syn::UnOp::Not(syn::Token![!](span));
                let cond = self.temp(Value::Unary(not, cond), Ty::Discrete, span);
                self.leave_if(cond, id);
                let item = self.succeeded_while(closure, *state, *more);
                go_on(self, item);
            }
            Stage::FlatMap(closure) => {
                self.flattened(closure, item, &limits(rest, id, behind), &mut go_on);
            }
            Stage::Flatten => match item {
                Source::Borrow { place, ty, mutable }
                    if matches!(ty.peeled(), Ty::Array { .. } | Ty::Slice(_)) =>
                {
                    let inner = self.elements_of(place, &ty, Some(mutable), span);
                    self.nested(&inner, &limits(rest, id, behind), span, &mut go_on);
                }
                _ => self.abandoned = true,
            },
            Stage::Enumerate(counter) => {
                let position = self.count(*counter, span);
                let position = Source::Value(Value::Atom(position), Ty::Discrete);
                go_on(self, Source::Tuple(vec![position, item]));
            }
            Stage::Skip(counter, count) => {
                let item = self.unread(item);
                let position = self.count(*counter, span);
                let op = syn::BinOp::Ge(syn::Token![>=](span));
                let cond = Value::Binary(op, position, count.clone());
                let cond = self.temp(cond, Ty::Discrete, span);
                self.only_if(cond, Block::default(), |cx| go_on(cx, item));
            }
            Stage::Take(counter, _) => {
                let item = self.unread(item);
                self.count(*counter, span);
                go_on(self, item);
            }
            Stage::StepBy(counter, step) => {
                let item = self.unread(item);
                let position = self.count(*counter, span);
                let op = syn::BinOp::Rem(syn::Token![%](span));
                let phase = Value::Binary(op, position, step.clone());
                let phase = self.temp(phase, Ty::Discrete, span);
                let zero = Atom::Text(quote!(0), Ty::Discrete);
                let op = syn::BinOp::Eq(syn::Token![==](span));
                let cond = self.temp(Value::Binary(op, phase, zero), Ty::Discrete, span);
                self.only_if(cond, Block::default(), |cx| go_on(cx, item));
            }
            Stage::Zip { counter, len, item: other, front } => {
                let item = self.unread(item);
                let position = self.count(*counter, span);
                if !front {
                    let op = syn::BinOp::Ge(syn::Token![>=](span));
                    let cond = Value::Binary(op, position.clone(), len.clone());
                    let cond = self.temp(cond, Ty::Discrete, span);
                    self.leave_if(cond, id);
                }
                let other = other(self, position);
                let pair = if *front { vec![other, item] } else { vec![item, other] };
                go_on(self, Source::Tuple(pair));
            }
        }
    }

    /// An item whose value is computed here, even if nothing behind reads it.
    pub(in crate::lower) fn unread(&mut self, item: Source) -> Source {
        match item {
            Source::Value(Value::Atom(atom), ty) => Source::Value(Value::Atom(atom), ty),
            Source::Value(value, ty) => {
                let atom = self.temp(value, ty.clone(), Span::call_site());
                Source::Value(Value::Atom(atom), ty)
            }
            Source::Tuple(parts) => {
                Source::Tuple(parts.into_iter().map(|part| self.unread(part)).collect())
            }
            borrow @ Source::Borrow { .. } => borrow,
        }
    }

    /// An item and what a test says of it.
    pub(in crate::lower) fn tested(&mut self, test: &Expr, item: Source) -> (Source, Atom) {
        let (item, seen) = self.seen(item);
        let passes = self.apply_seen(test, seen);
        (item, self.settle(passes, test.span()))
    }

    /// `if !begun { begun = !test(item); }`
    fn skipped_while(&mut self, test: &Expr, begun: VarId, item: Source) -> Source {
        let (item, seen) = self.seen(item);
        let cond = self.current(begun, test.span());
        let mut seen = Some(seen);
        let otherwise = self.guarded(|cx| {
            cx.block(|cx| {
                let seen = seen.take().expect("a block is filled once");
                let passes = cx.apply_seen(test, seen);
                let passes = cx.settle(passes, test.span());
                let not = syn::UnOp::Not(syn::Token![!](test.span()));
                let begins = cx.temp(Value::Unary(not, passes), Ty::Discrete, test.span());
                cx.set(begun, begins);
                None
            })
        });
        self.forget(&otherwise);
        self.out.push(Stmt::If { dest: None, cond, then: Block::default(), otherwise });
        item
    }

    /// `inspect`: its closure is a statement about the item.
    pub(super) fn inspected(&mut self, closure: &Expr, item: Source) -> Source {
        let Expr::Closure(closure) = strip(closure) else { return item };
        let (item, seen) = self.seen(item);
        self.scopes.push(Default::default());
        let body = self.bind_params(closure, vec![seen], true);
        self.statement(&body);
        self.scopes.pop();
        item
    }

    /// The items of the sequence that a closure makes of an item.
    fn flattened(
        &mut self,
        closure: &Expr,
        item: Source,
        limits: &[Limit],
        consume: Consume<'_, 'a>,
    ) {
        let Expr::Closure(closure) = strip(closure) else { return };
        let outer = self.scopes.clone();
        self.scopes.push(Default::default());
        for (pat, arg) in closure.inputs.iter().zip([item]) {
            self.bind_source(pat, arg);
        }
        let mut tail = strip(&closure.body);
        while let Expr::Block(block) = tail {
            let Some((syn::Stmt::Expr(last, None), stmts)) = block.block.stmts.split_last() else {
                break;
            };
            self.scopes.push(Default::default());
            self.stmts(stmts);
            tail = strip(last);
        }
        match self.seq(tail) {
            Some(inner) => self.nested(&inner, limits, tail.span(), &mut |cx, item| {
                cx.outside(&outer, |cx| consume(cx, item));
            }),
            None => self.abandoned = true,
        }
        self.scopes = outer;
    }

    /// A loop in the body of another; what it leaves is its own.
    fn nested(&mut self, inner: &Seq, limits: &[Limit], span: Span, consume: Consume<'_, 'a>) {
        let id = self.loop_id();
        self.drive(inner, id, limits, span, consume);
    }
}
