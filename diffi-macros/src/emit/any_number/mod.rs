//! The body over any number type: what overloading backends evaluate.
//!
//! Written from the same IR as the derivatives, where the types permit: floats, their containers and tuples, and what annotated
//! functions return. What a callee makes of numbers, its caller does not know; rustc finds it out (`overload/generic.rs` in the
//! runtime). So a call is written the same, whether the callee has such a body or not: see `stub`.
//!
//! Enters: a function. Leaves: its body over any number type, or the stub in its place.
//! Imports: `code`, the frame of a signature in `items`, `opt`, and the floors below.

mod conditions;
mod permits;
mod scratch;
mod statements;
mod stub;
mod tokens;
mod values;

pub use stub::stub;

use crate::ad::sparsity::Trace;
use crate::analysis::activity::Activity;
use crate::analysis::definite_assignment::reassigned;
use crate::analysis::split_borrows::halves;
use crate::emit::code::names::Names;
use crate::emit::items::frame::{Frame, elements, has_lifetime};
use crate::frontend::syntax::types::{has_alias, is_float_name};
use crate::ir::place::{element, element_type};
use crate::ir::symbols::Table;
use crate::ir::visit::{Access, Vars, blocks, touched};
use crate::ir::*;
use crate::opt::scalar::forward_substitute::fold_some;
use crate::support::switches::is_on;
use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::ToTokens;

/// `__primal`, and the handles that it calls; none if the types do not permit it.
///
/// Methods have none: their type is what it is. Numbers without values take both sides of branches, where that can be followed: they run
/// the traced function.
pub fn primal(frame: &Frame<'_>, trace: Option<&Trace>) -> Option<(String, Vec<TokenStream>)> {
    if frame.function.owner.is_some() {
        return None;
    }
    let table = Table::of(frame.function);
    let activity = frame.activity.with_calls(frame.function);
    let folded = Generic::new(frame, &table, frame.function, &activity).folded();
    let generic = Generic::new(frame, &table, &folded, &activity);
    let mut callees = Vec::new();
    generic.callees(&frame.function.body, &mut callees);
    let over_trace = trace.map(|t| t.activity.with_calls(&t.function));
    let traced = trace.zip(over_trace.as_ref()).map(|(t, activity)| Generic::new(frame, &table, &t.function, activity));
    let traced = traced.filter(Generic::permits);
    generic.permits().then(|| (generic.item(traced.as_ref()), callees))
}

/// The same for a function with a rule by hand: its linear part, by its own derivative code.
pub fn linear(frame: &Frame<'_>) -> Option<String> {
    let function = frame.function;
    let own = function.generics.params.iter().next().is_some() || matches!(function.base, Base::Generic(_));
    let read = |p: &Param| {
        let plain = !p.active || is_plain_type(&p.ty, &function.base);
        plain && !p.cache && matches!(p.passing, Passing::Value | Passing::Ref)
    };
    let permitted = function.owner.is_none()
        && !own
        && function.params.iter().all(read)
        && function.params.iter().any(|p| p.active)
        && is_plain_type(&function.ret, &function.base);
    let table = Table::of(function);
    permitted.then(|| Generic::new(frame, &table, function, frame.activity).linear_item())
}

struct Generic<'a> {
    frame: &'a Frame<'a>,
    function: &'a Function,
    activity: &'a Activity,
    names: Names<'a>,
    table: &'a Table,
    changed: Vars,
    again: Vars,
    float: Ident,
}

impl<'a> Generic<'a> {
    fn new(frame: &'a Frame<'a>, table: &'a Table, function: &'a Function, activity: &'a Activity) -> Self {
        let (Base::Concrete(float) | Base::Generic(float)) = function.base.clone();
        let changed = touched(&function.body.stmts, &[Access::Write]);
        let (again, names) = (reassigned(&function.body), Names::new(&frame.foreign, table));
        Generic { frame, function, activity, names, table, changed, again, float }
    }

