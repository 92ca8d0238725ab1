//! The partials of a value by its operands.

use crate::activity::operator;
use crate::ir::{Atom, Value};
use crate::rules::{self, Rule};
use std::collections::HashSet;

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
