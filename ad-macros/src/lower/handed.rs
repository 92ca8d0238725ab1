//! Functions as arguments of functions with companions.
//!
//! A closure becomes a [`Lambda`], a function of its own: what it captures are parameters that it
//! borrows, and the call gets them as further arguments. What is wrong with it is told only if a
//! derivative flows through the call.

use super::closure::Closure;
use super::pattern::Source;
use super::place::strip;
use super::{Lower, known};
use crate::errors::Errors;
use crate::ir::*;
use crate::rules;
use crate::signature::{Param, Passing, Signature};
use proc_macro2::{Ident, Span};
use std::collections::BTreeSet;
use std::rc::Rc;
use syn::spanned::Spanned;
use syn::{Expr, ExprClosure, Pat};

const EFFECT: &str = "a closure that changes what is around it and is handed on";
const WITHOUT_EFFECT: &str = "let it write to a `&mut` argument, or return the new value";

/// A parameter of a closure while its body is lowered.
struct Input {
    var: VarId,
    passing: Passing,
    /// The type as it is written.
    written: Option<syn::Type>,
    /// Where the type has to be written if the body does not tell it.
    asked: Option<Pat>,
}

impl Lower<'_> {
    /// A parameter that is a function, to be called or handed on.
    pub(super) fn called_param(&self, var: VarId) -> Option<CalledParam> {
        let param = self.signature.params.get(var.0)?;
        let functional = Rc::new(param.functional.clone()?);
        Some(CalledParam { var, vjp: param.name.clone(), functional })
    }

    /// A call of a parameter that is a function.
    pub(super) fn param_call(
        &mut self,
        of: CalledParam,
        call: &syn::ExprCall,
        wanted: bool,
    ) -> (Value, Ty) {
        let mut args: Vec<Arg> = call.args.iter().map(|arg| self.arg(arg)).collect();
        super::call::share_repeated(&call.args, &mut args);
        for (arg, input) in args.iter().zip(&of.functional.inputs) {
            if let Arg::Value(atom) = arg
                && self.signature.ty(&input.syn_ty).is_real()
            {
                self.expect_scalar(atom);
            }
        }
        self.companion_call(Callee::Param(of), args, wanted)
    }

    /// An argument that is a function.
    pub(super) fn handed(&mut self, expr: &Expr) -> Option<Arg> {
        let (by_reference, inner) = match strip(expr) {
            Expr::Reference(reference) => (true, strip(&reference.expr)),
            other => (false, other),
        };
        match inner {
            Expr::Closure(closure) => {
                let known = Closure::new(closure.clone(), self.scopes.clone());
                Some(self.lambda(&known, expr))
            }
            Expr::Path(path) if path.qself.is_none() => {
                let local = path.path.get_ident().and_then(|ident| self.lookup(ident));
                let Some(var) = local else {
                    return self.handed_path(&path.path, expr, by_reference);
                };
                if let Some(of) = self.called_param(var) {
                    return Some(Arg::Function(Handed::Param { of, by_reference }));
                }
                let known = self.closures.get(&var)?.clone();
                Some(self.lambda(&known, expr))
            }
            _ => None,
        }
    }

    /// `f`, `module::f`, `f64::sin`, `Model::f`
    fn handed_path(&mut self, path: &syn::Path, expr: &Expr, by_reference: bool) -> Option<Arg> {
        let mut names = path.segments.iter().rev().map(|segment| segment.ident.to_string());
        let (last, holder) = (names.next()?, names.next());
        if last.starts_with(char::is_uppercase) {
            return None;
        }
        let Some(holder) = holder.filter(|holder| self.holds_functions(holder)) else {
            return Some(Arg::Function(Handed::Path { path: path.clone(), by_reference }));
        };
        let rule = rules::lookup(&last).filter(|_| self.is_scalar_type(&holder));
        if rule.is_none_or(|rule| rule.args.len() != 1 || !rule.others.is_empty()) {
            return Some(self.refused_function(expr));
        }
        let real = Ident::new(&holder, Span::mixed_site());
        let closure: ExprClosure = syn::parse_quote_spanned!(path.span()=> |x: #real| #path(x));
        let known = Closure::new(closure, self.scopes.clone());
        Some(self.lambda(&known, expr))
    }

    /// A function whose companion is no type of its own.
    fn refused_function(&mut self, expr: &Expr) -> Arg {
        let code = self.verbatim(expr, false);
        let plain = self.temp(Value::Verbatim(code), Ty::Unknown, expr.span());
        let mut errors = Errors::default();
        errors.push(
            expr,
            "a function of a type is not handed on by its name",
            "hand on a closure that calls it: `|x: f64| Type::f(x)`",
        );
        Arg::Function(Handed::Refused { plain, errors })
    }

    /// Whether the last but one name of a path is a type.
    fn holds_functions(&self, holder: &str) -> bool {
        self.is_scalar_type(holder)
            || holder.starts_with(char::is_uppercase)
            || known::TYPES.contains(&holder)
    }

    /// A closure, which the call without derivative takes as `expr`.
    fn lambda(&mut self, known: &Closure, expr: &Expr) -> Arg {
        let mut code = self.verbatim(expr, false);
        code.refusal = super::refusal::refuse(expr, EFFECT, WITHOUT_EFFECT);
        let made = self.out.len();
        let plain = self.temp(Value::Verbatim(code), Ty::Unknown, expr.span());
        let outside = std::mem::take(self.errors);
        let lambda = self.lambda_of(known, plain.clone());
        let errors = std::mem::replace(self.errors, outside);
        match lambda {
            Some((_, true)) => Arg::Value(plain),
            Some((lambda, false)) if !errors.any() => {
                // Its own statements tell that it changes nothing.
                if let Stmt::Let { value: Value::Verbatim(code), .. } = &mut self.out[made] {
                    code.changes.clear();
                }
                Arg::Function(Handed::Closure(Rc::new(lambda)))
            }
            _ => Arg::Function(Handed::Refused { plain, errors }),
        }
    }

    /// A closure as a function, and whether no derivative can flow through it.
    fn lambda_of(&mut self, known: &Closure, plain: Atom) -> Option<(Lambda, bool)> {
        let Closure { closure, scopes } = known;
        let outside = std::mem::replace(&mut self.scopes, scopes.clone());
        let refused = self.refuse_closure(closure);
        let first = self.vars.len();
        let lambda = (!refused).then(|| {
            let (inputs, body) = self.in_closure(|cx| cx.closure_body(closure));
            self.as_function(closure, first, inputs, body, plain)
        });
        self.scopes = outside;
        lambda
    }

    /// Refuses closures whose calls do more than give a value.
    fn refuse_closure(&mut self, closure: &ExprClosure) -> bool {
        let (what, help) = if closure.asyncness.is_some() {
            ("an `async` closure", "differentiate the part that computes")
        } else if super::verbatim::returns(&closure.body) {
            ("`return` or `?` in a closure that is handed on", "write it with `if` and `else`")
        } else if self.changes_something(&closure.body) {
            self.push_effect(closure);
            return true;
        } else {
            return false;
        };
        let message = format!("{what} is not supported on active values");
        self.errors.push(closure, message, help);
        true
    }

    /// Runs `lower` where nothing of the function around is known but what names mean.
    fn in_closure<T>(&mut self, lower: impl FnOnce(&mut Self) -> T) -> T {
        let loops = std::mem::take(&mut self.loops);
        let reads = std::mem::take(&mut self.reads);
        let (innermost, returns) = (self.innermost.take(), self.returns.take());
        let result_ty = self.result_ty.take();
        let value = lower(self);
        (self.loops, self.reads, self.result_ty) = (loops, reads, result_ty);
        (self.innermost, self.returns) = (innermost, returns);
        value
    }

    fn closure_body(&mut self, closure: &ExprClosure) -> (Vec<Input>, Block) {
        let mut inputs = Vec::new();
        let body = self.block(|cx| {
            inputs = closure.inputs.iter().map(|pat| cx.closure_input(pat)).collect();
            let writes = inputs.iter().any(|input| input.passing == Passing::RefMut);
            if matches!(closure.output, syn::ReturnType::Default) && is_unit(&closure.body, writes)
            {
                cx.statement(&closure.body);
                return None;
            }
            let result = cx.declared_result(closure);
            let (value, ty) = cx.as_value(result, closure.body.span());
            match value {
                Value::Atom(Atom::Text(_, Ty::Unit)) => None,
                Value::Atom(atom) => Some(atom),
                value => Some(cx.temp(value, ty, closure.body.span())),
            }
        });
        (inputs, body)
    }

    fn closure_input(&mut self, pat: &Pat) -> Input {
        let (pat, written) = match pat {
            Pat::Type(typed) => (&*typed.pat, Some((*typed.ty).clone())),
            other => (other, None),
        };
        let real = self.real_ty();
        let behind = || Ty::Ref { mutable: false, to: Box::new(real.clone()) };
        let ty = match (&written, pat) {
            (Some(ty), _) => self.signature.ty(ty),
            (None, Pat::Reference(_)) => behind(),
            (None, Pat::Wild(_)) => real.clone(),
            (None, _) => Ty::Unknown,
        };
        let passing = match &ty {
            Ty::Ref { mutable: true, .. } => Passing::RefMut,
            Ty::Ref { .. } => Passing::Ref,
            _ => Passing::Value,
        };
        let asked = written.is_none().then(|| pat.clone());
        if let Pat::Ident(ident) = pat
            && ident.subpat.is_none()
        {
            let mutable = ident.mutability.is_some();
            let var = self.new_binding(&ident.ident, ty, Role::Param, mutable);
            return Input { var, passing, written, asked };
        }
        let name = self.names.fresh("argument", pat.span());
        let var = self.new_var(name, ty.clone(), Role::Param, false);
        match (pat, ty) {
            (Pat::Wild(_), _) => {}
            (Pat::Reference(reference), Ty::Ref { to, .. }) => {
                let place = Place::of(var).then(Step::Deref);
                self.bind_source(&reference.pat, Source::Value(Value::Load(place), *to));
            }
            (_, Ty::Ref { to, mutable }) => {
                let place = Place::of(var).then(Step::Deref);
                self.bind_source(pat, Source::Borrow { place, ty: *to, mutable });
            }
            (_, ty) => self.bind_source(pat, Source::Value(Value::Load(Place::of(var)), ty)),
        }
        Input { var, passing, written, asked }
    }

    /// The closure whose body uses variables in front of `first` from around it.
    fn as_function(
        &mut self,
        closure: &ExprClosure,
        first: usize,
        mut inputs: Vec<Input>,
        body: Block,
        plain: Atom,
    ) -> (Lambda, bool) {
        let used = variables(&body);
        let captured: Vec<VarId> = used.iter().copied().filter(|var| var.0 < first).collect();
        self.refuse_writes(closure, &body, &captured);
        let real = |var: &VarId| self.ty(*var).holds_known_reals() || self.ty(*var).is_own();
        let discrete = !inputs.iter().any(|input| real(&input.var));
        for input in &mut inputs {
            self.settle_input(input, &used);
        }
        let mut params: Vec<Param> = captured.iter().map(|var| self.captured_param(*var)).collect();
        params.extend(inputs.iter().map(|input| self.closure_param(input)));
        let mut vars = self.vars.clone();
        for (var, param) in captured.iter().zip(&params) {
            let info = &mut vars[var.0];
            (info.role, info.mutable, info.by_pattern) = (Role::Param, false, false);
            info.name = param.written().clone();
            info.ty = param.ty.clone();
        }
        let ids: Vec<VarId> =
            captured.iter().copied().chain(inputs.iter().map(|input| input.var)).collect();
        let result = body.result.as_ref().map_or(Ty::Unit, |result| self.atom_ty(result));
        let syn_result = match &closure.output {
            syn::ReturnType::Type(_, ty) => Some((**ty).clone()),
            syn::ReturnType::Default => None,
        };
        let discrete = discrete
            && !result.may_hold_reals()
            && !params[..captured.len()].iter().any(Param::carries);
        let writes = inputs.iter().any(|input| input.passing == Passing::RefMut);
        let (captures, has_result) = (captured.len(), body.result.is_some());
        let inputs = inputs.into_iter().map(|input| input.written).collect();
        let function = Function { vars, params: ids, returns: None, body };
        let signature =
            Rc::new(Signature::of_closure(self.signature, (params, captures), syn_result, result));
        let first = 0;
        let lambda =
            Lambda { plain, captures, first, inputs, writes, has_result, function, signature };
        (lambda, discrete)
    }

    /// Refuses a closure whose statements write to what it captures.
    fn refuse_writes(&mut self, closure: &ExprClosure, body: &Block, captured: &[VarId]) {
        let mut writes = false;
        crate::walk::each_stmt(body, &mut |stmt| {
            writes |= crate::walk::writes(stmt).iter().any(|var| captured.contains(var));
        });
        if writes {
            self.push_effect(closure);
        }
    }

    fn push_effect(&mut self, closure: &ExprClosure) {
        let message = format!("{EFFECT} is not supported on active values yet");
        self.errors.push(closure, message, WITHOUT_EFFECT);
    }

    /// A parameter without a type is a real number, unless the body takes it for something else.
    fn settle_input(&mut self, input: &mut Input, used: &BTreeSet<VarId>) {
        let Some(pat) = &input.asked else { return };
        let known = self.ty(input.var).clone();
        if matches!(known, Ty::Unknown)
            && !matches!(pat, Pat::Ident(_))
            && used.contains(&input.var)
        {
            self.errors.push(
                pat,
                "it cannot be told what this parameter of a closure that is handed on is",
                "write its type: `|(a, b): (f64, f64)|`",
            );
        }
        if known == Ty::Unknown {
            self.vars[input.var.0].ty = self.real_ty();
            // At the parameter, where another type is blamed.
            input.written = self.signature.float.clone().map(|ty| located(ty, pat.span()));
        }
    }

    fn captured_param(&mut self, var: VarId) -> Param {
        let info = self.vars[var.0].clone();
        let name = match info.role {
            Role::Temp => self.names.fresh("captured", info.span),
            _ if info.name == "self" => self.names.fresh("this", info.span),
            _ => info.name,
        };
        let ty = match info.ty {
            Ty::Ref { to, .. } => Ty::Ref { mutable: false, to },
            other => other,
        };
        let functional = self.called_param(var).map(|of| (*of.functional).clone());
        let active = functional.is_none() && ty.may_hold_reals();
        let (syn_ty, passing) = (syn::parse_quote!(_), Passing::Ref);
        Param { name, syn_ty, ty, passing, mutable: false, active, functional }
    }

    fn closure_param(&self, input: &Input) -> Param {
        let info = &self.vars[input.var.0];
        let syn_ty = match &input.written {
            Some(syn::Type::Reference(reference)) => (*reference.elem).clone(),
            Some(ty) => ty.clone(),
            None => syn::parse_quote!(_),
        };
        let (ty, passing, mutable) = (info.ty.clone(), input.passing, info.mutable);
        let active = ty.may_hold_reals();
        Param { name: info.name.clone(), syn_ty, ty, passing, mutable, active, functional: None }
    }

    /// Appends what closures among the arguments capture.
    pub(super) fn append_captured(&mut self, args: &mut Vec<Arg>) {
        let mut captured = Vec::new();
        let written = args.len();
        for arg in args.iter_mut() {
            let Arg::Function(Handed::Closure(lambda)) = arg else { continue };
            let first = written + captured.len();
            for var in &lambda.function.params[..lambda.captures] {
                captured.push(match self.called_param(*var) {
                    Some(of) => Arg::Function(Handed::Param { of, by_reference: false }),
                    None => {
                        let place = Place::of(*var);
                        let place = match self.ty(*var) {
                            Ty::Ref { .. } => place.then(Step::Deref),
                            _ => place,
                        };
                        Arg::Ref { place, mutable: false }
                    }
                });
            }
            *lambda = Rc::new(Lambda { first, ..(**lambda).clone() });
        }
        args.append(&mut captured);
    }
}

