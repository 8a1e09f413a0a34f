//! The signature of a function, from which those of its derivative functions are made.

use crate::ad::derivatives::Tangent;
use crate::analysis::activity::Activity;
use crate::emit::code::copies;
use crate::emit::code::names::{Foreign, VALUE};
use crate::emit::code::text::Holes;
use crate::emit::code::writer::{Emit, Order, float_name};
use crate::emit::items::captures::Captures;
use crate::emit::items::slot::Slot;
use crate::frontend::lower::confirmed;
use crate::ir::symbols::Table;
use crate::ir::visit::Vars;
use crate::ir::visit::parts::shared::{self, Part};
use crate::ir::*;
use crate::support::syntax::mentions;
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use std::collections::BTreeSet;

/// Whether a type has a lifetime, written or left out at a `&`.
pub fn has_lifetime(tokens: &TokenStream) -> bool {
    tokens.clone().into_iter().any(|t| match t {
        TokenTree::Punct(p) => matches!(p.as_char(), '\'' | '&'),
        TokenTree::Group(g) => has_lifetime(&g.stream()),
        _ => false,
    })
}

/// Every lifetime becomes `'static`, and where one is left out at a `&` it is written.
pub fn with_static(tokens: TokenStream) -> TokenStream {
    let is = |tree: &TokenTree, c: char| matches!(tree, TokenTree::Punct(p) if p.as_char() == c);
    let (mut out, mut after) = (TokenStream::new(), false);
    let mut trees = tokens.into_iter().peekable();
    while let Some(tree) = trees.next() {
        let elided = is(&tree, '&') && !trees.peek().is_some_and(|next| is(next, '\''));
        let lifetime = std::mem::replace(&mut after, is(&tree, '\''));
        out.extend([match tree {
            TokenTree::Ident(i) if lifetime => TokenTree::Ident(Ident::new("static", i.span())),
            TokenTree::Group(g) => TokenTree::Group(proc_macro2::Group::new(g.delimiter(), with_static(g.stream()))),
            other => other,
        }]);
        if elided {
            out.extend(quote!('static));
        }
    }
    out
}

/// One function's signature, from which all the others are made.
pub struct Frame<'f> {
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
    /// Names for items that are called like variables of generated code, where these are not in scope; the questions that all
    /// bodies share, so that rustc answers them once.
    pub aliases: String,
    /// Of a closure that is handed to another function: what it captures.
    pub inside: Option<Captures<'f>>,
    pub(super) places: Vec<String>,
    /// Parameters of which only rustc knows whether they carry derivatives.
    pub(super) asked: BTreeSet<usize>,
    /// Those of them whose numbers derivative code reads.
    pub(super) read: BTreeSet<usize>,
    /// The function is refused: its derivative code asks nothing of the types of arguments, whatever these are.
    pub refused: bool,
    /// The types in whose module alone a public function may be called, if they are private.
    pub(super) named: Vec<syn::Type>,
}

impl<'f> Frame<'f> {
    pub fn new(function: &'f Function, activity: &'f Activity, holes: &'f Holes) -> Self {
        let places = function.params.iter().map(|p| place_type(p, holes)).collect();
        let items = |wanted: &dyn Fn(&TokenStream) -> bool| -> String {
            function.items.iter().filter(|item| wanted(item)).map(|item| holes.put(item.clone())).collect()
        };
        let inside = function.owner.as_ref().map(|o| &o.kind);
        let apart = matches!(inside, None | Some(OwnerKind::Inherent | OwnerKind::Conversion(_)));
        Frame {
            function,
            activity,
            foreign: Foreign::of(function),
            holes,
            float: float_name(&function.base),
            ret: holes.ty(&function.ret),
            items: items(&|item| !apart || !stands_apart(item)),
            aliases: items(&|item| apart && stands_apart(item)),
            inside: None,
            places,
            asked: BTreeSet::new(),
            read: BTreeSet::new(),
            named: Vec::new(),
            refused: false,
        }
    }

    pub fn params(&self) -> impl Iterator<Item = (usize, &Param)> {
        self.function.params.iter().enumerate()
    }

    /// The type that a parameter's shadow goes with.
    pub fn place(&self, k: usize) -> &str {
        &self.places[k]
    }

    pub fn emit<'a>(&'a self, table: &'a Table, kind: (Order, Slot<'a>), blocks: &[&Block]) -> Emit<'a> {
        let mut emit =
            Emit::new(self.function, table, (&self.foreign, self.holes), kind, self.activity.everything(), blocks);
        emit.asks_of_value = self.ret == VALUE;
        match &self.inside {
            Some(inside) => emit.within(inside, &self.foreign),
            None => emit,
        }
    }

    /// The user's generics with more parameters, and the bounds of ours.
    pub fn generics(&self, more: &[String], kept: &[String]) -> (String, String) {
        self.generics_from(false, more, kept)
    }

    /// The same, from outside of the block that the function stands in, or from inside.
    pub fn generics_from(&self, outside: bool, more: &[String], kept: &[String]) -> (String, String) {
        let (all, this) = self.own_generics(outside);
        let lifetimes = all.iter().flat_map(|g| g.lifetimes()).map(ToTokens::to_token_stream);
        let types = all.iter().flat_map(|g| &g.params).filter(|p| !matches!(p, syn::GenericParam::Lifetime(_)));
        let own = lifetimes.chain(types.map(ToTokens::to_token_stream)).map(|p| self.holes.put(p));
        let params = own.chain(this).chain(more.iter().cloned()).collect::<Vec<String>>().join(", ");
        let bounds = all.iter().filter_map(|g| g.where_clause.as_ref()).flat_map(|w| &w.predicates);
        let bounds = bounds
            .map(|p| self.holes.put(p.to_token_stream()))
            .chain(self.float_bounds(!more.is_empty()))
            .chain(self.active_bounds())
            .chain(self.operator_bounds(!more.is_empty()))
            .chain(kept.iter().cloned());
        let bounds = bounds.collect::<Vec<String>>().join(", ");
        (format!("<{params}>"), if bounds.is_empty() { bounds } else { format!("where {bounds}") })
    }

    /// The user's generics with a number type and more, in front of bodies over any number type.
    pub fn generics_over(&self, more: &[String]) -> (String, String) {
        self.generics_over_some(more, &|_| true)
    }

    /// The same with those of the user's types and constants that are `kept`; the clauses only if all are.
    pub fn generics_over_some(&self, more: &[String], kept: &dyn Fn(&Ident) -> bool) -> (String, String) {
        let generics = &self.function.generics;
        let float = self.generic_float();
        let is_kept = |param: &syn::GenericParam| name_of(param).map(|name| Some(name) == float || kept(name));
        let lifetimes = generics.lifetimes().map(ToTokens::to_token_stream);
        let types = generics.params.iter().filter(|p| is_kept(p) == Some(true));
        let own = lifetimes.chain(types.map(ToTokens::to_token_stream)).map(|p| self.holes.put(p));
        let source = self.function.projected.as_ref().map(|(_, ty)| ty.to_token_stream());
        let is_known = |name: &Ident| kept(name) || !source.as_ref().is_some_and(|ty| mentions(ty, name));
        let number = match generics.params.iter().filter_map(name_of).all(is_known) {
            true => format!("__Number: __d::Real<Base = {}>", self.float),
            false => "__Number: __d::Real".to_owned(),
        };
        let all: Vec<String> = own.chain([number]).chain(more.iter().cloned()).collect();
        let whole = generics.params.iter().all(|p| is_kept(p) != Some(false));
        let clauses = generics.where_clause.iter().filter(|_| whole).flat_map(|w| &w.predicates);
        let clauses = clauses.map(|p| self.holes.put(p.to_token_stream()));
        let float = float.map(|name| format!("{name}: __d::Float + __d::Lifted<Over<__Number> = __Number>"));
        let bounds: Vec<String> = clauses.chain(float).collect();
        let bounds = if bounds.is_empty() { String::new() } else { format!("where {}", bounds.join(", ")) };
        (format!("<{}>", all.join(", ")), bounds)
    }

    /// The type parameter that is the float.
    fn generic_float(&self) -> Option<&Ident> {
        match &self.function.base {
            Base::Generic(name) => Some(name),
            Base::Concrete(_) => None,
        }
    }

    /// The float type.
    pub fn float_name(&self) -> Ident {
        let (Base::Concrete(name) | Base::Generic(name)) = &self.function.base;
        name.clone()
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
        let (all, this) = self.own_generics(true);
        let (mut params, mut bounds) = (Vec::new(), self.active_bounds());
        for param in all.iter().flat_map(|g| &g.params) {
            match param {
                syn::GenericParam::Type(ty) if ty.ident == *name => {
                    bounds.push(format!("for<'any> {name}: {}", self.holes.put(ty.bounds.to_token_stream())));
                }
                other => params.push(self.holes.put(other.to_token_stream())),
            }
        }
        let clauses = all.iter().filter_map(|g| g.where_clause.as_ref()).flat_map(|w| &w.predicates);
        bounds.extend(clauses.map(|clause| self.bound_at_any(clause)));
        params.extend(this);
        (format!("<{}>", params.join(", ")), format!("where {}", bounds.join(", ")))
    }

    fn bound_at_any(&self, clause: &syn::WherePredicate) -> String {
        let bound = self.holes.put(clause.to_token_stream());
        match clause {
            syn::WherePredicate::Type(p) if p.lifetimes.is_none() => format!("for<'any> {bound}"),
            _ => bound,
        }
    }

    /// The shadow of the result.
    pub fn tangent(&self, space: &str) -> String {
        self.tangent_of(&self.ret, space)
    }

    /// The shadow of a result of this type.
    pub fn tangent_of(&self, ret: &str, space: &str) -> String {
        match ret == self.float {
            true => space.to_owned(),
            false => format!("__d::Tan<{ret}, {space}, {}>", self.float),
        }
    }

    pub fn lin(&self) -> String {
        format!("Space: __d::LinearSpace<{}>", self.float)
    }

    pub fn workspace(&self) -> String {
        format!("ws: &mut __d::Workspace<{}, Space>", self.float)
    }

    /// `x: &[f64], mut __d0: __D0, `, for each parameter.
    pub fn arguments(&self, emit: &Emit<'_>, slots: &[Slot<'_>]) -> String {
        let mut out = String::new();
        for (k, param) in self.function.params.iter().enumerate() {
            out += &self.argument(emit, k, param);
            if param.function.is_some() {
                out += &self.function_arguments(k, slots[0]);
                continue;
            }
            for slot in slots {
                out += &format!("mut {}: {}, ", slot.argument(k), slot.generic(k));
            }
        }
        out
    }

    fn argument(&self, emit: &Emit<'_>, k: usize, param: &Param) -> String {
        if let Some(first) = self.first_argument(k, param) {
            return first;
        }
        if param.list.is_some() {
            return format!("{}: __L{k}, ", emit.name(param.var));
        }
        let by_value = param.passing == Passing::Value
            && param.copying.is_none()
            && self.function.vars[param.var.0 as usize].mutable;
        let mutable = if by_value { "mut " } else { "" };
        format!("{mutable}{}: {}, ", emit.name(param.var), self.argument_type(k, param))
    }

    fn argument_type(&self, k: usize, param: &Param) -> String {
        match param.passing {
            _ if !self.read.contains(&k) => self.holes.ty(&param.full),
            Passing::Value => self.places[k].clone(),
            Passing::Ref => format!("&{}", self.places[k]),
            Passing::Mut | Passing::Out => format!("&mut {}", self.places[k]),
        }
    }

    /// `Space: .., more, __D0: .., ..`, and the bounds.
    pub fn header(&self, more: &str, slots: &[Slot<'_>]) -> (String, String) {
        let mut all = vec![self.lin()];
        all.extend((!more.is_empty()).then(|| more.to_owned()));
        for (k, param) in self.params() {
            all.extend(param.list.map(|_| format!("__L{k}: __d::Listed<{}, __d::Same>", self.element(param))));
            match &param.function {
                Some(function) => all.extend(self.function_bounds(k, function, slots)),
                None => all.extend(slots.iter().map(|slot| self.slot_bound(*slot, k))),
            }
        }
        self.generics(&all, &[])
    }

    /// The elements of a parameter that is a list.
    pub fn element(&self, param: &Param) -> String {
        self.holes.put(elements(param))
    }

    /// Lists of what the user's function walks over.
    pub fn lists(&self, emit: &Emit<'_>) -> String {
        let list = |(_, p): (usize, &Param)| {
            let name = emit.name(p.var);
            format!("let {name} = &__d::Listed::<{}, __d::Same>::list({name})[..];", self.element(p))
        };
        let lists = self.params().filter(|(_, p)| p.list.is_some()).map(list);
        lists.chain(self.params().map(|(k, p)| self.copied(k, p, emit))).collect()
    }

    /// A value of derivative code's own, where a parameter is copied.
    fn copied(&self, k: usize, param: &Param, emit: &Emit<'_>) -> String {
        let (name, ty) = (emit.name(param.var), self.holes.ty(&param.ty));
        let mutable = if self.function.vars[param.var.0 as usize].mutable { "mut " } else { "" };
        match (param.copying, param.passing) {
            (None, _) => String::new(),
            (Some(Copying::Converted), _) => {
                format!("let {mutable}{name}: {ty} = ::core::convert::Into::into({name});")
            }
            (Some(Copying::Lent), Passing::Mut | Passing::Out) => {
                format!("let mut __copied{k} = __d::Copied::of({name}); let {name}: &mut {ty} = __copied{k}.copy();")
            }
            (Some(Copying::Lent), _) => format!("let {mutable}{name}: {ty} = __d::copied({name});"),
        }
    }

    /// What the function returns. Tangents are moved where the function's own values may be copied, so those of a variable that the
    /// result has twice are copies.
    pub fn out(&self, emit: &Emit<'_>, out: &Output) -> String {
        let (mut once, mut again) = (Vars::new(), Vars::new());
        shared::out(out, &mut |part| {
            let mut note = |var: Var| _ = if once.contains(&var) { again.insert(var) } else { once.insert(var) };
            match part {
                Part::Place(place, _) => note(place.root),
                Part::Passive(code) => code.reads.iter().for_each(|var| note(*var)),
                _ => {}
            }
        });
        self.part_of_result(emit, out, &again)
    }

    fn part_of_result(&self, emit: &Emit<'_>, out: &Output, again: &Vars) -> String {
        let part = |out: &Output| self.part_of_result(emit, out, again);
        let all = |members: &[Output]| members.iter().map(|o| part(o) + ", ").collect::<String>();
        let moves = |p: &Place| p.path.is_empty() && self.is_own(emit, p.root) && !again.contains(&p.root);
        match out {
            Output::Float(Operand::Passive(o)) | Output::Passive(o) => emit.passive_code(o),
            Output::Float(Operand::Place(p)) => emit.place(p),
            Output::Float(made) => emit.operand(made),
            Output::Place(p) if moves(p) => emit.place(p),
            Output::Place(p) => copies::of_value(&emit.place(p)),
            Output::Tuple(members) => format!("({})", all(members)),
            Output::Array(members) => format!("[{}]", all(members)),
            Output::Beside(y, aux) => format!("({}, __d::Aux({}))", part(y), emit.passive_code(aux)),
            Output::Maybe(m) => maybe(emit, m, &part(&m.content)),
            Output::Unit => "()".to_owned(),
        }
    }

    /// Whether a variable is no reference, neither here nor in the function.
    fn is_own(&self, emit: &Emit<'_>, var: Var) -> bool {
        let by_reference = |p: &Param| p.var == var && p.passing != Passing::Value;
        !emit.is_reference(var) && !self.function.params.iter().any(by_reference)
    }

    pub fn push(&self, code: &Tangent<'_>, instead: &str) -> String {
        let emit = self.emit(&code.pass.table, (Order::First, Slot::DOT), &[&code.body]);
        let (generics, bounds) = self.header("", &[Slot::DOT]);
        let args = self.arguments(&emit, &[Slot::DOT]);
        let (ret, tan, ws, items) = (&self.ret, self.tangent("Space"), self.workspace(), &self.items);
        let (function, body) = (self.header_of("push"), self.pushed(&emit, code));
        let checks = self.holes.put(confirmed::checked(self.function.checks.iter()));
        format!("{function}{generics}({args}{ws}) -> ({ret}, {tan}) {bounds} {{ {items} {checks} {instead} {body} }}")
    }

    /// The same body for another function's header.
    pub fn push_everywhere(&self, code: &Tangent<'_>) -> String {
        let emit = self.emit(&code.pass.table, (Order::First, Slot::DOT), &[&code.body]);
        format!("return {{ {} }};", self.pushed(&emit, code))
    }

    fn pushed(&self, emit: &Emit<'_>, code: &Tangent<'_>) -> String {
        let Tangent { pass, body, dot: result } = code;
        let open = self.opened(emit, Slot::DOT, &pass.dots, &|_| None).before;
        let stmts = emit.block(body);
        let (value, dot) = (self.out(emit, &self.function.result), self.out(emit, result));
        let (kins, first) = (emit.kins(&[body]).concat(), self.first(emit));
        format!(
            "{first} {open} {kins}
             {stmts}
             ({value}, {dot})"
        )
    }
}

