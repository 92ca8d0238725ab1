//! The partials of elementary operations as statements, so that they have tangents like any others.
//!
//! The table keeps a partial as an expression over arguments and result. Read as the function's own
//! text would be, its derivative follows from the same table.

use super::Forward;
use crate::ir::*;
use crate::rules::Rule;
use quote::quote;
use syn::{BinOp, Expr};

/// What the names in a partial stand for.
type Bindings<'a> = Vec<(&'a str, &'a Atom)>;

impl Forward<'_> {
    /// The value of a partial, with its tangent if it has one.
    pub(super) fn partial(
        &mut self,
        (rule, arg): (&Rule, usize),
        (args, result): (&[Atom], &Atom),
        ty: &Ty,
        out: &mut Vec<Stmt>,
    ) -> Atom {
        let expr: Expr = syn::parse_str(rule.partials[arg])
            .expect("the rules' partials are expressions, as a test checks");
        let names = rule.args.iter().chain(rule.others).copied().zip(args);
        let bindings: Bindings = names.chain([(rule.result, result)]).collect();
        self.read(&expr, &bindings, ty, out)
    }

    fn read(&mut self, expr: &Expr, names: &Bindings, ty: &Ty, out: &mut Vec<Stmt>) -> Atom {
        match expr {
            Expr::Lit(lit) if *ty == Ty::Generic => {
                self.step(Value::Tangent(Tangent::Literal(quote!(#lit))), ty, out)
            }
            Expr::Lit(lit) => Atom::Text(quote!(#lit), ty.clone()),
            Expr::Path(path) => {
                let known = names.iter().find(|(name, _)| path.path.is_ident(name));
                let (_, atom) = known.expect("a partial mentions arguments and the result");
                (*atom).clone()
            }
            Expr::Paren(paren) => self.read(&paren.expr, names, ty, out),
            Expr::Unary(unary) => {
                let operand = self.read(&unary.expr, names, ty, out);
                self.step(Value::Unary(unary.op, operand), ty, out)
            }
            Expr::Binary(binary) => {
                let a = self.read(&binary.left, names, ty, out);
                let b = self.read(&binary.right, names, ty, out);
                let test = !matches!(
                    binary.op,
                    BinOp::Add(_) | BinOp::Sub(_) | BinOp::Mul(_) | BinOp::Div(_)
                );
                let ty = if test { &Ty::Discrete } else { ty };
                self.step(Value::Binary(binary.op, a, b), ty, out)
            }
            Expr::MethodCall(call) => {
                let args = std::iter::once(&*call.receiver).chain(&call.args);
                let args = args.map(|arg| self.read(arg, names, ty, out)).collect();
                let ty = if call.method == "is_nan" { &Ty::Discrete } else { ty };
                self.step(Value::Method { name: call.method.clone(), args }, ty, out)
            }
            Expr::Call(call) => self.helper(call, names, ty, out),
            Expr::If(choice) => self.choice(choice, names, ty, out),
            other => panic!("the table has no partials like `{}`", quote!(#other)),
        }
    }

    /// `ad::pull(a, b)`, `ad::power_slope(x, n)`
    fn helper(
        &mut self,
        call: &syn::ExprCall,
        names: &Bindings,
        ty: &Ty,
        out: &mut Vec<Stmt>,
    ) -> Atom {
        let (Expr::Path(path), [a, b]) = (&*call.func, &call.args.iter().collect::<Vec<_>>()[..])
        else {
            panic!("the table calls helpers of two arguments");
        };
        let [a, b] = [a, b].map(|arg| self.read(arg, names, ty, out));
        let value = match path.path.segments.last().map(|last| last.ident.to_string()).as_deref() {
            Some("pull") => Value::Reverse(Reverse::Pull(a, b)),
            Some("power_slope") => {
                Value::Tangent(Tangent::PowerSlope { base: a, n: b, again: false })
            }
            other => panic!("the table calls no helper {other:?}"),
        };
        self.step(value, ty, out)
    }

    fn choice(
        &mut self,
        choice: &syn::ExprIf,
        names: &Bindings,
        ty: &Ty,
        out: &mut Vec<Stmt>,
    ) -> Atom {
        let cond = self.read(&choice.cond, names, ty, out);
        let (_, otherwise) = choice.else_branch.as_ref().expect("a partial has a value");
        let otherwise = match &**otherwise {
            Expr::Block(block) => only(&block.block),
            other => other,
        };
        let branches = [only(&choice.then_branch), otherwise].map(|expr| {
            let mut stmts = Vec::new();
            let result = self.read(expr, names, ty, &mut stmts);
            (stmts, result)
        });
        let dest = self.temp("t", ty.clone());
        if branches.iter().any(|(_, result)| self.atom_is_active(result)) {
            self.derived.insert(dest);
        }
        let tangent = self.declared(Some(dest), out);
        let [then, otherwise] = branches.map(|(mut stmts, result)| {
            if let Some(tangent) = tangent {
                let value = self.tangent_or_zero(&result, &mut stmts);
                stmts.push(Stmt::Store { place: Place::of(tangent), value });
            }
            Block { stmts, result: Some(result) }
        });
        out.push(Stmt::If { dest: Some(dest), cond, then, otherwise });
        Atom::Var(dest)
    }

    /// A temporary for a value that a partial computes on its way.
    fn step(&mut self, value: Value, ty: &Ty, out: &mut Vec<Stmt>) -> Atom {
        let var = self.temp("t", ty.clone());
        self.stmt(&Stmt::Let { var, value }, out);
        Atom::Var(var)
    }
}

/// The expression of a block that is nothing else.
fn only(block: &syn::Block) -> &Expr {
    match &block.stmts[..] {
        [syn::Stmt::Expr(expr, None)] => expr,
        _ => panic!("the table's branches are expressions"),
    }
}
