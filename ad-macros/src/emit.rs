//! IR → tokens.
//!
//! Temporaries disappear where they can: one that is used once, or that only names a place, is
//! written where it is used, unless what it reads may be written in between. Values are built as
//! syntax trees, so that parentheses appear exactly where they are needed.

mod call;
mod control;
mod handed;
mod operator;
mod order;
mod place;
mod tangent;
mod tape;
mod value;

pub use handed::mentions;
use order::Facts;
pub use order::is_wanted;
use value::dotted;

use crate::ir::*;
use crate::names::{Names, plain};
use crate::record::Restoring;
use crate::sweep::Sweeps;
use crate::walk;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use std::collections::{HashMap, HashSet};
use syn::Expr;

/// What the code that is written has in common.
pub struct Emit<'a> {
    /// The function and its sweeps.
    pub sweeps: &'a Sweeps,
    /// `ad`, or what stands for it.
    pub ad: Ident,
    /// The type of the policy, and the policy.
    pub policy: (Ident, Ident),
    /// The label of the body, for `return`.
    pub label: syn::Lifetime,
    /// Whether products absorb infinite factors.
    pub strong_zero: bool,
    /// The scalar type parameter, if there is exactly one.
    pub scalar: Option<Ident>,
    /// The name of `self` in the reverse sweep, and whether it is that of the forward sweep, too.
    pub this: Option<(Ident, bool)>,
    /// Variables that a closure borrows: in its reverse sweep, references stand for them.
    pub borrowed: HashSet<VarId>,
    /// Fresh names.
    pub names: &'a mut Names,
    /// Names of temporaries that are printed.
    temporaries: HashMap<VarId, Ident>,
    /// Temporaries written where they are used.
    inline: HashMap<VarId, Expr>,
    uses: HashMap<VarId, usize>,
    facts: Facts<'a>,
    /// Variables in which places start.
    mentioned: HashSet<VarId>,
    /// Variables that change in the sweep being written.
    changed: HashSet<VarId>,
    /// Adjoints that change after they began.
    grown: HashSet<VarId>,
    hoisted: HashSet<VarId>,
    /// Whether the reverse sweep is being written.
    reversing: bool,
    /// Variables whose names stand for recorded values in the reverse sweep.
    reused: HashSet<VarId>,
}

impl<'a> Emit<'a> {
    /// A writer for the sweeps.
    pub fn new(
        sweeps: &'a Sweeps,
        ad: Ident,
        policy: (Ident, Ident),
        strong_zero: bool,
        scalar: Option<Ident>,
        names: &'a mut Names,
    ) -> Self {
        let label = names.fresh("body", Span::call_site());
        let label = syn::Lifetime { apostrophe: label.span(), ident: label };
        let hoisted = sweeps.hoisted.iter().copied().collect();
        Emit {
            sweeps,
            ad,
            policy,
            label,
            strong_zero,
            scalar,
            this: None,
            borrowed: HashSet::new(),
            names,
            temporaries: HashMap::new(),
            inline: HashMap::new(),
            uses: HashMap::new(),
            facts: Facts::of(sweeps),
            mentioned: HashSet::new(),
            changed: HashSet::new(),
            grown: HashSet::new(),
            hoisted,
            reversing: false,
            reused: HashSet::new(),
        }
    }

    /// Whether a call hands the policy on.
    pub fn policy_used(&self) -> bool {
        let mut found = false;
        walk::each_stmt(&self.sweeps.forward, &mut |stmt| {
            let inherits = Restoring::Inherit;
            found |= matches!(
                stmt,
                Stmt::Tape(TapeOp::Call { restoring, .. } | TapeOp::SecondCall { restoring, .. })
                    if *restoring == inherits
            );
        });
        found
    }

    /// Whether the reverse sweep changes the seed it was handed.
    pub fn seed_grows(&self) -> bool {
        self.grows(&self.sweeps.seed)
    }

    /// Whether the reverse sweep changes the adjoint of this name.
    pub fn grows(&self, adjoint: &Ident) -> bool {
        self.sweeps.adjoints.iter().any(|(var, name)| name == adjoint && self.grown.contains(var))
    }

