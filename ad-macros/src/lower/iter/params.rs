//! Closure parameters that stand for a tuple of references.
//!
//! `zip` and `enumerate` make tuples whose parts may be references to places, and no value in the IR
//! holds such references. So where a closure calls a tuple by one name, `|p| p.0 * p.1`, its parts get
//! names of their own.

use crate::lower::Lower;
use crate::lower::pattern::Source;
use crate::names::plain;
use proc_macro2::{Ident, Span};
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprClosure, Pat};

impl Lower<'_> {
    /// Binds the parameters of a closure; gives its body, which may mention other names for them.
    /// Where the arguments are `seen` by reference, so are the parts of a tuple, but not its fields.
    pub(in crate::lower) fn bind_params(
        &mut self,
        closure: &ExprClosure,
        args: Vec<Source>,
        seen: bool,
    ) -> Expr {
        let mut body = (*closure.body).clone();
        for (pat, arg) in closure.inputs.iter().zip(args) {
            match (pat, &arg) {
                (Pat::Ident(whole), Source::Tuple(_))
                    if holds_references(&arg) && !binds(&body, &whole.ident) =>
                {
                    let mut parts = Parts { whole: whole.ident.clone(), names: Vec::new() };
                    let mentioned = parts.mentioned(&body);
                    self.name_parts(&arg, &mut Vec::new(), seen, &mentioned, &mut parts);
                    parts.visit_expr_mut(&mut body);
                    if mentions(&body, &whole.ident) {
                        self.bind_source(pat, arg);
                    }
                }
                _ => self.bind_source(pat, arg),
            }
        }
        body
    }

    fn name_parts(
        &mut self,
        source: &Source,
        path: &mut Vec<u32>,
        seen: bool,
        mentioned: &[Vec<u32>],
        parts: &mut Parts,
    ) {
        match source {
            Source::Tuple(inner) => {
                for (k, part) in inner.iter().enumerate() {
                    path.push(k as u32);
                    self.name_parts(part, path, seen, mentioned, parts);
                    path.pop();
                }
            }
            Source::Value(..) | Source::Borrow { .. } if !mentioned.contains(path) => {}
            leaf @ (Source::Value(..) | Source::Borrow { .. }) => {
                let indices: Vec<String> = path.iter().map(u32::to_string).collect();
                let wish = format!("{}_{}", plain(&parts.whole), indices.join("_"));
                let name = self.names.fresh(&wish, Span::call_site());
                let leaf = leaf.clone();
                let leaf = if seen { self.unreferenced(leaf) } else { leaf };
                self.bind_source(&syn::parse_quote!(#name), leaf);
                parts.names.push((path.clone(), name));
            }
        }
    }
}

/// Whether a tuple has parts that are references, which its value would not keep apart.
pub(in crate::lower) fn holds_references(item: &Source) -> bool {
    match item {
        Source::Tuple(parts) => {
            parts.iter().any(|part| matches!(part, Source::Borrow { .. }) || holds_references(part))
        }
        Source::Value(..) | Source::Borrow { .. } => false,
    }
}

/// Replaces `p.0` and `p.1.0` by names.
struct Parts {
    whole: Ident,
    names: Vec<(Vec<u32>, Ident)>,
}

impl Parts {
    /// The ways that code goes into the whole.
    fn mentioned(&self, body: &Expr) -> Vec<Vec<u32>> {
        struct Ways<'p>(&'p Parts, Vec<Vec<u32>>);
        impl<'ast> Visit<'ast> for Ways<'_> {
            fn visit_expr(&mut self, expr: &'ast Expr) {
                self.1.extend(self.0.path(expr));
                visit::visit_expr(self, expr);
            }
        }
        let mut ways = Ways(self, Vec::new());
        ways.visit_expr(body);
        ways.1
    }

    /// The way from the whole to a field of it.
    fn path(&self, expr: &Expr) -> Option<Vec<u32>> {
        match expr {
            Expr::Path(path) if path.path.is_ident(&self.whole) => Some(Vec::new()),
            Expr::Field(syn::ExprField { base, member: syn::Member::Unnamed(index), .. }) => {
                let mut path = self.path(base)?;
                path.push(index.index);
                Some(path)
            }
            _ => None,
        }
    }
}

impl VisitMut for Parts {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Some(path) = self.path(expr)
            && let Some((_, name)) = self.names.iter().find(|(known, _)| *known == path)
        {
            *expr = syn::parse_quote!(#name);
            return;
        }
        visit_mut::visit_expr_mut(self, expr);
    }
}

/// Whether code binds a name anew.
fn binds(body: &Expr, name: &Ident) -> bool {
    struct Binds<'n>(&'n Ident, bool);
    impl<'ast> Visit<'ast> for Binds<'_> {
        fn visit_pat_ident(&mut self, pat: &'ast syn::PatIdent) {
            self.1 |= pat.ident == *self.0;
            visit::visit_pat_ident(self, pat);
        }
    }
    let mut found = Binds(name, false);
    found.visit_expr(body);
    found.1
}

/// Whether code mentions a name, in macros too.
fn mentions(body: &Expr, name: &Ident) -> bool {
    struct Mentions<'n>(&'n Ident, bool);
    impl<'ast> Visit<'ast> for Mentions<'_> {
        fn visit_ident(&mut self, ident: &'ast Ident) {
            self.1 |= ident == self.0;
        }
        fn visit_macro(&mut self, _: &'ast syn::Macro) {
            self.1 = true;
        }
    }
    let mut found = Mentions(name, false);
    found.visit_expr(body);
    found.1
}
