//! syn → IR.
//!
//! Assumes a function that rustc accepts; what is wrong with it beyond differentiation is left to
//! rustc, which sees the function itself. Promises the invariants of [`crate::ir`].
//!
//! Rust that this pass does not take apart becomes [`Verbatim`]: whether that is an error is
//! decided when it is known what is active.

mod arrays;
mod assign;
mod call;
mod closure;
mod construct;
mod consume;
mod control;
mod expr;
mod handed;
mod iter;
mod known;
mod loops;
mod matching;
mod method;
pub mod number;
mod operator;
mod option;
mod pattern;
mod place;
pub mod refusal;
mod reorder;
mod ruled;
mod seat;
mod unpack;
mod vector;
mod verbatim;

use crate::attr::calls::CallRule;
use crate::errors::Errors;
use crate::ir::*;
use crate::names::{Names, context, plain};
use crate::signature::Signature;
use proc_macro2::{Ident, Span};
use std::collections::{HashMap, HashSet};
use syn::spanned::Spanned;

/// Lowers the body of a function.
pub fn lower(
    signature: &Signature,
    rules: &[CallRule],
    body: &syn::Block,
    runtime: &Ident,
    names: &mut Names,
    errors: &mut Errors,
) -> Function {
    let mut cx = Lower {
        runtime: runtime.clone(),
        names,
        errors,
        signature,
        rules,
        vars: Vec::new(),
        scopes: vec![HashMap::new()],
        loops: Vec::new(),
        loop_count: 0,
        bound: HashSet::new(),
        unnamed: None,
        wanted: Ty::Unknown,
        target: None,
        wanted_items: Ty::Unknown,
        result_ty: None,
        near_reals: false,
        closures: HashMap::new(),
        collected: None,
        positions: HashSet::new(),
        innermost: None,
        abandoned: false,
        seats: HashMap::new(),
        extents: HashMap::new(),
        popped: HashMap::new(),
        error_parts: HashSet::new(),
        inert: HashSet::new(),
        numbers: number::computes(signature, body),
        own: HashSet::new(),
        gathered: HashSet::new(),
        reads: HashMap::new(),
        out: Vec::new(),
        returns: None,
    };
    let mut params = Vec::new();
    for param in &signature.params {
        let name = param.written();
        let id = cx.new_var(name.clone(), param.ty.clone(), Role::Param, param.mutable);
        cx.bind(name, id);
        cx.bound.insert(plain(name));
        if matches!(&param.syn_ty, syn::Type::Path(ty) if ty.path.is_ident("usize")) {
            cx.positions.insert(id);
        }
        params.push(id);
    }
    let body = cx.function_body(body);
    assert!(!cx.abandoned, "lower: what is taken apart tentatively is given up as a whole");
    Function { vars: cx.vars, params, returns: cx.returns, body }
}

type Key = (String, String);
/// What names mean, in blocks from the outermost to the innermost.
type Scopes = Vec<HashMap<Key, VarId>>;

fn key(ident: &Ident) -> Key {
    (plain(ident), context(ident))
}

/// A loop that is being lowered.
struct LoopFrame {
    id: LoopId,
    /// Where `continue` goes: a loop over a chain may be several loops in the IR.
    next: LoopId,
    label: Option<Ident>,
    /// Where `break value` goes.
    dest: Option<VarId>,
}