    fn var(&self, var: VarId) -> &Var {
        self.sweeps.function.var(var)
    }

    /// The statements of the forward sweep, and its value if it has one.
    pub fn forward(&mut self) -> (TokenStream, Option<Expr>) {
        let block = &self.sweeps.forward;
        self.start(block);
        let hoisted = self.sweeps.hoisted.clone();
        let mut out = TokenStream::new();
        let mut seen = HashSet::new();
        for var in hoisted.into_iter().filter(|var| seen.insert(*var)) {
            let name = self.name(var);
            let zero = match self.var(var).ty {
                Ty::Float => quote!(0.0),
                _ => quote!(::core::default::Default::default()),
            };
            let ty = self.var(var).written.as_ref().map(|ty| quote!(: #ty));
            out.extend(quote!(let mut #name #ty = #zero;));
        }
        let returns = |stmt: &Stmt| walk::stmt_exits(stmt).contains(&Exit::Return);
        match block.stmts.iter().position(returns) {
            Some(first) => {
                out.extend(self.stmts(block, 0..first));
                let rest = self.stmts(block, first..block.stmts.len());
                let label = &self.label;
                out.extend(quote!(#label: { #rest }));
            }
            None => out.extend(self.stmts(block, 0..block.stmts.len())),
        }
        let value = match (&self.sweeps.function.returns, &block.result) {
            (Some(var), _) => {
                let name = self.name(*var);
                Some(syn::parse_quote!(#name))
            }
            (None, Some(atom)) => Some(self.atom(atom)),
            (None, None) => None,
        };
        (out, value)
    }

    /// The tangent of the result, after the statements that compute it.
    pub fn result_tangent(&mut self) -> Option<Expr> {
        let tangent = self.sweeps.tangent.as_ref()?;
        Some(self.moved(tangent))
    }

    /// The statements of the reverse sweep.
    pub fn reverse(&mut self) -> TokenStream {
        let block = &self.sweeps.reverse;
        self.start(block);
        self.hoisted.clear();
        self.reversing = true;
        self.stmts(block, 0..block.stmts.len())
    }

    /// Counts what a sweep uses and changes.
    fn start(&mut self, block: &Block) {
        self.uses.clear();
        self.mentioned.clear();
        self.changed.clear();
        self.grown.clear();
        self.inline.clear();
        let mut atoms: Vec<Atom> =
            block.result.iter().chain(&self.sweeps.tangent).cloned().collect();
        walk::each_stmt(block, &mut |stmt| {
            atoms.extend(walk::used(stmt).into_iter().cloned());
            self.changed.extend(walk::writes(stmt));
            self.mentioned.extend(walk::mentions(stmt));
            self.changed.extend(walk::restores(stmt));
            for access in walk::touches_itself(stmt) {
                if let walk::Access::Adjoint(var) = access {
                    self.grown.insert(var);
                }
            }
        });
        for var in atoms.iter().filter_map(Atom::var) {
            *self.uses.entry(var).or_insert(0) += 1;
        }
        let mut again = Vec::new();
        walk::each_stmt(block, &mut |stmt| {
            again.extend(walk::blocks(stmt).into_iter().filter_map(|block| block.result.clone()));
        });
        for var in again.iter().filter_map(Atom::var) {
            *self.uses.entry(var).or_insert(0) += 1;
        }
        walk::each_stmt(block, &mut |stmt| {
            for var in walk::saved(stmt) {
                *self.uses.entry(var).or_insert(0) += 1;
            }
        });
    }

    fn stmts(&mut self, block: &Block, range: std::ops::Range<usize>) -> TokenStream {
        let mut out = TokenStream::new();
        for k in range {
            let stmt = &block.stmts[k];
            if let Stmt::Let { var, value } = stmt
                && self.is_written_in_place(*var, value, block, k)
            {
                let expr = self.value(value, *var);
                self.inline.insert(*var, expr);
                continue;
            }
            out.extend(self.stmt(stmt));
        }
        out
    }

    /// The name of a variable; temporaries get one when they are first printed.
    fn name(&mut self, var: VarId) -> Ident {
        let info = self.var(var);
        if let Some((this, always)) = &self.this
            && (*always || self.reversing)
            && info.name == "self"
        {
            return this.clone();
        }
        if info.role != Role::Temp {
            return info.name.clone();
        }
        let span = info.span;
        if let Some(name) = self.temporaries.get(&var) {
            return name.clone();
        }
        let wish = plain(&info.name);
        let read = match self.facts.forward.get(&var) {
            Some(Value::Load(place)) if place.path.is_empty() => place.var(),
            _ => None,
        };
        let name = match read {
            // The variable itself is not there in the reverse sweep: its name is free.
            Some(root)
                if self.reversing
                    && !self.facts.used.contains(&root)
                    && self.reused.insert(root) =>
            {
                self.var(root).name.clone()
            }
            Some(root) if self.var(root).role != Role::Temp => {
                let wish = plain(&self.var(root).name);
                self.names.fresh(&wish, span)
            }
            _ if wish != "t" => self.names.fresh(&wish, span),
            _ => self.names.temporary(span),
        };
        self.temporaries.insert(var, name.clone());
        name
    }

    fn adjoint_name(&self, var: VarId) -> Ident {
        self.sweeps.adjoints[&var].clone()
    }

    /// `mut` if a variable changes in this sweep.
    fn mutability(&self, var: VarId) -> TokenStream {
        let info = self.var(var);
        if info.mutable && (self.changed.contains(&var) || info.role == Role::Local) {
            quote!(mut)
        } else {
            TokenStream::new()
        }
    }

    fn block(&mut self, block: &Block) -> TokenStream {
        let stmts = self.stmts(block, 0..block.stmts.len());
        let result = block.result.as_ref().map(|atom| self.atom(atom));
        quote!({ #stmts #result })
    }

    /// `let x = `, or `x = ` for a variable declared in front.
    fn binding(&mut self, var: VarId) -> TokenStream {
        let name = self.name(var);
        if self.hoisted.contains(&var) {
            return quote!(#name =);
        }
        let mutability = self.mutability(var);
        let ty = self.var(var).written.as_ref().map(|ty| quote!(: #ty));
        quote!(let #mutability #name #ty =)
    }

    fn stmt(&mut self, stmt: &Stmt) -> TokenStream {
        match stmt {
            Stmt::Let { var, .. } | Stmt::Borrow { var, .. }
                if !self.reversing && self.var(*var).by_pattern =>
            {
                TokenStream::new()
            }
            Stmt::Let { var, value } => self.definition_stmt(*var, value),
            Stmt::Declare { var } if self.hoisted.contains(var) => TokenStream::new(),
            Stmt::Declare { var } => {
                let name = self.name(*var);
                // What it holds in front of its first assignment is recorded with that.
                let empty = matches!(self.var(*var).ty, Ty::Array { heap: true, .. }).then(|| {
                    let ad = &self.ad;
                    quote!(= #ad::Vec::new())
                });
                quote!(let mut #name #empty;)
            }
            Stmt::Store { place, value, .. } => self.store(place, value),
            Stmt::Borrow { var, mutable, place } => {
                let (name, target) = (self.name(*var), self.borrowed(place, *mutable));
                quote!(let #name = #target;)
            }
            Stmt::Split { left, right, mutable, place, mid } => {
                let (left, right) = (self.name(*left), self.name(*right));
                let (place, mid) = (dotted(self.placed(place, *mutable)), self.atom(mid));
                let method = split_method(*mutable);
                quote!(let (#left, #right) = #place.#method(#mid);)
            }
            Stmt::Swap { a, b } => self.swap(a, b, false),
            Stmt::CopyFrom { to, from, method } => {
                let (to, from) = (dotted(self.placed(to, true)), self.reference(from, false));
                quote!(#to.#method(#from);)
            }
            Stmt::Fill { to, value } => {
                let (to, value) = (dotted(self.placed(to, true)), self.atom(value));
                quote!(#to.fill(#value);)
            }
            Stmt::Push { place, value } => {
                let (place, value) = (dotted(self.placed(place, true)), self.moved(value));
                quote!(#place.push(#value);)
            }
            Stmt::Permute { place, how } => {
                let target = dotted(self.placed(place, true));
                let items = self.reference(place, true);
                self.permutation(&target, &items, how, false)
            }
            Stmt::Pop { var, place } => {
                let place = dotted(self.placed(place, true));
                let kept = self.facts.used.contains(var) || self.hoisted.contains(var);
                if !kept && !self.is_named(*var) {
                    return quote!(#place.pop(););
                }
                let binding = self.binding(*var);
                quote!(#binding #place.pop().unwrap();)
            }
            Stmt::If { dest, cond, then, otherwise } => self.if_stmt(*dest, cond, then, otherwise),
            Stmt::Match { dest, scrutinee, arms, .. } => self.match_stmt(*dest, scrutinee, arms),
            Stmt::For(repeat) => {
                let index = self.index(repeat.index, &repeat.body);
                let range = self.range(&repeat.range, false);
                let body = self.block(&repeat.body);
                let label = self.loop_label(repeat.id, &repeat.body);
                quote!(#label for #index in #range #body)
            }
            Stmt::While { id, cond, body, .. } => {
                let test = self.condition(cond);
                let (label, body) = (self.loop_label(*id, body), self.block(body));
                quote!(#label while #test #body)
            }
            Stmt::Loop { id, body, .. } => {
                let (label, body) = (self.loop_label(*id, body), self.block(body));
                quote!(#label loop #body)
            }
            Stmt::Exit(exit) => self.exit(*exit),
            Stmt::Call(call) => {
                let code = self.plain_call(call);
                match call.dest {
                    Some(dest) => {
                        let binding = self.binding(dest);
                        quote!(#binding #code;)
                    }
                    None => quote!(#code;),
                }
            }
            Stmt::Verbatim { code, .. } => {
                let code = self.verbatim(code);
                match code {
                    Expr::Verbatim(items) => items,
                    code => quote!(#code;),
                }
            }
            Stmt::Tape(op) => self.tape_op(op),
        }
    }

    fn definition_stmt(&mut self, var: VarId, value: &Value) -> TokenStream {
        let mut expr = self.value(value, var);
        // The operand `&x[k]` of an operator stands for itself where it is not written in place.
        if let Value::Load(place) = value
            && !place.path.is_empty()
            && self.var(var).role == Role::Temp
            && self.var(var).ty.is_own()
            && !matches!(place.path.last(), Some(Step::Payload(_) | Step::Held))
        {
            let place = dotted(expr);
            expr = syn::parse_quote!((#place).clone());
        }
        if self.var(var).role == Role::Temp && !self.is_named(var) {
            return quote!(#expr;);
        }
        let binding = self.binding(var);
        let expr = match expr {
            Expr::Paren(paren) => *paren.expr,
            other => other,
        };
        quote!(#binding #expr;)
    }

    /// Whether anything in either sweep mentions a variable.
    fn is_named(&self, var: VarId) -> bool {
        self.uses.contains_key(&var) || self.mentioned.contains(&var) || self.is_captured(var)
    }

    /// `place = value`, or `place += value` where it was written so.
    fn store(&mut self, place: &Place, value: &Atom) -> TokenStream {
        let target = self.placed(place, true);
        let expr = self.moved(value);
        let whole = matches!(value, Atom::Var(var) if self.var(*var).ty.is_own());
        if let Expr::Binary(binary) = &expr
            && !whole
            && binary.left.as_ref() == &target
            && let Some(op) = compound(&binary.op)
        {
            let right = &binary.right;
            return quote!(#target #op #right;);
        }
        quote!(#target = #expr;)
    }

    fn swap(&mut self, a: &Place, b: &Place, adjoint: bool) -> TokenStream {
        let [first, second] = [a, b].map(|place| {
            if adjoint { self.adjoint_reference(place, true) } else { self.reference(place, true) }
        });
        // Two elements of one buffer are not borrowed both.
        if let (Some((base, i)), Some((other, j))) =
            (self.element(a, adjoint), self.element(b, adjoint))
            && base == other
        {
            return quote!(#base.swap(#i, #j););
        }
        quote!(::core::mem::swap(#first, #second);)
    }

    /// The buffer of an element, and where it lies in that.
    fn element(&mut self, place: &Place, adjoint: bool) -> Option<(Expr, Expr)> {
        let (Step::Index(index), path) = place.path.split_last()? else { return None };
        let mut base = Place { root: place.root.clone(), path: path.to_vec() };
        let mut index = self.atom(index);
        while let Some(Step::Range { lo, .. }) = base.path.last() {
            index = self.offset(lo.clone().as_ref(), index);
            base.path.pop();
        }
        let base = match adjoint {
            true => self.adjoint_placed(&base, true),
            false => self.placed(&base, true),
        };
        Some((dotted(base), index))
    }

    /// A call as the user wrote it.
    fn plain_call(&mut self, call: &Call) -> TokenStream {
        let args = call.written().iter().map(|arg| self.plain_arg(arg)).collect::<Vec<Expr>>();
        match &call.callee {
            Callee::Param(of) => {
                let name = &of.functional.name;
                quote!(#name(#(#args),*))
            }
            Callee::Function(callee) => quote!(#callee(#(#args),*)),
            Callee::Associated(callee) => quote!(#callee(#(#args),*)),
            Callee::Method(name) => {
                let (receiver, rest) = self.receiver_of(call, args);
                quote!(#receiver.#name(#(#rest),*))
            }
            Callee::Operator { op, assigns, .. } => self.operator(call, *op, *assigns),
        }
    }

    /// The receiver in front of the `.`, and the other arguments.
    fn receiver_of(&self, call: &Call, mut args: Vec<Expr>) -> (Expr, Vec<Expr>) {
        let rest = args.split_off(1);
        let receiver = args.remove(0);
        if self.is_shared(&call.args[0]) {
            return (syn::parse_quote!((#receiver)), rest);
        }
        (receiver_by_itself(receiver), rest)
    }

    /// Whether a receiver could be changed, but is not, which rustc is to see to.
    fn is_shared(&self, receiver: &Arg) -> bool {
        let Arg::Ref { place, mutable: false } = receiver else { return false };
        place.var().is_some_and(|root| {
            let info = self.var(root);
            info.mutable || matches!(info.ty, Ty::Ref { mutable: true, .. })
        })
    }
}

/// A receiver without the `&` that the method takes by itself.
fn receiver_by_itself(receiver: Expr) -> Expr {
    let receiver = match receiver {
        Expr::Reference(reference) => *reference.expr,
        other => other,
    };
    match dotted(receiver) {
        simple @ (Expr::Path(_)
        | Expr::Field(_)
        | Expr::Index(_)
        | Expr::Paren(_)
        | Expr::Call(_)
        | Expr::MethodCall(_)) => simple,
        other => syn::parse_quote!((#other)),
    }
}

fn split_method(mutable: bool) -> TokenStream {
    if mutable { quote!(split_at_mut) } else { quote!(split_at) }
}

/// The compound assignment of an operator.
fn compound(op: &syn::BinOp) -> Option<TokenStream> {
    Some(match op {
        syn::BinOp::Add(_) => quote!(+=),
        syn::BinOp::Sub(_) => quote!(-=),
        syn::BinOp::Mul(_) => quote!(*=),
        syn::BinOp::Div(_) => quote!(/=),
        syn::BinOp::Rem(_) => quote!(%=),
        _ => return None,
    })
}

/// What a call asks of its callee.
fn policy_of(emit: &Emit, restoring: Restoring) -> TokenStream {
    let ad = &emit.ad;
    match restoring {
        Restoring::Unspecified => quote!(#ad::Unspecified),
        Restoring::Restored => quote!(#ad::Restored),
        Restoring::Inherit => {
            let policy = &emit.policy.1;
            quote!(#policy)
        }
    }
}
