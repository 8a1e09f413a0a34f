//! The passes, in order.

use crate::ad::forward::Forward;
use crate::ad::reverse::{Apart, Joint, adjoints};
use crate::ad::sparsity::{Everywhere, everywhere, trace};
use crate::analysis::activity::{Activity, activity};
use crate::analysis::out_params::outputs;
use crate::emit::{Code, Handle, Products, Second, Traces, items, items_by_rule, items_to_come};
use crate::frontend::lower::{self, lower};
use crate::frontend::syntax::iterator_params::with_lists;
use crate::frontend::syntax::signature::with_named_types;
use crate::ir::print;
use crate::ir::purity::repeatable;
use crate::ir::symbols::Table;
use crate::ir::visit::blocks;
use crate::ir::*;
use crate::opt::access::bounds_checks::rows;
use crate::opt::access::carried_scalars::recurrences;
use crate::opt::access::rotating_scalars::{stencils, stencils_apart};
use crate::opt::access::scalar_promotion::parts;
use crate::opt::adjoint::dead_reset::idle;
use crate::opt::adjoint::dead_tape::unread;
use crate::opt::adjoint::distribute_linear::gathered;
use crate::opt::adjoint::first_touch::begun;
use crate::opt::adjoint::init_by_rule::fresh;
use crate::opt::adjoint::rematerialize::regained;
use crate::opt::adjoint::skip_zero::chosen;
use crate::opt::loops::interchange::columns;
use crate::opt::loops::outer_vectorize::abreast;
use crate::opt::loops::reassociate::reassociate;
use crate::opt::loops::rotate_sums::turns;
use crate::opt::loops::split_reductions::lanes;
use crate::opt::loops::unroll_jam::jam;
use crate::opt::loops::vector_calls::vector_math;
use crate::opt::memory::hoist_allocation::buffers;
use crate::opt::memory::last_use_moves::moves;
use crate::opt::memory::reuse_buffers::lasting;
use crate::opt::normalize::array_rename::refilled;
use crate::opt::normalize::cse::common;
use crate::opt::normalize::fold_views::views;
use crate::opt::normalize::privatize::sink;
use crate::opt::normalize::rename::versions;
use crate::opt::scalar::forward_substitute::{Body, fold};
use crate::opt::scalar::preaccumulate::slopes;
use crate::opt::scalar::sink_negation::signs;
use crate::support::hash::HashMap;
use crate::support::options::Options;
use crate::support::switches::is_on;
use crate::support::{errors, tokens};
use proc_macro2::TokenStream;

/// From the user's function to what stands beside it.
pub fn compile(options: &Options, item: &syn::ItemFn, root: &TokenStream) -> syn::Result<TokenStream> {
    compile_in(options, item, None, root).map(|code| code.beside)
}

/// The same, where the function may stand in a block.
pub fn compile_in(
    options: &Options,
    item: &syn::ItemFn,
    owner: Option<&Owner>,
    root: &TokenStream,
) -> syn::Result<Code> {
    let item = &derived_from(item);
    let dump = Dump::of(options, item);
    let handle = Handle { name: options.handle.clone(), visibility: &item.vis, root };
    let code = match (&options.implicit, &options.rule) {
        (Some(implicit), None) => {
            let function = without_functions(lower::signature(options, item, owner)?);
            let (rule, halves) = crate::item::implicit::rule(implicit, item, &function, root)?;
            let mut code = items_by_rule(&function, &handle, &activity(&function), &rule);
            code.beside.extend(halves);
            code
        }
        (Some(_), Some(_)) => return Err(errors::rule_and_equation(item.sig.ident.span())),
        (None, Some(rule)) => {
            let function = without_functions(lower::signature(options, item, owner)?);
            items_by_rule(&function, &handle, &activity(&function), rule)
        }
        (None, None) => {
            let function = prepared(options, item, owner, &dump)?;
            let activity = activity(&function);
            let products =
                derivatives(&function, &activity, Wanted { again: true, second: !options.first_order }, &dump);
            let trace = trace(&function, &activity);
            trace.iter().for_each(|trace| dump.block("trace", &products.push.0.table, &trace.function.body));
            let all = everywhere(&function, &activity);
            if let Everywhere::All(function) = &all {
                dump.block("everywhere", &Table::of(function), &function.body);
            }
            let traces = Traces { trace: trace.as_ref(), all: &all, asked: options.everywhere };
            items(&function, &handle, &activity, products, &traces)
        }
    };
    dump.tokens(&code.inside);
    dump.tokens(&code.beside);
    Ok(code)
}