/// An `Option` or a `Result` of a content.
fn maybe(emit: &Emit<'_>, m: &MaybeOutput, content: &str) -> String {
    let present = emit.passive_code(&m.present);
    match &m.failure {
        None => format!(
            "if {present} {{ ::core::option::Option::Some({content}) }} else {{ ::core::option::Option::None }}"
        ),
        Some(failure) => format!(
            "if {present} {{ ::core::result::Result::Ok({content}) }} else {{
                 ::core::result::Result::Err({}.returned())
             }}",
            emit.passive_code(failure)
        ),
    }
}

/// What the user's function is given of a parameter that is a list.
pub fn walked(param: &Param) -> &'static str {
    param.list.map_or("", ViewForm::walked)
}

impl ViewForm {
    /// What is written behind a list.
    pub fn walked(self) -> &'static str {
        match self {
            ViewForm::Elements => ".iter()",
            ViewForm::Copies => ".iter().cloned()",
            ViewForm::Whole | ViewForm::View | ViewForm::BorrowedView | ViewForm::Lent | ViewForm::Left => "",
        }
    }
}

/// The type of the elements of a list, `[T]`.
pub fn elements(param: &Param) -> TokenStream {
    match syn::parse2(param.ty.clone()) {
        Ok(syn::Type::Slice(list)) => list.elem.to_token_stream(),
        _ => param.ty.clone(),
    }
}

/// The type that a parameter's shadow goes with.
fn place_type(param: &Param, holes: &Holes) -> String {
    match matches!(param.passing, Passing::Value | Passing::Ref) && has_lifetime(&param.ty) {
        true => {
            let ty = holes.put(with_static(param.ty.clone()));
            format!("<<{ty} as __d::Param>::ParamKind as __d::ParamKind>::Place")
        }
        false => holes.ty(&param.ty),
    }
}

/// Whether an item gives another one a name of ours, or asks a question.
fn stands_apart(item: &TokenStream) -> bool {
    item.clone().into_iter().any(|tree| {
        let name = tree.to_string();
        name.starts_with("__own_") || name.ends_with("__known")
    })
}

/// The name of a generic type or constant.
pub fn name_of(param: &syn::GenericParam) -> Option<&Ident> {
    match param {
        syn::GenericParam::Type(t) => Some(&t.ident),
        syn::GenericParam::Const(c) => Some(&c.ident),
        syn::GenericParam::Lifetime(_) => None,
    }
}
