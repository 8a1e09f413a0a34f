//! Methods and functions of `nalgebra`'s types, where the feature of this name is on: rustc finds their rules on the types.

use proc_macro2::{TokenStream, TokenTree};
use quote::quote;

/// What brings derivative code of these types into scope.
pub fn import() -> Option<TokenStream> {
    cfg!(feature = "nalgebra").then(|| {
        quote! {
            use __d::library::{formulas::unnamed::*, of_float::{OfAny as _, OfF32 as _, OfF64 as _}};
        }
    })
}

/// The same, in a function that names one of the types.
pub fn import_for(function: TokenStream) -> Option<TokenStream> {
    import().filter(|_| mentions(function))
}

fn mentions(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|tree| match tree {
        TokenTree::Ident(name) => is_type(&name.to_string()),
        TokenTree::Group(group) => mentions(group.stream()),
        _ => false,
    })
}

/// Whether a type of this name may be one of these, over a float that need not be written.
pub fn is_type(name: &str) -> bool {
    const SIZED: &[&str] = &[
        "Point",
        "Rotation",
        "Translation",
        "Isometry",
        "IsometryMatrix",
        "UnitVector",
        "Vector",
        "Matrix",
        "RowVector",
    ];
    const OTHERS: &[&str] =
        &["Quaternion", "UnitQuaternion", "UnitComplex", "Unit", "DVector", "DMatrix", "RowDVector"];
    let sized = |plain: &&str| {
        name.strip_prefix(*plain).is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit() || b == b'x'))
    };
    let known = || SIZED.iter().any(sized) || OTHERS.contains(&name);
    cfg!(feature = "nalgebra") && known()
}
