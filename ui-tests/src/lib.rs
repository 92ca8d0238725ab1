//! Compile-time tests of `#[differentiate]`: what it refuses and with which words, and unusual
//! programs that it must accept.
//!
//! - `fail/*.rs` hold one mistake each and are named for it. The `.stderr` next to each is what the
//!   compiler prints: an error stands at the user's own tokens, says what is wrong and ends with a
//!   `help:` line. Files named `callers_…` show that an error brings no others after it: the
//!   function itself and the signatures of its companion are still there. Files named `…_in_body`
//!   hold mistakes that are none of ours, which must not be reported twice.
//! - `pass/*.rs` must compile, mostly under `#![deny(warnings)]`, and run: shadowing, names that
//!   generated code uses, `macro_rules!`, lints, visibility, options. `pass/ways_out.rs` does what
//!   the `help:` lines say.
//!
//! The package itself is empty; `cargo test -p ad-ui-tests` runs both. A single file is run by
//! `cargo test -p ad-ui-tests -- mistakes trybuild=name`, and `TRYBUILD=overwrite` writes the `.stderr`
//! files anew. Read what it wrote.
//!
//! Parts of the texts are the compiler's and change with it: the files are for Rust 1.95. Under
//! another version only `pass` is expected to hold.