    /// The function with numbers written where they are read, if that is once: as its author has it, and so that rustc finds the same
    /// machine code as for what is written by hand. Numbers of several parts are copied wherever they stand in a variable.
    fn folded(&self) -> Function {
        let mut function = self.function.clone();
        scratch::declared_outside(&mut function.body);
        if is_on("forward_substitute") {
            let mut some = Vars::new();
            self.made(&self.function.body, &mut some);
            fold_some(self.table, &mut function.body, &self.function.result, &some);
        }
        function
    }

    /// The numbers that are made of numbers, and never changed.
    fn made(&self, block: &Block, found: &mut Vars) {
        for stmt in &block.stmts {
            if let Stmt::Let { var, expr: Expr::Op { args, .. } } = stmt
                && self.lifted(*var)
                && !self.changed.contains(var)
                && args.iter().any(|o| matches!(o, Operand::Place(p) if self.lifted(p.root)))
            {
                found.insert(*var);
            }
            blocks(stmt).into_iter().for_each(|inner| self.made(inner, found));
        }
    }

    fn info(&self, var: Var) -> &VarInfo {
        &self.function.vars[var.0 as usize]
    }

    fn name(&self, var: Var) -> &str {
        self.names.get(var)
    }

    /// Whether the variable is made of the generic number.
    fn lifted(&self, var: Var) -> bool {
        let parameter = self.function.params.iter().any(|p| p.var == var && p.active);
        parameter || self.activity.has_tangent(var)
    }

    /// What is known of the place's type.
    fn ty(&self, place: &Place) -> Ty {
        element(&self.info(place.root).ty, &place.path)
    }

    /// Whether the place lies within a callee's result: what that is made of, rustc knows.
    fn is_part_of_unknown(&self, place: &Place) -> bool {
        !place.path.is_empty() && matches!(self.info(place.root).ty, Ty::Unknown | Ty::Struct(_))
    }

    /// The handles that are called, but for the function's own.
    fn callees(&self, block: &Block, found: &mut Vec<TokenStream>) {
        for stmt in &block.stmts {
            if let Stmt::Let { expr: Expr::Call(call), .. } = stmt
                && let Callee::Function(handle) = &call.callee
            {
                let (path, own) = (call.written.to_string(), self.function.name.to_string());
                let path = path.split("::").next().unwrap_or_default().trim().to_owned();
                let known = found.iter().any(|known| known.to_string() == handle.to_string());
                if path != own && !known {
                    found.push(handle.clone());
                }
            }
            blocks(stmt).into_iter().for_each(|b| self.callees(b, found));
        }
    }

    fn item(&self, traced: Option<&Generic<'_>>) -> String {
        let traced = traced.map(|t| {
            format!("if <__Number as __d::Real>::BRANCHES {{ return {{ {} {} }}; }}", t.opened_all(), t.run())
        });
        self.with_body(&traced.unwrap_or_default(), &self.run())
    }

    /// What the function does.
    fn run(&self) -> String {
        format!("{}\n{}", self.block(&self.function.body), self.out(&self.function.result))
    }

    /// The function with this body, and with what may be done instead in front of it.
    fn with_body(&self, instead: &str, body: &str) -> String {
        let params = Params::of(self.frame, true);
        let (generics, bounds) = self.frame.generics_over(&params.generics);
        let ((ret, aux), items) = (self.returned(), &self.frame.items);
        let ret = match aux {
            Some(aux) => format!("({}, {})", self.over(ret), self.frame.holes.ty(&aux)),
            None => self.over(ret),
        };
        format!(
            "/// The function over any number type.
             #[doc(hidden)] {inline}
             pub fn __primal{generics}(_: ::core::marker::PhantomData<__Number>, {args}) -> {ret} {bounds} {{
                 {items} {instead} {open}
                 {body}
             }}",
            inline = if turns(&self.function.body) { "#[inline(never)]" } else { "" },
            args = params.args,
            open = self.opened_all(),
        )
    }

    /// The type of the result that is differentiated, and of what stands beside it.
    fn returned(&self) -> (TokenStream, Option<TokenStream>) {
        let ret = &self.function.ret;
        match (&self.function.result, syn::parse2(ret.clone())) {
            (Output::Beside(..), Ok(syn::Type::Tuple(pair))) if pair.elems.len() == 2 => {
                (pair.elems[0].to_token_stream(), Some(pair.elems[1].to_token_stream()))
            }
            _ => (ret.clone(), None),
        }
    }

