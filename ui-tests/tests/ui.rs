//! Refusals and their messages, and programs that must compile without a warning.

#[test]
fn mistakes_are_reported_where_they_are() {
    trybuild::TestCases::new().compile_fail("fail/*.rs");
}

#[test]
fn unusual_programs_compile() {
    trybuild::TestCases::new().pass("pass/*.rs");
}
