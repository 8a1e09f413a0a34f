//! The cost model: what operations cost, what a processor has room for, and up to which size a transformation pays.
//!
//! The numbers were found by measurement on x86-64, default target and `target-cpu=native`; `benches/` has the kernels. Passes ask for
//! them here, and have no numbers of their own.

// Costs, in additions.

/// A division or a root.
pub const DIVISION: usize = 4;
/// A function of the table, such as `exp`.
pub const FUNCTION: usize = 20;
/// A number that the tape need not keep.
pub const KEPT_NUMBER: usize = 8;
/// An aggregate that the tape need not keep.
pub const KEPT_AGGREGATE: usize = 16;

// Numbers of the machine: how many iterations, sums and arrays fit into registers of a processor with sixteen vector registers.

/// Partial sums of a sum of the user's, as the runtime has them: two vector registers of four numbers.
pub const SPLIT_SUMS: usize = 8;
/// Iterations that share vector registers, where innermost loops read little for each of them.
pub const WIDE_BLOCK: usize = 8;
/// The same, where they read more.
pub const NARROW_BLOCK: usize = 4;
/// The most numbers that an innermost loop reads for each iteration of a wide block: half of sixteen registers of two numbers are left.
pub const WIDE_BLOCK_NUMBERS: usize = 2;
/// Outer iterations that are jammed.
pub const JAMMED: usize = 4;
/// Inner iterations at a time, and partial sums of each sum of the derivative's.
pub const JAMMED_LANES: usize = 2;
/// The most arrays whose rows an interchanged loop walks along.
pub const INTERCHANGED_ROWS: usize = 4;
/// The most slices that a loop walks along.
pub const WALKED_SLICES: usize = 8;

// Bounds of what pays, in statements, operations or iterations.

/// The most tokens that the branches of a choice between references have together, if each has the statements that use the reference.
pub const DUPLICATED_TOKENS: usize = 3000;

/// Iterations of a loop, where their number is known, from which on it is worth while to find the row of an array as a slice.
pub const SPAN_ITERATIONS: i64 = 9;

/// The most iterations of a loop that is unrolled as a whole, and the most statements that it becomes.
pub const UNROLLED_ITERATIONS: usize = 4;
/// See [`UNROLLED_ITERATIONS`].
pub const UNROLLED_STATEMENTS: usize = 64;

/// The longest function that is inlined, in tokens.
pub const INLINED_TOKENS: usize = 160;
/// The longest body whose sums of the user's are split: what an iteration does besides would keep the processor busy anyway.
pub const SPLIT_BODY: usize = 48;
/// The longest body whose additions are the bottleneck.
pub const REDUCTION_BODY: usize = 12;
/// The longest iteration of which copies are made for a block, statements of tangents not counted: loops have blocks with and without them.
pub const BLOCK_BODY: usize = 120;
/// The least depth of an iteration's loops at which its own arrays are worth a second layout.
pub const BLOCK_DEPTH_OF_ARRAYS: usize = 2;
/// The same, where an iteration has numbers alone.
pub const BLOCK_DEPTH_OF_NUMBERS: usize = 1;
/// The longest inner body that is jammed.
pub const JAMMED_BODY: usize = 12;
/// The longest inner body of an interchanged loop.
pub const INTERCHANGED_BODY: usize = 24;
/// The most statements that are rewritten for one negation.
pub const NEGATED_STATEMENTS: usize = 128;
/// The fewest operations between a cotangent and the next for which preaccumulation pays.
pub const PREACCUMULATED_OPERATIONS: usize = 3;
/// The most terms of a sum that is multiplied out.
pub const MULTIPLIED_OUT_TERMS: usize = 12;
/// The most operations of an expression that numbers are substituted into.
pub const SUBSTITUTED_OPERATIONS: usize = 8;
/// The most statements over which a number is carried to its use.
pub const SUBSTITUTION_DISTANCE: usize = 24;
/// The most statements that compute one tangent again.
pub const REMATERIALIZED_STATEMENTS: usize = 4;
/// The most iterations until each of a stencil leaves to the next what it was left.
pub const STENCIL_PERIOD: usize = 8;
/// The most cells of a stencil's sum, and the most terms of its partial derivative.
pub const STENCIL_WIDTH: usize = 9;
/// The most iterations of a loop that may be left early for which tape is reserved.
pub const RESERVED_ITERATIONS: usize = 64;
/// Iterations that are written out.
pub const WRITTEN_OUT_ITERATIONS: usize = 4;
/// The fewest iterations of a loop that is distributed over the rows that it adds to.
pub const SCATTERED_ITERATIONS: i64 = 16;
/// The fewest rows that such a loop adds to.
pub const SCATTERED_ROWS: usize = 3;
/// The most numbers of an iteration that such a loop keeps.
pub const SCATTERED_VALUES: usize = 8;
/// The most iterations at one end of a loop that are a border.
pub const BORDER_ITERATIONS: i64 = 4;
/// The longest iteration that is written out for the borders, too.
pub const BORDER_BODY: usize = 48;
