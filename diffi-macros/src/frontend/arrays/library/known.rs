//! The names of methods and functions of arrays.

use crate::frontend::syntax::types;
use crate::support::syntax::strip_parens;

/// Methods of one array, with passive arguments: the operation that takes them.
pub const VIEWS: &[(&str, usize, &str)] = &[
    ("t", 0, "Transpose"),
    ("reversed_axes", 0, "Transpose"),
    ("transpose", 0, "Transpose"),
    ("sum", 0, "Sum"),
    ("mean", 0, "Mean"),
    ("sum_axis", 1, "SumAxis"),
    ("mean_axis", 1, "MeanAxis"),
    ("row", 1, "Row"),
    ("row_mut", 1, "Row"),
    ("column", 1, "Column"),
    ("column_mut", 1, "Column"),
    ("index_axis", 2, "At"),
    ("index_axis_mut", 2, "At"),
    ("index_axis_move", 2, "At"),
    ("slice", 1, "Slice"),
    ("slice_mut", 1, "Slice"),
    ("slice_move", 1, "Slice"),
    ("diag", 0, "Diagonal"),
    ("diag_mut", 0, "Diagonal"),
    ("diagonal", 0, "Diagonal"),
    ("insert_axis", 1, "InsertAxis"),
    ("remove_axis", 1, "RemoveAxis"),
    ("into_shape_with_order", 1, "Reshape"),
    ("to_shape", 1, "Reshape"),
    ("into_shape_clone", 1, "Reshape"),
    ("select", 2, "Select"),
    ("broadcast", 1, "Broadcast"),
    ("to_owned", 0, "Owned"),
    ("into_owned", 0, "Owned"),
    ("clone_owned", 0, "Owned"),
    ("to_vec", 0, "Flat"),
];

/// The same for methods that a type of the user's may well have, too: where the receiver is an array for sure.
pub const VIEWS_OF_ARRAYS: &[(&str, usize, &str)] = &[
    ("permuted_axes", 1, "Permute"),
    ("__with_swapped_axes", 2, "SwapAxes"),
    ("into_diag", 0, "Diagonal"),
    ("flatten", 0, "Flatten"),
    ("into_flat", 0, "Flatten"),
    ("slice_axis", 2, "SliceAxis"),
    ("slice_axis_mut", 2, "SliceAxis"),
    ("slice_axis_move", 2, "SliceAxis"),
    ("as_standard_layout", 0, "Owned"),
    ("tril", 1, "Lower"),
    ("triu", 1, "Upper"),
    ("diff", 2, "Differences"),
    ("adjoint", 0, "Transpose"),
    ("row_sum", 0, "RowSum"),
    ("column_sum", 0, "ColumnSum"),
    ("rows", 2, "Rows"),
    ("rows_mut", 2, "Rows"),
    ("columns", 2, "Columns"),
    ("columns_mut", 2, "Columns"),
    ("view", 2, "Block"),
    ("view_mut", 2, "Block"),
    ("fixed_rows", 1, "FixedRows"),
    ("fixed_rows_mut", 1, "FixedRows"),
    ("fixed_columns", 1, "FixedColumns"),
    ("fixed_columns_mut", 1, "FixedColumns"),
    ("fixed_view", 2, "FixedBlock"),
    ("fixed_view_mut", 2, "FixedBlock"),
];

/// Methods that see an array as a slice, which vectors have, too.
pub const SLICES: &[&str] = &["as_slice", "as_slice_mut", "as_slice_memory_order"];

/// Methods whose value borrows from the array.
pub const BORROWED: &[&str] = &["view", "reborrow", "row", "column", "slice", "slice_axis", "index_axis", "diag", "t"];

/// Methods of a matrix.
pub const MATRICES: &[&str] = &[
    "norm",
    "magnitude",
    "norm_squared",
    "magnitude_squared",
    "normalize",
    "trace",
    "cross",
    "lu",
    "full_piv_lu",
    "qr",
    "cholesky",
    "l",
    "solve",
    "determinant",
    "ln_determinant",
    "inverse",
    "try_inverse",
];

