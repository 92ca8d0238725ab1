//! Functions whose derivative their author wrote, by themselves and in other functions.

#![allow(clippy::type_complexity, reason = "a rule returns a value and a closure")]

mod buffers;
mod calls;
mod free;
mod methods;
mod partials;
mod results;
mod tangents;
mod zero;
