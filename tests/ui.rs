//! What must not compile, and what is said about it: a file a rule. `TRYBUILD=overwrite` accepts new messages.

#[test]
fn refused_with_a_message() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
