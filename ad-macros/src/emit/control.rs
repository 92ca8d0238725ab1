//! Branches, loops and exits.

use super::order::{count_in, mentions};
use super::{Emit, value};
use crate::ir::*;
use crate::walk;
use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::Expr;

impl Emit<'_> {
    pub(super) fn if_stmt(
        &mut self,
        dest: Option<VarId>,
        cond: &Atom,
        then: &Block,
        otherwise: &Block,
    ) -> TokenStream {
        let scope = matches!(cond, Atom::Text(text, _) if text.to_string() == "true");
        let cond = self.atom(cond);
        let (then_code, else_code) = (self.block(then), self.block(otherwise));
        let empty = |block: &Block| block.stmts.is_empty() && block.result.is_none();
        let code = if scope {
            quote!(#then_code)
        } else if empty(otherwise) {
            quote!(if #cond #then_code)
        } else if empty(then) && dest.is_none() {
            let negated = value::not(cond);
            quote!(if #negated #else_code)
        } else if dest.is_none()
            && else_code.to_string().starts_with("{ if")
            && otherwise.stmts.len() == 1
        {
            // `else if`
            let inner = match else_code.into_iter().next() {
                Some(proc_macro2::TokenTree::Group(group)) => group.stream(),
                _ => TokenStream::new(),
            };
            quote!(if #cond #then_code else #inner)
        } else {
            quote!(if #cond #then_code else #else_code)
        };
        match dest {
            Some(dest) => {
                let binding = self.binding(dest);
                quote!(#binding #code;)
            }
            None => code,
        }
    }

    pub(super) fn match_stmt(
        &mut self,
        dest: Option<VarId>,
        scrutinee: &Scrutinee,
        arms: &[Arm],
    ) -> TokenStream {
        let place = matches!(scrutinee, Scrutinee::Place { .. });
        let scrutinee = self.scrutinee(scrutinee, arms);
        let code = match arms {
            [first, last] if place && is_wild(last) && first.guard.is_none() => {
                let (then, otherwise) = (self.block(&first.body), self.block(&last.body));
                let pat = &first.pat;
                let empty = last.body.stmts.is_empty() && last.body.result.is_none();
                let otherwise = (!empty).then(|| quote!(else #otherwise));
                quote!(if let #pat = #scrutinee #then #otherwise)
            }
            _ => {
                let arms: Vec<TokenStream> = arms.iter().map(|arm| self.arm(arm)).collect();
                quote!(match #scrutinee { #(#arms)* })
            }
        };
        match dest {
            Some(dest) => {
                let binding = self.binding(dest);
                quote!(#binding #code;)
            }
            None => code,
        }
    }

    fn arm(&mut self, arm: &Arm) -> TokenStream {
        let pat = &arm.pat;
        let guard = arm.guard.as_ref().map(|guard| {
            let test = self.condition(guard);
            quote!(if #test)
        });
        let body = self.block(&arm.body);
        quote!(#pat #guard => #body)
    }

    /// What a `match` looks at; cloned if a pattern moves out of what the reverse sweep wants to see.
    fn scrutinee(&mut self, scrutinee: &Scrutinee, arms: &[Arm]) -> Expr {
        match scrutinee {
            Scrutinee::Value(atom) => self.atom(atom),
            Scrutinee::Place { place, by: Some(mutable) } => self.reference(place, *mutable),
            Scrutinee::Place { place, by: None } => {
                let expr = self.place(place);
                let moves = arms.iter().flat_map(|arm| &arm.body.stmts).any(|stmt| match stmt {
                    Stmt::Let { var, .. } => {
                        self.var(*var).by_pattern && !self.var(*var).ty.is_copy()
                    }
                    _ => false,
                });
                let owned = !place.path.iter().any(|step| matches!(step, Step::Deref));
                let wanted = place.var().is_some_and(|var| {
                    self.facts.used.contains(&var) || self.facts.recorded.contains(&var)
                });
                if moves && owned && wanted { syn::parse_quote!(#expr.clone()) } else { expr }
            }
        }
    }

    /// A block of temporaries and a condition, as an expression.
    pub(super) fn condition(&mut self, block: &Block) -> TokenStream {
        let stmts = self.stmts(block, 0..block.stmts.len());
        let result = block.result.as_ref().map(|atom| self.atom(atom));
        if stmts.is_empty() { quote!(#result) } else { quote!({ #stmts #result }) }
    }

    pub(super) fn index(&mut self, index: VarId, body: &Block) -> TokenStream {
        if count_in(body, index) == 0 && !mentions(body, index) {
            return quote!(_);
        }
        let name = self.name(index);
        quote!(#name)
    }

    pub(super) fn range(&mut self, range: &Range, reversed: bool) -> Expr {
        let (lo, hi) = (self.atom(&range.lo), self.atom(&range.hi));
        let (lo, hi) = (value::operand(lo), value::operand(hi));
        let mut adaptors = range.adaptors.clone();
        // Stepped and shortened ranges are not double-ended for every integer type.
        let indirect =
            reversed && adaptors.iter().any(|a| matches!(a, Adaptor::StepBy(_) | Adaptor::Take(_)));
        if reversed && !indirect {
            if matches!(adaptors.last(), Some(Adaptor::Rev)) {
                adaptors.pop();
            } else {
                adaptors.push(Adaptor::Rev);
            }
        }
        let base: Expr = if range.inclusive {
            syn::parse_quote!(#lo..=#hi)
        } else {
            syn::parse_quote!(#lo..#hi)
        };
        let mut expr = base;
        for adaptor in adaptors {
            let base: Expr = match expr {
                Expr::Range(_) => syn::parse_quote!((#expr)),
                other => other,
            };
            expr = match adaptor {
                Adaptor::Rev => syn::parse_quote!(#base.rev()),
                Adaptor::StepBy(step) => {
                    let step = self.atom(&step);
                    syn::parse_quote!(#base.step_by(#step))
                }
                Adaptor::Take(trips) => {
                    let trips = self.atom(&trips);
                    syn::parse_quote!(#base.take(#trips))
                }
            };
        }
        if indirect {
            let ad = &self.ad;
            return syn::parse_quote!(#ad::reversed(#expr));
        }
        expr
    }

    pub(super) fn loop_name(&self, id: LoopId) -> syn::Lifetime {
        let name = format!("'loop_{}", id.0 + 1);
        syn::Lifetime::new(&name, Span::mixed_site())
    }

    /// The label of a loop that some inner loop leaves.
    pub(super) fn loop_label(&self, id: LoopId, body: &Block) -> Option<TokenStream> {
        let label = self.loop_name(id);
        leaves_from_inside(body, id, false).then(|| quote!(#label:))
    }

    pub(super) fn exit(&mut self, exit: Exit) -> TokenStream {
        let body = &self.sweeps.forward;
        let labelled = |id: LoopId| {
            let mut needed = false;
            walk::each_stmt(body, &mut |stmt| {
                let (own, inner) = match stmt {
                    Stmt::For(repeat) => (repeat.id, &repeat.body),
                    Stmt::While { id, body, .. } | Stmt::Loop { id, body, .. } => (*id, body),
                    _ => return,
                };
                needed |= own == id && leaves_from_inside(inner, id, false);
            });
            needed
        };
        match exit {
            Exit::Break(id) if labelled(id) => {
                let label = self.loop_name(id);
                quote!(break #label;)
            }
            Exit::Continue(id) if labelled(id) => {
                let label = self.loop_name(id);
                quote!(continue #label;)
            }
            Exit::Break(_) => quote!(break;),
            Exit::Continue(_) => quote!(continue;),
            Exit::Return => {
                let label = &self.label;
                quote!(break #label;)
            }
        }
    }
}

/// Whether an arm takes everything.
fn is_wild(arm: &Arm) -> bool {
    matches!(arm.pat, syn::Pat::Wild(_)) && arm.guard.is_none()
}

/// Whether an exit of the loop `id` stands inside another loop.
pub(super) fn leaves_from_inside(body: &Block, id: LoopId, inside: bool) -> bool {
    body.stmts.iter().any(|stmt| match stmt {
        Stmt::Exit(Exit::Break(target) | Exit::Continue(target)) => inside && *target == id,
        other => {
            let nested = matches!(other, Stmt::For(_) | Stmt::While { .. } | Stmt::Loop { .. });
            walk::blocks(other).iter().any(|block| leaves_from_inside(block, id, inside || nested))
        }
    })
}
