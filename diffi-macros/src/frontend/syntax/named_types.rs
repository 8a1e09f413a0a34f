//! Types by a name that says nothing: the user's own, and aliases.

use super::types::{first_argument, is_float_path, is_passive_name};

/// The user's own types in a type that is made of such and of containers: `Spring` of `Vec<(f64, Spring)>`.
pub fn users_own(ty: &syn::Type) -> Vec<&syn::Path> {
    match ty {
        syn::Type::Paren(p) => users_own(&p.elem),
        syn::Type::Group(g) => users_own(&g.elem),
        syn::Type::Array(a) => users_own(&a.elem),
        syn::Type::Slice(s) => users_own(&s.elem),
        syn::Type::Tuple(t) => t.elems.iter().flat_map(users_own).collect(),
        syn::Type::Path(p) if p.qself.is_none() => users_own_path(&p.path),
        _ => Vec::new(),
    }
}

fn users_own_path(path: &syn::Path) -> Vec<&syn::Path> {
    const CONTAINERS: &[&str] = &["Vec", "Option", "Result", "Box", "VecDeque"];
    let Some(last) = path.segments.last() else { return Vec::new() };
    if path.segments.iter().all(|s| s.arguments.is_none()) {
        let is_float = path.is_ident("f64") || path.is_ident("f32") || is_float_path(path);
        return if is_float || is_passive_name(path) { Vec::new() } else { vec![path] };
    }
    if feature_of(path).is_some() {
        return vec![path];
    }
    let is_container = path.segments.len() == 1 && CONTAINERS.iter().any(|name| last.ident == name);
    first_argument(last).filter(|_| is_container).map(users_own).unwrap_or_default()
}

/// The feature of diffi that a library's type needs, and that is off.
pub fn feature_of(path: &syn::Path) -> Option<&'static str> {
    const OF_NALGEBRA: &[&str] = &[
        "DMatrix",
        "DVector",
        "SMatrix",
        "SVector",
        "Rotation2",
        "Rotation3",
        "Unit",
        "UnitQuaternion",
        "Quaternion",
        "Isometry2",
        "Isometry3",
        "Point2",
        "Point3",
    ];
    let last = path.segments.last().filter(|last| !last.arguments.is_none())?;
    let name = last.ident.to_string();
    let sized = |plain: &str| {
        name.strip_prefix(plain).is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit() || b == b'x'))
    };
    let of_nalgebra =
        OF_NALGEBRA.contains(&name.as_str()) || ["Matrix", "Vector", "RowVector"].iter().any(|plain| sized(plain));
    match () {
        () if name == "Complex" && !cfg!(feature = "num-complex") => Some("num-complex"),
        () if of_nalgebra && !cfg!(feature = "nalgebra") => Some("nalgebra"),
        () => None,
    }
}
