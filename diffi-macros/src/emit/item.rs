//! The items around the bodies: the handle, its derivative functions, and the traits that
//! operators see.

use super::names::Foreign;
use super::slots::Slot;
use super::text::Holes;
use super::{Emit, Order, float_name};
use crate::activity::Activity;
use crate::forward::Forward;
use crate::ir::*;
use crate::options::Rule;
use crate::reverse::{Apart, Joint};
use crate::table::Table;
use crate::walk::Vars;
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;

/// The derivative code of one function.
pub struct Products<'f> {
    /// Tangents: the pass and its body.
    pub push: (Forward<'f>, Block, Out),
    /// Both sweeps in one.
    pub pull: Joint,
    /// The two sweeps apart; none if the forward one would keep nothing.
    pub split: Option<Apart>,
    /// The tangent of `pull`.
    pub pull_push: (Forward<'f>, Block, Out),
    /// The tangent of `split`.
    pub split_push: Option<(Forward<'f>, Block, Block, Out)>,
}

/// Everything that the attribute adds beside the user's function.
pub fn items(
    function: &Function,
    visibility: &syn::Visibility,
    handle: &Ident,
    root: &TokenStream,
    activity: &Activity,
    products: Products<'_>,
) -> TokenStream {
    let holes = Holes::default();
    let frame = Frame::new(function, activity, &holes);
    let primal = super::generic::primal(function, activity, (&frame.foreign, &holes));
    let overloads = primal.is_some();
    let bodies =
        [frame.push(&products.push), frame.pull(&products), frame.pull_push(&products), primal.unwrap_or_default()]
            .concat();
    beside(&frame, visibility, (handle, root), &bodies, overloads)
}

/// The same for a function with a rule by hand.
pub fn items_by_rule(
    function: &Function,
    visibility: &syn::Visibility,
    handle: &Ident,
    root: &TokenStream,
    activity: &Activity,
    rule: &Rule,
) -> TokenStream {
    let holes = Holes::default();
    let frame = Frame::new(function, activity, &holes);
    beside(&frame, visibility, (handle, root), &super::rule::bodies(&frame, rule), false)
}

/// The handle, its functions, and its traits.
fn beside(
    frame: &Frame<'_>,
    visibility: &syn::Visibility,
    (handle, root): (&Ident, &TokenStream),
    bodies: &str,
    overloads: bool,
) -> TokenStream {
    let holes = frame.holes;
    let (visibility, root) = (holes.put(visibility.to_token_stream()), holes.put(root.clone()));
    let name = holes.put(handle.to_token_stream());
    let exclusive = |p: &Param| matches!(p.passing, Passing::Mut | Passing::Out).to_string();
    let exclusive = frame.function.params.iter().map(exclusive).collect::<Vec<_>>().join(", ");
    let (func, source) = (frame.func(&name), frame.source(&name));
    let overload = if overloads { frame.overload(&name) } else { String::new() };
    holes.fill(&format!(
        "#[doc(hidden)]
         #[allow(non_camel_case_types)]
         #[derive(Clone, Copy, Debug, Default)]
         {visibility} struct {name} {{}}
         #[allow(warnings, clippy::all, clippy::pedantic, clippy::nursery, missing_docs)]
         const _: () = {{
             use {root}::__private as __d;
             impl {name} {{
                 /// The handle: what operators take.
                 pub const D: Self = Self {{}};
                 #[doc(hidden)]
                 pub const __EXCLUSIVE: &[bool] = &[{exclusive}];
                 {bodies}
             }}
             {func}
             {source}
             {overload}
         }};"
    ))
}

pub(super) fn has_lifetime(tokens: &TokenStream) -> bool {
    tokens.clone().into_iter().any(|t| match t {
        TokenTree::Punct(p) => p.as_char() == '\'',
        TokenTree::Group(g) => has_lifetime(&g.stream()),
        _ => false,
    })
}

/// Every lifetime becomes `'static`.
pub(super) fn with_static(tokens: TokenStream) -> TokenStream {
    let mut after = false;
    tokens
        .into_iter()
        .map(|tree| match tree {
            TokenTree::Punct(p) if p.as_char() == '\'' => {
                after = true;
                TokenTree::Punct(p)
            }
            TokenTree::Ident(i) if std::mem::take(&mut after) => TokenTree::Ident(Ident::new("static", i.span())),
            TokenTree::Group(g) => TokenTree::Group(proc_macro2::Group::new(g.delimiter(), with_static(g.stream()))),
            other => other,
        })
        .collect()
}

/// One function's signature, from which all the others are made.
pub(super) struct Frame<'f> {
    pub function: &'f Function,
    pub activity: &'f Activity,
    pub foreign: Foreign,
    pub holes: &'f Holes,
    /// The float type.
    pub float: String,
    /// The return type.
    pub ret: String,
    /// Items of the user's body.
    pub items: String,
    places: Vec<String>,
}

impl<'f> Frame<'f> {
    fn new(function: &'f Function, activity: &'f Activity, holes: &'f Holes) -> Self {
        let places = function.params.iter().map(|p| place_type(p, holes)).collect();
        Frame {
            function,
            activity,
            foreign: Foreign::of(function),
            holes,
            float: float_name(&function.base),
            ret: holes.ty(&function.ret),
            items: function.items.iter().map(|item| holes.put(item.clone())).collect(),
            places,
        }
    }

    pub fn params(&self) -> impl Iterator<Item = (usize, &Param)> {
        self.function.params.iter().enumerate()
    }

    /// The type that a parameter's shadow goes with.
    pub fn place(&self, k: usize) -> &str {
        &self.places[k]
    }

    pub fn emit<'a>(&'a self, table: &'a Table, order: Order, blocks: &[&Block]) -> Emit<'a> {
        Emit::new(self.function, table, (&self.foreign, self.holes), order, self.activity.everything(), blocks)
    }

    /// The user's generics with more parameters, and the bounds of ours.
    pub fn generics(&self, more: &[String], kept: &[String]) -> (String, String) {
        let generics = &self.function.generics;
        let types = generics.params.iter().filter(|p| !matches!(p, syn::GenericParam::Lifetime(_)));
        let lifetimes = generics.lifetimes().map(ToTokens::to_token_stream);
        let own = lifetimes.chain(types.map(ToTokens::to_token_stream)).map(|p| self.holes.put(p));
        let all = own.chain(more.iter().cloned()).collect::<Vec<String>>().join(", ");
        let bounds = generics.where_clause.iter().flat_map(|w| &w.predicates);
        let bounds = bounds
            .map(|p| self.holes.put(p.to_token_stream()))
            .chain(self.float_bounds(!more.is_empty()))
            .chain(kept.iter().cloned());
        let bounds = bounds.collect::<Vec<String>>().join(", ");
        (format!("<{all}>"), if bounds.is_empty() { bounds } else { format!("where {bounds}") })
    }

    /// The bounds of a generic float: in derivative code, those of its tangents.
    fn float_bounds(&self, derivative: bool) -> Option<String> {
        let Base::Generic(name) = &self.function.base else { return None };
        Some(match derivative {
            false => format!("{name}: __d::Float"),
            true => format!(
                "{name}: __d::Float + __d::Word, {name}: __d::Active<Tangent<Space> = Space>, \
                 {name}: __d::Active<Tangent<{name}> = {name}>"
            ),
        })
    }

    /// The generics without the float, which is `float`, and their bounds.
    ///
    /// `for<'any>` keeps rustc from asking whether a float that the user left out has the bounds.
    pub fn generics_at(&self, name: &Ident) -> (String, String) {
        let generics = &self.function.generics;
        let (mut params, mut bounds) = (Vec::new(), Vec::new());
        for param in &generics.params {
            match param {
                syn::GenericParam::Type(ty) if ty.ident == *name => {
                    bounds.push(format!("for<'any> {name}: {}", self.holes.put(ty.bounds.to_token_stream())));
                }
                other => params.push(self.holes.put(other.to_token_stream())),
            }
        }
        bounds.extend(generics.where_clause.iter().flat_map(|w| &w.predicates).map(|p| match p {
            syn::WherePredicate::Type(p) if p.lifetimes.is_none() => {
                format!("for<'any> {}", self.holes.put(p.to_token_stream()))
            }
            other => self.holes.put(other.to_token_stream()),
        }));
        (format!("<{}>", params.join(", ")), format!("where {}", bounds.join(", ")))
    }

    /// The shadow of the result.
    pub fn tangent(&self, space: &str) -> String {
        match self.ret == self.float {
            true => space.to_owned(),
            false => format!("__d::Tan<{}, {space}, {}>", self.ret, self.float),
        }
    }

    pub fn lin(&self) -> String {
        format!("Space: __d::Lin<{}>", self.float)
    }

    pub fn workspace(&self) -> String {
        format!("ws: &mut __d::Workspace<{}, Space>", self.float)
    }

    /// `x: &[f64], mut __d0: __D0, `, for each parameter.
    pub fn arguments(&self, emit: &Emit<'_>, slots: &[Slot<'_>]) -> String {
        let mut out = String::new();
        for (k, param) in self.function.params.iter().enumerate() {
            let by_value = param.passing == Passing::Value && self.function.vars[param.var.0 as usize].mutable;
            let mutable = if by_value { "mut " } else { "" };
            out += &format!("{mutable}{}: {}, ", emit.name(param.var), self.holes.ty(&param.full));
            for slot in slots {
                out += &format!("mut {}: {}, ", slot.argument(k), slot.generic(k));
            }
        }
        out
    }

    /// `Space: .., more, __D0: .., ..`, and the bounds.
    pub fn header(&self, more: &str, slots: &[Slot<'_>]) -> (String, String) {
        let mut all = vec![self.lin()];
        all.extend((!more.is_empty()).then(|| more.to_owned()));
        for k in 0..self.function.params.len() {
            all.extend(slots.iter().map(|slot| self.slot_bound(*slot, k)));
        }
        self.generics(&all, &[])
    }

    /// What the function returns.
    pub fn out(&self, emit: &Emit<'_>, out: &Out) -> String {
        match out {
            Out::Float(Operand::Place(p)) => emit.place(p),
            Out::Float(Operand::Opaque(o)) | Out::Passive(o) => emit.opaque(o),
            Out::Place(p)
                if p.path.is_empty()
                    && !self.function.params.iter().any(|q| q.var == p.root && q.passing != Passing::Value) =>
            {
                emit.place(p)
            }
            Out::Place(p) => format!("::core::clone::Clone::clone(&{})", emit.place(p)),
            Out::Tuple(all) => format!("({})", all.iter().map(|o| self.out(emit, o) + ", ").collect::<String>()),
            Out::Array(all) => format!("[{}]", all.iter().map(|o| self.out(emit, o) + ", ").collect::<String>()),
            Out::Unit => "()".to_owned(),
        }
    }

    fn push(&self, (pass, body, result): &(Forward<'_>, Block, Out)) -> String {
        let emit = self.emit(&pass.table, Order::First, &[body]);
        let (generics, bounds) = self.header("", &[Slot::DOT]);
        let args = self.arguments(&emit, &[Slot::DOT]);
        let (ret, tan, ws, items) = (&self.ret, self.tangent("Space"), self.workspace(), &self.items);
        let open = self.opened(&emit, Slot::DOT, &pass.dots, &Vars::new()).before;
        let stmts = emit.block(body);
        let flags = self.flags(Slot::DOT, &stmts);
        let (value, dot) = (self.out(&emit, &self.function.result), self.out(&emit, result));
        let kins = emit.kins(&[body]);
        format!(
            "#[doc(hidden)]
             #[inline]
             pub fn __push{generics}({args}{ws}) -> ({ret}, {tan}) {bounds} {{
                 {items} {flags} {open} {kins}
                 {stmts}
                 ({value}, {dot})
             }}"
        )
    }
}

/// The type that a parameter's shadow goes with.
fn place_type(param: &Param, holes: &Holes) -> String {
    match param.passing == Passing::Value && has_lifetime(&param.ty) {
        true => {
            let ty = holes.put(with_static(param.ty.clone()));
            format!("<<{ty} as __d::Param>::Kind as __d::Kind>::Place")
        }
        false => holes.ty(&param.ty),
    }
}
