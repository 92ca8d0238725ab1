//! Adaptors.
//!
//! Where items are accessible by position, `enumerate`, `zip`, `skip` and `take` change the range and
//! the item. Elsewhere they become stages that count.

use super::optional::always_some;
use super::stage::Stage;
use super::{
    Access, Driver, Effects, Indexed, Item, Seq, closure_body, is_endless, is_function, literal,
};
use crate::ir::*;
use crate::lower::Lower;
use crate::lower::pattern::Source;
use proc_macro2::Span;
use quote::quote;
use syn::{Expr, ExprMethodCall};

impl Lower<'_> {
    /// The sequence that a method of a chain gives.
    pub(super) fn adapted<'e>(&mut self, call: &'e ExprMethodCall) -> Option<Seq<'e>> {
        if let Some(seq) = self.source_method(call) {
            return Some(seq);
        }
        let span = call.method.span();
        let args: Vec<&'e Expr> = call.args.iter().collect();
        match (call.method.to_string().as_str(), &args[..]) {
            ("copied" | "cloned", []) => {
                let seq = self.seq(&call.receiver)?;
                Some(mapped(seq, Stage::Copied, |cx, item| cx.copied(item)))
            }
            ("map", [closure]) if is_function(closure) => {
                let mut seq = self.seq(&call.receiver)?;
                self.note_effects(&mut seq, closure);
                Some(mapped(seq, Stage::Map(closure), |cx, item| cx.apply(closure, vec![item])))
            }
            ("inspect", [closure]) if closure_body(closure).is_some() => {
                let mut seq = self.seq(&call.receiver)?;
                self.note_effects(&mut seq, closure);
                Some(mapped(seq, Stage::Inspect(closure), |cx, item| cx.inspected(closure, item)))
            }
            ("filter", [closure]) if is_function(closure) => {
                self.behind(call, |_, _| Stage::Filter(closure))
            }
            ("take_while", [closure]) if is_function(closure) => {
                self.behind(call, |_, _| Stage::TakeWhile(closure))
            }
            ("skip_while", [closure]) if is_function(closure) => self.behind(call, |cx, span| {
                let no = Value::Atom(literal(quote!(false)));
                Stage::SkipWhile(closure, cx.accumulator("begun", Ty::Discrete, no, span))
            }),
            ("filter_map", [closure]) if closure_body(closure).is_some() => {
                self.behind(call, |_, _| Stage::FilterMap(closure))
            }
            ("map_while", [closure]) if closure_body(closure).is_some() => {
                self.behind(call, |_, _| Stage::MapWhile(closure))
            }
            ("flat_map", [closure]) if closure_body(closure).is_some() => {
                self.behind(call, |_, _| Stage::FlatMap(closure))
            }
            ("flatten", []) => self.behind(call, |_, _| Stage::Flatten),
            ("scan", [init, closure]) => self.scan(call, init, closure),
            ("rev", []) => {
                let mut seq = self.seq(&call.receiver)?;
                reverse(&mut seq).then_some(seq)
            }
            ("step_by", [step]) => self.step_by(call, step),
            ("enumerate", []) => {
                let seq = self.seq(&call.receiver)?;
                Some(self.enumerated(seq, span))
            }
            ("zip", [other]) => self.zip(&call.receiver, other, span),
            ("skip", [count]) => self.skip(call, count),
            ("take", [count]) => self.take(call, count),
            ("chain", [other]) => {
                let first = self.seq(&call.receiver)?;
                let second = self.seq(other)?;
                Some(chained(first, second))
            }
            _ => None,
        }
    }

    fn note_effects(&self, seq: &mut Seq, closure: &Expr) {
        if self.changes_something(closure) {
            seq.effects = Effects::Program;
        }
    }

    /// The receiver with a stage behind it.
    fn behind<'e>(
        &mut self,
        call: &'e ExprMethodCall,
        stage: impl FnOnce(&mut Self, Span) -> Stage<'e>,
    ) -> Option<Seq<'e>> {
        let mut seq = self.seq(&call.receiver)?;
        seq.stages.push(stage(self, call.method.span()));
        Some(seq)
    }

    /// A counter in front of the loop.
    pub(in crate::lower) fn counter(&mut self, wish: &str, span: Span) -> VarId {
        let zero = Value::Atom(literal(quote!(0_usize)));
        let counter = self.accumulator(wish, Ty::Discrete, zero, span);
        self.positions.insert(counter);
        counter
    }

    /// `scan`, whose state is a variable. A closure that never stops keeps the number of items.
    fn scan<'e>(
        &mut self,
        call: &'e ExprMethodCall,
        init: &'e Expr,
        closure: &'e Expr,
    ) -> Option<Seq<'e>> {
        let body = closure_body(closure)?;
        let mut seq = self.seq(&call.receiver)?;
        let state = self.state(init, "state", call.method.span());
        if !always_some(body) {
            seq.stages.push(Stage::Scan(closure, state));
            return Some(seq);
        }
        let program = self.changes_something(closure);
        seq.effects = seq.effects.max(if program { Effects::Program } else { Effects::Order });
        Some(mapped(seq, Stage::Scan(closure, state), move |cx, item| {
            cx.scanned(closure, state, item)
        }))
    }

    /// A variable that begins as the value of `init`.
    pub(in crate::lower) fn state(&mut self, init: &Expr, wish: &str, span: Span) -> VarId {
        let (start, ty) = self.value(init);
        // What is carried is data, though the variable may become active.
        let start = match start {
            Value::Verbatim(_) => Value::Atom(self.temp(start, ty.clone(), span)),
            start => start,
        };
        let ty = match ty {
            Ty::Unknown if self.makes_own(&start) => Ty::Number,
            // A constant such as `f64::NEG_INFINITY`.
            Ty::Unknown => self.real_ty(),
            ty => ty,
        };
        self.accumulator(wish, ty, start, span)
    }

    /// `successors`, of a closure that always gives another.
    pub(super) fn successors<'e>(
        &mut self,
        first: &'e Expr,
        closure: &'e Expr,
        span: Span,
    ) -> Option<Seq<'e>> {
        let body = closure_body(closure)?;
        let Expr::Call(first) = crate::lower::place::strip(first) else { return None };
        let (true, Some(first)) = (always_some(&Expr::Call(first.clone())), first.args.first())
        else {
            return None;
        };
        let state = self.state(first, "next", span);
        if always_some(body) {
            let item: Item = Box::new(move |cx, _| cx.succeeded(closure, state, span));
            let program = self.changes_something(closure);
            let effects = if program { Effects::Program } else { Effects::Order };
            return Some(Seq::over(super::endless(), effects, item));
        }
        let yes = Value::Atom(literal(quote!(true)));
        let more = self.accumulator("more", Ty::Discrete, yes, span);
        let item: Item = Box::new(|_, k| Source::Value(Value::Atom(k), Ty::Discrete));
        let mut seq = Seq::over(super::endless(), Effects::Program, item);
        seq.stages.push(Stage::Successors { closure, state, more });
        Some(seq)
    }

    /// A sequence by positions from 0, or the sequence as it was.
    pub(in crate::lower) fn indexed<'e>(&mut self, seq: Seq<'e>, span: Span) -> Access<'e> {
        let seq = match seq.by_position() {
            Access::InOrder(other) => other,
            found => return found,
        };
        let (range, item, positions, effects) = match seq {
            Seq { driver: Driver::Counted { range, item, positions }, stages, effects }
                if stages.is_empty() =>
            {
                (range, item, positions, effects)
            }
            other => return Access::InOrder(other),
        };
        let len = self.trips_of(&range, positions, span);
        let item: Item<'e> = Box::new(move |cx, k| {
            let value = cx.value_at(&range, positions, k, span);
            item(cx, value)
        });
        Access::ByPosition(Indexed { len, effects, item })
    }

    /// The value of a range at a position.
    fn value_at(&mut self, range: &Range, positions: bool, k: Atom, span: Span) -> Atom {
        let Range { lo, hi, inclusive, adaptors } = range;
        // From the last adaptor to the first: the position in what it adapts.
        let mut position = k;
        for (depth, adaptor) in adaptors.iter().enumerate().rev() {
            position = match adaptor {
                Adaptor::StepBy(step) => self.arithmetic(quote!(*), position, step.clone(), span),
                Adaptor::Rev => {
                    let adaptors = adaptors[..depth].to_vec();
                    let adapted =
                        Range { lo: lo.clone(), hi: hi.clone(), inclusive: *inclusive, adaptors };
                    let trips = self.trips_of(&adapted, positions, span);
                    let behind = self.arithmetic(quote!(-), trips, position, span);
                    self.arithmetic(quote!(-), behind, literal(quote!(1)), span)
                }
                Adaptor::Take(_) => unreachable!("only the reverse sweep takes trips"),
            };
        }
        match positions {
            true => self.arithmetic(quote!(+), lo.clone(), position, span),
            false => self.counted_by_runtime("ahead", vec![lo.clone(), position], span),
        }
    }

    /// A sequence of positions and items.
    pub(in crate::lower) fn enumerated<'e>(&mut self, seq: Seq<'e>, span: Span) -> Seq<'e> {
        match self.indexed(seq, span) {
            Access::ByPosition(Indexed { len, effects, item }) => Seq::over(
                len,
                effects,
                Box::new(move |cx, k| {
                    let position = Source::Value(Value::Atom(k.clone()), Ty::Discrete);
                    Source::Tuple(vec![position, item(cx, k)])
                }),
            ),
            Access::InOrder(mut seq) => {
                seq.stages.push(Stage::Enumerate(self.counter("position", span)));
                seq
            }
        }
    }

    pub(super) fn zip<'e>(
        &mut self,
        first: &'e Expr,
        second: &'e Expr,
        span: Span,
    ) -> Option<Seq<'e>> {
        let first = self.seq(first)?;
        // Whether an item is made that the other sequence has no partner for is left to the library.
        if first.effects == Effects::Program {
            return None;
        }
        let second = self.seq(second)?;
        let first = self.indexed(first, span);
        match (first, self.indexed(second, span)) {
            (Access::ByPosition(a), Access::ByPosition(b)) => {
                let len = self.least(a.len, b.len, span);
                let item: Item = Box::new(move |cx, k| {
                    let left = (a.item)(cx, k.clone());
                    Source::Tuple(vec![left, (b.item)(cx, k)])
                });
                Some(Seq::over(len, a.effects.max(b.effects), item))
            }
            (Access::InOrder(mut seq), Access::ByPosition(Indexed { len, item, .. })) => {
                let counter = self.counter("position", span);
                seq.stages.push(Stage::Zip { counter, len, item, front: false });
                Some(seq)
            }
            (
                Access::ByPosition(Indexed { len, effects: Effects::None, item }),
                Access::InOrder(mut seq),
            ) => {
                let counter = self.counter("position", span);
                seq.stages.push(Stage::Zip { counter, len, item, front: true });
                Some(seq)
            }
            (Access::ByPosition(_) | Access::InOrder(_), Access::InOrder(_)) => None,
        }
    }

    fn least(&mut self, a: Atom, b: Atom, span: Span) -> Atom {
        if is_endless(&a) {
            b
        } else if is_endless(&b) {
            a
        } else {
            self.integer("min", vec![a, b], span)
        }
    }

    fn skip<'e>(&mut self, call: &'e ExprMethodCall, count: &Expr) -> Option<Seq<'e>> {
        let span = call.method.span();
        let seq = self.seq(&call.receiver)?;
        let indexed = self.indexed(seq, span);
        let count = self.atom(count);
        let seq = match indexed {
            Access::ByPosition(Indexed { len, effects: Effects::None, item }) => {
                let range = Range { lo: count, hi: len, inclusive: false, adaptors: Vec::new() };
                let driver = Driver::Counted { range, item, positions: true };
                return Some(Seq { driver, stages: Vec::new(), effects: Effects::None });
            }
            Access::ByPosition(Indexed { len, effects, item }) => Seq::over(len, effects, item),
            Access::InOrder(seq) => seq,
        };
        Some(self.counting(seq, "skipped", span, |counter| Stage::Skip(counter, count)))
    }

    fn take<'e>(&mut self, call: &'e ExprMethodCall, count: &Expr) -> Option<Seq<'e>> {
        let span = call.method.span();
        let seq = self.seq(&call.receiver)?;
        let indexed = self.indexed(seq, span);
        let count = self.atom(count);
        Some(match indexed {
            Access::ByPosition(Indexed { len, effects, item }) => {
                Seq::over(self.least(len, count, span), effects, item)
            }
            Access::InOrder(seq) => {
                self.counting(seq, "taken", span, |counter| Stage::Take(counter, count))
            }
        })
    }

    fn step_by<'e>(&mut self, call: &'e ExprMethodCall, step: &Expr) -> Option<Seq<'e>> {
        let span = call.method.span();
        let mut seq = self.seq(&call.receiver)?;
        let step = self.atom(step);
        if let Seq { driver: Driver::Counted { range, .. }, stages, effects: Effects::None } =
            &mut seq
            && stages.is_empty()
        {
            range.adaptors.push(Adaptor::StepBy(step));
            return Some(seq);
        }
        Some(self.counting(seq, "position", span, |counter| Stage::StepBy(counter, step)))
    }

    fn counting<'e>(
        &mut self,
        mut seq: Seq<'e>,
        wish: &str,
        span: Span,
        stage: impl FnOnce(VarId) -> Stage<'e>,
    ) -> Seq<'e> {
        seq.stages.push(stage(self.counter(wish, span)));
        seq
    }
}

