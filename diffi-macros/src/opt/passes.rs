//! The pass table: the pipeline, the switches, the names to dump after, and their documentation.

use crate::analysis::out_params::out_params;
use crate::ir::{Block, Function};
use crate::opt::access::{bounds_checks, hoist_layouts, rotating_scalars, scalar_replacement};
use crate::opt::adjoint::{
    coalesce_copies, combine_additions, distribute_linear, distribute_scatter, first_touch, init_by_rule,
    rematerialize, skip_zero,
};
use crate::opt::loops::{interchange, outer_vectorize, split_reductions, unroll_jam, vector_calls};
use crate::opt::memory::{hoist_allocation, propagate_copies, reuse_buffers};
use crate::opt::normalize::{
    array_rename, array_versions, cse, exchange, fold_views, forward_slices, full_unroll, rename, sink,
    split_aggregates, split_index_sets, substitute_indices,
};
use crate::opt::pass::Body::*;
use crate::opt::pass::{Body, Context, Pass, Run, Stage};
use crate::opt::scalar::{dead_code, forward_substitute, preaccumulate, sink_negation};
use crate::support::switches::{is_on, left_out};

const ADJOINTS: &[Body] = &[Pull, Forward, Reverse];
const REVERSE_SWEEPS: &[Body] = &[Pull, Reverse];
const SCATTERING: &[Body] = &[Pull, Reverse, PullPush];
const TANGENTS_OF_ADJOINTS: &[Body] = &[PullPush, ForwardPush, ReversePush];

/// All passes, in their order.
///
/// Tangents are not jammed: they have more to do for each element that they load, so that four iterations at once gain little,
/// and rustc would have to check four times as much.
pub const PASSES: &[Pass] = &[
    required(function("out_params", out_params)),
    function("full_unroll", full_unroll::full_unroll),
    function("split_aggregates", split_aggregates::split_aggregates),
    function("substitute_indices", substitute_indices::substitute_indices),
    function("fold_views", fold_views::fold_views),
    function("forward_slices", forward_slices::forward_slices),
    function("array_rename", array_rename::array_rename),
    function("exchange", exchange::exchange),
    function("array_versions", array_versions::array_versions),
    function("split_index_sets", split_index_sets::split_index_sets),
    required(function("rename", rename::rename)),
    function("dead_code", dead_code::dead_code),
    function("cse", cse::cse),
    function("sink", sink::sink),
    adjoint("rotating_scalars", rotating_scalars::rotating_scalars),
    Pass {
        stage: Stage::Adjoint,
        ..sweeps("dead_code", REVERSE_SWEEPS, |cx, blocks| dead_code::dead_derivative_code(cx.table, blocks))
    },
    adjoint("coalesce_copies", |cx, block| coalesce_copies::coalesce_copies(cx.table, cx.activity, block)),
    adjoint("combine_additions", |cx, block| combine_additions::combine_additions(cx.table, cx.activity, block)),
    adjoint("skip_zero", |_, block| skip_zero::skip_zero(block)),
    sweeps("dead_code", TANGENTS_OF_ADJOINTS, |cx, blocks| dead_code::dead_derivative_code(cx.table, blocks)),
    body("propagate_copies", Body::ALL, |cx, block| {
        propagate_copies::propagate_copies(cx.table, cx.activity, block, &cx.results);
    }),
    sweeps("rematerialize", TANGENTS_OF_ADJOINTS, |cx, blocks| rematerialize::rematerialize(cx.table, blocks)),
    body("preaccumulate", REVERSE_SWEEPS, |cx, block| preaccumulate::preaccumulate(cx.table, cx.base, block)),
    body("distribute_linear", &[Pull, PullPush], |cx, block| distribute_linear::distribute_linear(cx.table, block)),
    body("first_touch", REVERSE_SWEEPS, |cx, block| {
        first_touch::first_touch(cx.table, block, cx.bars.iter().copied());
    }),
    body("outer_vectorize", &[Pull, PullPush], |cx, block| outer_vectorize::outer_vectorize(cx.table, block)),
    body("distribute_scatter", SCATTERING, |cx, block| {
        distribute_scatter::distribute_scatter(cx.table, cx.activity, block);
    }),
    body("sink_negation", Body::ALL, |cx, block| sink_negation::sink_negation(cx.table, block, &cx.results)),
    body("hoist_allocation", Body::ALL, |cx, block| {
        hoist_allocation::hoist_allocation(cx.table, cx.activity, block, &cx.results)
    }),
    body("vector_calls", Body::ALL, |cx, block| vector_calls::vector_calls(cx.table, block)),
    body("unroll_jam", ADJOINTS, |cx, block| unroll_jam::unroll_jam(cx.table, block)),
    body("scalar_replacement", Body::ALL, |cx, block| scalar_replacement::scalar_replacement(cx.table, block)),
    body("split_reductions", Body::ALL, |cx, block| split_reductions::in_blocks(cx.table, block)),
    body("interchange", ADJOINTS, |cx, block| interchange::interchange(cx.table, block)),
    body("bounds_checks", Body::ALL, |cx, block| bounds_checks::bounds_checks(cx.table, block)),
    body("split_reductions", REVERSE_SWEEPS, |cx, block| split_reductions::split_reductions(cx.table, block)),
    body("init_by_rule", REVERSE_SWEEPS, |cx, block| {
        init_by_rule::init_by_rule(cx.table, block, cx.bars.iter().copied());
    }),
    Pass {
        name: "forward_substitute",
        stage: Stage::Code,
        bodies: Body::ALL,
        required: false,
        run: Run::Alike(forward_substitute::forward_substitute),
    },
    sweeps("reuse_buffers", Body::ALL, |cx, blocks| reuse_buffers::reuse_buffers(cx, blocks)),
    body("hoist_layouts", Body::ALL, |cx, block| hoist_layouts::hoist_layouts(cx.table, block)),
];