/// The derivative code of a function that depends on all that another one depends on anywhere.
pub fn derivatives_of_all<'f>(function: &'f Function, activity: &Activity, second: bool) -> Products<'f> {
    derivatives(function, activity, Wanted { again: true, second }, &Dump { name: None })
}

/// A method without a body, which implementations may leave without derivatives.
pub fn compile_required(options: &Options, item: &syn::ItemFn, owner: &Owner, root: &TokenStream) -> syn::Result<Code> {
    let function = lower::signature(options, &derived_from(item), Some(owner))?;
    let handle = Handle { name: options.handle.clone(), visibility: &item.vis, root };
    Ok(items_to_come(&function, &handle, &activity(&function)))
}

/// The function as derivative code has it.
fn derived_from(item: &syn::ItemFn) -> syn::ItemFn {
    with_lists(with_named_types(item))
}

/// A rule by hand takes functions for constants.
fn without_functions(mut function: Function) -> Function {
    function.params.iter_mut().filter_map(|p| p.function.as_mut()).for_each(|f| f.followed = false);
    function
}

/// What the transforms work on.
fn prepared(options: &Options, item: &syn::ItemFn, owner: Option<&Owner>, dump: &Dump) -> syn::Result<Function> {
    let lowered = dump.function("lower", views(outputs(lower(options, item, owner)?)));
    let local = dump.function("sink", refilled(sink(lowered)));
    let named = dump.function("versions", versions(local));
    Ok(dump.function("common", if is_on("common") { common(named) } else { named }))
}

/// A closure that is handed to another function, ready for the transforms.
pub fn prepared_closure(function: &Function) -> Function {
    versions(refilled(sink(views(outputs(function.clone())))))
}

/// Its derivative code, always with both sweeps apart too.
pub fn derivatives_of_closure<'f>(function: &'f Function, activity: &Activity) -> Products<'f> {
    derivatives(function, activity, Wanted { again: false, second: true }, &Dump { name: None })
}

/// Which derivative code is made.
struct Wanted {
    /// A forward sweep may be left out where the function itself can be called once more.
    again: bool,
    /// Second derivatives.
    second: bool,
}

fn derivatives<'f>(function: &'f Function, activity: &Activity, wanted: Wanted, dump: &Dump) -> Products<'f> {
    let push = tangent(function, activity);
    dump.block("forward", &push.0.table, &push.1);
    let (pull, split) = adjoints(function, activity);
    let mut pull = if is_on("stencils") { stencils(pull, &function.base) } else { pull };
    before_tangents(&pull.table, &mut pull.body);
    dump.block("reverse", &pull.table, &pull.body);
    let mut split = if is_on("stencils") { stencils_apart(split, &function.base) } else { split };
    before_tangents(&split.table, &mut split.reverse);
    // a closure cannot be called once more from its own code
    let split = Some(split).filter(|split| !wanted.again || !is_evaluated_again(function, split));
    if let Some(split) = &split {
        dump.block("reverse: forward sweep", &split.table, &split.forward);
        dump.block("reverse: reverse sweep", &split.table, &split.reverse);
    }
    let second = wanted.second.then(|| tangents_of_adjoints(function, &pull, split.as_ref()));
    Products { push, pull, split, second }.finish(function)
}

fn tangents_of_adjoints<'f>(function: &'f Function, pull: &Joint, split: Option<&Apart>) -> Second<'f> {
    let mut pull_push = tangent_of_joint(function, pull);
    let mut split_push = split.map(|split| tangent_of_apart(function, split));
    if is_on("unread") {
        unread(&pull_push.0.table, &mut [&mut pull_push.1]);
        if let Some((pass, forward, reverse, _)) = &mut split_push {
            unread(&pass.table, &mut [forward, reverse]);
        }
    }
    if is_on("regained") {
        regained(&pull_push.0.table, &mut [&mut pull_push.1]);
        if let Some((pass, forward, reverse, _)) = &mut split_push {
            regained(&pass.table, &mut [forward, reverse]);
        }
    }
    Second { pull_push, split_push }
}

fn before_tangents(table: &Table, body: &mut Block) {
    if is_on("idle") {
        idle(table, body);
    }
    if is_on("chosen") {
        chosen(body);
    }
}

fn tangent_of_joint<'f>(function: &'f Function, pull: &Joint) -> (Forward<'f>, Block, Out) {
    let mut second = Forward::new(function, pull.table.clone(), pull.activity.clone());
    externals(&mut second, pull.bars.values().copied().chain(pull.y_bar));
    let mut body = second.block(&pull.body);
    let result = result(&mut second, function, &mut body);
    (second, body, result)
}

