//! Macros that the front end takes for these by their names, each alone in a module: a question of generated code imports it from there
//! beside the user's, and rustc finds the name ambiguous where the two differ.

macro_rules! known {
    ($($name:ident: $path:path,)+) => {
        $(pub mod $name {
            pub use $path as diffi_takes_this_macro_for_the_known_one_of_its_name;
        })+
    };
}

known! {
    assert: std::assert,
    assert_eq: std::assert_eq,
    assert_ne: std::assert_ne,
    debug_assert: std::debug_assert,
    debug_assert_eq: std::debug_assert_eq,
    debug_assert_ne: std::debug_assert_ne,
    print: std::print,
    println: std::println,
    eprint: std::eprint,
    eprintln: std::eprintln,
    write: std::write,
    writeln: std::writeln,
    panic: std::panic,
    unreachable: std::unreachable,
    todo: std::todo,
    unimplemented: std::unimplemented,
    vec: std::vec,
    dbg: std::dbg,
    format: std::format,
    format_args: std::format_args,
    matches: std::matches,
    stringify: std::stringify,
    array: diffi_runtime::intrinsics::library::array,
    azip: diffi_runtime::intrinsics::library::azip,
    stack: diffi_runtime::intrinsics::library::stack,
    concatenate: diffi_runtime::intrinsics::library::concatenate,
    constant: crate::constant,
}
