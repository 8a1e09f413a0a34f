//! Copies of values: users' types need no `Clone` to carry derivatives.

/// A copy of a value of the user's.
pub fn of_value(place: &str) -> String {
    of_reference(&format!("&{place}"))
}

/// A copy whose memory is that of the workspace, if rustc finds that the value carries derivatives.
pub fn in_pool(place: &str, pool: &str) -> String {
    format!("{{ use __d::{{CopyByClone as _, CopyRefused as _}}; __d::Original(&{place}).copy_in(&mut {pool}) }}")
}

/// A copy of what a reference refers to.
pub fn of_reference(reference: &str) -> String {
    format!("{{ use __d::{{CopyByClone as _, CopyRefused as _}}; __d::Original({reference}).copy() }}")
}