fn tangent_of_apart<'f>(function: &'f Function, split: &Apart) -> (Forward<'f>, Block, Block, Out) {
    let mut second = Forward::new(function, split.table.clone(), split.activity.clone());
    externals(&mut second, split.bars.values().copied().chain(split.y_bar));
    let mut forward = second.block(&split.forward);
    let dot = result(&mut second, function, &mut forward);
    let reverse = second.block(&split.reverse);
    (second, forward, reverse, dot)
}

fn tangent<'f>(function: &'f Function, activity: &Activity) -> (Forward<'f>, Block, Out) {
    let mut pass = Forward::new(function, Table::of(function), activity.clone());
    let mut body = pass.block(&function.body);
    let out = result(&mut pass, function, &mut body);
    (pass, body, out)
}

/// The tangent of the result; what it needs goes to the end of the body.
fn result(pass: &mut Forward<'_>, function: &Function, body: &mut Block) -> Out {
    let out = pass.result(&function.result);
    body.stmts.extend(pass.pending());
    out
}

fn externals(pass: &mut Forward<'_>, bars: impl Iterator<Item = Var>) {
    let mut bars: Vec<Var> = bars.collect();
    bars.sort();
    bars.into_iter().for_each(|bar| pass.external(bar));
}

impl Products<'_> {
    /// The last passes, over every body. What carries tangents is not jammed, but for outer loops of adjoints that go abreast: it has more to do for each element that it loads, so that
    /// four trips at once gain little, and rustc would have to check four times as much.
    fn finish(mut self, function: &Function) -> Self {
        let value = &function.result;
        let last = |table: &mut Table, body: &mut Block, results: &[&Out], jams: bool| {
            if is_on("signs") {
                signs(table, body, results);
            }
            buffers(table, body, results);
            if table.has_vector_math() {
                vector_math(table, body);
            }
            if jams && is_on("jam") {
                jam(table, body);
            }
            if is_on("parts") {
                parts(table, body);
            }
            if is_on("recurrences") {
                recurrences(table, body);
            }
            if table.reassociates() {
                reassociate(table, body);
            }
            if jams && is_on("columns") {
                columns(table, body);
            }
            rows(table, body);
        };
        let sums = |table: &mut Table, body: &mut Block, bars: &HashMap<Var, Var>| {
            if is_on("lanes") {
                lanes(table, body);
            }
            fresh(table, body, bars.values().copied());
            if is_on("turns") {
                turns(table, body);
            }
        };
        let mut second = self.second.as_mut().map(|second| &mut second.pull_push);
        if let Some((pass, body, _)) = second.as_deref_mut().filter(|_| is_on("gathered")) {
            gathered(&mut pass.table, body);
        }
        if let Some((pass, body, _)) = second.as_deref_mut().filter(|_| is_on("abreast")) {
            abreast(&mut pass.table, body);
        }
        for (pass, body, dot) in [&mut self.push].into_iter().chain(second) {
            last(&mut pass.table, body, &[value, dot], false);
        }
        if is_on("slopes") {
            slopes(&mut self.pull.table, &function.base, &mut self.pull.body);
        }
        if is_on("gathered") {
            gathered(&mut self.pull.table, &mut self.pull.body);
        }
        if is_on("begun") {
            begun(&self.pull.table, &mut self.pull.body, self.pull.bars.values().copied());
        }
        if is_on("abreast") {
            abreast(&mut self.pull.table, &mut self.pull.body);
        }
        last(&mut self.pull.table, &mut self.pull.body, &[value], true);
        sums(&mut self.pull.table, &mut self.pull.body, &self.pull.bars);
        if let Some(split) = &mut self.split {
            if is_on("slopes") {
                slopes(&mut split.table, &function.base, &mut split.reverse);
            }
            if is_on("begun") {
                begun(&split.table, &mut split.reverse, split.bars.values().copied());
            }
            last(&mut split.table, &mut split.forward, &[value], true);
            last(&mut split.table, &mut split.reverse, &[value], true);
            sums(&mut split.table, &mut split.reverse, &split.bars);
        }
        if let Some((pass, forward, reverse, dot)) = self.second.as_mut().and_then(|second| second.split_push.as_mut())
        {
            last(&mut pass.table, forward, &[value, dot], false);
            last(&mut pass.table, reverse, &[value, dot], false);
        }
        if is_on("fold") {
            self.fold(function);
        }
        self.moves(&function.params, &function.result);
        self
    }

    /// Whole values are moved where they are read for the last time.
    fn moves(&mut self, params: &[Param], value: &Out) {
        let Products { push: (pass, body, dot), pull, split, second } = self;
        moves(&pass.table, params, &[value, dot], true, &mut [body]);
        moves(&pull.table, params, &[value], true, &mut [&mut pull.body]);
        if let Some(split) = split {
            moves(&split.table, params, &[value], false, &mut [&mut split.forward, &mut split.reverse]);
        }
        if is_on("lasting") {
            lasting(&pull.table, &mut pull.body);
            if let Some(split) = split {
                [&mut split.forward, &mut split.reverse].into_iter().for_each(|body| lasting(&split.table, body));
            }
        }
        let Some(Second { pull_push: (pass, body, dot), split_push }) = second else { return };
        moves(&pass.table, params, &[value, dot], true, &mut [body]);
        if let Some((pass, forward, reverse, dot)) = split_push {
            moves(&pass.table, params, &[value, dot], false, &mut [forward, reverse]);
        }
    }

    /// Numbers go to where they are read, in what is written side by side alike.
    fn fold(&mut self, function: &Function) {
        let (own, value) = (function.vars.len(), &function.result);
        let Products { push: (pass, body, dot), pull, split, second } = self;
        fold(own, &mut [Body::of_tangents(pass, body, value, dot)]);
        let of_adjoint = |table, block| Body { table, block, dots: None, results: vec![value] };
        let mut bodies = vec![of_adjoint(&pull.table, &mut pull.body)];
        if let Some(split) = split {
            bodies.extend([&mut split.forward, &mut split.reverse].map(|block| of_adjoint(&split.table, block)));
        }
        fold(own, &mut bodies);
        let Some(Second { pull_push: (pass, body, dot), split_push }) = second else { return };
        let mut bodies = vec![Body::of_tangents(pass, body, value, dot)];
        if let Some((pass, forward, reverse, dot)) = split_push {
            bodies.extend([forward, reverse].map(|block| Body::of_tangents(pass, block, value, dot)));
        }
        fold(own, &mut bodies);
    }
}

