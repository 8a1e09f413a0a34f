//! What each package of DifferentiationInterface's family is known for, and the test that shows it here:
//! `cargo test --test abilities -- --nocapture` prints the list, row by row.

use std::fs;
use std::path::Path;

/// Package, ability, file, test.
const ROWS: &[(&str, &str, &str, &str)] = &[
    (
        "ChainRules",
        "a function's JVP and VJP by hand, used by its callers",
        "tests/hand_rules.rs",
        "callers_use_the_rules",
    ),
    (
        "ChainRules",
        "several seeds go through a rule one by one",
        "tests/hand_rules.rs",
        "several_seeds_go_through_one_by_one",
    ),
    (
        "ChainRules",
        "a rule with derivatives of its own",
        "tests/hand_rules.rs",
        "a_rule_that_has_derivatives_gives_second_ones",
    ),
    ("ChainRules", "arguments without derivatives", "tests/hand_rules.rs", "constants_have_no_derivative"),
    ("ChainRules", "structs as tangents", "tests/structs/fields.rs", "gradient_of_a_struct"),
    ("ChainRules", "a tester of rules", "tests/hand_rules.rs", "a_wrong_rule_is_found"),
    ("Diffractor", "Taylor coefficients of any order without nesting", "tests/backends/taylor.rs", "every_order"),
    (
        "ChainRules",
        "functions that are handed functions, and differentiate these",
        "tests/composition/handed.rs",
        "closures_carry_what_they_capture",
    ),
    ("ChainRules", "operators of a user's type as rules", "tests/own_operators.rs", "an_addition_that_is_not_linear"),
    (
        "ChainRules",
        "conventions at points without a derivative",
        "tests/complex/kinks.rs",
        "absolute_values_and_angles_have_slope_zero_at_zero",
    ),
    (
        "ChainRules",
        "equations that are solved, by the implicit function theorem",
        "tests/implicit.rs",
        "kepler_by_root_and_fixed_point",
    ),
    ("Diffractor", "of all outputs", "tests/backends/taylor.rs", "series_of_all_outputs"),
    (
        "Diffractor",
        "first and second order from the same numbers",
        "tests/backends/taylor.rs",
        "operators_of_first_and_second_order",
    ),
    ("Enzyme", "arguments that are read and written", "tests/surface/main.rs", "in_and_out"),
    ("Enzyme", "activity, argument by argument", "tests/surface/arguments.rs", "arguments_of_all_kinds"),
    ("Enzyme", "closures over data", "tests/surface/choices.rs", "closures"),
    ("Enzyme", "several directions in one pass", "tests/operators/batches.rs", "every_size_has_remainders"),
    ("Enzyme", "forward over reverse", "tests/structs/prepared.rs", "second_order_products_are_tangents"),
    ("Enzyme", "the sweeps apart", "tests/allocations.rs", "several_pullbacks_at_the_same_point"),
    (
        "Enzyme",
        "the package itself, where a compiler has it",
        "tests/backends/external.rs",
        "enzyme_that_answers_nothing_is_found_out",
    ),
    ("FastDifferentiation", "expressions, each once", "tests/backends/symbolic.rs", "expressions"),
    ("FastDifferentiation", "as machine code", "tests/backends/compiled.rs", "expressions_as_code"),
    (
        "FastDifferentiation",
        "values that are chosen by conditions",
        "tests/backends/symbolic.rs",
        "second_derivatives_beside_kinks",
    ),
    ("FastDifferentiation", "branches are refused", "tests/backends/symbolic.rs", "branches_are_refused"),
    ("FiniteDiff", "as many calls as promised", "tests/backends/finite_diff.rs", "finite_diff_call_counts"),
    ("FiniteDiff", "relative and absolute steps", "tests/backends/finite_diff.rs", "finite_diff_steps"),
    ("FiniteDiff", "the direction of steps", "tests/backends/finite_diff.rs", "finite_diff_looks_the_other_way"),
    (
        "FiniteDiff",
        "sparse Jacobians, as many differences as there are colors",
        "tests/sparsity/jacobians.rs",
        "differences",
    ),
    ("FiniteDiff", "complex steps", "tests/backends/complex_step.rs", "complex_step_every_function_of_the_table"),
    (
        "FiniteDifferences",
        "exact weights of any grid",
        "tests/backends/finite_differences.rs",
        "finite_differences_exact_weights",
    ),
    (
        "FiniteDifferences",
        "steps that adapt",
        "tests/backends/finite_differences.rs",
        "finite_differences_adaptive_steps",
    ),
    (
        "FiniteDifferences",
        "ranges that are not left, and errors as they are estimated",
        "tests/backends/finite_differences.rs",
        "finite_differences_ranges_and_error_estimates",
    ),
    (
        "FiniteDifferences",
        "Richardson's extrapolation",
        "tests/backends/finite_differences.rs",
        "finite_differences_extrapolation",
    ),
    ("FiniteDifferences", "all operators", "tests/backends/finite_differences.rs", "finite_differences_all_operators"),
    ("ForwardDiff", "chunks of every size", "tests/backends/dual.rs", "forward_diff_gradients_in_chunks_of_every_size"),
    ("ForwardDiff", "the rule for their size", "tests/backends/dual.rs", "forward_diff_chunk_rule"),
    (
        "ForwardDiff",
        "nesting without confusion",
        "tests/backends/dual.rs",
        "forward_diff_perturbations_are_not_confused",
    ),
    ("ForwardDiff", "all operators", "tests/backends/dual.rs", "forward_diff_all_operators"),
    ("ForwardDiff", "functions that write", "tests/backends/dual.rs", "forward_diff_functions_that_write"),
    ("ForwardDiff", "the mode that is safe of NaN", "tests/backends/dual.rs", "forward_diff_nan_safe_mode"),
    ("GTPSA", "series of all functions", "diffi-runtime/src/number/scalar/taylor.rs", "known_series"),
    (
        "GTPSA",
        "derivative, integral, evaluation of a series",
        "diffi-runtime/src/number/scalar/taylor.rs",
        "calculus_of_series",
    ),
    (
        "GTPSA",
        "composition and inversion of series in one variable",
        "diffi-runtime/src/number/scalar/taylor.rs",
        "calculus_of_series",
    ),
    (
        "GTPSA",
        "numbers of variables, orders, indexing by exponents",
        "diffi-runtime/src/number/scalar/multivariate.rs",
        "terms_are_numbered_by_degree",
    ),
    (
        "GTPSA",
        "orders of single variables",
        "diffi-runtime/src/number/scalar/multivariate.rs",
        "orders_of_single_variables",
    ),
    (
        "GTPSA",
        "all functions in several variables",
        "diffi-runtime/src/number/scalar/multivariate.rs",
        "every_function_agrees_with_series_along_lines",
    ),
    (
        "GTPSA",
        "partial derivatives of any order",
        "diffi-runtime/src/number/scalar/multivariate.rs",
        "coefficients_and_derivatives",
    ),
    (
        "GTPSA",
        "derivatives, integrals, composition, translation",
        "diffi-runtime/src/number/scalar/multivariate.rs",
        "calculus_and_substitution",
    ),
    (
        "GTPSA",
        "Poisson brackets, from derivatives",
        "diffi-runtime/src/number/scalar/multivariate.rs",
        "poisson_brackets",
    ),
    ("GTPSA", "inverse maps", "diffi-runtime/src/number/scalar/multivariate.rs", "maps_are_inverted"),
    ("GTPSA", "published coefficients", "tests/backends/taylor.rs", "published_series_in_several_variables"),
    (
        "HyperHessians",
        "a Hessian in one evaluation",
        "tests/backends/dual.rs",
        "hyper_hessians_whole_hessians_in_one_evaluation",
    ),
    (
        "HyperHessians",
        "products and second derivatives",
        "tests/backends/dual.rs",
        "hyper_hessians_products_and_curvatures",
    ),
    ("Mooncake", "tangents of the user's types", "tests/structs/variants.rs", "tangents_of_variants"),
    ("Mooncake", "state that methods change", "tests/composition/machines.rs", "state_that_only_methods_change"),
    ("Mooncake", "prepared gradients allocate nothing", "tests/allocations.rs", "gradients"),
    (
        "PolyesterForwardDiff",
        "the same bits on any number of threads",
        "tests/backends/threads.rs",
        "polyester_gradients_do_not_depend_on_the_number_of_threads",
    ),
    ("PolyesterForwardDiff", "chunks of every size", "tests/backends/threads.rs", "polyester_chunks_of_every_size"),
    ("PolyesterForwardDiff", "functions that write", "tests/backends/threads.rs", "polyester_functions_that_write"),
    (
        "PolyesterForwardDiff",
        "everything else as ForwardDiff",
        "tests/backends/threads.rs",
        "polyester_is_forward_diff_otherwise",
    ),
    (
        "ReverseDiff",
        "a tape that is run again, and recorded again where a branch flips",
        "tests/backends/tape.rs",
        "a_replay_records_again_where_a_branch_flips",
    ),
    (
        "ReverseDiff",
        "an error instead, where that is asked for",
        "tests/backends/tape.rs",
        "a_replay_can_refuse_another_branch",
    ),
    (
        "ReverseDiff",
        "arrays as single entries of a tape, sums without their terms",
        "tests/backends/tape_arrays.rs",
        "entries_take_the_memory_of_their_values",
    ),
    ("ReverseDiff", "several cotangents through arrays", "tests/backends/tape_arrays.rs", "batches_of_cotangents"),
    ("ReverseDiff", "tapes with constants", "tests/backends/tape.rs", "replays_see_constants"),
    ("ReverseDiff", "tapes as code", "tests/backends/compiled.rs", "code_is_made_again_where_a_branch_flips"),
    ("ReverseDiff", "replays allocate nothing", "tests/allocations.rs", "replayed_tapes"),
    ("ReverseDiff", "second order through tapes", "tests/backends/tape.rs", "second_derivatives"),
    (
        "Symbolics",
        "expressions that hold at every point",
        "tests/backends/symbolic.rs",
        "the_same_derivatives_at_every_point",
    ),
    ("Symbolics", "outputs and constants", "tests/backends/symbolic.rs", "outputs_and_constants"),
    ("Symbolics", "slopes at kinks", "tests/backends/symbolic.rs", "kinks"),
    ("Tracker", "outputs among the parameters", "tests/backends/tape.rs", "outputs_among_the_parameters"),
    ("Tracker", "panics leave the tape usable", "tests/backends/tape.rs", "panics_leave_the_tape_usable"),
    (
        "Tracker",
        "a forward sweep that serves several cotangents",
        "tests/hand_rules.rs",
        "the_same_point_serves_several_cotangents",
    ),
    ("Tracker", "long loops in little memory", "tests/allocations.rs", "long_loops_in_little_memory"),
    ("Zygote", "structs all the way", "tests/structs/locals.rs", "every_way_to_pass_a_struct"),
    ("Zygote", "results in tuples", "tests/structs/locals.rs", "results_in_tuples"),
    (
        "Zygote",
        "complex numbers, as users' structs with operators",
        "tests/own_operators.rs",
        "the_annotated_operators_are_differentiated",
    ),
    (
        "Zygote",
        "gradients of the complex numbers of a library",
        "tests/complex/members.rs",
        "the_gradient_by_a_complex_number_is_the_pair_of_partial_derivatives",
    ),
    (
        "Zygote",
        "another backend inside of a function",
        "tests/differentiate_with.rs",
        "the_backend_that_is_named_differentiates",
    ),
    ("Zygote", "generic functions and traits", "tests/composition/traits.rs", "generic_functions_call_traits"),
    (
        "ChainRules",
        "rules serve every backend that overloads numbers",
        "tests/hand_rules.rs",
        "numbers_of_other_types_use_the_rules",
    ),
    (
        "Diffractor",
        "functions of plain floats, which stay as they are",
        "tests/surface/main.rs",
        "the_function_is_untouched",
    ),
    ("Diffractor", "what no derivative depends on is left alone", "tests/conduct.rs", "a_clock_is_constant"),
    ("Enzyme", "rules by hand", "tests/surface/main.rs", "rules"),
    (
        "Enzyme",
        "members that carry no derivative beside some that do",
        "tests/composition/machines.rs",
        "members_that_are_no_numbers",
    ),
    (
        "FastDifferentiation",
        "sparse Jacobians and Hessians, without what is zero everywhere",
        "tests/backends/symbolic.rs",
        "sparse_matrices",
    ),
    (
        "FastDifferentiation",
        "products with the Jacobian, its transpose and the Hessian",
        "tests/backends/symbolic.rs",
        "products",
    ),
    ("FiniteDiff", "default steps", "tests/backends/finite_diff.rs", "finite_diff_default_steps"),
    ("FiniteDiff", "Hessians, of values and of gradients", "tests/backends/finite_diff.rs", "finite_diff_hessians"),
    (
        "FiniteDiff",
        "second order, as many calls as promised",
        "tests/operators/evaluations.rs",
        "second_order_by_differences",
    ),
    (
        "FiniteDifferences",
        "products with Jacobians, for arguments of several shapes",
        "tests/backends/finite_differences.rs",
        "finite_differences_products_of_several_arguments",
    ),
    (
        "ForwardDiff",
        "what was prepared is good for other sizes, and gives values",
        "tests/backends/dual.rs",
        "forward_diff_prepared_for_other_sizes",
    ),
    (
        "ForwardDiff",
        "functions written over any number type",
        "tests/backends/dual.rs",
        "forward_diff_functions_written_over_any_number_type",
    ),
    ("GTPSA", "parameters and variables", "tests/backends/taylor.rs", "parameters_and_variables"),
    ("Mooncake", "what is not supported is refused with a message", "tests/ui.rs", "refused_with_a_message"),
    ("Mooncake", "arguments whose derivative nobody wants", "tests/surface/arguments.rs", "what_is_not_differentiated"),
    (
        "Mooncake",
        "structs as friendly tangents, and as rows of numbers",
        "tests/structs/locals.rs",
        "flat_views_go_both_ways",
    ),
    ("Mooncake", "caches of several seeds at one point", "tests/allocations.rs", "several_pullbacks_at_the_same_point"),
    ("ReverseDiff", "arrays and numbers as inputs", "tests/backends/tape.rs", "replays_see_constants"),
    ("ReverseDiff", "rules by hand on tapes", "tests/hand_rules.rs", "numbers_of_other_types_use_the_rules"),
    ("Symbolics", "patterns that hold everywhere", "tests/sparsity/detectors.rs", "patterns_that_hold_everywhere"),
    ("Symbolics", "functions that write, at other points", "tests/backends/symbolic.rs", "outputs_at_other_points"),
    ("Tracker", "nested gradients", "tests/backends/tape.rs", "second_derivatives"),
    ("Zygote", "closures over data", "tests/surface/choices.rs", "closures"),
    ("Zygote", "values beside gradients", "tests/surface/variants.rs", "gradients"),
    ("Zygote", "several arguments, and results of several parts", "tests/composition/helpers.rs", "results_have_parts"),
    ("Zygote", "what is ignored is constant", "tests/conduct.rs", "a_cast_to_an_integer_is_constant"),
    (
        "every package",
        "the facts about derivatives, on every backend",
        "tests/conformance/rows.rs",
        "every_cell_passes",
    ),
];

