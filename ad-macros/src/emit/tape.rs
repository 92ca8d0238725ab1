//! What only the sweeps do.

use super::handed::{Captured, companion_function};
use super::value::dotted;
use super::{Emit, policy_of, split_method};
use crate::ir::*;
use crate::record::Restoring;
use crate::signature::Passing;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::Expr;

impl Emit<'_> {
    pub(super) fn tape_op(&mut self, op: &TapeOp) -> TokenStream {
        let ad = self.ad.clone();
        match op {
            TapeOp::Record { tape, value, when } => {
                let value = self.saved(value);
                let code = match tape {
                    Tape::Stack(name) => quote!(#name.push(#value);),
                    Tape::Slot(name) => quote!(#name = #ad::Some(#value);),
                };
                self.when(*when, code)
            }
            TapeOp::Restore { tape, place, when } => self.restore(tape, place, *when),
            TapeOp::Begin { var, shape } => self.begin(*var, shape),
            TapeOp::BeginWith { var, value } => {
                let (name, value) = (self.adjoint_name(*var), self.atom(value));
                let mutability = self.grown.contains(var).then(|| quote!(mut));
                quote!(let #mutability #name = #value;)
            }
            TapeOp::BeginFrom { var, other, clear } => {
                let name = self.adjoint_name(*var);
                let mutability = self.grown.contains(var).then(|| quote!(mut));
                let whole = other.0.path.is_empty();
                let value = match (clear, whole) {
                    (true, _) => {
                        let source = self.adjoint_reference(&other.0, true);
                        quote!(#ad::take_all(#source))
                    }
                    (false, true) => {
                        let source = self.adjoint_place(&other.0);
                        quote!(#source)
                    }
                    (false, false) => {
                        let source = self.adjoint_reference(&other.0, false);
                        quote!(#ad::copied(#source))
                    }
                };
                quote!(let #mutability #name = #value;)
            }
            TapeOp::Accumulate { adjoint, value, negative } => {
                let (target, value) = (self.adjoint_placed(&adjoint.0, true), self.atom(value));
                let (value, negative) = match value {
                    Expr::Unary(syn::ExprUnary { op: syn::UnOp::Neg(_), expr, .. }) => {
                        (*expr, !negative)
                    }
                    value => (value, *negative),
                };
                if negative { quote!(#target -= #value;) } else { quote!(#target += #value;) }
            }
            TapeOp::AccumulateAll { adjoint, other, copied } => {
                let target = self.adjoint_reference(&adjoint.0, true);
                let source = self.adjoint_reference(&other.0, false);
                if *copied {
                    let part = self.names.fresh("part_adj", proc_macro2::Span::call_site());
                    return quote! {
                        let #part = #ad::copied(#source);
                        #ad::accumulate(#target, &#part);
                    };
                }
                quote!(#ad::accumulate(#target, #source);)
            }
            TapeOp::AccumulateSum { adjoint, other } => {
                let target = self.adjoint_reference(&adjoint.0, true);
                let source = self.adjoint_reference(&other.0, false);
                quote!(#ad::add_sum(#target, #source);)
            }
            TapeOp::Clear { adjoint } => {
                if self.place_ty(&adjoint.0).is_real() {
                    let zero = self.zero(&self.place_ty(&adjoint.0));
                    let target = self.adjoint_placed(&adjoint.0, true);
                    return quote!(#target = #zero;);
                }
                let target = self.adjoint_reference(&adjoint.0, true);
                quote!(#ad::clear(#target);)
            }
            TapeOp::Reshape { place } => {
                let target = self.adjoint_placed(place, true);
                let primal = self.reference(place, false);
                quote!(#target = #ad::zeros(#primal);)
            }
            TapeOp::PushBack { place, value, when } => {
                let (place, value) = (dotted(self.placed(place, true)), self.kept(value));
                self.when(*when, quote!(#place.push(#value);))
            }
            TapeOp::PopBack { place, when } => {
                let place = dotted(self.placed(place, true));
                self.when(*when, quote!(#place.pop();))
            }
            TapeOp::PushAdjoint { adjoint, value } => {
                let target = dotted(self.adjoint_placed(&adjoint.0, true));
                let value = match value {
                    Some(value) => self.atom(value).to_token_stream(),
                    None => self.zero(&self.place_ty(&adjoint.0).element()),
                };
                quote!(#target.push(#value);)
            }
            TapeOp::PermuteBack { place, how, when } => {
                let target = dotted(self.placed(place, true));
                let items = self.reference(place, true);
                let code = self.permutation(&target, &items, how, true);
                self.when(*when, code)
            }
            TapeOp::PermuteAdjoint { adjoint: Adjoint(place), how } => {
                let target = dotted(self.adjoint_placed(place, true));
                let items = self.adjoint_reference(place, true);
                self.permutation(&target, &items, how, true)
            }
            TapeOp::SwapBack { a, b, when } => {
                let code = self.swap(a, b, false);
                self.when(*when, code)
            }
            TapeOp::SwapAdjoints { a, b } => self.swap(a, b, true),
            TapeOp::Call { call, restoring } => self.split_call(call, *restoring),
            TapeOp::Pullback(pullback) => self.pullback(pullback),
            TapeOp::Reborrow { var, mutable, place } => {
                let (name, name_adj) = (self.name(*var), self.adjoint_name(*var));
                let primal = self.reference(place, *mutable);
                let adjoint = self.adjoint_reference(place, true);
                quote!(let #name = #primal; let #name_adj = #adjoint;)
            }
            TapeOp::Resplit { left, right, mutable, place, mid } => {
                let mid = self.atom(mid);
                let method = split_method(*mutable);
                let (l, r) = (self.name(*left), self.name(*right));
                let (l_adj, r_adj) = (self.adjoint_name(*left), self.adjoint_name(*right));
                let primal = dotted(self.placed(place, *mutable));
                let adjoint = dotted(self.adjoint_placed(place, true));
                quote! {
                    let (#l, #r) = #primal.#method(#mid);
                    let (#l_adj, #r_adj) = #adjoint.split_at_mut(#mid);
                }
            }
            TapeOp::Unpack(unpack) => self.unpack(unpack),
            TapeOp::Tangent(tangent) => self.tangent_call(tangent),
            TapeOp::SetZero { place } => {
                let target = self.reference(place, true);
                quote!(#ad::clear(#target);)
            }
            TapeOp::SecondCall { call, restoring } => self.second_call(call, *restoring),
            TapeOp::SecondPullback(second) => self.second_pullback(second),
            TapeOp::UnpackTangent(unpack) => self.unpack_tangent(unpack),
            TapeOp::Repeat { trips, body } => {
                let (trips, body) = (self.name(*trips), self.block(body));
                quote!(for _ in 0..#trips #body)
            }
            TapeOp::ForRev { index, range, body } => {
                let index = self.index(*index, body);
                // Where the index is not used, only the number of trips counts.
                let reversed = index.to_string() != "_";
                let (range, body) = (self.range(range, reversed), self.block(body));
                quote!(for #index in #range #body)
            }
            TapeOp::Count { trips } => {
                let trips = self.name(*trips);
                quote!(#trips += 1;)
            }
            TapeOp::CountTo { end, index } => {
                let (end, index) = (self.name(*end), self.name(*index));
                quote!(#end = #index + 1;)
            }
        }
    }

    fn when(&self, when: When, code: TokenStream) -> TokenStream {
        match when {
            When::Always => code,
            When::Restored => {
                let policy = &self.policy.0;
                quote!(if #policy::RESTORE { #code })
            }
        }
    }

    /// A permutation of what is named `target` and referred to by `items`, or its inverse.
    pub(super) fn permutation(
        &mut self,
        target: &Expr,
        items: &Expr,
        how: &Permutation,
        inverse: bool,
    ) -> TokenStream {
        match how {
            Permutation::Rotate { left, by } => {
                let by = self.atom(by);
                if *left == inverse {
                    quote!(#target.rotate_right(#by);)
                } else {
                    quote!(#target.rotate_left(#by);)
                }
            }
            Permutation::Reverse => quote!(#target.reverse();),
            Permutation::Order(order) => {
                let (ad, order) = (self.ad.clone(), self.atom(order));
                if inverse {
                    quote!(#ad::unpermute(#items, &#order);)
                } else {
                    quote!(#ad::permute(#items, &#order);)
                }
            }
        }
    }

    /// A copy of an operand that stays.
    fn kept(&mut self, atom: &Atom) -> TokenStream {
        let expr = self.atom(atom);
        let copy = atom.var().is_none_or(|var| self.var(var).ty.is_copy());
        match expr {
            expr if copy => quote!(#expr),
            Expr::Unary(_) => quote!((#expr).clone()),
            expr => quote!(#expr.clone()),
        }
    }

    fn saved(&mut self, saved: &Saved) -> TokenStream {
        match saved {
            Saved::Literal(text) => text.clone(),
            Saved::Moved(var) => {
                let name = self.name(*var);
                quote!(#name)
            }
            Saved::Var(var) => self.kept(&Atom::Var(*var)),
            Saved::Place(place) if self.place_ty(place).is_copy() => {
                let expr = self.place(place);
                quote!(#expr)
            }
            Saved::Place(place) => {
                let (ad, target) = (self.ad.clone(), self.reference(place, false));
                quote!(#ad::copied(#target))
            }
        }
    }

    /// The type of a place's contents.
    fn place_ty(&self, place: &Place) -> Ty {
        self.sweeps.function.place_ty(place)
    }

    pub(super) fn zero(&self, ty: &Ty) -> TokenStream {
        let ad = &self.ad;
        if *ty == Ty::Generic { quote!(#ad::zero()) } else { quote!(0.0) }
    }

    fn restore(&mut self, tape: &Tape, place: &Place, when: When) -> TokenStream {
        let ad = self.ad.clone();
        let value = match tape {
            Tape::Stack(name) => quote!(#name.pop()),
            Tape::Slot(name) => quote!(#ad::recorded(#name)),
        };
        let code = if self.place_ty(place).is_copy() {
            let target = self.placed(place, true);
            quote!(#target = #value;)
        } else {
            let target = self.reference(place, true);
            quote!(#ad::overwrite(#target, &#value);)
        };
        self.when(when, code)
    }

    fn begin(&mut self, var: VarId, shape: &Shape) -> TokenStream {
        let ad = self.ad.clone();
        let name = self.adjoint_name(var);
        let zero = match &self.var(var).ty {
            Ty::Named | Ty::Wrapped { .. } if self.scalar.is_some() => self.zero(&Ty::Generic),
            Ty::Array { elem, .. } => self.zero(elem),
            Ty::Tuple(parts) => self.zero(parts.first().unwrap_or(&Ty::Float)),
            ty => self.zero(ty),
        };
        let value = match shape {
            Shape::Scalar => zero,
            Shape::Repeat { len, heap } => {
                let len = self.atom(len);
                if *heap { quote!(vec![#zero; #len]) } else { quote!([#zero; #len]) }
            }
            Shape::Literal { len, tuple: true, .. } => {
                let zeros = std::iter::repeat_n(zero, *len);
                quote!((#(#zeros,)*))
            }
            Shape::Literal { len, heap, .. } => {
                let len = proc_macro2::Literal::usize_unsuffixed(*len);
                if *heap { quote!(vec![#zero; #len]) } else { quote!([#zero; #len]) }
            }
            Shape::Struct(maker) => {
                let zeros = maker.members.iter().map(|_| syn::parse_quote!(#zero)).collect();
                let value = super::value::made(maker, zeros);
                quote!(#value)
            }
            Shape::Like(place) => {
                let place = self.reference(place, false);
                quote!(#ad::zeros(#place))
            }
            Shape::Itself => {
                let primal = self.atom(&Atom::Var(var));
                quote!(#ad::zeros(&#primal))
            }
        };
        let mutability = self.grown.contains(&var).then(|| quote!(mut));
        quote!(let #mutability #name = #value;)
    }

    /// `let Shape::Circle(r) = shape else { … };`, and the same for the adjoint.
    fn unpack(&mut self, unpack: &Unpack) -> TokenStream {
        let ad = self.ad.clone();
        let otherwise = unpack.refutable.then(|| quote!(else { #ad::other_variant() }));
        let mut out = TokenStream::new();
        if unpack.primal {
            let names = unpack.bound.iter().map(|var| (self.name(*var), self.name(*var)));
            let pat = rebound(&unpack.pat, &names.collect::<Vec<_>>(), false);
            let primal = self.reference(&unpack.place, unpack.mutable);
            let primal = if unpack.mutable { reborrowed(primal) } else { primal };
            out.extend(quote!(let #pat = #primal #otherwise;));
        }
        if unpack.adjoint {
            let names = unpack.bound.iter().map(|var| (self.name(*var), self.adjoint_name(*var)));
            let pat = rebound(&unpack.pat, &names.collect::<Vec<_>>(), false);
            let adjoint = reborrowed(self.adjoint_reference(&unpack.place, true));
            out.extend(quote!(let #pat = #adjoint #otherwise;));
        }
        out
    }

    /// `let (y, f_pullback) = f::vjp(policy, x);`
    fn split_call(&mut self, call: &Call, restoring: Restoring) -> TokenStream {
        let policy = policy_of(self, restoring);
        // A method may take any policy by reference, as no caller can know.
        let borrowed = match restoring {
            Restoring::Inherit => {
                let policy_ty = &self.policy.0;
                quote!(#policy_ty::BORROWED)
            }
            Restoring::Unspecified | Restoring::Restored => quote!(&#policy),
        };
        let args = self.vjp_args(call);
        let pullback = self.name(call.pullback);
        let code = self.vjp_call(call, &policy, &borrowed, args);
        let Some(dest) = call.dest else {
            return quote!(let #pullback = #code;);
        };
        let name = self.name(dest);
        if self.hoisted.contains(&dest) {
            return quote!(let #pullback; (#name, #pullback) = #code;);
        }
        let mutability = self.mutability(dest);
        quote!(let (#mutability #name, #pullback) = #code;)
    }

    /// `f::vjp(policy, x)`; a method takes the policy by reference.
    pub(super) fn vjp_call(
        &self,
        call: &Call,
        policy: &TokenStream,
        borrowed: &TokenStream,
        args: Vec<TokenStream>,
    ) -> TokenStream {
        let vjp = self.companion_path(call, "vjp");
        match call.companion() {
            Callee::Method(_) => {
                let mut args = args.into_iter();
                let receiver = args.next().expect("a method has a receiver");
                let receiver = syn::parse2(receiver).expect("an argument is an expression");
                let (receiver, _) = self.receiver_of(call, vec![receiver]);
                quote!(#receiver.#vjp(#borrowed #(, #args)*))
            }
            Callee::Operator { .. } => panic!("an operator has no pullback of its own"),
            Callee::Associated(_) => quote!(#vjp(#borrowed #(, #args)*)),
            Callee::Function(_) => quote!(#vjp(#policy #(, #args)*)),
            Callee::Param(of) => {
                let (ad, vjp) = (&self.ad, &of.vjp);
                let known =
                    if of.functional.writes() { quote!(Restored) } else { quote!(Unspecified) };
                quote!(#vjp(#ad::#known #(, #args)*))
            }
        }
    }

    /// `f::vjp`, with the span of `f`, so that a function without companion is blamed itself.
    pub(super) fn companion_path(&self, call: &Call, name: &str) -> TokenStream {
        let method = proc_macro2::Ident::new(name, call.span);
        match call.companion() {
            Callee::Function(_) if call.recursive => quote!(Self::#method),
            Callee::Function(path) => companion_function(path, name),
            Callee::Param(of) => {
                let name = &of.functional.name;
                quote!(#name)
            }
            Callee::Associated(path) => {
                let mut path = path.clone();
                if let Some(last) = path.path.segments.last_mut() {
                    last.ident = sibling(&last.ident, name);
                }
                quote!(#path)
            }
            Callee::Method(own) => {
                let method = sibling(own, name);
                quote!(#method)
            }
            Callee::Operator { .. } => quote!(#method),
        }
    }

    /// A primal argument, reborrowed where it would be moved.
    pub(super) fn handed_on(&self, primal: Expr, arg: &PullbackArg) -> Expr {
        let ty = arg.place.var().map(|var| &self.var(var).ty);
        match (arg.mutable, ty) {
            (true, _) => reborrowed(primal),
            (false, Some(Ty::Ref { mutable: true, .. })) if matches!(primal, Expr::Path(_)) => {
                syn::parse_quote!(&*#primal)
            }
            _ => primal,
        }
    }

    /// `let (x_part, _) = f::reverse(f_pullback, (w, w_adj), y_adj);`
    fn pullback(&mut self, pullback: &PullbackCall) -> TokenStream {
        let call = &pullback.call;
        if let Callee::Operator { op, assigns, .. } = call.companion() {
            return self.operator_pullback(*op, *assigns, pullback);
        }
        let (mut before, mut after) = (TokenStream::new(), TokenStream::new());
        let referred = call.written().iter().filter(|arg| matches!(arg, Arg::Ref { .. })).count();
        let (written, captured) = pullback.args.split_at(referred);
        let captured = captured.iter().map(|arg| {
            let (primal, adjoint) = self.handed_over(arg, &mut before, &mut after);
            Captured { primal, adjoint }
        });
        let captured: Vec<Captured> = captured.collect();
        let again = call.again.then(|| self.run_again(call, written, captured));
        let seed = pullback.seed.as_ref().map(|seed| self.atom(seed));
        let code = match call.companion() {
            Callee::Param(of) => self.own_pullback(of, pullback, seed, &mut before, &mut after),
            _ => self.reversed(pullback, written, seed, &mut before, &mut after),
        };
        let code = match again {
            Some(again) => quote!({ #again #code }),
            None => code,
        };
        let results: Vec<TokenStream> = pullback
            .results
            .iter()
            .map(|result| match result {
                Some(var) => {
                    let name = self.name(*var);
                    quote!(#name)
                }
                None => quote!(_),
            })
            .collect();
        let code = match &results[..] {
            _ if pullback.results.iter().all(Option::is_none) => quote!(#code;),
            [single] => quote!(let #single = #code;),
            several => quote!(let (#(#several),*) = #code;),
        };
        quote!(#before #code #after)
    }

    /// `f::reverse(f_pullback, (w, w_adj), y_adj)`
    fn reversed(
        &mut self,
        pullback: &PullbackCall,
        written: &[PullbackArg],
        seed: Option<Expr>,
        before: &mut TokenStream,
        after: &mut TokenStream,
    ) -> TokenStream {
        let reverse = self.companion_path(&pullback.call, "reverse");
        let name = self.name(pullback.call.pullback);
        let method = matches!(pullback.call.companion(), Callee::Method(_));
        let (receiver, rest) = written.split_at(usize::from(method));
        let mut args: Vec<TokenStream> = Vec::new();
        let mut front = None;
        for arg in receiver {
            let (primal, adjoint) = self.handed_over(arg, before, after);
            let (primal, _) = self.receiver_of(&pullback.call, vec![primal]);
            front = Some(quote!(#primal.));
            let ad = &self.ad;
            args.push(adjoint.unwrap_or_else(|| quote!(#ad::Constant(()))));
        }
        args.push(quote!(#name));
        for arg in rest {
            let (primal, adjoint) = self.handed_over(arg, before, after);
            let (primal, ad) = (self.handed_on(primal, arg), &self.ad);
            args.push(match adjoint {
                Some(adjoint) => quote!((#primal, #adjoint)),
                None => quote!(#ad::Constant(#primal)),
            });
        }
        args.push(seed.map_or_else(|| quote!(()), |seed| quote!(#seed)));
        quote!(#front #reverse(#(#args),*))
    }

    /// `f_pullback(x, x_adj, y_adj)`, for a parameter that is a function: all its parameters are
    /// active, and it gives no adjoints of others.
    fn own_pullback(
        &mut self,
        of: &CalledParam,
        pullback: &PullbackCall,
        seed: Option<Expr>,
        before: &mut TokenStream,
        after: &mut TokenStream,
    ) -> TokenStream {
        let ad = self.ad.clone();
        let name = self.name(pullback.call.pullback);
        let inputs = &of.functional.inputs;
        let mut args: Vec<TokenStream> = Vec::new();
        let referred = inputs.iter().filter(|input| input.passing != Passing::Value);
        for (input, arg) in referred.zip(&pullback.args) {
            let (primal, adjoint) = self.handed_over(arg, before, after);
            let primal = self.handed_on(primal, arg);
            if input.active && adjoint.is_none() {
                let part = self.names.fresh("part_adj", pullback.call.span);
                before.extend(quote!(let mut #part = #ad::zeros(#primal);));
                args.push(quote!(#primal, &mut #part));
            } else {
                let adjoint = adjoint.into_iter();
                args.push(quote!(#primal #(, #adjoint)*));
            }
        }
        if of.functional.result_active() {
            args.extend(seed.map(|seed| quote!(#seed)));
        }
        let call = quote!(#name(#(#args),*));
        let owned: Vec<bool> = inputs
            .iter()
            .filter(|input| input.passing == Passing::Value)
            .map(|input| input.active)
            .collect();
        if owned.iter().all(|active| *active) {
            return call;
        }
        let names = (0..owned.len()).map(|k| quote::format_ident!("part_{}", k));
        let parts: Vec<proc_macro2::Ident> = names.collect();
        let found = parts.iter().zip(&owned).filter(|(_, active)| **active).map(|(part, _)| part);
        let found: Vec<&proc_macro2::Ident> = found.collect();
        let all = parts.iter().zip(&owned).map(|(part, active)| match active {
            true => quote!(#part),
            false => quote!(#ad::ConstantInCallee),
        });
        let all: Vec<TokenStream> = all.collect();
        quote!({ let (#(#found),*) = #call; (#(#all),*) })
    }

    /// A reference argument of a pullback, and its adjoint if it has one.
    pub(super) fn handed_over(
        &mut self,
        arg: &PullbackArg,
        before: &mut TokenStream,
        after: &mut TokenStream,
    ) -> (Expr, Option<TokenStream>) {
        let ad = self.ad.clone();
        let primal = self.reference(&arg.place, arg.mutable);
        let adjoint = match &arg.adjoint {
            Passed::Constant => None,
            Passed::InPlace => {
                let adjoint = reborrowed(self.adjoint_reference(&arg.place, true));
                Some(quote!(#adjoint))
            }
            Passed::Temporary(part) => {
                before.extend(quote!(let mut #part = #ad::zeros(#primal);));
                let target = self.adjoint_reference(&arg.place, true);
                after.extend(quote!(#ad::accumulate(#target, &#part);));
                Some(quote!(&mut #part))
            }
        };
        (primal, adjoint)
    }
}

/// The pattern with other names for what it binds, matched through a reference; what it compares
/// with literals need not be compared again. What gets no other name is not bound if it is `dropped`.
pub(super) fn rebound(
    pat: &syn::Pat,
    names: &[(proc_macro2::Ident, proc_macro2::Ident)],
    dropped: bool,
) -> syn::Pat {
    use syn::visit_mut::{self, VisitMut};
    struct Rebind<'a>(&'a [(proc_macro2::Ident, proc_macro2::Ident)], bool);
    impl VisitMut for Rebind<'_> {
        fn visit_pat_mut(&mut self, pat: &mut syn::Pat) {
            if matches!(pat, syn::Pat::Lit(_) | syn::Pat::Range(_)) {
                *pat = syn::parse_quote!(_);
            }
            if let syn::Pat::Ident(ident) = pat
                && self.1
                && !self.0.iter().any(|(old, _)| *old == ident.ident)
                // Not a constant or variant.
                && !ident.ident.to_string().starts_with(char::is_uppercase)
            {
                *pat = match ident.subpat.take() {
                    Some((_, inner)) => *inner,
                    None => syn::parse_quote!(_),
                };
            }
            visit_mut::visit_pat_mut(self, pat);
        }
        fn visit_pat_ident_mut(&mut self, ident: &mut syn::PatIdent) {
            if let Some((_, new)) = self.0.iter().find(|(old, _)| *old == ident.ident) {
                (ident.by_ref, ident.mutability) = (None, None);
                ident.ident = new.clone();
            }
            visit_mut::visit_pat_ident_mut(self, ident);
        }
        fn visit_field_pat_mut(&mut self, field: &mut syn::FieldPat) {
            visit_mut::visit_field_pat_mut(self, field);
            let same = matches!(
                (&field.member, &*field.pat),
                (syn::Member::Named(name), syn::Pat::Ident(ident)) if *name == ident.ident
            );
            if field.colon_token.is_none() && !same {
                field.colon_token = Some(Default::default());
            }
        }
    }
    let mut pat = pat.clone();
    Rebind(names, dropped).visit_pat_mut(&mut pat);
    match pat {
        syn::Pat::Or(_) => syn::parse_quote!((#pat)),
        pat => pat,
    }
}

/// The companion function of a method: `loss_vjp`.
fn sibling(name: &proc_macro2::Ident, suffix: &str) -> proc_macro2::Ident {
    let text = format!("{}_{suffix}", crate::names::plain(name));
    proc_macro2::Ident::new(&text, name.span())
}

/// A reference handed on inside of a tuple is not reborrowed by itself.
pub(super) fn reborrowed(expr: Expr) -> Expr {
    match expr {
        Expr::Path(_) => syn::parse_quote!(&mut *#expr),
        _ => expr,
    }
}
