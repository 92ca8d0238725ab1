//! IR → tokens.
//!
//! Temporaries disappear where they can: one that is used once, or that only names a place, is
//! written where it is used, unless what it reads may be written in between. Values are built as
//! syntax trees, so that parentheses appear exactly where they are needed.

mod value;

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
    /// Fresh names.
    pub names: &'a mut Names,
    /// Names of temporaries that are printed.
    temporaries: HashMap<VarId, Ident>,
    /// Temporaries written where they are used.
    inline: HashMap<VarId, Expr>,
    uses: HashMap<VarId, usize>,
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
            names,
            temporaries: HashMap::new(),
            inline: HashMap::new(),
            uses: HashMap::new(),
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
            found |= matches!(stmt, Stmt::Tape(TapeOp::Call { restoring, .. }) if *restoring == inherits);
        });
        found
    }

    /// Whether the reverse sweep changes the seed it was handed.
    pub fn seed_grows(&self) -> bool {
        let seed = &self.sweeps.seed;
        self.sweeps.adjoints.iter().any(|(var, name)| name == seed && self.grown.contains(var))
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
            out.extend(quote!(let mut #name = #zero;));
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
        let mut atoms: Vec<Atom> = block.result.iter().cloned().collect();
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

    /// Whether a definition is written where it is used.
    fn is_written_in_place(&self, var: VarId, value: &Value, block: &Block, k: usize) -> bool {
        let info = self.var(var);
        if info.role != Role::Temp || info.mutable || self.hoisted.contains(&var) {
            return false;
        }
        let uses = self.uses.get(&var).copied().unwrap_or(0);
        if self.mentioned.contains(&var) {
            return false;
        }
        if uses == 0 {
            return !walk::has_effect(value);
        }
        if self.is_captured(var) || walk::has_effect(value) && uses > 1 {
            return false;
        }
        let light = walk::is_light(value) || self.is_index_arithmetic(var, value);
        let mut seen = 0;
        let mut reads = Vec::new();
        self.all_reads(value, &mut reads);
        for later in &block.stmts[k + 1..] {
            let own = count(walk::used(later), var)
                + walk::saved(later).into_iter().filter(|saved| *saved == var).count();
            let mut inner = 0;
            let mut in_loop = 0;
            for (nested, is_loop) in walk::inner_blocks(later) {
                let found = count_in(nested, var);
                inner += found;
                in_loop += if is_loop { found } else { 0 };
            }
            if inner > 0 {
                let disturbed = self.disturbs(later, &reads);
                if disturbed || walk::has_effect(value) || in_loop > 0 && !light {
                    return false;
                }
            }
            // `z_adj += take(&mut z_adj)` would borrow twice.
            if own > 0 && walk::has_effect(value) && self.disturbs(later, &reads) {
                return false;
            }
            seen += own + inner;
            if seen == uses {
                return light || uses == 1;
            }
            if self.disturbs(later, &reads) || walk::has_effect(value) && !walk::is_inert(later) {
                return false;
            }
        }
        // The last use is the value of the block.
        let at_end = block.result.as_ref().and_then(Atom::var) == Some(var);
        at_end && seen + 1 == uses && (light || uses == 1)
    }

    /// `k - 1`, which reads better where it is used than behind a name.
    fn is_index_arithmetic(&self, var: VarId, value: &Value) -> bool {
        let plain = |atom: &Atom| match atom {
            Atom::Var(var) => !matches!(self.inline.get(var), Some(Expr::Binary(_))),
            Atom::Text(..) => true,
        };
        let linear = |op: &syn::BinOp| matches!(op, syn::BinOp::Add(_) | syn::BinOp::Sub(_));
        self.var(var).ty == Ty::Discrete
            && matches!(value, Value::Binary(op, a, b) if linear(op) && plain(a) && plain(b))
    }

    /// What a value reads, through temporaries that are written in place too.
    fn all_reads(&self, value: &Value, reads: &mut Vec<walk::Access>) {
        reads.extend(walk::reads(value));
        for var in walk::operands(value).into_iter().filter_map(Atom::var) {
            if self.inline.contains_key(&var)
                && let Some(value) = self.definition(var)
            {
                self.all_reads(&value, reads);
            }
        }
    }

    /// Whether a statement may write something that is read. Two references may meet.
    fn disturbs(&self, stmt: &Stmt, reads: &[walk::Access]) -> bool {
        use walk::Access::{Adjoint, Primal};
        let alias = |var: VarId| self.var(var).role == Role::Alias;
        walk::touches(stmt).into_iter().any(|written| {
            reads.iter().any(|read| match (written, *read) {
                (Primal(a), Primal(b)) | (Adjoint(a), Adjoint(b)) => a == b || alias(a) || alias(b),
                (Primal(_), Adjoint(_)) | (Adjoint(_), Primal(_)) => false,
            })
        })
    }

    fn definition(&self, var: VarId) -> Option<Value> {
        let forward = self.definition_in(&self.sweeps.forward, var);
        forward.or_else(|| self.definition_in(&self.sweeps.reverse, var))
    }

    fn definition_in(&self, block: &Block, var: VarId) -> Option<Value> {
        let mut found = None;
        walk::each_stmt(block, &mut |stmt| {
            if let Stmt::Let { var: defined, value } = stmt
                && *defined == var
            {
                found = Some(value.clone());
            }
        });
        found
    }

    /// Whether the other sweep uses a variable by its name.
    fn is_captured(&self, var: VarId) -> bool {
        let defined_in = |block: &Block| {
            let mut found = false;
            walk::each_stmt(block, &mut |stmt| {
                found |= matches!(stmt, Stmt::Let { var: other, .. } if *other == var);
            });
            found
        };
        is_used(&self.sweeps.reverse, var)
            && defined_in(&self.sweeps.forward)
                && !defined_in(&self.sweeps.reverse)
    }

    /// The name of a variable; temporaries get one when they are first printed.
    fn name(&mut self, var: VarId) -> Ident {
        let info = self.var(var);
        if info.role != Role::Temp {
            return info.name.clone();
        }
        let span = info.span;
        if let Some(name) = self.temporaries.get(&var) {
            return name.clone();
        }
        let wish = plain(&info.name);
        let read = match self.definition_in(&self.sweeps.forward, var) {
            Some(Value::Load(place)) if place.path.is_empty() => place.var(),
            _ => None,
        };
        let name = match read {
            // The variable itself is not there in the reverse sweep: its name is free.
            Some(root)
                if self.reversing
                    && !is_used(&self.sweeps.reverse, root)
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
        quote!(let #mutability #name =)
    }

    fn stmt(&mut self, stmt: &Stmt) -> TokenStream {
        match stmt {
            Stmt::Let { var, value } => self.definition_stmt(*var, value),
            Stmt::Declare { var } if self.hoisted.contains(var) => TokenStream::new(),
            Stmt::Declare { var } => {
                let name = self.name(*var);
                quote!(let mut #name;)
            }
            Stmt::Store { place, value, .. } => self.store(place, value),
            Stmt::Borrow { var, mutable, place } => {
                let (name, target) = (self.name(*var), self.reference(place, *mutable));
                quote!(let #name = #target;)
            }
            Stmt::Split { left, right, mutable, place, mid } => {
                let (left, right) = (self.name(*left), self.name(*right));
                let (place, mid) = (self.place(place), self.atom(mid));
                let method = split_method(*mutable);
                quote!(let (#left, #right) = #place.#method(#mid);)
            }
            Stmt::Swap { a, b } => self.swap(a, b, false),
            Stmt::CopyFrom { to, from, method } => {
                let (to, from) = (self.place(to), self.reference(from, false));
                quote!(#to.#method(#from);)
            }
            Stmt::Fill { to, value } => {
                let (to, value) = (self.place(to), self.atom(value));
                quote!(#to.fill(#value);)
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
                let (callee, args) = (&call.callee, self.call_args(call));
                match call.dest {
                    Some(dest) => {
                        let binding = self.binding(dest);
                        quote!(#binding #callee(#(#args),*);)
                    }
                    None => quote!(#callee(#(#args),*);),
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
        let expr = self.value(value, var);
        let named = self.uses.contains_key(&var) || self.mentioned.contains(&var);
        if self.var(var).role == Role::Temp && !named && !self.is_captured(var) {
            return quote!(#expr;);
        }
        let binding = self.binding(var);
        quote!(#binding #expr;)
    }

    /// `place = value`, or `place += value` where it was written so.
    fn store(&mut self, place: &Place, value: &Atom) -> TokenStream {
        let target = self.place(place);
        let expr = self.moved(value);
        if let Expr::Binary(binary) = &expr
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
        if let (Some(Step::Index(i)), Some(Step::Index(j))) = (a.path.last(), b.path.last())
            && a.var() == b.var()
        {
            let mut base = a.clone();
            base.path.pop();
            let base = if adjoint { self.adjoint_place(&base) } else { self.place(&base) };
            let (i, j) = (self.atom(i), self.atom(j));
            return quote!(#base.swap(#i, #j););
        }
        quote!(::core::mem::swap(#first, #second);)
    }

    fn if_stmt(
        &mut self,
        dest: Option<VarId>,
        cond: &Atom,
        then: &Block,
        otherwise: &Block,
    ) -> TokenStream {
        let cond = self.atom(cond);
        let (then_code, else_code) = (self.block(then), self.block(otherwise));
        let empty = |block: &Block| block.stmts.is_empty() && block.result.is_none();
        let code = if empty(otherwise) {
            quote!(if #cond #then_code)
        } else if empty(then) && dest.is_none() {
            let negated = value::not(cond);
            quote!(if #negated #else_code)
        } else if dest.is_none() && else_code.to_string().starts_with("{ if")
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

    fn match_stmt(&mut self, dest: Option<VarId>, scrutinee: &Atom, arms: &[Arm]) -> TokenStream {
        let scrutinee = self.atom(scrutinee);
        let arms: Vec<TokenStream> = arms
            .iter()
            .map(|arm| {
                let pat = &arm.pat;
                let guard = arm.guard.as_ref().map(|guard| {
                    let test = self.condition(guard);
                    quote!(if #test)
                });
                let body = self.block(&arm.body);
                quote!(#pat #guard => #body)
            })
            .collect();
        let code = quote!(match #scrutinee { #(#arms)* });
        match dest {
            Some(dest) => {
                let binding = self.binding(dest);
                quote!(#binding #code;)
            }
            None => code,
        }
    }

    /// A block of temporaries and a condition, as an expression.
    fn condition(&mut self, block: &Block) -> TokenStream {
        let stmts = self.stmts(block, 0..block.stmts.len());
        let result = block.result.as_ref().map(|atom| self.atom(atom));
        if stmts.is_empty() { quote!(#result) } else { quote!({ #stmts #result }) }
    }

    fn index(&mut self, index: VarId, body: &Block) -> TokenStream {
        if count_in(body, index) == 0 && !mentions(body, index) {
            return quote!(_);
        }
        let name = self.name(index);
        quote!(#name)
    }

    fn range(&mut self, range: &Range, reversed: bool) -> Expr {
        let (lo, hi) = (self.atom(&range.lo), self.atom(&range.hi));
        let (lo, hi) = (value::operand(lo), value::operand(hi));
        let mut adaptors = range.adaptors.clone();
        if reversed {
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
            };
        }
        expr
    }

    fn loop_name(&self, id: LoopId) -> syn::Lifetime {
        let name = format!("'loop_{}", id.0 + 1);
        syn::Lifetime::new(&name, Span::mixed_site())
    }

    /// The label of a loop that some inner loop leaves.
    fn loop_label(&self, id: LoopId, body: &Block) -> Option<TokenStream> {
        let label = self.loop_name(id);
        leaves_from_inside(body, id, false).then(|| quote!(#label:))
    }

    fn exit(&mut self, exit: Exit) -> TokenStream {
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

    fn call_args(&mut self, call: &Call) -> Vec<Expr> {
        call.args
            .iter()
            .map(|arg| match arg {
                Arg::Value(atom) => self.moved(atom),
                Arg::Ref { place, mutable } => self.reference(place, *mutable),
            })
            .collect()
    }
}

mod tape;

/// Counts the uses of `var` among operands.
fn count(atoms: Vec<&Atom>, var: VarId) -> usize {
    atoms.into_iter().filter(|atom| atom.var() == Some(var)).count()
}

/// Counts the uses of `var` in a block.
fn count_in(block: &Block, var: VarId) -> usize {
    let mut found = count(block.result.iter().collect(), var);
    walk::each_stmt(block, &mut |stmt| {
        found += count(walk::used(stmt), var);
        found += walk::saved(stmt).into_iter().filter(|saved| *saved == var).count();
        for (nested, _) in walk::inner_blocks(stmt) {
            found += count(nested.result.iter().collect(), var);
        }
    });
    found
}

/// Whether verbatim code or a place in a block mentions a variable.
fn mentions(block: &Block, var: VarId) -> bool {
    let mut found = false;
    walk::each_stmt(block, &mut |stmt| found |= walk::mentions(stmt).contains(&var));
    found
}

/// Whether an exit of the loop `id` stands inside another loop.
fn leaves_from_inside(body: &Block, id: LoopId, inside: bool) -> bool {
    body.stmts.iter().any(|stmt| match stmt {
        Stmt::Exit(Exit::Break(target) | Exit::Continue(target)) => inside && *target == id,
        other => {
            let nested = matches!(other, Stmt::For(_) | Stmt::While { .. } | Stmt::Loop { .. });
            walk::blocks(other).iter().any(|block| leaves_from_inside(block, id, inside || nested))
        }
    })
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

/// Whether a sweep mentions a variable in any way.
pub fn is_used(block: &Block, var: VarId) -> bool {
    count_in(block, var) > 0 || mentions(block, var)
}

/// Whether a forward sweep records the contents of a variable.
pub fn is_recorded(block: &Block, var: VarId) -> bool {
    let mut found = false;
    walk::each_stmt(block, &mut |stmt| {
        if let Stmt::Tape(TapeOp::Record { value, .. }) = stmt {
            found |= match value {
                Saved::Var(other) | Saved::Moved(other) => *other == var,
                Saved::Place(place) => place.var() == Some(var),
                Saved::Literal(_) => false,
            };
        }
    });
    found
}
