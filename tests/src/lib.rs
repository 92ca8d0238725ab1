//! What the numeric tests of ad-runtime share: programs with known derivatives, and checks against derivatives that
//! come from somewhere else than this workspace.
//!
//! Each file or folder in `tests/` is one group:
//!
//! - `cases`: programs of public bug reports against exact values;
//! - `semantics`: what is easy to get wrong, against derivatives derived by hand;
//! - `rules`: functions whose derivative their author wrote;
//! - `language`: small numeric programs in the style of users, against differences and dual numbers.

#[cfg(doctest)]
mod book;
pub mod cases;
pub mod check;