    fn opened_all(&self) -> String {
        self.function.params.iter().enumerate().map(|(k, p)| self.opened(k, p)).collect()
    }

    fn linear_item(&self) -> String {
        let names: String = self.function.params.iter().map(|p| format!("{}, ", self.name(p.var))).collect();
        let kinds = self.frame.kinds();
        self.with_body("", &format!("__d::linearized::<Self, {kinds}, __Number>(&Self {{}}, ({names}))"))
    }

    /// From what is given to the parameter.
    fn opened(&self, k: usize, param: &Param) -> String {
        let (name, place) = (self.name(param.var), self.frame.holes.ty(&param.ty));
        if param.list.is_some() {
            return format!("let list_{k} = __d::Listed::list(given_{k}); let {name} = &list_{k}[..];");
        }
        let mutable = if param.passing == Passing::Value && self.info(param.var).mutable { "mut " } else { "" };
        let held = |method: &str| {
            format!(
                "let mut held_{k} = ::core::option::Option::None;
                 let {name} = __d::{method}(&given_{k}, &mut held_{k});"
            )
        };
        match (Given::of(param, &self.function.base), param.passing) {
            (Given::AsItIs, _) => format!("let {mutable}{name} = given_{k};"),
            (given, Passing::Value) => {
                let ty = if given == Given::Numbers { self.over(param.ty.clone()) } else { place };
                format!("let {mutable}{name} = __d::remade::<{ty}, __Number, _, _>(given_{k});")
            }
            (Given::Numbers, Passing::Ref) => held(&format!("NumbersRef::<{place}, __Number, _>::shared")),
            (Given::Numbers, _) => {
                format!("let {name} = __d::NumbersMut::<{place}, __Number, _>::exclusive(&mut given_{k});")
            }
            (Given::Constant, _) => held(&format!("ConstantRef::<{place}, __Number, _>::constant")),
        }
    }

    /// A type with the generic number in place of the float.
    fn over(&self, tokens: TokenStream) -> String {
        over(self.frame, tokens)
    }
}

/// Whether there are loops. Functions with loops are compiled by themselves, as those written by hand are: what rustc makes of numbers of
/// several parts depends on what stands around the loop, and a call is nothing beside it.
fn turns(block: &Block) -> bool {
    block
        .stmts
        .iter()
        .any(|stmt| matches!(stmt, Stmt::For(_) | Stmt::While { .. }) || blocks(stmt).into_iter().any(turns))
}

/// A type over the generic number: what rustc finds for a name, and else the type with the number in place of the float.
pub fn over(frame: &Frame<'_>, tokens: TokenStream) -> String {
    match is_alias(&tokens, &frame.function.base) {
        true => format!("<{} as __d::Lifted>::Over<__Number>", frame.holes.ty(&tokens)),
        false => frame.holes.ty(&lift(tokens, &frame.float_name())),
    }
}

/// Whether a type of numbers is written by a name that rustc alone can look up: `Vector`, of `type Vector = Vec<f64>`.
fn is_alias(written: &TokenStream, base: &Base) -> bool {
    let named = || syn::parse2(written.clone()).is_ok_and(|ty| has_alias(&ty, base));
    matches!(base, Base::Concrete(_)) && named()
}

/// Whether a function returns what can be made of another number type, as its type or its result says.
fn returns_numbers(function: &Function) -> bool {
    let told = || is_alias(&function.ret, &function.base) && is_of_numbers(function, &function.result);
    is_plain_type(&function.ret, &function.base) || told()
}

fn is_of_numbers(function: &Function, out: &Output) -> bool {
    match out {
        Output::Float(_) => true,
        Output::Place(p) => is_plain(&element(&function.vars[p.root.0 as usize].ty, &p.path)),
        Output::Tuple(all) | Output::Array(all) => all.iter().all(|out| is_of_numbers(function, out)),
        _ => false,
    }
}

