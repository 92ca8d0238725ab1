//! Refusals and their messages, and programs that must compile.

#[rustversion::attr(
    not(stable(1.95)),
    ignore = "the texts in fail/*.stderr are those of Rust 1.95"
)]
#[test]
fn mistakes_are_reported_where_they_are() {
    trybuild::TestCases::new().compile_fail("fail/*.rs");
}

#[test]
fn unusual_programs_compile_and_run() {
    trybuild::TestCases::new().pass("pass/*.rs");
}
