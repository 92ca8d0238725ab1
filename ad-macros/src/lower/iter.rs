//! Iterators → counted loops.
//!
//! A sequence is what drives it, a range and the item at each of its values or several sequences one
//! after the other, and stages that its items pass. Adaptors that keep the number of items change the
//! range or the item, so that items stay accessible by position; the others become stages, which are
//! statements around what follows. Consumers are loops. Closures written in the chain are taken apart
//! where they are called, so that nothing behind this pass knows iterators.
//!
//! Its parts: `source` (what a chain begins with), `adapt` (adaptors), `stage` (statements around the
//! consumer), `optional` (closures that give an `Option`), `params` (their parameters).

mod adapt;
mod carried;
mod optional;
mod params;
mod source;
mod stage;

use super::Lower;
use super::expr::dereferenced;
use super::pattern::Source;
use super::place::strip;
use crate::ir::*;
pub(super) use params::holds_references;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use stage::{Limit, Stage};
use syn::{Expr, Pat};

/// The item of a sequence, made inside of the loop from the value of its range.
pub(super) type Item<'e> = Box<dyn Fn(&mut Lower<'_>, Atom) -> Source + 'e>;

/// What an iterator expression gives.
pub(super) struct Seq<'e> {
    driver: Driver<'e>,
    /// What its items pass, in order.
    stages: Vec<Stage<'e>>,
    effects: Effects,
}

/// A sequence whose items are accessible by their positions, `0..len`.
pub(super) struct Indexed<'e> {
    pub len: Atom,
    pub effects: Effects,
    pub item: Item<'e>,
}

/// How the items of a sequence can be had.
pub(super) enum Access<'e> {
    ByPosition(Indexed<'e>),
    InOrder(Seq<'e>),
}

enum Driver<'e> {
    /// A range, and the item at each of its values. They are positions if they are known to be of
    /// type `usize`.
    Counted { range: Range, item: Item<'e>, positions: bool },
    /// One after the other.
    Chained(Vec<Seq<'e>>),
}

/// What making an item does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Effects {
    /// Nothing: items may be made in any order, or not at all.
    None,
    /// It depends on the items before it, so that none in front of it may be left out.
    Order,
    /// It changes something of the program.
    Program,
}

impl Effects {
    pub(super) fn is_none(self) -> bool {
        self == Effects::None
    }
}

fn literal(text: TokenStream) -> Atom {
    Atom::Text(text, Ty::Discrete)
}

fn is_text(atom: &Atom, expected: &str) -> bool {
    matches!(atom, Atom::Text(text, _) if text.to_string() == expected)
}

fn is_zero(atom: &Atom) -> bool {
    is_text(atom, "0")
}

/// The length of a sequence without end.
fn endless() -> Atom {
    literal(quote!(usize::MAX))
}

fn is_endless(atom: &Atom) -> bool {
    is_text(atom, &quote!(usize::MAX).to_string())
}

impl<'e> Seq<'e> {
    /// The items at positions `0..len`.
    fn over(len: Atom, effects: Effects, item: Item<'e>) -> Self {
        let range =
            Range { lo: literal(quote!(0)), hi: len, inclusive: false, adaptors: Vec::new() };
        let driver = Driver::Counted { range, item, positions: true };
        Seq { driver, stages: Vec::new(), effects }
    }

    /// `0..len`
    pub(super) fn positions(len: Atom) -> Self {
        let item: Item = Box::new(|_, k| Source::Value(Value::Atom(k), Ty::Discrete));
        Seq::over(len, Effects::None, item)
    }

    /// The length and the item at each position, if the range counts positions from 0.
    fn by_position(self) -> Access<'e> {
        match self {
            Seq { driver: Driver::Counted { range, item, positions: true }, stages, effects }
                if range.is_plain() && is_zero(&range.lo) && stages.is_empty() =>
            {
                Access::ByPosition(Indexed { len: range.hi, effects, item })
            }
            other => Access::InOrder(other),
        }
    }
}