/// A type with the generic number in place of the float.
fn lift(tokens: TokenStream, float: &Ident) -> TokenStream {
    let concrete = float == "f64" || float == "f32";
    tokens
        .into_iter()
        .map(|tree| match tree {
            TokenTree::Ident(i) if i == *float || concrete && is_float_name(&i) => {
                TokenTree::Ident(Ident::new("__Number", i.span()))
            }
            TokenTree::Group(g) => TokenTree::Group(Group::new(g.delimiter(), lift(g.stream(), float))),
            other => other,
        })
        .collect()
}

/// Floats, and containers and tuples of floats: what can be made of another number type.
fn is_plain(ty: &Ty) -> bool {
    match ty {
        Ty::Float => true,
        Ty::Vec(e) | Ty::Array(e) | Ty::Slice(e) => is_plain(e),
        Ty::Tuple(all) => all.iter().all(is_plain),
        Ty::Passive | Ty::Struct(_) | Ty::Unknown | Ty::Library => false,
    }
}

/// The same for a written type.
fn is_plain_type(tokens: &TokenStream, base: &Base) -> bool {
    syn::parse2(tokens.clone()).is_ok_and(|ty| is_plain(&crate::frontend::syntax::types::describe(&ty, base)))
}

/// How a parameter takes what callers give.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Given {
    /// Made of the numbers.
    Numbers,
    /// Made of floats, whatever it was made of.
    Constant,
    /// As it is declared: it cannot be made of numbers.
    AsItIs,
}

impl Given {
    fn of(param: &Param, base: &Base) -> Self {
        let changed = matches!(param.passing, Passing::Mut | Passing::Out);
        let plain = is_plain_type(&param.ty, base) && !has_lifetime(&param.ty) && param.copying.is_none();
        match (plain, param.active) {
            (true, true) => Given::Numbers,
            (true, false) if !changed => Given::Constant,
            _ => Given::AsItIs,
        }
    }
}

/// The parameters of `__primal` and their type parameters.
#[derive(Default)]
struct Params {
    generics: Vec<String>,
    args: String,
}

impl Params {
    /// With a body, every parameter has a type; without, one that cannot be made of numbers takes anything.
    fn of(frame: &Frame<'_>, body: bool) -> Self {
        let mut all = Params::default();
        for (k, param) in frame.params() {
            let changed = matches!(param.passing, Passing::Mut | Passing::Out);
            let mutable = if body && changed { "mut " } else { "" };
            match taken(frame, (k, param), body) {
                None => all.args += &format!("given_{k}: {}, ", frame.holes.ty(&param.full)),
                Some(bound) => {
                    all.args += &format!("{mutable}given_{k}: __X{k}, ");
                    all.generics.extend(bound.contains("__M").then(|| format!("__M{k}")));
                    all.generics.push(format!("__X{k}: {bound}"));
                }
            }
        }
        all
    }
}

/// The bound of what a parameter takes, unless it takes its type alone.
fn taken(frame: &Frame<'_>, (k, param): (usize, &Param), body: bool) -> Option<String> {
    let (place, float) = (frame.holes.ty(&param.ty), frame.float_name());
    let over = || frame.holes.ty(&lift(param.ty.clone(), &float));
    let list = || frame.holes.put(lift(elements(param), &float));
    match (Given::of(param, &frame.function.base), param.passing) {
        _ if param.list.is_some() => Some(format!("__d::Listed<{}, __M{k}>", list())),
        (Given::AsItIs, _) if body => None,
        (Given::AsItIs, _) => Some("Sized".to_owned()),
        (Given::Numbers, Passing::Value) => Some(format!("__d::Remade<{}, __Number, __M{k}>", over())),
        (Given::Constant, Passing::Value) => Some(format!("__d::Remade<{place}, __Number, __M{k}>")),
        (Given::Numbers, Passing::Ref) => Some(format!("__d::NumbersRef<{place}, __Number, __M{k}>")),
        (Given::Numbers, _) => Some(format!("__d::NumbersMut<{place}, __Number, __M{k}>")),
        (Given::Constant, _) => Some(format!("__d::ConstantRef<{place}, __Number, __M{k}>")),
    }
}
