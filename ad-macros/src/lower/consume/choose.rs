//! Consumers that give one item or none: `max_by`, `min_by`, `reduce`, `find`, `position`, `last`, `nth`
//! and the like, and `first`, `last`, `get` of slices.
//!
//! No `Option` is made: whether there is an item is a `bool`, and the item is made where it is used.

use super::keep::{Keeper, Kept};
use crate::ir::*;
use crate::lower::Lower;
use crate::lower::iter::{Access, Indexed, Seq, is_function};
use crate::lower::pattern::Source;
use crate::lower::place::strip;
use crate::lower::verbatim::has_let;
use proc_macro2::Span;
use quote::quote;
use syn::{Expr, ExprMethodCall};

/// An item that there may be.
pub(in crate::lower) struct Chosen<'e> {
    /// Whether there is one.
    pub found: Make<'e, Atom>,
    /// The item, to be made where there is one.
    pub item: Make<'e, Source>,
    /// Whether making it panics by itself where there is none.
    pub checked: bool,
}

pub(super) type Make<'e, T> = Box<dyn Fn(&mut Lower<'_>) -> T + 'e>;

/// When a later item replaces the one that was chosen.
#[derive(Clone, Copy)]
enum Prefer<'e> {
    /// By a function that compares the chosen item with the later one.
    By(&'e Expr, Extreme),
    /// By a function of an item, or by the item itself.
    Key(Option<&'e Expr>, Extreme),
    /// It becomes what a function makes of both.
    Reduce(&'e Expr),
}

#[derive(Clone, Copy)]
enum Extreme {
    /// The last of the largest.
    Largest,
    /// The first of the smallest.
    Smallest,
}

fn truth(value: bool) -> Atom {
    Atom::Text(quote!(#value), Ty::Discrete)
}

impl Lower<'_> {
    /// The item of a chain that gives an `Option`, if it is one of those that are known.
    pub(in crate::lower) fn chosen<'e>(&mut self, call: &'e ExprMethodCall) -> Option<Chosen<'e>> {
        let span = call.method.span();
        let args: Vec<&'e Expr> = call.args.iter().collect();
        let name = call.method.to_string();
        match (name.as_str(), &args[..]) {
            ("copied" | "cloned", []) => {
                let Chosen { found, item, checked } = self.chosen_receiver(call)?;
                let item: Make<Source> = Box::new(move |cx| {
                    let item = item(cx);
                    cx.copied(item)
                });
                return Some(Chosen { found, item, checked });
            }
            ("map", &[closure]) if is_function(closure) => {
                let Chosen { found, item, checked } = self.chosen_receiver(call)?;
                let item: Make<Source> = Box::new(move |cx| {
                    let item = item(cx);
                    cx.apply(closure, vec![item])
                });
                return Some(Chosen { found, item, checked });
            }
            _ => {}
        }
        if let Some(parts) = self.element(call, &args).or_else(|| self.parted(call)) {
            return Some(parts);
        }
        if !self.near_reals {
            return None;
        }
        use Extreme::{Largest, Smallest};
        let prefer = match (name.as_str(), &args[..]) {
            ("max_by", [f]) if is_function(f) => Prefer::By(f, Largest),
            ("min_by", [f]) if is_function(f) => Prefer::By(f, Smallest),
            ("max_by_key", [f]) if is_function(f) => Prefer::Key(Some(f), Largest),
            ("min_by_key", [f]) if is_function(f) => Prefer::Key(Some(f), Smallest),
            ("max", []) => Prefer::Key(None, Largest),
            ("min", []) => Prefer::Key(None, Smallest),
            ("reduce", [f]) if is_function(f) => Prefer::Reduce(f),
            ("find", [test]) if is_function(test) => return self.find(call, test, span),
            ("position", [test]) if is_function(test) => return self.position(call, test, span),
            ("find_map", [f]) if is_function(f) => return self.find_map(call, f, span),
            ("try_fold", [init, f]) if is_function(f) => {
                return self.try_fold(call, init, f, span);
            }
            ("last", []) => return self.last(call, span),
            ("next", []) => return self.nth(call, None, span),
            ("nth", [n]) => return self.nth(call, Some(n), span),
            _ => return None,
        };
        let seq = self.seq(&call.receiver)?;
        self.preferred(&seq, prefer, span)
    }

    fn chosen_receiver<'e>(&mut self, call: &'e ExprMethodCall) -> Option<Chosen<'e>> {
        match strip(&call.receiver) {
            Expr::MethodCall(inner) => self.chosen(inner),
            _ => None,
        }
    }

    /// `first`, `last` and `get` of a slice.
    fn element<'e>(&mut self, call: &ExprMethodCall, args: &[&Expr]) -> Option<Chosen<'e>> {
        let (name, span) = (call.method.to_string(), call.method.span());
        let (end, mutable) = match (name.as_str(), args) {
            ("first" | "last" | "get", _) => (name.as_str(), false),
            ("first_mut" | "last_mut" | "get_mut", _) => (name.trim_end_matches("_mut"), true),
            _ => return None,
        };
        let (place, ty) = match strip(&call.receiver) {
            receiver @ (Expr::Path(_) | Expr::Index(_) | Expr::Field(_) | Expr::Unary(_)) => {
                self.place(receiver)?
            }
            _ => return None,
        };
        if !matches!(ty.peeled(), Ty::Array { .. } | Ty::Slice(_)) {
            return None;
        }
        let index = match (end, args) {
            ("get", [index]) if !matches!(strip(index), Expr::Range(_)) => Some(self.atom(index)),
            ("first", []) => Some(Atom::Text(quote!(0), Ty::Discrete)),
            ("last", []) => None,
            _ => return None,
        };
        let (base, last) = (place.clone(), index.clone());
        let found: Make<Atom> = Box::new(move |cx| {
            let len = cx.length(&base, span);
            let first = Atom::Text(quote!(0), Ty::Discrete);
            let op = syn::BinOp::Lt(syn::Token![<](span));
            let value = Value::Binary(op, last.clone().unwrap_or(first), len);
            cx.temp(value, Ty::Discrete, span)
        });
        let elem = ty.element();
        let item: Make<Source> = Box::new(move |cx| {
            let index = index.clone().unwrap_or_else(|| {
                let len = cx.length(&place, span);
                let one = Atom::Text(quote!(1), Ty::Discrete);
                cx.arithmetic(quote!(-), len, one, span)
            });
            let place = place.clone().then(Step::Index(index));
            Source::Borrow { place, ty: elem.clone(), mutable }
        });
        Some(Chosen { found, item, checked: true })
    }

    /// What a loop keeps: `fill` gets the variables and whether they hold an item yet.
    fn keeping<'e>(
        &mut self,
        seq: &Seq,
        span: Span,
        mut fill: impl FnMut(&mut Self, &mut Keeper, LoopId, Source),
    ) -> Option<Chosen<'e>> {
        let at = self.out.len();
        let found = self.accumulator("found", Ty::Discrete, Value::Atom(truth(false)), span);
        let mut keeper = Keeper::new(found, span);
        let id = self.loop_id();
        self.run(seq, id, span, &mut |cx, item| fill(cx, &mut keeper, id, item));
        let kept = keeper.kept?;
        self.declare_kept(&kept, at);
        Some(Chosen {
            found: Box::new(move |cx| {
                let (value, ty) = cx.result_of(found);
                cx.settle(Source::Value(value, ty), span)
            }),
            item: Box::new(move |cx| kept.source(cx)),
            checked: false,
        })
    }

    fn preferred<'e>(&mut self, seq: &Seq, prefer: Prefer, span: Span) -> Option<Chosen<'e>> {
        let mut best_key = None;
        let at = self.out.len();
        let chosen = self.keeping(seq, span, |cx, keeper, _, item| {
            let (item, _) = cx.seen(item);
            let key = match prefer {
                Prefer::Key(f, _) => Some(cx.key(f, item.clone(), span)),
                Prefer::By(..) | Prefer::Reduce(_) => None,
            };
            let found = cx.current(keeper.found, span);
            let not = syn::UnOp::Not(syn::Token![!](span));
            let cond = cx.temp(Value::Unary(not, found), Ty::Discrete, span);
            let then = cx.alternative(|cx| {
                keeper.keep(cx, item.clone());
                cx.set(keeper.found, truth(true));
                if let Some(key) = &key {
                    keeper.keep_as(cx, &mut best_key, key.clone(), "key");
                }
            });
            let otherwise = cx.alternative(|cx| match prefer {
                Prefer::Reduce(function) => {
                    let Some(kept) = keeper.kept.clone() else { return };
                    let before = kept.source(cx);
                    match strip(function) {
                        // One of two references is chosen, which is not a value.
                        Expr::Closure(closure) if matches!(kept, Kept::Borrowed(_)) => {
                            let body = cx.bind_params(closure, vec![before, item], false);
                            cx.each_result(&body, &mut |cx, next| keeper.keep(cx, next));
                        }
                        _ => {
                            let next = cx.apply(function, vec![before, item]);
                            keeper.keep(cx, next);
                        }
                    }
                }
                Prefer::By(compare, extreme) => {
                    let Some(kept) = keeper.kept.clone() else { return };
                    let cond = cx.comparison(compare, extreme, &kept, item.clone());
                    cx.only_if(cond, Block::default(), |cx| keeper.keep(cx, item));
                }
                Prefer::Key(_, extreme) => {
                    let (Some(key), Some(best)) = (key, best_key.clone()) else { return };
                    let best_atom = best.source(cx);
                    let best_atom = cx.settle(best_atom, span);
                    let key_atom = cx.settle(key.clone(), span);
                    let op = match extreme {
                        Extreme::Largest => syn::BinOp::Le(syn::Token![<=](span)),
                        Extreme::Smallest => syn::BinOp::Gt(syn::Token![>](span)),
                    };
                    let cond = Value::Binary(op, best_atom, key_atom);
                    let cond = cx.temp(cond, Ty::Discrete, span);
                    cx.only_if(cond, Block::default(), |cx| {
                        keeper.keep(cx, item);
                        keeper.keep_as(cx, &mut best_key, key, "key");
                    });
                }
            });
            cx.out.push(Stmt::If { dest: None, cond, then, otherwise });
        });
        if let Some(key) = best_key {
            self.declare_kept(&key, at);
        }
        chosen
    }

    /// What an item is compared by; no derivative flows through it.
    fn key(&mut self, function: Option<&Expr>, item: Source, span: Span) -> Source {
        let key = match function {
            Some(function) => {
                let (_, seen) = self.seen(item);
                self.apply_seen(function, seen)
            }
            None => item,
        };
        let key = match key {
            Source::Value(Value::Verbatim(code), _) => {
                let code = Verbatim { discrete: true, ..code };
                Source::Value(Value::Verbatim(code), Ty::Discrete)
            }
            other => other,
        };
        let atom = self.settle(key, span);
        let ty = self.atom_ty(&atom);
        // What may be real has no order of its own.
        self.abandoned |= ty.may_hold_reals();
        Source::Value(Value::Atom(atom), ty)
    }

    /// Whether a later item replaces the one that is kept. The comparison is carried as it is.
    fn comparison(&mut self, compare: &Expr, extreme: Extreme, kept: &Kept, item: Source) -> Atom {
        let outer = self.vars.len();
        let kept = kept.seen(self);
        let (_, item) = self.seen(item);
        self.scopes.push(Default::default());
        let ordering: Expr = match strip(compare) {
            Expr::Closure(closure) => self.bind_params(closure, vec![kept, item], true),
            path => {
                let (a, b) = (self.named(kept), self.named(item));
                syn::parse_quote!(#path(#a, #b))
            }
        };
        let ordering: Expr = match ordering {
            Expr::MethodCall(_) | Expr::Call(_) => ordering,
            other => syn::parse_quote!((#other)),
        };
        let test: Expr = match extreme {
            Extreme::Largest => syn::parse_quote!(#ordering != ::core::cmp::Ordering::Greater),
            Extreme::Smallest => syn::parse_quote!(#ordering == ::core::cmp::Ordering::Greater),
        };
        let mut code = self.verbatim(&test, true);
        // It sees the items through shared references.
        code.changes.retain(|var| var.0 < outer);
        self.scopes.pop();
        self.temp(Value::Verbatim(code), Ty::Discrete, Span::call_site())
    }

    /// Runs `consume` on the results of an expression, in each of its branches.
    fn each_result(&mut self, expr: &Expr, consume: &mut dyn FnMut(&mut Self, Source)) {
        match strip(expr) {
            Expr::If(branch) if !has_let(&branch.cond) && branch.else_branch.is_some() => {
                let cond = self.atom(&branch.cond);
                let then: Expr = {
                    let block = &branch.then_branch;
                    syn::parse_quote!(#block)
                };
                let then = self.alternative(|cx| cx.each_result(&then, consume));
                let otherwise = branch.else_branch.as_ref().map(|(_, expr)| expr);
                let otherwise = self.alternative(|cx| {
                    if let Some(expr) = otherwise {
                        cx.each_result(expr, consume);
                    }
                });
                self.out.push(Stmt::If { dest: None, cond, then, otherwise });
            }
            Expr::Block(block) if block.label.is_none() => {
                let Some((syn::Stmt::Expr(tail, None), stmts)) = block.block.stmts.split_last()
                else {
                    self.abandoned = true;
                    return;
                };
                self.scopes.push(Default::default());
                self.stmts(stmts);
                self.each_result(tail, consume);
                self.scopes.pop();
            }
            other => {
                let item = self.source(other);
                consume(self, item);
            }
        }
    }

    fn find<'e>(&mut self, call: &ExprMethodCall, test: &Expr, span: Span) -> Option<Chosen<'e>> {
        let seq = self.seq(&call.receiver)?;
        self.keeping(&seq, span, |cx, keeper, id, item| {
            let (item, cond) = cx.tested(test, item);
            cx.only_if(cond, Block::default(), |cx| keeper.stop_with(cx, id, item));
        })
    }

    fn position<'e>(
        &mut self,
        call: &ExprMethodCall,
        test: &Expr,
        span: Span,
    ) -> Option<Chosen<'e>> {
        let seq = self.seq(&call.receiver)?;
        let seq = self.enumerated(seq, span);
        self.keeping(&seq, span, |cx, keeper, id, item| {
            let Source::Tuple(mut parts) = item else { return };
            let (Some(item), Some(position)) = (parts.pop(), parts.pop()) else { return };
            let passes = cx.apply(test, vec![item]);
            let cond = cx.settle(passes, span);
            cx.only_if(cond, Block::default(), |cx| keeper.stop_with(cx, id, position));
        })
    }

    fn find_map<'e>(
        &mut self,
        call: &ExprMethodCall,
        function: &Expr,
        span: Span,
    ) -> Option<Chosen<'e>> {
        let seq = self.seq(&call.receiver)?;
        self.keeping(&seq, span, |cx, keeper, id, item| {
            let some = &mut |cx: &mut Self, value| keeper.stop_with(cx, id, value);
            cx.optional_call(function, vec![item], some, &mut |_| ());
        })
    }

    /// `try_fold` of a closure that gives `Some(…)` or `None`.
    fn try_fold<'e>(
        &mut self,
        call: &ExprMethodCall,
        init: &Expr,
        closure: &Expr,
        span: Span,
    ) -> Option<Chosen<'e>> {
        let seq = self.seq(&call.receiver)?;
        let folded = self.state(init, "folded", span);
        let going = self.accumulator("going", Ty::Discrete, Value::Atom(truth(true)), span);
        let id = self.loop_id();
        self.run(&seq, id, span, &mut |cx, item| {
            let (before, ty) = cx.result_of(folded);
            let before = Source::Value(before, ty);
            let some = &mut |cx: &mut Self, next| {
                let next = cx.settle(next, span);
                cx.set(folded, next);
            };
            cx.optional_call(closure, vec![before, item], some, &mut |cx| {
                cx.set(going, truth(false));
                cx.out.push(Stmt::Exit(Exit::Break(id)));
            });
        });
        let result = move |cx: &mut Lower<'_>, var| {
            let (value, ty) = cx.result_of(var);
            Source::Value(value, ty)
        };
        Some(Chosen {
            found: Box::new(move |cx| {
                let going = result(cx, going);
                cx.settle(going, span)
            }),
            item: Box::new(move |cx| result(cx, folded)),
            checked: false,
        })
    }

    fn nth<'e>(
        &mut self,
        call: &'e ExprMethodCall,
        n: Option<&Expr>,
        span: Span,
    ) -> Option<Chosen<'e>> {
        let seq = self.seq(&call.receiver)?;
        let indexed = self.indexed(seq, span);
        let n = n.map_or(Atom::Text(quote!(0), Ty::Discrete), |n| self.atom(n));
        let Indexed { len, effects, item } = match indexed {
            Access::ByPosition(found) => found,
            Access::InOrder(seq) => {
                let seq = self.enumerated(seq, span);
                return self.keeping(&seq, span, |cx, keeper, id, item| {
                    let Source::Tuple(mut parts) = item else { return };
                    let (Some(item), Some(position)) = (parts.pop(), parts.pop()) else { return };
                    let position = cx.settle(position, span);
                    let op = syn::BinOp::Eq(syn::Token![==](span));
                    let cond = Value::Binary(op, position, n.clone());
                    let cond = cx.temp(cond, Ty::Discrete, span);
                    cx.only_if(cond, Block::default(), |cx| keeper.stop_with(cx, id, item));
                });
            }
        };
        if !effects.is_none() {
            return None;
        }
        let position = n.clone();
        Some(Chosen {
            found: Box::new(move |cx| {
                let op = syn::BinOp::Lt(syn::Token![<](span));
                cx.temp(Value::Binary(op, n.clone(), len.clone()), Ty::Discrete, span)
            }),
            item: Box::new(move |cx| item(cx, position.clone())),
            checked: false,
        })
    }

    fn last<'e>(&mut self, call: &ExprMethodCall, span: Span) -> Option<Chosen<'e>> {
        let seq = self.seq(&call.receiver)?;
        self.keeping(&seq, span, |cx, keeper, _, item| {
            keeper.keep(cx, item);
            cx.set(keeper.found, truth(true));
        })
    }
}