/// The passes of a stage that are switched on.
///
/// # Panics
///
/// If `DIFFI_WITHOUT` names no pass.
pub fn running(stage: Stage) -> impl Iterator<Item = &'static Pass> {
    let known = |name: &String| {
        ["all", "inline", "stencil_gather", "call_tbr"].contains(&&name[..])
            || PASSES.iter().any(|pass| pass.name == name)
    };
    if let Some(name) = left_out().iter().find(|name| !known(name)) {
        panic!("`DIFFI_WITHOUT` names `{name}`, which is no pass; the passes are {}", names().join(", "));
    }
    PASSES.iter().filter(move |pass| pass.stage == stage && (pass.required || is_on(pass.name)))
}

fn names() -> Vec<&'static str> {
    PASSES.iter().map(|pass| pass.name).collect()
}

const fn function(name: &'static str, run: fn(Function) -> Function) -> Pass {
    Pass { name, stage: Stage::Function, bodies: &[], required: false, run: Run::Function(run) }
}

/// A pass that later stages rely on.
const fn required(pass: Pass) -> Pass {
    Pass { required: true, ..pass }
}

const fn adjoint(name: &'static str, run: fn(&mut Context<'_>, &mut Block)) -> Pass {
    Pass { name, stage: Stage::Adjoint, bodies: REVERSE_SWEEPS, required: false, run: Run::Body(run) }
}

const fn body(name: &'static str, bodies: &'static [Body], run: fn(&mut Context<'_>, &mut Block)) -> Pass {
    Pass { name, stage: Stage::Code, bodies, required: false, run: Run::Body(run) }
}

const fn sweeps(name: &'static str, bodies: &'static [Body], run: fn(&mut Context<'_>, &mut [&mut Block])) -> Pass {
    Pass { name, stage: Stage::Code, bodies, required: false, run: Run::Sweeps(run) }
}