/// Package, ability, and why there is no test of it.
const WITHOUT: &[(&str, &str, &str)] = &[
    (
        "ChainRules",
        "projection of cotangents to the primal's type",
        "not needed: a cotangent's type follows from the primal's, and the compiler checks it",
    ),
    (
        "Zygote",
        "gradients of dictionaries",
        "refused by the compiler: entries of a map have no order to be flattened in; a struct has names, too, \
         and a map that is passed as `Constant(..)` can tell where in a slice each name's number is",
    ),
    (
        "GTPSA",
        "series with complex coefficients, and of the error function",
        "not there: coefficients are `f32` and `f64`, functions those of the derivative table, which are the standard library's",
    ),
    ("Enzyme", "GPU kernels, OpenMP and MPI", "not there"),
    (
        "ChainRules",
        "cotangents that are put off",
        "not needed: adjoints add to what is there, in place, and nothing stands between",
    ),
    (
        "ForwardDiff",
        "fewer directions for matrices that are diagonal or triangular",
        "not there: the argument is the vector of the entries that vary, and the function makes the matrix of it",
    ),
    (
        "Zygote",
        "the diagonal of a Hessian",
        "no operator of its own: where the Hessian is sparse, `AutoSparse` finds it in as few products as there are colors",
    ),
    (
        "Zygote",
        "hooks on cotangents",
        "a function with a rule by hand whose value is its argument's: its `vjp` sees the cotangent and may change it",
    ),
    (
        "Enzyme",
        "infinite factors of cotangents that are zero",
        "`AutoDual.nan_safe()`; generated adjoints follow IEEE 754, so that what is NaN is seen",
    ),
    ("GTPSA", "Lie brackets", "no function of their own: they are sums of products of derivatives, as Poisson's are"),
];

#[test]
fn every_ability_has_a_test() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut missing = Vec::new();
    for (package, ability, file, test) in ROWS {
        println!("{package:<22}{ability:<68}{file}: {test}");
        let source = fs::read_to_string(root.join(file)).unwrap_or_default();
        if !is_test(&source, test) {
            missing.push(format!("{file}: {test}"));
        }
    }
    for (package, ability, why) in WITHOUT {
        println!("{package:<22}{ability:<68}{why}");
    }
    assert!(missing.is_empty(), "no such tests: {missing:#?}");
}

/// Whether the source has a function of this name with `#[test]` among its attributes.
fn is_test(source: &str, name: &str) -> bool {
    let head = format!("fn {name}(");
    source.match_indices(&head).any(|(at, _)| {
        let before = source[..at].rsplit("\n\n").next().unwrap_or_default();
        before.contains("#[test]")
    })
}

#[test]
fn what_is_no_test_is_missed() {
    assert!(is_test("/// Why.\n#[test]\nfn adds() {}", "adds"));
    assert!(!is_test("#[test]\nfn adds() {}\n\nfn helps() {}", "helps"));
    assert!(!is_test("#[test]\nfn adds() {}", "add"));
}
