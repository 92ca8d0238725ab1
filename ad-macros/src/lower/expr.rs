//! Expressions → values and statements.

use super::Lower;
use super::pattern::Source;
use super::place::strip;
use super::verbatim::{compound, has_let, is_test, is_total};
use crate::ir::*;
use proc_macro2::Span;
use quote::{ToTokens, quote};
use syn::spanned::Spanned;
use syn::{BinOp, Expr, Lit, UnOp};

impl Lower<'_> {
    /// `expr` as an operand.
    pub(super) fn atom(&mut self, expr: &Expr) -> Atom {
        let (value, ty) = self.value(expr);
        match value {
            Value::Atom(atom) => atom,
            value => self.temp(value, ty, expr.span()),
        }
    }

    /// `expr` as an operand of arithmetic: a reference stands for what it refers to.
    pub(super) fn scalar(&mut self, expr: &Expr) -> Atom {
        let expr = match strip(expr) {
            Expr::Reference(reference) => &reference.expr,
            other => other,
        };
        if let Some((place, ty)) = self.place(expr) {
            return self.read(place, ty, expr.span());
        }
        self.atom(expr)
    }

    /// The contents of a place, behind references too, as an operand.
    pub(super) fn read(&mut self, place: Place, ty: Ty, span: Span) -> Atom {
        let (place, ty) = dereferenced(place, ty);
        match self.load(place, ty) {
            (Value::Atom(atom), _) => atom,
            (value, ty) => self.temp(value, ty, span),
        }
    }

    /// What `expr` computes, and its type.
    pub(super) fn value(&mut self, expr: &Expr) -> (Value, Ty) {
        match expr {
            Expr::Paren(paren) => self.value(&paren.expr),
            Expr::Group(group) => self.value(&group.expr),
            Expr::Lit(lit) => literal(lit),
            Expr::Path(_) | Expr::Index(_) | Expr::Field(_) => self.place_value(expr),
            Expr::Unary(unary) => self.unary(unary),
            Expr::Binary(binary) => self.binary(binary),
            Expr::Cast(cast) => self.cast(cast),
            Expr::Array(array) => self.array(array.elems.iter(), false),
            Expr::Repeat(repeat) => self.repeat(&repeat.expr, &repeat.len, false),
            Expr::Tuple(tuple) if tuple.elems.is_empty() => unit(),
            Expr::Tuple(tuple) => {
                let atoms: Vec<Atom> = tuple.elems.iter().map(|elem| self.atom(elem)).collect();
                let ty = Ty::Tuple(atoms.iter().map(|atom| self.atom_ty(atom)).collect());
                (Value::Tuple(atoms), ty)
            }
            Expr::Struct(literal) => self.struct_literal(literal),
            Expr::MethodCall(call) => self.method_call(call),
            Expr::Call(call) => self.call(call, true),
            Expr::Macro(mac) => self.macro_value(mac),
            Expr::Block(block) if block.label.is_none() => {
                let result = self.inner_block(&block.block, true);
                self.block_value(result)
            }
            Expr::If(branch) if self.can_branch(branch) => {
                let dest = self.if_expr(branch, true);
                self.block_value(dest)
            }
            Expr::Match(branch) if self.can_match(branch) => {
                let dest = self.match_expr(branch, true);
                self.block_value(dest)
            }
            Expr::Try(attempt) => {
                let source = self.attempt(attempt);
                self.as_value(source, expr.span())
            }
            Expr::Loop(repeat) => {
                let dest = self.loop_expr(repeat, true);
                self.block_value(dest)
            }
            Expr::While(_)
            | Expr::ForLoop(_)
            | Expr::Assign(_)
            | Expr::Return(_)
            | Expr::Break(_)
            | Expr::Continue(_) => {
                self.statement(expr);
                unit()
            }
            Expr::Unsafe(block) => {
                self.errors.push(
                    block.unsafe_token.span(),
                    "`unsafe` code is not differentiated",
                    "move it into a function with a derivative of its own",
                );
                unit()
            }
            _ => self.verbatim_value(expr),
        }
    }

    fn block_value(&mut self, result: Option<Atom>) -> (Value, Ty) {
        match result {
            Some(atom) => {
                let ty = self.atom_ty(&atom);
                (Value::Atom(atom), ty)
            }
            None => unit(),
        }
    }

    fn place_value(&mut self, expr: &Expr) -> (Value, Ty) {
        match self.place(expr) {
            Some((place, ty)) => self.load(place, ty),
            None => match expr {
                // A field or an element of a value that is not a place: give it one.
                Expr::Index(syn::ExprIndex { expr: base, .. })
                | Expr::Field(syn::ExprField { base, .. })
                    if !matches!(strip(base), Expr::Path(_)) =>
                {
                    let atom = match self.value(base) {
                        // What it gives may have to be dropped with the expression: a lock.
                        (Value::Verbatim(_), _) => return self.verbatim_value(expr),
                        (Value::Atom(atom), _) => atom,
                        (value, ty) => self.temp(value, ty, base.span()),
                    };
                    let Some(var) = atom.var() else {
                        return self.verbatim_value(expr);
                    };
                    let ty = self.ty(var).clone();
                    match expr {
                        Expr::Field(field) => {
                            let step = Step::Field(field.member.clone());
                            let ty = match &field.member {
                                syn::Member::Unnamed(index) => ty.field(index.index as usize),
                                syn::Member::Named(_) => Ty::Unknown,
                            };
                            (Value::Load(Place::of(var).then(step)), ty)
                        }
                        Expr::Index(index) if !matches!(strip(&index.index), Expr::Range(_)) => {
                            let elem = ty.element();
                            let step = Step::Index(self.atom(&index.index));
                            (Value::Load(Place::of(var).then(step)), elem)
                        }
                        _ => self.verbatim_value(expr),
                    }
                }
                _ => self.verbatim_value(expr),
            },
        }
    }

    pub(super) fn verbatim_value(&mut self, expr: &Expr) -> (Value, Ty) {
        let discrete = is_test(expr);
        let ty = if discrete { Ty::Discrete } else { Ty::Unknown };
        (Value::Verbatim(self.verbatim(expr, discrete)), ty)
    }

    fn unary(&mut self, unary: &syn::ExprUnary) -> (Value, Ty) {
        match unary.op {
            UnOp::Deref(_) => match self.place(&Expr::Unary(unary.clone())) {
                Some((place, ty)) => self.load(place, ty),
                None => match strip(&unary.expr) {
                    Expr::MethodCall(call) => match self.unwrapped(call) {
                        Some(Source::Borrow { place, ty, .. }) => self.load(place, ty),
                        Some(_) | None => self.verbatim_value(&Expr::Unary(unary.clone())),
                    },
                    _ => self.verbatim_value(&Expr::Unary(unary.clone())),
                },
            },
            // A negative literal is a literal.
            UnOp::Neg(_) if matches!(strip(&unary.expr), Expr::Lit(_)) => {
                let ty = literal_ty(strip(&unary.expr));
                (Value::Atom(Atom::Text(unary.to_token_stream(), ty.clone())), ty)
            }
            op => {
                if let Some(made) = self.negated_reference(op, &unary.expr) {
                    return made;
                }
                let atom = self.scalar(&unary.expr);
                if matches!(op, UnOp::Neg(_)) && self.has_own_rules(&[&atom]) {
                    let by_ref = self.is_reference(&unary.expr);
                    return self.operator(Operator::Unary(op), vec![(atom, by_ref)]);
                }
                if matches!(op, UnOp::Neg(_)) {
                    self.expect_scalar(&atom);
                }
                let ty = self.atom_ty(&atom);
                (Value::Unary(op, atom), ty)
            }
        }
    }

    fn binary(&mut self, binary: &syn::ExprBinary) -> (Value, Ty) {
        if compound(&binary.op).is_some() {
            self.statement(&Expr::Binary(binary.clone()));
            return unit();
        }
        if matches!(binary.op, BinOp::And(_) | BinOp::Or(_))
            && !(is_total(&binary.left) && is_total(&binary.right))
        {
            return self.verbatim_value(&Expr::Binary(binary.clone()));
        }
        if let Some(made) = self.operator_by_reference(binary.op, &binary.left, &binary.right) {
            return made;
        }
        let (a, b) = match is_comparison(&binary.op) {
            true => {
                let a = self.asked(&binary.left, |cx| cx.scalar(&binary.left));
                (a, self.asked(&binary.right, |cx| cx.scalar(&binary.right)))
            }
            false => (self.scalar(&binary.left), self.scalar(&binary.right)),
        };
        let (a, b) = (self.number(a.clone(), &b), self.number(b, &a));
        if crate::activity::operator(&binary.op).is_some() && self.has_own_rules(&[&a, &b]) {
            let (left, right) = (self.is_reference(&binary.left), self.is_reference(&binary.right));
            return self.operator(Operator::Binary(binary.op), vec![(a, left), (b, right)]);
        }
        if !is_comparison(&binary.op) && (self.is_aggregate(&a) || self.is_aggregate(&b)) {
            self.errors.push(
                binary,
                "arithmetic on a value that is not a scalar",
                "write it for the elements",
            );
            return unit();
        }
        let ty = self.operation_ty(&binary.op, &a, &b);
        (Value::Binary(binary.op, a, b), ty)
    }

    /// An operand next to another one: what carried code made of data may be a reference to a number.
    pub(super) fn number(&mut self, atom: Atom, other: &Atom) -> Atom {
        match atom {
            Atom::Var(var)
                if self.vars[var.0].carried
                    && !self.own.contains(&var)
                    && self.inert.contains(&var)
                    && self.atom_ty(other) == Ty::Float
                    && self.real_ty() == Ty::Float =>
            {
                let (ad, span) = (self.runtime.clone(), self.vars[var.0].span);
                let path = quote!(#ad::number);
                let (value, ty) = (Value::Function { path, args: vec![atom] }, self.real_ty());
                self.temp(value, ty, span)
            }
            atom => atom,
        }
    }

    /// Whether an operand is handed over by reference.
    fn is_reference(&mut self, expr: &Expr) -> bool {
        match strip(expr) {
            Expr::Reference(_) => true,
            Expr::Path(path) => {
                let var = path.path.get_ident().and_then(|ident| self.lookup(ident));
                var.is_some_and(|var| matches!(self.ty(var), Ty::Ref { .. }))
            }
            _ => false,
        }
    }

    /// The type of `a op b`; what is not known of one operand follows from the other.
    pub(super) fn operation_ty(&mut self, op: &BinOp, a: &Atom, b: &Atom) -> Ty {
        if is_comparison(op) {
            return Ty::Discrete;
        }
        let (left, right) = (self.atom_ty(a), self.atom_ty(b));
        match (&left, &right) {
            (Ty::Discrete, Ty::Discrete | Ty::Unknown) | (Ty::Unknown, Ty::Discrete) => {
                Ty::Discrete
            }
            _ => {
                self.expect_scalar(a);
                self.expect_scalar(b);
                let generic = left == Ty::Generic || right == Ty::Generic;
                if generic {
                    Ty::Generic
                } else if left.is_real()
                    || right.is_real()
                    || a.var().is_some()
                    || b.var().is_some()
                {
                    self.real_ty()
                } else {
                    Ty::Unknown
                }
            }
        }
    }

    /// What a real number of unknown origin is in this function.
    pub(super) fn real_ty(&self) -> Ty {
        if self.signature.scalars.is_empty() { Ty::Float } else { Ty::Generic }
    }

    /// Takes a variable of unknown type for a real scalar, since it is used as one.
    pub(super) fn expect_scalar(&mut self, atom: &Atom) {
        let real = self.real_ty();
        self.expect(atom, &real);
    }

    /// Gives a variable of unknown type a type, and what it was read or copied from.
    pub(super) fn expect(&mut self, atom: &Atom, ty: &Ty) {
        let mut next = atom.var();
        // What it was read or copied from is one too.
        let unknown = |cx: &Self, var: &VarId| {
            let info = &cx.vars[var.0];
            info.ty == Ty::Unknown && (!info.carried || cx.own.contains(var))
        };
        while let Some(var) = next.filter(|var| unknown(self, var)) {
            self.vars[var.0].ty = ty.clone();
            next = self.out.iter().rev().find_map(|stmt| match stmt {
                Stmt::Let { var: made, value } if *made == var => match value {
                    Value::Atom(Atom::Var(from)) => Some(*from),
                    Value::Load(place) if place.path.is_empty() => place.var(),
                    _ => None,
                },
                _ => None,
            });
        }
    }

    /// Whether an operand is an aggregate, for which there is no arithmetic.
    fn is_aggregate(&self, atom: &Atom) -> bool {
        matches!(
            self.atom_ty(atom),
            Ty::Array { .. } | Ty::Slice(_) | Ty::Tuple(_) | Ty::Named | Ty::Number
        )
    }

    fn cast(&mut self, cast: &syn::ExprCast) -> (Value, Ty) {
        let target = self.signature.ty(&cast.ty);
        let atom = match target {
            Ty::Discrete => self.asked(&cast.expr, |cx| cx.scalar(&cast.expr)),
            _ => self.scalar(&cast.expr),
        };
        let ty = match target {
            Ty::Named | Ty::Number | Ty::Unknown => {
                self.errors.push(
                    &cast.ty,
                    "a cast to a type that is not known here",
                    "cast to a primitive type: `as f64`, `as usize`",
                );
                Ty::Discrete
            }
            ty => ty,
        };
        (Value::Cast(atom, cast.ty.clone()), ty)
    }

    pub(super) fn array<'e>(
        &mut self,
        elems: impl Iterator<Item = &'e Expr>,
        heap: bool,
    ) -> (Value, Ty) {
        let elems: Vec<Atom> = elems.map(|elem| self.atom(elem)).collect();
        elems.iter().for_each(|atom| self.expect_kept(atom));
        let tys = elems.iter().map(|atom| self.atom_ty(atom));
        let elem = tys.fold(Ty::Unknown, |known, ty| if known == Ty::Unknown { ty } else { known });
        (Value::Array { elems, heap }, Ty::Array { elem: Box::new(elem), heap })
    }

    pub(super) fn repeat(&mut self, elem: &Expr, len: &Expr, heap: bool) -> (Value, Ty) {
        let elem = self.atom(elem);
        self.expect_kept(&elem);
        let ty = Ty::Array { elem: Box::new(self.atom_ty(&elem)), heap };
        // The length of an array is a constant expression: it mentions no variables.
        let len = if heap { self.atom(len) } else { Atom::Text(quote!(#len), Ty::Discrete) };
        (Value::Repeat { elem, len, heap }, ty)
    }

    fn macro_value(&mut self, mac: &syn::ExprMacro) -> (Value, Ty) {
        let name = mac.mac.path.segments.last().map(|s| s.ident.to_string()).unwrap_or_default();
        match name.as_str() {
            "vec" => self.vec_macro(mac),
            "dbg" => self.shown(mac),
            "panic" | "unreachable" | "todo" | "unimplemented" => {
                let code = self.verbatim(&Expr::Macro(mac.clone()), true);
                self.out.push(Stmt::Verbatim { code, diverges: true });
                unit()
            }
            _ => {
                let whole = Expr::Macro(mac.clone());
                self.verbatim_value(&whole)
            }
        }
    }

    /// `dbg!(x)`: `x`, which is printed as well.
    fn shown(&mut self, mac: &syn::ExprMacro) -> (Value, Ty) {
        let Ok(expr) = syn::parse2::<Expr>(mac.mac.tokens.clone()) else {
            return self.verbatim_value(&Expr::Macro(mac.clone()));
        };
        let source = self.settled(&expr);
        let name = self.named(source);
        let path = &mac.mac.path;
        let code = self.verbatim(&syn::parse_quote!(#path!(&#name)), true);
        self.out.push(Stmt::Verbatim { code, diverges: false });
        self.value(&name)
    }

    fn vec_macro(&mut self, mac: &syn::ExprMacro) -> (Value, Ty) {
        let tokens = mac.mac.tokens.clone();
        if let Ok(repeat) = syn::parse2::<syn::ExprRepeat>(quote!([#tokens])) {
            return self.repeat(&repeat.expr, &repeat.len, true);
        }
        match syn::parse2::<syn::ExprArray>(quote!([#tokens])) {
            Ok(array) => self.array(array.elems.iter(), true),
            Err(error) => {
                self.errors.add(error);
                unit()
            }
        }
    }

    /// An expression whose value is not used.
    pub(super) fn statement(&mut self, expr: &Expr) {
        match expr {
            Expr::Paren(paren) => self.statement(&paren.expr),
            Expr::Group(group) => self.statement(&group.expr),
            Expr::Assign(assign) => self.assign(assign),
            Expr::Binary(binary) if compound(&binary.op).is_some() => self.compound(binary),
            Expr::If(branch) if self.can_branch(branch) => {
                self.if_expr(branch, false);
            }
            Expr::Match(branch) if self.can_match(branch) => {
                self.match_expr(branch, false);
            }
            Expr::Loop(repeat) => {
                self.loop_expr(repeat, false);
            }
            Expr::While(repeat) if has_let(&repeat.cond) => self.while_let(repeat),
            Expr::While(repeat) => self.while_expr(repeat),
            Expr::ForLoop(repeat) => self.for_expr(repeat),
            Expr::Return(exit) => self.return_expr(exit),
            Expr::Break(exit) => self.break_expr(exit),
            Expr::Continue(exit) => self.continue_expr(exit),
            Expr::Block(block) if block.label.is_none() => {
                self.inner_block(&block.block, false);
            }
            Expr::MethodCall(call) if self.ruled_method(call, false).is_some() => {}
            Expr::MethodCall(call)
                if self.method_statement(call) || self.vector_change(call).is_some() => {}
            Expr::MethodCall(call)
                if crate::rules::lookup(&call.method.to_string()).is_none()
                    && self.companion_method(call, false).is_some() => {}
            // A method whose value is not used is called for what else it does.
            Expr::MethodCall(_) => {
                let code = self.verbatim(expr, false);
                self.out.push(Stmt::Verbatim { code, diverges: false });
            }
            Expr::Call(call) => {
                self.call(call, false);
            }
            Expr::Macro(mac) if !mac.mac.path.is_ident("vec") => {
                let diverges = ["panic", "unreachable", "todo", "unimplemented"]
                    .iter()
                    .any(|name| mac.mac.path.is_ident(name));
                // Macros that print or check may read active values; their own value is not used.
                let code = self.verbatim(expr, reads_only(&mac.mac.path));
                self.out.push(Stmt::Verbatim { code, diverges });
            }
            _ => match self.value(expr) {
                (Value::Verbatim(code), _) => {
                    self.out.push(Stmt::Verbatim { code, diverges: false });
                }
                (Value::Atom(_), _) => {}
                (value, ty) => {
                    self.temp(value, ty, expr.span());
                }
            },
        }
    }

    /// The last expression of a block: its value, or a statement if it has none.
    pub(super) fn tail(&mut self, expr: &Expr) -> Option<Atom> {
        let is_statement = match strip(expr) {
            Expr::Assign(_)
            | Expr::While(_)
            | Expr::ForLoop(_)
            | Expr::Return(_)
            | Expr::Break(_)
            | Expr::Continue(_) => true,
            Expr::Binary(binary) => compound(&binary.op).is_some(),
            Expr::If(branch) => branch.else_branch.is_none(),
            Expr::Macro(mac) => reads_only(&mac.mac.path) && !mac.mac.path.is_ident("matches"),
            _ => false,
        };
        if is_statement {
            self.statement(expr);
            return None;
        }
        if let Expr::MethodCall(call) = strip(expr)
            && self.method_statement(call)
        {
            return None;
        }
        let result = self.result_ty.as_ref().unwrap_or(&self.signature.result);
        self.wanted = result.clone();
        match self.value(expr) {
            (_, Ty::Unit) => None,
            (Value::Atom(atom), _) => Some(atom),
            (value, ty) => Some(self.temp(value, ty, expr.span())),
        }
    }
}

/// The place behind references, and its type.
pub(super) fn dereferenced(mut place: Place, mut ty: Ty) -> (Place, Ty) {
    while let Ty::Ref { to, .. } = ty {
        place = place.then(Step::Deref);
        ty = *to;
    }
    (place, ty)
}

fn unit() -> (Value, Ty) {
    (Value::Atom(Atom::Text(quote!(()), Ty::Unit)), Ty::Unit)
}

fn literal(lit: &syn::ExprLit) -> (Value, Ty) {
    let ty = literal_ty(&Expr::Lit(lit.clone()));
    (Value::Atom(Atom::Text(lit.to_token_stream(), ty.clone())), ty)
}

fn literal_ty(expr: &Expr) -> Ty {
    match expr {
        Expr::Lit(syn::ExprLit { lit: Lit::Float(_), .. }) => Ty::Float,
        Expr::Lit(syn::ExprLit { lit: Lit::Int(int), .. }) if int.suffix().starts_with('f') => {
            Ty::Float
        }
        _ => Ty::Discrete,
    }
}

/// Whether an operator makes a `bool`.
pub fn is_comparison(op: &BinOp) -> bool {
    matches!(
        op,
        BinOp::And(_)
            | BinOp::Or(_)
            | BinOp::Eq(_)
            | BinOp::Ne(_)
            | BinOp::Lt(_)
            | BinOp::Le(_)
            | BinOp::Gt(_)
            | BinOp::Ge(_)
    )
}

/// Macros that read values without handing them on.
pub(super) fn reads_only(path: &syn::Path) -> bool {
    if let [module, _] = &path.segments.iter().collect::<Vec<_>>()[..]
        && (module.ident == "log" || module.ident == "tracing")
    {
        return true;
    }
    const KNOWN: &[&str] = &[
        "assert",
        "assert_eq",
        "assert_ne",
        "debug_assert",
        "debug_assert_eq",
        "debug_assert_ne",
        "print",
        "println",
        "eprint",
        "eprintln",
        "panic",
        "unreachable",
        "todo",
        "unimplemented",
        "matches",
    ];
    path.get_ident().is_some_and(|ident| KNOWN.iter().any(|name| ident == name))
}