struct Lower<'a> {
    /// The name of the runtime in generated code.
    runtime: Ident,
    names: &'a mut Names,
    errors: &'a mut Errors,
    signature: &'a Signature,
    /// The calls that have a companion of another name.
    rules: &'a [CallRule],
    vars: Vec<Var>,
    scopes: Scopes,
    loops: Vec<LoopFrame>,
    loop_count: usize,
    /// The names that variables have.
    bound: HashSet<String>,
    /// The index of a loop that has no name yet: the user's first name for it becomes its own.
    unnamed: Option<VarId>,
    /// The type that is expected of a `collect` that is lowered next, as far as it is known.
    wanted: Ty,
    /// What a sum of numbers of their own is assigned to, which tells their type.
    target: Option<syn::Expr>,
    /// The type that is expected of the items that are being collected.
    wanted_items: Ty,
    /// The type that the closure whose body is being lowered declares.
    result_ty: Option<Ty>,
    /// Whether the chain being lowered mentions values that may be active: then `iter` on data of a
    /// type that is not known is taken for that of a slice, else the chain is carried as it is.
    near_reals: bool,
    /// Closures that are called by a name.
    closures: HashMap<VarId, closure::Closure>,
    /// The variable in which the last `collect` or `Point { x, ..rest }` was made, if nothing names
    /// it yet.
    collected: Option<VarId>,
    /// Integers that are known to be of type `usize`, so that they may be computed with positions.
    positions: HashSet<VarId>,
    /// The loop whose next trip makes the next item of a chain.
    innermost: Option<LoopId>,
    /// Whether an attempt met something that is not known.
    abandoned: bool,
    /// Variables that hold shared slices and are set anew.
    seats: HashMap<VarId, seat::Seat>,
    /// Where the references that were made from those lie in their buffers.
    extents: HashMap<VarId, seat::Extent>,
    /// What was popped of vectors whose elements have a type that is not known yet.
    popped: HashMap<VarId, Vec<VarId>>,
    /// Variables bound to what an `Err` holds: they have no adjoint, so nothing is computed with them.
    error_parts: HashSet<VarId>,
    /// Variables of which nothing is active, as they are made of constants.
    inert: HashSet<VarId>,
    /// Whether the function is known to compute with numbers of types of their own.
    numbers: bool,
    /// Variables of unknown type that may hold such numbers.
    own: HashSet<VarId>,
    /// Variables that hold what carried code collected, which ends somewhere.
    gathered: HashSet<VarId>,
    /// Mutable scalars and the temporary that holds what was read of them last.
    reads: HashMap<VarId, VarId>,
    /// The block being filled.
    out: Vec<Stmt>,
    /// The variable that takes the result, in a function with `return`.
    returns: Option<VarId>,
}

