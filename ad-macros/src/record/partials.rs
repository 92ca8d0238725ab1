//! The partials of a value by its operands, and values that are there already for them.

use crate::activity::operator;
use crate::ir::{Atom, Block, Function, Stmt, Value, VarId};
use crate::rules::{self, Rule};
use crate::walk;
use std::collections::{HashMap, HashSet};

/// The partial of a value by one of its operands.
#[derive(Clone, Copy, Debug)]
pub enum Partial {
    /// `±1`.
    Sign(i8),
    /// From the table.
    Rule(&'static Rule, usize),
}

impl Partial {
    /// The operands that it mentions, and whether it mentions the result.
    pub fn uses(&self) -> (Vec<usize>, bool) {
        let Partial::Rule(rule, arg) = self else {
            return (Vec::new(), false);
        };
        let words: HashSet<&str> =
            rule.partials[*arg].split(|c: char| !(c.is_alphanumeric() || c == '_')).collect();
        let names = rule.args.iter().chain(rule.others);
        let args = names.enumerate().filter(|(_, name)| words.contains(**name)).map(|(k, _)| k);
        (args.collect(), words.contains(rule.result))
    }
}

/// The operands of a value that have partials, with them. Aggregates have none here.
pub fn partials(value: &Value) -> Vec<(&Atom, Partial)> {
    match value {
        Value::Atom(a) | Value::Cast(a, _) => vec![(a, Partial::Sign(1))],
        Value::Unary(syn::UnOp::Neg(_), a) => vec![(a, Partial::Sign(-1))],
        Value::Binary(op, a, b) => match operator(op) {
            Some(rule) => by_rule(rule, vec![a, b]),
            None => Vec::new(),
        },
        Value::Method { name, args } => match rules::lookup(&name.to_string()) {
            Some(rule) => by_rule(rule, args.iter().collect()),
            None => Vec::new(),
        },
        _ => Vec::new(),
    }
}

fn by_rule<'a>(rule: &'static Rule, args: Vec<&'a Atom>) -> Vec<(&'a Atom, Partial)> {
    let mut found = Vec::new();
    for (k, arg) in args.into_iter().take(rule.args.len()).enumerate() {
        let partial = match rule.partials[k] {
            "0.0" => continue,
            "1.0" => Partial::Sign(1),
            "-1.0" => Partial::Sign(-1),
            _ => Partial::Rule(rule, k),
        };
        found.push((arg, partial));
    }
    found
}

/// Functions of which one is the slope of the other, up to its sign.
const PAIRS: &[(&str, &str)] = &[("sin", "cos"), ("sinh", "cosh")];

/// For each sine, the cosine of the same operand in its block, and the reverse: its slope, which need not
/// be computed again. There is no way out between the two.
pub fn slopes(function: &Function) -> HashMap<VarId, VarId> {
    let mut found = HashMap::new();
    slopes_in(&function.body, &mut found);
    walk::each_stmt(&function.body, &mut |stmt| {
        for block in walk::blocks(stmt) {
            slopes_in(block, &mut found);
        }
    });
    found
}

fn slopes_in(block: &Block, found: &mut HashMap<VarId, VarId>) {
    let mut known: HashMap<(&str, VarId), VarId> = HashMap::new();
    for stmt in &block.stmts {
        if !walk::stmt_exits(stmt).is_empty() {
            known.clear();
        }
        let Stmt::Let { var, value: Value::Method { name, args } } = stmt else { continue };
        let [Atom::Var(operand)] = args[..] else { continue };
        for (a, b) in PAIRS.iter().flat_map(|(a, b)| [(*a, *b), (*b, *a)]) {
            if name == a {
                known.insert((a, operand), *var);
                if let Some(other) = known.get(&(b, operand)) {
                    found.insert(*var, *other);
                    found.insert(*other, *var);
                }
            }
        }
    }
}

/// Whether the slope of a function is the other one of its pair with the sign changed.
pub fn is_negative_slope(value: &Value) -> bool {
    matches!(value, Value::Method { name, .. } if name == "cos")
}
