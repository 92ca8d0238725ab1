//! Tangents: values, and calls that give value and tangent.
//!
//! ```text
//! let (y, y_tan) = f::forward(ad::handed((x, x_tan)), ad::handed(ad::Constant(n)), (&w, &w_tan));
//! let (y, y_tan) = model.f_forward(&model_tan, ad::handed((x, x_tan)));
//! let (y, y_tan) = apply::forward(|x, x_tan| (a * x, ad::pull(a_tan, x) + ad::pull(x_tan, a)), …);
//! ```

use super::handed::{bound, companion_function};
use super::tape::{reborrowed, rebound};
use super::value::{binary, borrowed_expr, operator_name, real, unary};
use super::{Emit, policy_of};
use crate::ir::*;
use crate::lambda::Derived;
use crate::record::Restoring;
use crate::signature::{Param, Passing};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{Expr, Token, parse_quote};

impl Emit<'_> {
    pub(super) fn tangent_value(&mut self, tangent: &Tangent, var: VarId) -> Expr {
        let ad = self.ad.clone();
        match tangent {
            Tangent::Zero(ty) => {
                let zero = self.zero(ty);
                parse_quote!(#zero)
            }
            Tangent::Zeros(place) => {
                let place = self.reference(place, false);
                parse_quote!(#ad::zeros(#place))
            }
            Tangent::Sum { a, b, negative } => {
                let op = match negative {
                    true => syn::BinOp::Sub(Token![-](Span::mixed_site())),
                    false => syn::BinOp::Add(Token![+](Span::mixed_site())),
                };
                binary(self.atom(a), op, self.atom(b))
            }
            Tangent::Neg(atom) => {
                unary(syn::UnOp::Neg(Token![-](Span::mixed_site())), self.atom(atom))
            }
            Tangent::Scaled(tangent, partial) => {
                let (tangent, partial) = (self.atom(tangent), self.atom(partial));
                self.pulled(tangent, partial)
            }
            Tangent::Literal(literal) => real(&ad, &self.scalar, &parse_quote!(#literal)),
            Tangent::PowerSlope { base, n, again } => {
                let generic = self.var(var).ty == Ty::Generic;
                self.power(base, n, *again, generic)
            }
            Tangent::Cast(atom, ty) => {
                let atom = self.atom(atom);
                parse_quote!(#ad::Cast::<#ty>::cast_tangent(#atom))
            }
            Tangent::Operator { op, args, tangents } => {
                let (name, span) = operator_name(*op);
                let operands = args.iter().zip(tangents).flat_map(|(arg, tangent)| [arg, tangent]);
                let operands = operands.map(|atom| borrowed_expr(self.atom(atom), span));
                let operands: Vec<Expr> = operands.collect();
                // At the operator, where a missing rule is blamed.
                let ad = Ident::new(&ad.to_string(), span);
                match op {
                    Operator::Binary(_) => syn::parse_quote_spanned! { span =>
                        #ad::OperatorTangent::<#ad::operator::#name, _>::tangent(#(#operands),*)
                    },
                    Operator::Unary(_) => syn::parse_quote_spanned! { span =>
                        #ad::UnaryOperatorTangent::<#ad::operator::#name>::tangent(#(#operands),*)
                    },
                }
            }
        }
    }

    /// `let Shape::Circle(r_tan) = &shape_tan else { … };`
    pub(super) fn unpack_tangent(&mut self, unpack: &UnpackTangent) -> TokenStream {
        let ad = self.ad.clone();
        let names = unpack.bound.iter().map(|(var, tan)| match unpack.adjoint {
            true => (self.name(*var), self.adjoint_name(*tan)),
            false => (self.name(*var), self.name(*tan)),
        });
        let pat = rebound(&unpack.pat, &names.collect::<Vec<_>>(), true);
        let tangent = match unpack.adjoint {
            true => self.adjoint_reference(&unpack.place, true),
            false => self.reference(&unpack.place, unpack.mutable),
        };
        let tangent = if unpack.mutable { reborrowed(tangent) } else { tangent };
        let otherwise = unpack.refutable.then(|| quote!(else { #ad::other_variant() }));
        quote!(let #pat = #tangent #otherwise;)
    }

    /// `let (y, y_tan) = f::forward(…);`
    pub(super) fn tangent_call(&mut self, tangent: &TangentCall) -> TokenStream {
        let call = &tangent.call;
        let mut before = TokenStream::new();
        let code = match call.companion() {
            Callee::Operator { op, assigns, .. } => {
                return self.operator_tangent(*op, *assigns, tangent);
            }
            Callee::Param(of) => self.called_tangent(of, tangent),
            Callee::Method(_) => self.method_tangent(tangent, &mut before),
            Callee::Function(_) | Callee::Associated(_) => {
                let args = self.tangent_args(tangent, (0, false), &mut before);
                let forward = self.companion_path(call, "forward");
                quote!(#forward(#(#args),*))
            }
        };
        let Some(dest) = call.dest else {
            return quote!(#before #code;);
        };
        let names = [Some(dest), tangent.dest].map(|var| match var {
            Some(var) if self.is_named(var) => {
                let (name, mutability) = (self.name(var), self.mutability(var));
                quote!(#mutability #name)
            }
            _ => quote!(_),
        });
        let [value, tangent] = names;
        match call.companion() {
            // What the signature of a parameter says gives no tangent.
            Callee::Param(of) if !of.functional.result_active() => {
                quote!(#before let #value = #code;)
            }
            _ => quote!(#before let (#value, #tangent) = #code;),
        }
    }

    /// `let y_tan = …; let y = &a * b;`, or `let next_tan = …; a += b; a_tan = next_tan;`
    fn operator_tangent(
        &mut self,
        op: Operator,
        assigns: bool,
        tangent: &TangentCall,
    ) -> TokenStream {
        let call = &tangent.call;
        let (name, span) = operator_name(op);
        let ad = Ident::new(&self.ad.to_string(), span);
        let mut operands = Vec::new();
        for (arg, tangent) in call.written().iter().zip(&tangent.tangents) {
            let primal = self.seen(arg);
            operands.push(primal.clone());
            operands.push(match tangent {
                Some(tangent) => self.seen(tangent),
                None => parse_quote!(&#ad::zeros(#primal)),
            });
        }
        let code: Expr = match op {
            Operator::Binary(_) => syn::parse_quote_spanned! { span =>
                #ad::OperatorTangent::<#ad::operator::#name, _>::tangent(#(#operands),*)
            },
            Operator::Unary(_) => syn::parse_quote_spanned! { span =>
                #ad::UnaryOperatorTangent::<#ad::operator::#name>::tangent(#(#operands),*)
            },
        };
        let plain = self.plain_call(call);
        if let (true, Some(Arg::Ref { place, .. })) = (assigns, &tangent.tangents[0]) {
            let next = self.names.fresh("next_tan", call.span);
            let target = self.placed(place, true);
            return quote!(let #next = #code; #plain; #target = #next;);
        }
        let [value, value_tan] = [call.dest, tangent.dest].map(|var| match var {
            Some(var) => {
                let (name, mutability) = (self.name(var), self.mutability(var));
                quote!(#mutability #name)
            }
            None => quote!(_),
        });
        quote!(let #value_tan = #code; let #value = #plain;)
    }

    /// An operand as its rule sees it: by reference.
    fn seen(&mut self, arg: &Arg) -> Expr {
        match arg {
            Arg::Ref { place, .. } => self.reference(place, false),
            Arg::Value(atom) => borrowed_expr(self.atom(atom), Span::mixed_site()),
            Arg::Function(_) => panic!("a function is no operand"),
        }
    }

    /// `let ((y, y_tan), f_pullback) = f::second(policy, …);`
    pub(super) fn second_call(
        &mut self,
        tangent: &TangentCall,
        restoring: Restoring,
    ) -> TokenStream {
        let (call, mut before) = (&tangent.call, TokenStream::new());
        let args = self.tangent_args(tangent, (0, true), &mut before);
        let (policy, second) = (policy_of(self, restoring), self.companion_path(call, "second"));
        let pullback = self.name(call.pullback);
        let code = quote!(#second(#policy #(, #args)*));
        let Some(dest) = call.dest else {
            return quote!(let (_, #pullback) = #code;);
        };
        let vars = [Some(dest), tangent.dest];
        if vars.iter().flatten().any(|var| self.hoisted.contains(var)) {
            let names = vars.map(|var| match var {
                Some(var) => {
                    let name = self.name(var);
                    quote!(#name)
                }
                None => quote!(_),
            });
            let [value, tangent] = names;
            return quote!(let #pullback; ((#value, #tangent), #pullback) = #code;);
        }
        let names = vars.map(|var| match var {
            Some(var) => {
                let (name, mutability) = (self.name(var), self.mutability(var));
                quote!(#mutability #name)
            }
            None => quote!(_),
        });
        let [value, tangent] = names;
        quote!(let ((#value, #tangent), #pullback) = #code;)
    }

    /// `let ((x_part, x_part_tan), _) = f::second_reverse(f_pullback, …, (y_adj, y_adj_tan));`
    pub(super) fn second_pullback(&mut self, second: &SecondPullback) -> TokenStream {
        let (mut before, mut after) = (TokenStream::new(), TokenStream::new());
        let pullback = &second.pullback;
        let (ad, name) = (self.ad.clone(), self.name(pullback.call.pullback));
        let mut args = vec![quote!(#name)];
        for (arg, tangent) in pullback.args.iter().zip(&second.tangents) {
            let (primal, adjoint) = self.handed_over(arg, &mut before, &mut after);
            let primal = self.handed_on(primal, arg);
            let Some(tangent) = tangent else {
                args.push(quote!(#ad::Constant(#primal)));
                continue;
            };
            let (primal_tan, adjoint_tan) = self.handed_over(tangent, &mut before, &mut after);
            let primal_tan = self.handed_on(primal_tan, tangent);
            args.push(quote!((#primal, #primal_tan, #adjoint, #adjoint_tan)));
        }
        args.push(match (&pullback.seed, &second.seed) {
            (Some(seed), Some(tangent)) => {
                let (seed, tangent) = (self.atom(seed), self.atom(tangent));
                quote!((#seed, #tangent))
            }
            _ => quote!(()),
        });
        let reverse = self.companion_path(&pullback.call, "second_reverse");
        let code = quote!(#reverse(#(#args),*));
        let results = pullback.results.iter().zip(&second.results).map(|pair| match pair {
            (Some(part), Some(tangent)) => {
                let (part, tangent) = (self.name(*part), self.name(*tangent));
                quote!((#part, #tangent))
            }
            _ => quote!(_),
        });
        let results: Vec<TokenStream> = results.collect();
        let code = match &results[..] {
            _ if pullback.results.iter().all(Option::is_none) => quote!(#code;),
            [single] => quote!(let #single = #code;),
            several => quote!(let (#(#several),*) = #code;),
        };
        quote!(#before #code #after)
    }

    /// `x.f_forward(&x_tan, …)`
    fn method_tangent(&mut self, tangent: &TangentCall, before: &mut TokenStream) -> TokenStream {
        let ad = self.ad.clone();
        let receiver = self.plain_arg(&tangent.call.args[0]);
        let (receiver, _) = self.receiver_of(&tangent.call, vec![receiver]);
        let own = match &tangent.tangents[0] {
            None => quote!(#ad::Constant(())),
            Some(Arg::Value(atom)) => {
                let atom = self.atom(atom);
                quote!(&#atom)
            }
            Some(arg) => {
                let arg = self.handed_tangent(arg);
                quote!(#arg)
            }
        };
        let rest = self.tangent_args(tangent, (1, false), before);
        let forward = self.companion_path(&tangent.call, "forward");
        quote!(#receiver.#forward(#own #(, #rest)*))
    }

    /// The arguments of `forward`, from the one at `first`, or of `second`.
    fn tangent_args(
        &mut self,
        tangent: &TangentCall,
        (first, second): (usize, bool),
        before: &mut TokenStream,
    ) -> Vec<TokenStream> {
        let ad = self.ad.clone();
        let call = &tangent.call;
        let mut args = Vec::new();
        for (k, arg) in call.written().iter().enumerate().skip(first) {
            if let Arg::Function(handed) = arg {
                args.push(self.handed_function(tangent, k, handed, before));
                continue;
            }
            let primal = self.handed_tangent(arg);
            let handed = match &tangent.tangents[k] {
                Some(tangent) => {
                    let tangent = self.handed_tangent(tangent);
                    quote!((#primal, #tangent))
                }
                None => quote!(#ad::Constant(#primal)),
            };
            args.push(match arg {
                Arg::Ref { .. } if second => quote!(#ad::handed(#handed)),
                // At the call, where an active value for a constant parameter is blamed.
                Arg::Value(_) => {
                    let span = Span::mixed_site().located_at(call.span);
                    let ad = Ident::new(&ad.to_string(), span);
                    quote_spanned!(span => #ad::handed(#handed))
                }
                Arg::Ref { .. } | Arg::Function(_) => handed,
            });
        }
        args
    }

    /// An argument inside of a tuple, where it is not reborrowed by itself.
    fn handed_tangent(&mut self, arg: &Arg) -> Expr {
        let expr = self.plain_arg(arg);
        let Arg::Ref { place, mutable } = arg else { return expr };
        let behind = place.var().map(|var| &self.var(var).ty);
        match (mutable, behind) {
            (true, _) => reborrowed(expr),
            (false, Some(Ty::Ref { mutable: true, .. })) if matches!(expr, Expr::Path(_)) => {
                parse_quote!(&*#expr)
            }
            _ => expr,
        }
    }

    /// `f_tangent(x, x_tan, n)`, for a parameter that is a function.
    fn called_tangent(&mut self, of: &CalledParam, tangent: &TangentCall) -> TokenStream {
        let (ad, name) = (self.ad.clone(), &of.functional.tangent);
        let mut args: Vec<TokenStream> = Vec::new();
        let written = tangent.call.written().iter().zip(&tangent.tangents);
        for (input, (arg, tangent)) in of.functional.inputs.iter().zip(written) {
            let primal = self.plain_arg(arg);
            let tangent = tangent.as_ref().map(|tangent| self.plain_arg(tangent));
            args.push(match (input.active, tangent) {
                (false, _) => quote!(#primal),
                (true, Some(tangent)) => quote!(#primal, #tangent),
                (true, None) => match input.passing {
                    Passing::Value => {
                        let zero = match arg {
                            Arg::Value(Atom::Text(_, ty)) => self.zero(ty),
                            _ => quote!(#ad::zeros(&#primal)),
                        };
                        quote!(#primal, #zero)
                    }
                    Passing::Ref => quote!(#primal, &#ad::zeros(&*#primal)),
                    Passing::RefMut => quote!(#primal, &mut #ad::zeros(&*#primal)),
                },
            });
        }
        quote!(#name(#(#args),*))
    }

    /// A function as an argument: what gives value and tangent.
    fn handed_function(
        &mut self,
        tangent: &TangentCall,
        k: usize,
        handed: &Handed,
        before: &mut TokenStream,
    ) -> TokenStream {
        match handed {
            Handed::Path { path, .. } => companion_function(path, "tangent"),
            Handed::Param { of, .. } => {
                let name = &of.functional.tangent;
                quote!(#name)
            }
            Handed::Closure(lambda) => {
                let Some(derived) = self.sweeps.lambdas.get(&(tangent.call.pullback, k)) else {
                    panic!("argument {k} is a closure without tangents");
                };
                self.tangent_closure(tangent, lambda, derived, before)
            }
            Handed::Refused { plain, .. } => {
                let plain = self.atom(plain);
                quote!(#plain)
            }
        }
    }

    /// `|x, x_tan| { …; (y, y_tan) }`
    fn tangent_closure(
        &mut self,
        tangent: &TangentCall,
        lambda: &Lambda,
        derived: &Derived,
        before: &mut TokenStream,
    ) -> TokenStream {
        let sweeps = &derived.sweeps;
        self.bind_captured(tangent, lambda, derived, before);
        let mut names = derived.names.with(&sweeps.names);
        let policy = Ident::new("_", Span::call_site());
        let mut emit = Emit::new(
            sweeps,
            self.ad.clone(),
            (policy.clone(), policy),
            self.strong_zero,
            self.scalar.clone(),
            &mut names,
        );
        let (body, result) = emit.forward();
        let result_tangent = emit.result_tangent();
        let ad = &self.ad;
        let inputs = derived.signature.params[lambda.captures..].iter().zip(&lambda.inputs);
        let params = sweeps.function.params[lambda.captures..].iter().zip(inputs);
        let params: Vec<TokenStream> = params
            .flat_map(|(id, (param, written))| closure_params(sweeps, *id, param, written.as_ref()))
            .collect();
        let end = match (result, result_tangent) {
            (Some(result), Some(tangent)) => quote!((#result, #tangent)),
            (Some(result), None) if derived.signature.result.may_hold_reals() => {
                let value = Ident::new("value", Span::mixed_site());
                quote!(let #value = #result; let tangent = #ad::zeros(&#value); (#value, tangent))
            }
            (Some(result), None) => quote!(#result),
            (None, _) => TokenStream::new(),
        };
        quote!(|#(#params),*| { #body #end })
    }

    /// Variables that a closure captures under other names than they have here.
    fn bind_captured(
        &mut self,
        tangent: &TangentCall,
        lambda: &Lambda,
        derived: &Derived,
        before: &mut TokenStream,
    ) {
        let ids = derived.sweeps.function.params.iter().take(lambda.captures);
        for (k, (param, id)) in derived.signature.params.iter().zip(ids).enumerate() {
            let at = lambda.first + k;
            if let Arg::Ref { place, .. } = &tangent.call.args[at] {
                let primal = self.reference(place, false);
                before.extend(bound(&param.name, param, &primal));
            }
            let own = derived.sweeps.tangents.get(id);
            if let (Some(Arg::Ref { place, .. }), Some(own)) = (&tangent.tangents[at], own) {
                let name = &derived.sweeps.function.var(*own).name;
                let outer = self.reference(place, false);
                before.extend(bound(name, param, &outer));
            }
        }
    }
}

/// `x: f64, x_tan: f64`
fn closure_params(
    sweeps: &crate::sweep::Sweeps,
    id: VarId,
    param: &Param,
    written: Option<&syn::Type>,
) -> Vec<TokenStream> {
    let (name, mutability) = (&param.name, param.mutable.then(|| quote!(mut)));
    let ty = written.map(|ty| quote!(: #ty));
    let mut params = vec![quote!(#mutability #name #ty)];
    if param.active {
        let tangent = &sweeps.function.var(sweeps.tangents[&id]).name;
        params.push(quote!(#mutability #tangent #ty));
    }
    params
}
