//! The passes, in order.

use crate::activity::{Activity, activity};
use crate::buffers::buffers;
use crate::emit::{Products, items, items_by_rule};
use crate::forward::Forward;
use crate::ir::*;
use crate::lanes::lanes;
use crate::options::{Options, Rule};
use crate::outputs::outputs;
use crate::parse::{lower, signature};
use crate::parts::parts;
use crate::print;
use crate::reverse::{apart, joint};
use crate::rows::rows;
use crate::signs::signs;
use crate::sink::sink;
use crate::stencils::stencils;
use crate::table::Table;
use crate::versions::versions;
use proc_macro2::TokenStream;

/// From the user's function to what stands beside it.
pub fn compile(options: &Options, item: &syn::ItemFn, root: &TokenStream) -> syn::Result<TokenStream> {
    let dump = Dump::of(options, item);
    if let Some(rule) = &options.rule {
        return by_rule(options, rule, item, root, &dump);
    }
    let function = prepared(options, item, &dump)?;
    let activity = activity(&function);
    let products = derivatives(&function, &activity, &dump);
    let handle = options.handle.clone().unwrap_or_else(|| function.name.clone());
    let tokens = items(&function, &item.vis, &handle, root, &activity, products);
    dump.tokens(&tokens);
    Ok(tokens)
}

/// The body of a function with a rule is the user's own business.
fn by_rule(
    options: &Options,
    rule: &Rule,
    item: &syn::ItemFn,
    root: &TokenStream,
    dump: &Dump,
) -> syn::Result<TokenStream> {
    let function = signature(options, item)?;
    let handle = options.handle.clone().unwrap_or_else(|| function.name.clone());
    let tokens = items_by_rule(&function, &item.vis, &handle, root, &activity(&function), rule);
    dump.tokens(&tokens);
    Ok(tokens)
}

/// What the transforms work on.
fn prepared(options: &Options, item: &syn::ItemFn, dump: &Dump) -> syn::Result<Function> {
    let lowered = dump.function("lower", outputs(lower(options, item)?));
    let local = dump.function("sink", sink(lowered));
    Ok(dump.function("versions", versions(local)))
}

fn derivatives<'f>(function: &'f Function, activity: &Activity, dump: &Dump) -> Products<'f> {
    let push = tangent(function, activity);
    dump.block("forward", &push.0.table, &push.1);
    let pull = stencils(joint(function, activity));
    dump.block("reverse", &pull.table, &pull.body);
    let split = apart(function, activity);
    dump.block("reverse: forward sweep", &split.table, &split.forward);
    dump.block("reverse: reverse sweep", &split.table, &split.reverse);

    let mut second = Forward::new(function, pull.table.clone(), pull.activity.clone());
    externals(&mut second, pull.bars.values().copied().chain(pull.y_bar));
    let mut body = second.block(&pull.body);
    let result = result(&mut second, function, &mut body);
    let pull_push = (second, body, result.clone());

    let mut second = Forward::new(function, split.table.clone(), split.activity.clone());
    externals(&mut second, split.bars.values().copied().chain(split.y_bar));
    let mut forward = second.block(&split.forward);
    let dot = self::result(&mut second, function, &mut forward);
    let reverse = second.block(&split.reverse);
    let split_push = (second, forward, reverse, dot);
    Products { push, pull, split, pull_push, split_push }.finish(function)
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
    /// The last passes, over every body.
    fn finish(mut self, function: &Function) -> Self {
        let value = &function.result;
        let last = |table: &mut Table, body: &mut Block, results: &[&Out]| {
            signs(table, body, results);
            let pooled = buffers(table, std::mem::take(body), results);
            let summed = parts(table, pooled);
            *body = rows(table, summed);
        };
        for (pass, body, dot) in [&mut self.push, &mut self.pull_push] {
            last(&mut pass.table, body, &[value, dot]);
        }
        last(&mut self.pull.table, &mut self.pull.body, &[value]);
        last(&mut self.split.table, &mut self.split.forward, &[value]);
        last(&mut self.split.table, &mut self.split.reverse, &[value]);
        lanes(&self.pull.table, &mut self.pull.body);
        lanes(&self.split.table, &mut self.split.reverse);
        let (pass, forward, reverse, dot) = &mut self.split_push;
        last(&mut pass.table, forward, &[value, dot]);
        last(&mut pass.table, reverse, &[value, dot]);
        self
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
            eprintln!("// {name}: emitted\n{tokens}\n");
        }
    }
}

#[cfg(test)]
mod tests;
