//! Names that the walk through passive tokens knows.

/// Methods that keep an argument in what they are called on.
pub const STORING: &[&str] = &[
    "push",
    "push_back",
    "push_front",
    "push_str",
    "write_str",
    "write_all",
    "write_fmt",
    "insert",
    "insert_str",
    "insert_entry",
    "or_insert",
    "or_insert_with",
    "extend",
    "extend_from_slice",
    "append",
    "copy_from_slice",
    "clone_from_slice",
    "clone_from",
    "fill",
    "fill_with",
    "resize",
    "resize_with",
    "set",
    "replace",
    "replace_with",
    "swap",
    "update",
    "store",
    "send",
    "try_send",
    "send_timeout",
    "get_or_init",
    "get_or_insert",
    "get_or_insert_with",
    "write",
    "fetch_update",
    "fetch_max",
    "fetch_min",
    "fetch_add",
    "fetch_sub",
    "compare_exchange",
    "compare_exchange_weak",
    "compare_and_swap",
];

/// Methods that lead from a shared reference to what may be changed.
pub const OPENING: &[&str] =
    &["borrow_mut", "try_borrow_mut", "lock", "try_lock", "write", "try_write", "with_borrow_mut"];

/// Types of std that hold a value where shared references lead.
pub const CELLS: &[&str] =
    &["Cell", "RefCell", "OnceCell", "LazyCell", "Mutex", "RwLock", "OnceLock", "LazyLock", "AtomicU64", "AtomicU32"];

/// Macros whose value is none of their arguments', or that have none.
pub const LOOKING: &[&str] = &["matches", "stringify"];

/// Methods that make an iterator of std.
pub const MAKING: &[&str] = &["iter", "into_iter", "windows", "chunks", "chunks_exact"];

/// Methods of iterators that give another one, with the same elements.
pub const GOING_ON: &[&str] = &["copied", "cloned", "rev", "enumerate", "skip", "take", "zip"];
