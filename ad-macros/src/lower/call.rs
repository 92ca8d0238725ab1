//! Calls of functions, and methods that move data.

use super::expr::dereferenced;
use super::pattern::Source;
use super::place::strip;
use super::vector::is_place;
use super::{Lower, arrays, known, number};
use crate::ir::*;
use crate::names::plain;
use crate::rules;
use proc_macro2::{Ident, Span};
use quote::{ToTokens, quote};
use syn::Expr;
use syn::spanned::Spanned;

impl Lower<'_> {
    /// A call; its value if that is `wanted`.
    pub(super) fn call(&mut self, call: &syn::ExprCall, wanted: bool) -> (Value, Ty) {
        if let Some(made) = self.ruled_call(call, wanted) {
            return made;
        }
        let Expr::Path(path) = strip(&call.func) else {
            return self.opaque_call(call, wanted);
        };
        let segments: Vec<String> =
            path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let last = segments.last().cloned().unwrap_or_default();
        if let Some(made) = self.array_from_fn(call) {
            return made;
        }
        if let [.., module, name] = &segments[..] {
            if module == "mem" {
                return self.mem_call(call, name, wanted);
            }
            if path.qself.is_none() && self.is_scalar_type(module) {
                return self.scalar_function(call, name, wanted);
            }
        }
        if let Some(ident) = path.path.get_ident()
            && let Some(var) = self.lookup(ident)
        {
            if let Some(of) = self.called_param(var) {
                return self.param_call(of, call, wanted);
            }
            if let Some(value) = self.closure_call(var, call) {
                return value;
            }
            return self.opaque_call(call, wanted);
        }
        if path.qself.is_none() && starts_upper(&last) {
            return self.constructor_call(&path.path, call);
        }
        if let Some(value) = self.empty_vector(call) {
            return value;
        }
        if path.qself.is_some() || segments.len() > 1 && starts_upper(&segments[segments.len() - 2])
        {
            return self.associated_call(call, path, wanted);
        }
        self.function_call(call, path, wanted)
    }

    /// `Type::f(x)`: of a type of the user, or of the standard library.
    fn associated_call(
        &mut self,
        call: &syn::ExprCall,
        path: &syn::ExprPath,
        wanted: bool,
    ) -> (Value, Ty) {
        let holder = path.path.segments.iter().rev().nth(1).map(|holder| holder.ident.to_string());
        let whole = Expr::Call(call.clone());
        if path.path.segments.last().is_some_and(|last| last.ident == "new")
            && holder.as_deref() == Some("Box")
            && self.mentions_reals(&whole)
        {
            return self.constructor_call(&path.path, call);
        }
        let standard = holder.is_some_and(|name| known::TYPES.contains(&name.as_str()));
        if standard || !self.mentions_reals(&whole) {
            let (value, ty) = self.opaque_call(call, wanted);
            // Zeros of an array of another crate are filled later.
            let array = arrays::gives_array(&Callee::Associated(path.clone()));
            return (value, if array && wanted { Ty::Named } else { ty });
        }
        let mut args: Vec<Arg> = call.args.iter().map(|arg| self.arg(arg)).collect();
        share_repeated(&call.args, &mut args);
        self.companion_call(Callee::Associated(path.clone()), args, wanted)
    }

    /// `x.f(y)`, where `f` is a method of the user.
    pub(super) fn companion_method(
        &mut self,
        call: &syn::ExprMethodCall,
        wanted: bool,
    ) -> Option<(Value, Ty)> {
        let name = call.method.to_string();
        let whole = Expr::MethodCall(call.clone());
        if known::METHODS.contains(&name.as_str()) && !self.is_of_array(call)
            || !self.mentions_reals(&whole)
        {
            return None;
        }
        let mut receiver = self.receiver(&call.receiver)?;
        if let Arg::Ref { mutable, .. } = &mut receiver {
            *mutable &= !(wanted && number::only_computes(&name));
        }
        Some(self.method_on(receiver, call, wanted))
    }

    /// `receiver.f(y)`, where `f` is a method of a number of a type of its own.
    pub(super) fn method_of(&mut self, receiver: Atom, call: &syn::ExprMethodCall) -> (Value, Ty) {
        let receiver = match self.borrow_of(receiver, false, call.receiver.span()) {
            Source::Borrow { place, mutable, .. } => Arg::Ref { place, mutable },
            Source::Value(..) | Source::Tuple(_) => unreachable!("a borrow makes a borrow"),
        };
        self.method_on(receiver, call, true)
    }

    fn method_on(
        &mut self,
        receiver: Arg,
        call: &syn::ExprMethodCall,
        wanted: bool,
    ) -> (Value, Ty) {
        let mut args = vec![receiver];
        args.extend(call.args.iter().map(|arg| self.arg(arg)));
        share_repeated(&call.args, &mut args[1..]);
        self.companion_call(Callee::Method(call.method.clone()), args, wanted)
    }

    /// The receiver of a method of the user; the method may change it if it can be changed.
    fn receiver(&mut self, expr: &Expr) -> Option<Arg> {
        let mine = |ty: &Ty| {
            matches!(ty.peeled(), Ty::Unknown | Ty::Float | Ty::Generic) || ty.peeled().is_own()
        };
        let Some((place, ty)) = self.place(expr) else {
            let atom = self.atom(expr);
            if !mine(&self.atom_ty(&atom)) {
                return None;
            }
            return match self.borrow_of(atom, false, expr.span()) {
                Source::Borrow { place, mutable, .. } => Some(Arg::Ref { place, mutable }),
                Source::Value(..) | Source::Tuple(_) => unreachable!("a borrow makes a borrow"),
            };
        };
        if !mine(&ty) {
            return None;
        }
        if let Ty::Ref { mutable, .. } = ty {
            return Some(Arg::Ref { place: place.then(Step::Deref), mutable });
        }
        let mutable = self.is_changeable(&place);
        Some(Arg::Ref { place, mutable })
    }

    /// Whether a method may change what is in a place.
    pub(super) fn is_changeable(&self, place: &Place) -> bool {
        place.var().is_some_and(|root| match self.ty(root) {
            Ty::Ref { mutable, .. } => *mutable,
            _ => self.vars[root.0].mutable,
        })
    }

    fn opaque_call(&mut self, call: &syn::ExprCall, wanted: bool) -> (Value, Ty) {
        self.carried_call(&Expr::Call(call.clone()), wanted)
    }

    pub(super) fn carried_call(&mut self, call: &Expr, wanted: bool) -> (Value, Ty) {
        let code = self.verbatim(call, false);
        if wanted {
            return (Value::Verbatim(code), Ty::Unknown);
        }
        self.out.push(Stmt::Verbatim { code, diverges: false });
        (Value::Atom(Atom::Text(quote!(()), Ty::Unit)), Ty::Unit)
    }

    pub(super) fn is_scalar_type(&self, name: &str) -> bool {
        matches!(name, "f64" | "f32" | "Float" | "Real")
            || self.signature.scalars.iter().any(|scalar| scalar == name)
    }

    /// `f64::max(a, b)`, `f64::from(n)`, `T::one()`
    fn scalar_function(&mut self, call: &syn::ExprCall, name: &str, wanted: bool) -> (Value, Ty) {
        let args: Vec<Expr> = call.args.iter().cloned().collect();
        if let [receiver, rest @ ..] = &args[..]
            && rules::lookup(name)
                .is_some_and(|rule| rule.args.len() + rule.others.len() == args.len())
        {
            let (method, span) = (Ident::new(name, call.func.span()), call.span());
            let method_call = syn::ExprMethodCall {
                attrs: Vec::new(),
                receiver: Box::new(receiver.clone()),
                dot_token: syn::Token![.](span),
                method,
                turbofish: None,
                paren_token: call.paren_token,
                args: rest.iter().cloned().collect(),
            };
            return self.value(&Expr::MethodCall(method_call));
        }
        if name == "from"
            && let [arg] = &args[..]
        {
            let atom = self.atom(arg);
            let ty = self.atom_ty(&atom);
            if ty.is_real() {
                let target: syn::Type = match strip(&call.func) {
                    Expr::Path(path) => {
                        let head = &path.path.segments[0].ident;
                        syn::parse_quote!(#head)
                    }
                    _ => syn::parse_quote!(_),
                };
                return (Value::Cast(atom, Box::new(target)), self.real_ty());
            }
            if !matches!(ty, Ty::Discrete) {
                return self.opaque_call(call, wanted);
            }
            let path = call.func.to_token_stream();
            return (Value::Function { path, args: vec![atom] }, self.real_ty());
        }
        if args.is_empty() {
            let text = call.to_token_stream();
            let ty = self.real_ty();
            return (Value::Atom(Atom::Text(text, ty.clone())), ty);
        }
        let (value, _) = self.opaque_call(call, wanted);
        (value, Ty::Unknown)
    }

    fn mem_call(&mut self, call: &syn::ExprCall, name: &str, wanted: bool) -> (Value, Ty) {
        let args: Vec<&Expr> = call.args.iter().collect();
        let first = args.first().and_then(|arg| self.target_place(arg));
        match (name, &args[..], first) {
            ("swap", [_, second], Some((a, a_ty))) => {
                if let Some((b, _)) = self.target_place(second) {
                    self.swap(a, a_ty, b, call.span());
                    return (Value::Atom(Atom::Text(quote!(()), Ty::Unit)), Ty::Unit);
                }
            }
            ("replace", [_, new], Some((place, ty))) => {
                let new = self.atom(new);
                return self.replace(place, ty, new, call.span());
            }
            ("take", [_], Some((place, ty))) => {
                let empty = self.default_of(&ty, call.span());
                return self.replace(place, ty, empty, call.span());
            }
            _ => {}
        }
        self.opaque_call(call, wanted)
    }

    /// `option.take()`, `option.replace(x)`
    pub(super) fn option_exchanged(&mut self, call: &syn::ExprMethodCall) -> Option<(Value, Ty)> {
        let name = call.method.to_string();
        let args: Vec<&Expr> = call.args.iter().collect();
        if !matches!((name.as_str(), args.len()), ("take", 0) | ("replace", 1))
            || !self.mentions_reals(&Expr::MethodCall(call.clone()))
            || !is_place(&call.receiver)
        {
            return None;
        }
        let (place, ty) = self.place(&call.receiver)?;
        let (place, ty) = dereferenced(place, ty);
        if place.var().is_none() || !matches!(ty, Ty::Wrapped { result: false, .. } | Ty::Unknown) {
            return None;
        }
        let span = call.method.span();
        let new = match args[..] {
            [] => Atom::Text(quote!(::core::option::Option::None), ty.clone()),
            [new, ..] => {
                let part = self.atom(new);
                self.some(part, span)
            }
        };
        Some(self.replace(place, ty, new, span))
    }

    /// `Some(part)`
    pub(super) fn some(&mut self, part: Atom, span: Span) -> Atom {
        let ty = Ty::Wrapped { inner: Box::new(self.atom_ty(&part)), result: false };
        let members = vec![syn::Member::Unnamed(syn::Index { index: 0, span })];
        let path = syn::parse_quote_spanned!(span=> ::core::option::Option::Some);
        let maker = Maker { path, members, call: true };
        self.temp(Value::Struct { maker, parts: vec![part] }, ty, span)
    }

    /// The place behind `&mut place` or a variable that is such a reference.
    fn target_place(&mut self, expr: &Expr) -> Option<(Place, Ty)> {
        let expr = match strip(expr) {
            Expr::Reference(reference) => &*reference.expr,
            other => other,
        };
        let (place, ty) = self.place(expr)?;
        Some(dereferenced(place, ty))
    }

    fn default_of(&mut self, ty: &Ty, span: Span) -> Atom {
        if ty.is_real() {
            let zero = if *ty == Ty::Generic { quote!(Default::default()) } else { quote!(0.0) };
            return Atom::Text(zero, ty.clone());
        }
        let code = Verbatim {
            code: Box::new(syn::parse_quote!(::core::default::Default::default())),
            names: Vec::new(),
            changes: Vec::new(),
            refusal: super::refusal::refuse(&quote!(), "a default value", ""),
            discrete: true,
        };
        self.temp(Value::Verbatim(code), ty.clone(), span)
    }

    /// Exchanges two places; scalars by assignments, so that they stay plain variables.
    fn swap(&mut self, a: Place, ty: Ty, b: Place, span: Span) {
        if ty.is_real() || ty == Ty::Discrete {
            let old = [a.clone(), b.clone()].map(|place| match self.load(place, ty.clone()) {
                (Value::Atom(atom), _) => atom,
                (value, ty) => self.temp(value, ty, span),
            });
            let [old_a, old_b] = old;
            for (place, value) in [(a, old_b), (b, old_a)] {
                self.written_place(&place);
                self.out.push(Stmt::Store { place, value });
            }
            return;
        }
        self.written_place(&a);
        self.written_place(&b);
        self.out.push(Stmt::Swap { a, b });
    }

    fn written_place(&mut self, place: &Place) {
        if let Some(var) = place.var() {
            self.written(var);
            self.forget_aliased(var);
        }
    }

    /// Puts `new` into `place` and gives what was there.
    fn replace(&mut self, place: Place, ty: Ty, new: Atom, span: Span) -> (Value, Ty) {
        if ty.is_copy() {
            let (value, ty) = self.load(place.clone(), ty);
            let old = match value {
                Value::Atom(atom) => atom,
                value => self.temp(value, ty.clone(), span),
            };
            self.written_place(&place);
            self.out.push(Stmt::Store { place, value: new });
            return (Value::Atom(old), ty);
        }
        let name = self.names.fresh("replaced", span);
        let var = self.new_var(name, ty.clone(), Role::Local, true);
        self.out.push(Stmt::Let { var, value: Value::Atom(new) });
        self.written_place(&place);
        self.out.push(Stmt::Swap { a: place, b: Place::of(var) });
        (Value::Load(Place::of(var)), ty)
    }

    fn function_call(
        &mut self,
        call: &syn::ExprCall,
        path: &syn::ExprPath,
        wanted: bool,
    ) -> (Value, Ty) {
        let mut args: Vec<Arg> = call.args.iter().map(|arg| self.arg(arg)).collect();
        share_repeated(&call.args, &mut args);
        self.companion_call(Callee::Function(path.path.clone()), args, wanted)
    }

    pub(super) fn companion_call(
        &mut self,
        callee: Callee,
        args: Vec<Arg>,
        wanted: bool,
    ) -> (Value, Ty) {
        self.call_by(callee, None, args, wanted)
    }

    /// A call whose derivative is that of `rule`, if that is given.
    pub(super) fn call_by(
        &mut self,
        callee: Callee,
        rule: Option<Callee>,
        mut args: Vec<Arg>,
        wanted: bool,
    ) -> (Value, Ty) {
        self.append_captured(&mut args);
        for arg in &args {
            if let Arg::Ref { place, mutable: true } = arg {
                self.written_place(place);
            }
        }
        let (last, span) = (callee.name().clone(), callee.name().span());
        let recursive = match rule.as_ref().unwrap_or(&callee) {
            Callee::Function(path) => path.is_ident(&self.signature.name),
            Callee::Associated(path) => {
                let first = path.path.segments.first();
                last == self.signature.name && first.is_some_and(|first| first.ident == "Self")
            }
            Callee::Method(name) => {
                *name == self.signature.name && self.signature.self_param().is_some()
            }
            Callee::Param(_) | Callee::Operator { .. } => false,
        };
        let known = match &callee {
            Callee::Param(of) => Some(of.functional.result.clone()),
            Callee::Operator { assigns: true, .. } => Some(Ty::Unit),
            Callee::Operator { .. } => Some(Ty::Named),
            callee if arrays::gives_array(callee) => Some(Ty::Named),
            _ => recursive.then(|| self.signature.result.clone()),
        };
        let unit = known.as_ref().map_or(!wanted, |ty| *ty == Ty::Unit);
        let ty = known.unwrap_or(Ty::Unknown);
        let dest = (!unit).then(|| {
            let name = Ident::new("t", Span::mixed_site().located_at(span));
            self.new_var(name, ty.clone(), Role::Temp, false)
        });
        let own = dest.filter(|_| self.gives_own(rule.as_ref().unwrap_or(&callee)));
        self.own.extend(own);
        let name = self.names.fresh(&format!("{}_pullback", plain(&last)), span);
        let pullback = self.new_var(name, Ty::Unknown, Role::Local, false);
        let closure = |arg: &Arg| matches!(arg, Arg::Function(Handed::Closure(_)));
        let again = args.iter().any(closure) || matches!(callee, Callee::Operator { .. });
        let call = Call { callee, rule, args, dest, pullback, recursive, again, span };
        self.out.push(Stmt::Call(call));
        match dest {
            Some(var) => (Value::Atom(Atom::Var(var)), ty),
            None => (Value::Atom(Atom::Text(quote!(()), Ty::Unit)), Ty::Unit),
        }
    }

    pub(super) fn arg(&mut self, expr: &Expr) -> Arg {
        if let Some(function) = self.handed(expr) {
            return function;
        }
        match strip(expr) {
            Expr::Reference(reference) => {
                let mutable = reference.mutability.is_some();
                if let Some((place, _)) = self.place(&reference.expr) {
                    return Arg::Ref { place, mutable };
                }
                let atom = self.atom(&reference.expr);
                match self.borrow_of(atom, mutable, expr.span()) {
                    Source::Borrow { place, mutable, .. } => Arg::Ref { place, mutable },
                    Source::Value(..) | Source::Tuple(_) => unreachable!("a borrow makes a borrow"),
                }
            }
            stripped => {
                if let Some((place, Ty::Ref { mutable, .. })) = self.place(stripped) {
                    return Arg::Ref { place: place.then(Step::Deref), mutable };
                }
                Arg::Value(self.atom(stripped))
            }
        }
    }

    /// Methods that move data and have no value; `false` if it is none of them.
    pub(super) fn method_statement(&mut self, call: &syn::ExprMethodCall) -> bool {
        if self.method_rule(call).is_some() {
            return false;
        }
        if self.for_each(call) || self.vector_statement(call).is_some() {
            return true;
        }
        let name = call.method.to_string();
        let args: Vec<&Expr> = call.args.iter().collect();
        match (name.as_str(), &args[..]) {
            ("copy_from_slice" | "clone_from_slice", [from]) => {
                let (Some((to, _)), Some((from, _))) =
                    (self.place(&call.receiver), self.target_place(from))
                else {
                    return false;
                };
                self.written_place(&to);
                self.out.push(Stmt::CopyFrom { to, from, method: call.method.clone() });
            }
            ("fill", [value]) => {
                let Some((to, ty)) = self.place(&call.receiver) else {
                    return false;
                };
                let value = self.atom(value);
                if ty.element().is_real() {
                    self.expect_scalar(&value);
                }
                self.written_place(&to);
                self.out.push(Stmt::Fill { to, value });
            }
            ("swap", [i, j]) => {
                let Some((place, ty)) = self.place(&call.receiver) else {
                    return false;
                };
                let (i, j) = (self.atom(i), self.atom(j));
                let elem = ty.element();
                let (a, b) = (place.clone().then(Step::Index(i)), place.then(Step::Index(j)));
                self.swap_elements(a, b, elem, call.span());
            }
            _ => return false,
        }
        true
    }

    /// `x.swap(i, j)`: like assignments for scalars; whole elements exchange by index.
    pub(super) fn swap_elements(&mut self, a: Place, b: Place, elem: Ty, span: Span) {
        if elem == Ty::Unknown || !elem.is_copy() {
            self.written_place(&a);
            self.out.push(Stmt::Swap { a, b });
            return;
        }
        let old =
            [a.clone(), b.clone()].map(|place| self.temp(Value::Load(place), elem.clone(), span));
        let [old_a, old_b] = old;
        for (place, value) in [(a, old_b), (b, old_a)] {
            self.written_place(&place);
            self.out.push(Stmt::Store { place, value });
        }
    }
}

/// A `&mut` variable handed over by its name may go to a `&` parameter. It must, if another argument
/// comes from the same variable.
pub(super) fn share_repeated(
    exprs: &syn::punctuated::Punctuated<Expr, syn::Token![,]>,
    args: &mut [Arg],
) {
    let roots: Vec<Option<VarId>> = args
        .iter()
        .map(|arg| match arg {
            Arg::Ref { place, .. } => place.var(),
            Arg::Value(_) | Arg::Function(_) => None,
        })
        .collect();
    for (k, (arg, expr)) in args.iter_mut().zip(exprs).enumerate() {
        let named = !matches!(strip(expr), Expr::Reference(_));
        let repeated = roots.iter().enumerate().any(|(j, root)| j != k && *root == roots[k]);
        if let Arg::Ref { mutable, .. } = arg
            && named
            && repeated
            && roots[k].is_some()
        {
            *mutable = false;
        }
    }
}

pub(super) fn starts_upper(name: &str) -> bool {
    name.starts_with(char::is_uppercase)
}