/// Whether to evaluate the function again costs no more than to keep what its reverse sweep needs: it writes to nothing but
/// variables, and its forward sweep is the function itself, without records and without sweeps of other functions; or it is a
/// formula.
fn is_evaluated_again(function: &Function, split: &Apart) -> bool {
    let read_only = |p: &Param| matches!(p.passing, Passing::Value | Passing::Ref);
    let element = function.owner.is_some() && crate::frontend::arrays::user_elements::is_element(&function.name);
    if element || function.params.iter().any(|p| p.function.is_some()) {
        return false;
    }
    let number = matches!(function.result, Out::Float(_));
    let formula = || function.body.stmts.iter().all(|s| matches!(s, Stmt::Let { .. }) && is_repeatable(s));
    let bare = || split.forward.stmts.iter().all(keeps_nothing);
    number && function.params.iter().all(read_only) && (formula() || bare())
}

fn keeps_nothing(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Let { .. } | Stmt::Declare { .. } | Stmt::Assign { .. } => is_repeatable(stmt),
        Stmt::If { .. } | Stmt::For(_) => blocks(stmt).iter().all(|b| b.stmts.iter().all(keeps_nothing)),
        Stmt::Derived(Derived::Loop(l)) => l.record.is_none() && l.on.body.stmts.iter().all(keeps_nothing),
        _ => false,
    }
}

/// Neither memory is taken nor another function called.
fn is_repeatable(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Let { expr, .. } => match expr {
            Expr::Op { .. } | Expr::Operand(_) | Expr::Array(_) | Expr::Tuple(_) | Expr::Struct(_) | Expr::Zero => true,
            Expr::Opaque(o) => repeatable(o),
            _ => false,
        },
        _ => true,
    }
}

/// Shows the stages, if `#[differentiable(dump)]` or `DIFFI_DUMP` asks for it.
struct Dump {
    name: Option<String>,
}

impl Dump {
    fn of(options: &Options, item: &syn::ItemFn) -> Self {
        let name = item.sig.ident.to_string();
        let asked = std::env::var("DIFFI_DUMP").is_ok_and(|v| v == "all" || v == name);
        Dump { name: (options.dump || asked).then_some(name) }
    }

    fn function(&self, stage: &str, function: Function) -> Function {
        if let Some(name) = &self.name {
            eprintln!("// {name}: {stage}\n{}", print::function(&function));
        }
        function
    }

    fn block(&self, stage: &str, table: &Table, block: &Block) {
        if let Some(name) = &self.name {
            eprintln!("// {name}: {stage}\n{}", print::block(table.vars(), block));
        }
    }

    fn tokens(&self, tokens: &TokenStream) {
        if let Some(name) = &self.name {
            eprintln!("// {name}: emitted\n{}\n", tokens::text(tokens));
        }
    }
}

#[cfg(test)]
mod tests;