/// Methods that change an array: the operation.
pub const EDITS: &[(&str, &str)] = &[
    ("assign", "Assign"),
    ("copy_from", "Assign"),
    ("fill", "Assign"),
    ("add_assign", "AddAssign"),
    ("sub_assign", "SubAssign"),
    ("scaled_add", "AddScaled"),
];

/// Methods that are loops over the elements.
pub const LOOPS: &[&str] =
    &["map", "mapv", "mapv_into", "fold", "mapv_inplace", "map_inplace", "zip_mut_with", "map_axis"];

/// Iterators over parts: what each part is.
pub const PARTS: &[(&str, usize)] = &[
    ("outer_iter", 0),
    ("outer_iter_mut", 0),
    ("axis_iter", 1),
    ("axis_iter_mut", 1),
    ("rows", 0),
    ("rows_mut", 0),
    ("columns", 0),
    ("columns_mut", 0),
    ("row_iter", 0),
    ("column_iter", 0),
    ("row_iter_mut", 0),
    ("column_iter_mut", 0),
    ("lanes", 1),
    ("indexed_iter", 0),
    ("indexed_iter_mut", 0),
    ("lanes_mut", 1),
    ("axis_chunks_iter", 2),
    ("axis_chunks_iter_mut", 2),
    ("axis_windows", 2),
    ("exact_chunks", 1),
    ("exact_chunks_mut", 1),
    ("windows_with_stride", 2),
];

/// Iterators over parts of several rows or elements, which slices have, too.
pub fn is_strided(m: &syn::ExprMethodCall) -> bool {
    let name = m.method.to_string();
    name.contains("chunks") || name.contains("windows") || name == "lanes_mut"
}

/// The operation of a method that reads an array.
pub fn view(m: &syn::ExprMethodCall) -> Option<&'static str> {
    let found = VIEWS.iter().chain(VIEWS_OF_ARRAYS).find(|(name, args, _)| m.method == name && m.args.len() == *args);
    found.map(|(_, _, op)| *op)
}

/// Whether an operation is that of a method that reads an array.
pub fn is_view(operation: &str) -> bool {
    VIEWS.iter().chain(VIEWS_OF_ARRAYS).any(|(_, _, op)| operation == *op)
}

/// Whether a method of this name is one of an array only where the receiver is one for sure.
pub fn asks_for_array(m: &syn::ExprMethodCall) -> bool {
    VIEWS_OF_ARRAYS.iter().any(|(name, args, _)| m.method == name && m.args.len() == *args)
}

/// The operation of a method that changes an array.
pub fn edit(m: &syn::ExprMethodCall) -> Option<&'static str> {
    EDITS.iter().find(|(name, _)| m.method == name).map(|(_, op)| *op)
}

/// `Array2::zeros(..)`: the type's name, and the function's.
pub fn constructor(c: &syn::ExprCall) -> Option<(String, String)> {
    let syn::Expr::Path(p) = strip_parens(&c.func) else { return None };
    let mut names = p.path.segments.iter().rev().map(|s| s.ident.to_string());
    let (function, owner) = (names.next()?, names.next()?);
    types::is_library(&owner).then_some((owner, function))
}

/// Whether an expression is a call that gives an `Option` or a `Result` of what its rule gives.
pub fn is_fallible(expr: &syn::Expr) -> bool {
    const NAMES: &[&str] = &[
        "mean",
        "mean_axis",
        "cholesky",
        "solve",
        "try_inverse",
        "solve_lower_triangular",
        "solve_upper_triangular",
        "tr_solve_lower_triangular",
        "tr_solve_upper_triangular",
        "into_shape_with_order",
        "into_shape_clone",
        "into_dimensionality",
        "to_shape",
        "broadcast",
        "as_slice",
        "as_slice_mut",
        "as_slice_memory_order",
        "from_shape_vec",
        "from_shape",
        "geomspace",
        "stack",
        "concatenate",
    ];
    let name = match strip_parens(expr) {
        syn::Expr::MethodCall(m) => m.method.to_string(),
        syn::Expr::Call(c) => match &*c.func {
            syn::Expr::Path(p) => p.path.segments.last().map_or_else(String::new, |s| s.ident.to_string()),
            _ => return false,
        },
        _ => return false,
    };
    NAMES.contains(&name.as_str())
}