/// Whether the body of a closure has no value, as far as its text tells.
fn is_unit(body: &Expr, writes: bool) -> bool {
    match strip(body) {
        Expr::Block(block) => match block.block.stmts.last() {
            Some(syn::Stmt::Expr(last, None)) => is_unit(last, writes),
            Some(syn::Stmt::Macro(last)) => last.semi_token.is_some(),
            _ => true,
        },
        Expr::Assign(_) | Expr::ForLoop(_) | Expr::While(_) => true,
        Expr::Binary(binary) => super::verbatim::compound(&binary.op).is_some(),
        Expr::If(branch) => match &branch.else_branch {
            Some((_, otherwise)) => is_unit(otherwise, writes),
            None => true,
        },
        // What writes to an argument has no value besides.
        Expr::Call(_) | Expr::MethodCall(_) => writes,
        _ => false,
    }
}

/// A type whose tokens stand at `span`.
fn located(mut ty: syn::Type, span: Span) -> syn::Type {
    struct Locate(Span);
    impl syn::visit_mut::VisitMut for Locate {
        fn visit_ident_mut(&mut self, ident: &mut Ident) {
            ident.set_span(self.0);
        }
    }
    syn::visit_mut::VisitMut::visit_type_mut(&mut Locate(span), &mut ty);
    ty
}

/// The variables that a block mentions.
fn variables(block: &Block) -> BTreeSet<VarId> {
    let mut found: BTreeSet<VarId> = BTreeSet::new();
    let result = |block: &Block| block.result.as_ref().and_then(Atom::var);
    found.extend(result(block));
    crate::walk::each_stmt(block, &mut |stmt| {
        found.extend(crate::walk::used(stmt).into_iter().filter_map(Atom::var));
        found.extend(crate::walk::mentions(stmt));
        found.extend(crate::walk::blocks(stmt).into_iter().filter_map(result));
    });
    found
}