/// An adaptor of the items that keeps their number.
fn mapped<'e>(
    seq: Seq<'e>,
    stage: Stage<'e>,
    change: impl Fn(&mut Lower<'_>, Source) -> Source + 'e,
) -> Seq<'e> {
    let Seq { driver, mut stages, effects } = seq;
    let driver = match driver {
        Driver::Counted { range, item: inner, positions } if stages.is_empty() => {
            let item: Item = Box::new(move |cx, k| {
                let item = inner(cx, k);
                change(cx, item)
            });
            Driver::Counted { range, item, positions }
        }
        other => {
            stages.push(stage);
            other
        }
    };
    Seq { driver, stages, effects }
}

/// Reverses a sequence that can be read from its end.
fn reverse(seq: &mut Seq) -> bool {
    if !seq.stages.iter().all(Stage::has_no_order) {
        return false;
    }
    match &mut seq.driver {
        Driver::Counted { range, .. } if is_endless(&range.hi) => false,
        Driver::Counted { range, .. } => {
            range.adaptors.push(Adaptor::Rev);
            seq.effects != Effects::Order
        }
        Driver::Chained(parts) => {
            parts.reverse();
            parts.iter_mut().all(reverse)
        }
    }
}

/// One sequence after the other.
fn chained<'e>(first: Seq<'e>, second: Seq<'e>) -> Seq<'e> {
    let effects = first.effects.max(second.effects);
    let mut parts = Vec::new();
    for seq in [first, second] {
        match seq {
            Seq { driver: Driver::Chained(inner), stages, .. } if stages.is_empty() => {
                parts.extend(inner);
            }
            other => parts.push(other),
        }
    }
    Seq { driver: Driver::Chained(parts), stages: Vec::new(), effects }
}