impl Lower<'_> {
    fn new_var(&mut self, name: Ident, ty: Ty, role: Role, mutable: bool) -> VarId {
        let span = name.span();
        let (by_pattern, once, carried, written) = (false, false, false, None);
        self.vars.push(Var { name, ty, role, mutable, by_pattern, once, carried, written, span });
        VarId(self.vars.len() - 1)
    }

    /// A temporary; it is named `t` and a number when it is printed, if ever.
    fn temp(&mut self, value: Value, ty: Ty, span: Span) -> Atom {
        let name = Ident::new("t", Span::mixed_site().located_at(span));
        let counts = self.counts_positions(&value);
        let var = self.new_var(name, ty, Role::Temp, false);
        if counts {
            self.positions.insert(var);
        }
        self.note_number(var, &value);
        self.note_origin(var, &value);
        self.out.push(Stmt::Let { var, value });
        Atom::Var(var)
    }

    /// Notes whether a variable is data: from carried code, and of which nothing is active.
    fn note_origin(&mut self, var: VarId, value: &Value) {
        if self.is_carried(value, self.ty(var)) {
            self.vars[var.0].carried = true;
        }
        let inert = |var: &VarId| {
            self.inert.contains(var)
                || self.is_constant_param(*var)
                || !self.ty(*var).may_hold_reals()
        };
        let inert = match value {
            Value::Verbatim(code) => code.names.iter().all(|(_, var)| inert(var)),
            Value::Load(place) => place.var().is_some_and(|var| inert(&var)),
            Value::Atom(Atom::Var(var)) => inert(var),
            _ => false,
        };
        if inert && !self.vars[var.0].mutable {
            self.inert.insert(var);
        }
        if let Value::Verbatim(code) = value
            && matches!(&*code.code, syn::Expr::MethodCall(call) if call.method == "collect")
        {
            self.gathered.insert(var);
        }
    }

    /// Whether a value comes from carried code and may hold references.
    fn is_carried(&self, value: &Value, ty: &Ty) -> bool {
        let known = |ty: &Ty| ty.is_copy() || matches!(ty, Ty::Array { .. } | Ty::Slice(_));
        match value {
            Value::Verbatim(_) => !known(ty) || !ty.element().is_copy() && !ty.is_copy(),
            Value::Load(place) | Value::Copy { place, .. } => {
                !known(ty) && place.var().is_some_and(|var| self.vars[var.0].carried)
            }
            Value::Atom(Atom::Var(var)) => self.vars[var.0].carried,
            _ => false,
        }
    }

    fn bind(&mut self, ident: &Ident, var: VarId) {
        let scope = self.scopes.last_mut().expect("a function has a scope");
        scope.insert(key(ident), var);
    }

    /// A variable for a binding of the user; renamed if an earlier one has its name.
    fn new_binding(&mut self, ident: &Ident, ty: Ty, role: Role, mutable: bool) -> VarId {
        let new = self.bound.insert(plain(ident));
        let name = if new { ident.clone() } else { self.names.fresh(&plain(ident), ident.span()) };
        let var = self.new_var(name, ty, role, mutable);
        self.vars[var.0].span = ident.span();
        self.bind(ident, var);
        var
    }

    fn lookup(&self, ident: &Ident) -> Option<VarId> {
        let key = key(ident);
        self.scopes.iter().rev().find_map(|scope| scope.get(&key)).copied()
    }

    fn ty(&self, var: VarId) -> &Ty {
        &self.vars[var.0].ty
    }

    fn atom_ty(&self, atom: &Atom) -> Ty {
        match atom {
            Atom::Var(id) => self.ty(*id).clone(),
            Atom::Text(_, ty) => ty.clone(),
        }
    }

    /// Runs `fill` with a fresh block; what it makes is returned.
    fn block(&mut self, fill: impl FnOnce(&mut Self) -> Option<Atom>) -> Block {
        let outer = std::mem::take(&mut self.out);
        self.scopes.push(HashMap::new());
        let result = fill(self);
        self.scopes.pop();
        Block { stmts: std::mem::replace(&mut self.out, outer), result }
    }

    /// Forgets what was read of `var`.
    fn written(&mut self, var: VarId) {
        self.reads.remove(&var);
    }

    /// Takes `code` apart, tentatively: whether it mentions values that may be active is known then.
    fn near<T>(
        &mut self,
        code: &syn::Expr,
        lower: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<T> {
        let near_reals = self.mentions_reals(code);
        self.tentatively(|cx| {
            cx.near_reals = near_reals;
            lower(cx)
        })
    }

    /// Runs `lower`; if it gives nothing or meets something that is not known, it leaves no trace.
    fn tentatively<T>(&mut self, lower: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let (done, reads) = (self.out.len(), self.reads.clone());
        let errors = std::mem::take(self.errors);
        let outer = std::mem::replace(&mut self.abandoned, false);
        let near_reals = self.near_reals;
        let result = lower(self).filter(|_| !self.abandoned);
        (self.abandoned, self.near_reals) = (outer, near_reals);
        let found = std::mem::replace(self.errors, errors);
        match result {
            Some(_) => self.errors.append(found),
            None => {
                self.out.truncate(done);
                self.reads = reads;
            }
        }
        result
    }

    /// Runs `lower` for code that may or may not run, or run again: what is read in it is not known
    /// behind it, and what it writes is not known either.
    fn guarded<T>(&mut self, lower: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.reads.clone();
        let value = lower(self);
        let after = std::mem::replace(&mut self.reads, before);
        self.reads.retain(|var, temp| after.get(var) == Some(temp));
        value
    }

    fn function_body(&mut self, body: &syn::Block) -> Block {
        if verbatim::has_return(body) && self.signature.result != Ty::Unit {
            let name = self.names.fresh("value", body.span());
            let ty = self.signature.result.clone();
            let value = self.new_var(name, ty, Role::Local, true);
            self.returns = Some(value);
            let mut block = self.block(|cx| {
                let result = cx.stmts(&cx.with_typed_end(&body.stmts));
                if let Some(result) = result {
                    cx.expect_result(&result);
                    cx.out.push(Stmt::Store { place: Place::of(value), value: result });
                }
                None
            });
            block.stmts.insert(0, Stmt::Declare { var: value });
            return block;
        }
        self.block(|cx| {
            if cx.signature.result == Ty::Unit {
                cx.unit_stmts(&body.stmts);
                return None;
            }
            let result = cx.stmts(&cx.with_typed_end(&body.stmts));
            if let Some(result) = &result {
                cx.expect_result(result);
            }
            cx.name_result(&result, body.span());
            result
        })
    }

    /// The statements of the function, the sum at the end of the type of the result.
    fn with_typed_end(&self, stmts: &[syn::Stmt]) -> Vec<syn::Stmt> {
        let mut stmts = stmts.to_vec();
        if let (Some(syn::Stmt::Expr(end, None)), Some(ty), Ty::Named) =
            (stmts.last_mut(), &self.signature.syn_result, &self.signature.result)
        {
            *end = consume::total::typed(end, ty);
        }
        stmts
    }

    /// The value of a branch, loop or call that is the result is called so.
    fn name_result(&mut self, result: &Option<Atom>, span: Span) {
        let made = match self.out.last() {
            Some(Stmt::If { dest, .. } | Stmt::Match { dest, .. }) => *dest,
            Some(Stmt::Call(call)) => call.dest,
            _ => None,
        };
        if let (Some(made), Some(Atom::Var(result))) = (made, result)
            && made == *result
        {
            self.vars[made.0].name = self.names.fresh("value", span);
            self.vars[made.0].role = Role::Local;
        }
    }

    /// Statements in order; the value of the last, if it is an expression without `;`.
    fn stmts(&mut self, stmts: &[syn::Stmt]) -> Option<Atom> {
        let items = stmts.iter().filter(|stmt| matches!(stmt, syn::Stmt::Item(_)));
        for item in items {
            if let syn::Stmt::Item(item) = item {
                self.item(item);
            }
        }
        for (k, stmt) in stmts.iter().enumerate() {
            match stmt {
                syn::Stmt::Local(local) => self.local(local),
                syn::Stmt::Item(_) => {}
                syn::Stmt::Expr(expr, None) if k + 1 == stmts.len() => return self.tail(expr),
                syn::Stmt::Expr(expr, _) => self.statement(expr),
                syn::Stmt::Macro(stmt) => {
                    let expr = syn::Expr::Macro(syn::ExprMacro {
                        attrs: stmt.attrs.clone(),
                        mac: stmt.mac.clone(),
                    });
                    if stmt.semi_token.is_none() && k + 1 == stmts.len() {
                        return self.tail(&expr);
                    }
                    self.statement(&expr);
                }
            }
        }
        None
    }

    /// Items are visible in the whole block, so they go first; they mention no variables.
    fn item(&mut self, item: &syn::Item) {
        let code = Box::new(syn::Expr::Verbatim(quote::quote!(#item)));
        let code = Verbatim {
            code,
            names: Vec::new(),
            changes: Vec::new(),
            refusal: refusal::refuse(item, "an item", ""),
            discrete: true,
        };
        self.out.push(Stmt::Verbatim { code, diverges: false });
    }

    fn local(&mut self, local: &syn::Local) {
        let mut attrs = local.attrs.clone();
        let constant = crate::attr::take_constant(&mut attrs);
        let Some(init) = &local.init else {
            return self.declare(&local.pat);
        };
        if let Some((else_token, otherwise)) = &init.diverge {
            return self.let_else(&local.pat, &init.expr, otherwise, else_token.span());
        }
        if constant {
            let mut value = self.verbatim(&init.expr, true);
            value.refusal = refusal::refuse(
                &local.pat,
                "this value, which is marked `#[constant]` but changes or becomes something active,",
                "give the constant a name of its own, and assign it to the active variable",
            );
            let span = init.expr.span();
            let atom = self.temp(Value::Verbatim(value), Ty::Unknown, span);
            return self.bind_value(&local.pat, atom, Ty::Unknown);
        }
        self.bind_init(&local.pat, &init.expr);
    }

    /// `let x;`
    fn declare(&mut self, pat: &syn::Pat) {
        let (pat, ty) = match pat {
            syn::Pat::Type(typed) => (&*typed.pat, self.signature.ty(&typed.ty)),
            other => (other, Ty::Unknown),
        };
        if let syn::Pat::Ident(ident) = pat {
            let var = self.new_binding(&ident.ident, ty, Role::Local, true);
            self.vars[var.0].once = ident.mutability.is_none();
            self.out.push(Stmt::Declare { var });
        } else {
            self.errors.push(
                pat,
                "this pattern is declared without a value",
                "declare each variable by itself: `let x;`",
            );
        }
    }
}