impl Lower<'_> {
    /// A loop over a sequence; `consume` writes the body. A `break` out of it is one out of `id`.
    pub(super) fn run(
        &mut self,
        seq: &Seq,
        id: LoopId,
        span: Span,
        consume: &mut dyn FnMut(&mut Self, Source),
    ) {
        self.drive(seq, id, &[], span, consume);
    }

    /// The same, with the limits of what follows behind it.
    fn drive(
        &mut self,
        seq: &Seq,
        id: LoopId,
        behind: &[Limit],
        span: Span,
        consume: &mut dyn FnMut(&mut Self, Source),
    ) {
        let limits = stage::limits(&seq.stages, id, behind);
        match &seq.driver {
            Driver::Counted { range, item, positions } => {
                let index = self.new_var(Ident::new("k", span), Ty::Discrete, Role::Local, false);
                if *positions {
                    self.positions.insert(index);
                }
                let outer = self.unnamed.replace(index);
                let body = self.repeated(|cx| {
                    cx.stop_at(&limits, span);
                    let item = item(cx, Atom::Var(index));
                    let around = cx.innermost.replace(id);
                    cx.through(&seq.stages, item, id, behind, consume);
                    cx.innermost = around;
                });
                self.name_index();
                self.unnamed = outer;
                self.out.push(Stmt::For(ForLoop { id, index, range: range.clone(), body }));
            }
            Driver::Chained(parts) => {
                // Leaving one part must leave all of them, so they stand in a loop of one trip.
                let body = self.repeated(|cx| {
                    for part in parts {
                        let inner = cx.loop_id();
                        cx.drive(part, inner, &limits, span, &mut |cx, item| {
                            cx.through(&seq.stages, item, id, behind, consume);
                        });
                    }
                });
                self.once(id, body, span);
            }
        }
    }

    /// A block that runs any number of times.
    fn repeated(&mut self, fill: impl FnOnce(&mut Self)) -> Block {
        let body = self.guarded(|cx| {
            // What a closure captures may change with each item.
            cx.reads.clear();
            cx.block(|cx| {
                fill(cx);
                None
            })
        });
        self.forget(&body);
        body
    }

    /// Runs a block that something in it may leave.
    fn once(&mut self, id: LoopId, mut body: Block, span: Span) {
        let mut leaves = false;
        crate::walk::each_stmt(&body, &mut |stmt| {
            leaves |= matches!(stmt, Stmt::Exit(Exit::Break(left)) if *left == id);
        });
        if leaves {
            body.stmts.push(Stmt::Exit(Exit::Break(id)));
            let trips = self.trips(span);
            self.out.push(Stmt::Loop { id, body, trips });
        } else {
            self.out.extend(body.stmts);
        }
    }

    /// How many items a sequence has, if none of its stages leaves any out.
    pub(super) fn length_of(&mut self, seq: &Seq, span: Span) -> Option<Atom> {
        if !seq.stages.iter().all(Stage::keeps_all) {
            return None;
        }
        match &seq.driver {
            Driver::Counted { range, positions, .. } => {
                Some(self.trips_of(range, *positions, span)).filter(|trips| !is_endless(trips))
            }
            Driver::Chained(parts) => {
                let lengths: Option<Vec<Atom>> =
                    parts.iter().map(|part| self.length_of(part, span)).collect();
                lengths?.into_iter().reduce(|a, b| self.arithmetic(quote!(+), a, b, span))
            }
        }
    }

    /// What a closure or function of the chain makes of its arguments.
    pub(super) fn apply(&mut self, function: &Expr, args: Vec<Source>) -> Source {
        self.apply_to(function, args, false)
    }

    /// What it makes of a reference to an item.
    pub(super) fn apply_seen(&mut self, function: &Expr, seen: Source) -> Source {
        self.apply_to(function, vec![seen], true)
    }

    fn apply_to(&mut self, function: &Expr, args: Vec<Source>, seen: bool) -> Source {
        let function = behind_reference(function);
        let Expr::Closure(closure) = function else {
            let atoms: Vec<Expr> = args.into_iter().map(|arg| self.named(arg)).collect();
            let (value, ty) = self.value(&syn::parse_quote!(#function(#(#atoms),*)));
            return Source::Value(value, ty);
        };
        self.scopes.push(Default::default());
        let body = self.bind_params(closure, args, seen);
        let result = self.item_of(&body);
        self.scopes.pop();
        result
    }

    /// An expression as an item.
    fn item_of(&mut self, expr: &Expr) -> Source {
        match strip(expr) {
            // Its parts may be references, which a tuple value would not keep apart.
            Expr::Tuple(tuple) if !tuple.elems.is_empty() => {
                Source::Tuple(tuple.elems.iter().map(|elem| self.settled(elem)).collect())
            }
            Expr::Block(block) if block.label.is_none() => {
                let (stmts, tail) = match block.block.stmts.split_last() {
                    Some((syn::Stmt::Expr(tail, None), stmts)) => (stmts, tail),
                    _ => return self.source(expr),
                };
                self.scopes.push(Default::default());
                self.stmts(stmts);
                let result = self.item_of(tail);
                self.scopes.pop();
                result
            }
            body => {
                if let Ty::Array { .. } = self.wanted_items {
                    self.wanted = self.wanted_items.clone();
                }
                self.source(body)
            }
        }
    }

    /// A name for a source, where code mentions it.
    pub(super) fn named(&mut self, source: Source) -> Expr {
        let ident = self.names.fresh("item", Span::call_site());
        let pat: Pat = syn::parse_quote!(#ident);
        self.bind_source(&pat, source);
        syn::parse_quote!(#ident)
    }

    /// What the references in an item refer to.
    pub(super) fn copied(&mut self, source: Source) -> Source {
        match source {
            Source::Borrow { place, ty, .. } => {
                let (place, ty) = dereferenced(place, ty);
                let (value, ty) = self.load(place, ty);
                Source::Value(value, ty)
            }
            other => other,
        }
    }

    /// An item, and a reference to it as a test sees it.
    pub(super) fn seen(&mut self, item: Source) -> (Source, Source) {
        match item {
            Source::Borrow { place, ty, mutable } => {
                let name = self.names.fresh("item", Span::call_site());
                let ty = Ty::Ref { mutable, to: Box::new(ty) };
                let var = self.new_var(name, ty.clone(), Role::Alias, false);
                self.out.push(Stmt::Borrow { var, mutable, place });
                let inner = match ty.clone() {
                    Ty::Ref { to, .. } => *to,
                    other => other,
                };
                let again = Place::of(var).then(Step::Deref);
                let itself = Source::Borrow { place: again, ty: inner, mutable };
                (itself, Source::Borrow { place: Place::of(var), ty, mutable: false })
            }
            Source::Value(Value::Atom(Atom::Var(var)), ty) if self.is_named(var) => {
                let itself = Source::Value(Value::Atom(Atom::Var(var)), ty.clone());
                (itself, Source::Borrow { place: Place::of(var), ty, mutable: false })
            }
            Source::Value(value, ty) => {
                let name = self.names.fresh("item", Span::call_site());
                let var = self.new_var(name, ty.clone(), Role::Local, false);
                self.out.push(Stmt::Let { var, value });
                let itself = Source::Value(Value::Atom(Atom::Var(var)), ty.clone());
                (itself, Source::Borrow { place: Place::of(var), ty, mutable: false })
            }
            Source::Tuple(parts) => {
                let both = parts.into_iter().map(|part| self.seen(part));
                let (items, tests) = both.unzip();
                (Source::Tuple(items), Source::Tuple(tests))
            }
        }
    }

    /// Whether an operand is a variable that may be borrowed: a temporary has one use.
    fn is_named(&self, var: VarId) -> bool {
        self.vars[var.0].role == Role::Local && !self.vars[var.0].mutable
    }

    /// A source as an operand.
    pub(super) fn settle(&mut self, source: Source, span: Span) -> Atom {
        match source {
            Source::Value(Value::Atom(atom), _) => atom,
            Source::Value(value, ty) => self.temp(value, ty, span),
            Source::Borrow { place, ty, .. } => {
                let (place, ty) = dereferenced(place, ty);
                let (value, ty) = self.load(place, ty);
                self.settle(Source::Value(value, ty), span)
            }
            Source::Tuple(parts) => {
                let atoms: Vec<Atom> =
                    parts.into_iter().map(|part| self.settle(part, span)).collect();
                let ty = Ty::Tuple(atoms.iter().map(|atom| self.atom_ty(atom)).collect());
                self.temp(Value::Tuple(atoms), ty, span)
            }
        }
    }

    /// Names the index of a loop that the user gives no name.
    pub(super) fn name_index(&mut self) {
        if let Some(index) = self.unnamed.take() {
            let span = self.vars[index.0].span;
            self.vars[index.0].name = self.names.fresh("k", span);
        }
    }

    pub(super) fn loop_id(&mut self) -> LoopId {
        self.loop_count += 1;
        LoopId(self.loop_count - 1)
    }

    pub(super) fn integer(&mut self, name: &str, args: Vec<Atom>, span: Span) -> Atom {
        let name = Ident::new(name, span);
        let value = match &args[0] {
            // A literal has no methods before its type is known.
            Atom::Text(..) => Value::Function { path: quote!(usize::#name), args },
            Atom::Var(_) => Value::Method { name, args },
        };
        self.temp(value, Ty::Discrete, span)
    }

    pub(super) fn arithmetic(&mut self, op: TokenStream, a: Atom, b: Atom, span: Span) -> Atom {
        if op.to_string() == "+" && is_zero(&a) {
            return b;
        }
        let op: syn::BinOp = syn::parse2(op).expect("an operator");
        self.temp(Value::Binary(op, a, b), Ty::Discrete, span)
    }

    /// A function of the runtime for generated code, of integers.
    fn counted_by_runtime(&mut self, name: &str, args: Vec<Atom>, span: Span) -> Atom {
        let (ad, name) = (self.runtime.clone(), Ident::new(name, Span::mixed_site()));
        self.temp(Value::Function { path: quote!(#ad::#name), args }, Ty::Discrete, span)
    }
}

/// A closure written in place, or a function given by its path.
pub(super) fn is_function(expr: &Expr) -> bool {
    match behind_reference(expr) {
        Expr::Closure(closure) => !super::verbatim::returns(&closure.body),
        Expr::Path(_) => true,
        _ => false,
    }
}

/// The function in `&f`, `&mut f` or `f`.
fn behind_reference(function: &Expr) -> &Expr {
    match strip(function) {
        Expr::Reference(reference) => strip(&reference.expr),
        other => other,
    }
}

/// The body of a closure that is written in place and does not return early.
fn closure_body(expr: &Expr) -> Option<&Expr> {
    match behind_reference(expr) {
        Expr::Closure(closure) if !super::verbatim::returns(&closure.body) => Some(&closure.body),
        _ => None,
    }
}
