//! The state of lowering one function: its variables, the names in scope, the open block.

use crate::frontend::infer::usefulness::Usefulness;
use crate::frontend::projections::field_types::KnownStruct;
use crate::frontend::projections::number_traits::NumberTraits;
use crate::frontend::state::doubts::Doubts;
use crate::frontend::state::jumps::Jumps;
use crate::frontend::state::option_shapes::OptionShapes;
use crate::frontend::state::passive_parts::PassiveParts;
use crate::frontend::state::site::Site;
use crate::frontend::state::value::{Chain, Passive, Refs, Scope, Value};
use crate::frontend::state::write_back::WriteBack;
use crate::frontend::syntax::objects::Objects;
use crate::frontend::syntax::types;
use crate::frontend::unannotated::Unannotated;
use crate::ir::affine::gathered;
use crate::ir::visit::Vars;
use crate::ir::visit::{Access, touched};
use crate::ir::*;
use crate::ir::{place, purity};
use crate::support::errors::Errors;
use crate::support::names;
use crate::support::options::Options;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::quote;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What only lowering needs to know of a variable.
#[derive(Clone, Debug)]
pub struct Fact {
    /// Whether it can carry a derivative.
    pub active: bool,
    /// Declared `mut`, or a `&mut` parameter: it may change between two reads.
    pub changes: bool,
    /// Where it was declared, if an assignment may turn it active.
    pub site: Option<Site>,
    /// It is itself a reference (a `&T` or `&mut T` parameter).
    pub reference: bool,
    /// What is known of its type by where it comes from.
    pub origin: Origin,
    /// A matrix that stands for its Cholesky decomposition.
    pub cholesky: bool,
    /// A copy of a part of an array, which is a view in the function itself.
    pub view: bool,
    /// The structure of a passive variable.
    pub shape: Ty,
    /// A copy of a part of an active value, of which only rustc knows what it is.
    pub part: bool,
    /// A passive value that a pattern or an iterator gives, of which only rustc knows whether it is a reference.
    pub given: bool,
    /// A copy of an item of a passive iterator.
    pub item: bool,
    /// A passive reference that is set to another place, or what is made of such: the reverse sweep cannot find it again.
    pub moves: bool,
    /// Such a reference to an option or an enum, and not an option of references.
    pub leads_to_option: bool,
    /// It is an iterator that carries no derivative.
    pub iterator: bool,
    /// It is a guard, or may be one: its end does something.
    pub guard: Option<Guard>,
    /// It is an integer: it counts the iterations of a loop, or begins as a literal.
    pub counter: bool,
    /// The receiver `self`.
    pub receiver: bool,
    /// It is a parameter of a type like `usize`, or begins as a variable of one.
    pub scalar: bool,
    /// It begins as a length: `v.len()`.
    pub length: bool,
    /// It begins as a list of integers: `vec![0; n]`.
    pub counters: bool,
    /// An index of a reference that is assigned to, which is declared there.
    pub aim: Option<Site>,
    /// It holds references through which this passive variable can be changed.
    pub lends: Option<Var>,
    /// A parameter of a type that only the caller knows: generic, or behind `dyn`.
    pub open: bool,
    /// It is an `Option` as a whole.
    pub option: bool,
    /// It is, or holds, the error of a `Result` with an active value in it.
    pub error: bool,
    /// The function gives it no name yet: it takes the first one that a pattern gives it.
    pub nameless: bool,
    /// It lies in an `Rc` or an `Arc`, which nothing changes; these are references to it.
    pub counted: bool,
    /// The operation that made it, where that may be one of a user's type.
    pub doubt: Option<Site>,
}

/// A variable whose end does something, as far as its text tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guard {
    /// It may be of a type with a `Drop`.
    Possible,
    /// It holds a lock or a borrow of std's, or nothing reads it.
    Held,
}

/// What is known of a type that only rustc can name, by where a value of it comes from.
#[derive(Clone, Debug)]
pub enum Origin {
    /// Nothing.
    Unknown,
    /// A parameter of a type that is neither a float nor built from floats, or what operators make of one.
    Named,
    /// It was made of its fields: a struct or a variant, and no number; with the type, where a path said so.
    Fields(Option<TokenStream>),
    /// It was made by a function of a type that is no sequence of std's or of a library.
    Maker,
    /// It is a list of values that functions of their type made.
    Makers,
    /// It is a `Box`, which `*` opens.
    Boxed,
    /// Made by operations of a library's types alone, so that it is an array or a number, and of no user's type.
    Library,
}

impl Fact {
    /// Whether it is a `Box`.
    pub fn is_boxed(&self) -> bool {
        matches!(self.origin, Origin::Boxed)
    }

    /// Whether it is of a type that a parameter names.
    pub fn is_named(&self) -> bool {
        matches!(self.origin, Origin::Named)
    }

    /// Whether it was made of its fields.
    pub fn is_constructed(&self) -> bool {
        matches!(self.origin, Origin::Fields(_))
    }

    /// Whether a function of its type made it.
    pub fn is_made(&self) -> bool {
        matches!(self.origin, Origin::Maker)
    }

    /// Whether functions of their type made its elements.
    pub fn lists_made(&self) -> bool {
        matches!(self.origin, Origin::Makers)
    }

    /// Whether it is a library's for sure.
    pub fn is_foreign(&self) -> bool {
        matches!(self.origin, Origin::Library)
    }

    /// The type that it was made as, where a path of that said so.
    pub fn made_as(&self) -> Option<&TokenStream> {
        match &self.origin {
            Origin::Fields(ty) => ty.as_ref(),
            _ => None,
        }
    }
}

/// Lowers one function, under an assumption about which declarations are active.
pub struct Lower {
    /// The attribute's arguments.
    pub options: Options,
    /// The block around the function.
    pub owner: Option<Rc<Owner>>,
    /// The function's name, if it is one of no block.
    pub name: Option<Ident>,
    /// The function's own generics.
    pub generics: syn::Generics,
    /// The float type.
    pub base: Base,
    /// All variables so far.
    pub vars: Vec<VarInfo>,
    /// The same, what only lowering needs.
    pub facts: Vec<Fact>,
    /// Names in scope.
    pub scope: Scope,
    /// The open blocks, the innermost last.
    pub open: Vec<Block>,
    /// Declarations that an earlier round found to be active.
    pub assumed: BTreeSet<Site>,
    /// Declarations that this round found to be active.
    pub found: BTreeSet<Site>,
    /// The first that this round found though it was assumed already: its declared type carries no derivative.
    pub contradicted: Option<(Span, String)>,
    /// Parts of active values that carry no derivative, and the ones that this round found.
    pub passive: PassiveParts,
    /// What was wrong.
    pub errors: Errors,
    /// Enclosing loops, and where `return` puts its value.
    pub jumps: Jumps,
    /// Items declared inside the body.
    pub items: Vec<TokenStream>,
    /// Whether anything asks for the derivatives of calls' values.
    pub usefulness: Usefulness,
    /// The calls with active arguments for whose values' derivatives nothing asks.
    pub looked_at: RefCell<BTreeSet<Site>>,
    /// Those of them that this round found to be useful.
    pub found_useful: BTreeSet<Site>,
    /// The functions that are called by their handles, with their numbers of arguments.
    pub callees: Vec<(String, usize)>,
    /// The functions around that have no attribute.
    pub unannotated: Option<Rc<Unannotated>>,
    /// The calls of the user's methods that have names of others', and whether these take their receivers by `&mut`.
    pub exclusive_calls: Rc<std::collections::HashMap<Site, bool>>,
    /// The variables, fields and functions whose types mention trait objects.
    pub objects: Rc<Objects>,
    /// The user's traits that bound a generic float.
    pub number_traits: Rc<NumberTraits>,
    /// What is lowered is the body of a function for a float: methods are that float's.
    pub in_body_of_floats: bool,
    /// Items of the user's that are called like variables of generated code, and have other names there.
    pub aliases: Rc<RefCell<BTreeMap<String, Ident>>>,
    /// What rustc is to confirm of names.
    pub checks: Vec<TokenStream>,
    /// The structs that parameters are, as the files around define them.
    pub structs: Vec<KnownStruct>,
    /// The variables of the parameters.
    pub parameters: Vars,
    /// How deeply closures are being inlined.
    pub inlining: usize,
    /// Whether arrays of a library occur: what is not known to be a float may be one.
    pub library: bool,
    /// Whether complex numbers occur: what is not known to be a float may be one.
    pub complex: bool,
    /// Copies of parts of arrays that are to be written back.
    pub write_backs: Vec<WriteBack>,
    /// Tuples and options that the next call may change, by the variables that it is given in their place.
    pub lent: Vec<(Var, Value)>,
    /// Operators of which only rustc knows whose they are.
    pub doubts: Doubts,
    /// What options hold that are declared without a type.
    pub option_shapes: OptionShapes,
    /// What was read from elements of users' types: nothing can be stored through it.
    pub elements: BTreeSet<Var>,
    /// The methods by which references into variables without derivatives were found.
    pub projections: BTreeSet<String>,
    /// Parameters that are functions, through which derivatives are followed.
    pub functions: Vec<(Var, FunctionType)>,
    /// Of these: the ones that are applied to active values, or handed on.
    pub asked: BTreeSet<Var>,
    /// The names of variables that nothing reads.
    pub unread: Rc<BTreeSet<String>>,
    /// Options that passive code reads as a whole: what they hold is computed where they are named.
    pub whole_options: BTreeSet<Site>,
    /// Those that this round has found, in trials too.
    pub found_whole: Rc<RefCell<BTreeSet<Site>>>,
}

/// A new variable.
pub struct New<'a> {
    /// The name that generated code shows.
    pub hint: &'a str,
    /// Where it comes from.
    pub span: Span,
    /// What is known of its type.
    pub ty: Ty,
    /// Whether it may change.
    pub changes: bool,
    /// Where it was declared.
    pub site: Option<Site>,
}

impl<'a> New<'a> {
    /// An immutable temporary.
    pub fn temp(hint: &'a str, span: Span, ty: Ty) -> Self {
        New { hint, span, ty, changes: false, site: None }
    }

    /// A mutable variable that the lowering makes.
    pub fn mutable(hint: &'a str, span: Span, ty: Ty) -> Self {
        New { hint, span, ty, changes: true, site: Some(Site::at(span)) }
    }
}

impl Lower {
    /// A new variable, active unless its type says otherwise.
    pub fn new_var(&mut self, new: New) -> Var {
        let var = Var(self.vars.len() as u32);
        let hint = new.hint.trim_start_matches("r#");
        let name = Ident::new(&format!("__d{}_{hint}", var.0), new.span);
        let active = !types::is_passive(&new.ty);
        self.vars.push(VarInfo {
            name,
            hint: hint.to_string(),
            ty: new.ty.clone(),
            written: None,
            mutable: false,
            changes: new.changes,
            named: false,
            carrier: false,
            seen: ViewForm::Whole,
            span: new.span,
        });
        self.facts.push(Fact {
            active,
            changes: new.changes,
            site: new.site,
            reference: false,
            origin: Origin::Unknown,
            cholesky: false,
            view: false,
            shape: new.ty,
            part: false,
            given: false,
            item: false,
            moves: false,
            leads_to_option: false,
            iterator: false,
            guard: None,
            counter: false,
            receiver: false,
            scalar: false,
            length: false,
            counters: false,
            aim: None,
            lends: None,
            open: false,
            option: false,
            error: false,
            nameless: false,
            counted: false,
            doubt: None,
        });
        var
    }

    /// A variable's entry.
    pub fn info(&self, var: Var) -> &VarInfo {
        &self.vars[var.0 as usize]
    }

    /// A variable's entry.
    pub fn info_mut(&mut self, var: Var) -> &mut VarInfo {
        &mut self.vars[var.0 as usize]
    }

    /// A variable's entry.
    pub fn fact(&self, var: Var) -> &Fact {
        &self.facts[var.0 as usize]
    }

    /// A variable's entry.
    pub fn fact_mut(&mut self, var: Var) -> &mut Fact {
        &mut self.facts[var.0 as usize]
    }

    /// The whole of a variable, as a value.
    pub fn value_of(&self, var: Var) -> Value {
        let fact = self.fact(var);
        if fact.active {
            let refs = if fact.reference { Refs::SHARED } else { Refs::default() };
            return Value::place(Place::var(var)).behind(refs);
        }
        let passive = PassiveCode::var(var, self.info(var));
        let ty = fact.shape.clone();
        Value::Passive(Passive { passive, refs: Refs::default(), ty, root: Some(var) })
    }

    /// The name of an item in generated code, which has variables of its own.
    pub fn item_name(&self, name: &Ident) -> Option<Ident> {
        let plain = name.to_string();
        names::is_of_generated_code(&plain).then(|| {
            self.aliases.borrow_mut().entry(plain.clone()).or_insert_with(|| name.clone());
            Ident::new(&format!("__own_{plain}"), name.span())
        })
    }

    /// Adds a statement to the open block.
    pub fn emit(&mut self, stmt: Stmt) {
        self.open.last_mut().expect("a block is open").stmts.push(stmt);
    }

    /// Runs `f` with a new open block; names that it binds are forgotten afterwards.
    pub fn inside<R>(&mut self, f: impl FnOnce(&mut Self) -> R) -> (Block, R) {
        let scope = self.scope.clone();
        self.open.push(Block::default());
        let result = f(self);
        self.scope = scope;
        (self.open.pop().expect("it was pushed"), result)
    }

    /// Runs `f` with this block open again.
    pub fn within<R>(&mut self, block: &mut Block, f: impl FnOnce(&mut Self) -> R) -> R {
        self.open.push(std::mem::take(block));
        let result = f(self);
        *block = self.open.pop().expect("it was pushed");
        result
    }

    /// `let temp = expr`, active.
    pub fn bind(&mut self, hint: &str, span: Span, ty: Ty, expr: Expr) -> Var {
        let var = self.new_var(New::temp(hint, span, ty));
        self.emit(Stmt::Let { var, expr });
        var
    }

    /// `let temp = tokens`, passive; the variable's name.
    pub fn hold(&mut self, hint: &str, passive: PassiveCode) -> PassiveCode {
        let span = passive.span;
        let var = self.new_var(New::temp(hint, span, Ty::Passive));
        self.fact_mut(var).length = self.is_count(&passive);
        let moves = self.is_moving_with(&passive);
        self.fact_mut(var).moves = moves;
        let passive =
            if moves && purity::repeatable(&passive) { passive.map(|o| quote!(__d::held(#o))) } else { passive };
        self.emit(Stmt::Let { var, expr: Expr::Passive(passive) });
        PassiveCode::var(var, self.info(var))
    }

    /// A number of an iteration, or of an element, that takes the first name that the function gives it.
    pub fn iteration(&mut self, span: Span) -> Var {
        let var = self.new_var(New::temp("k", span, Ty::Passive));
        self.fact_mut(var).nameless = true;
        var
    }

    /// What is computed here once, and takes the first name that the function gives it.
    pub fn hold_nameless(&mut self, hint: &str, passive: PassiveCode) -> PassiveCode {
        let held = self.hold(hint, passive);
        held.reads.iter().for_each(|var| self.fact_mut(*var).nameless = true);
        held
    }

    /// `place op= value`.
    pub fn assign(&mut self, place: Place, op: Assign, value: Operand, span: Span) {
        self.refuse_element(place.root, span);
        self.info_mut(place.root).mutable = true;
        if let (Operand::Place(from), Assign::Set) = (&value, op) {
            self.alike(&place, from);
        }
        self.emit(Stmt::Assign { place, op, value, span });
    }

    /// Refuses to store through what was read from an element of a user's type.
    pub fn refuse_element(&mut self, root: Var, span: Span) {
        if self.elements.contains(&root) && !self.info(root).named {
            let instead = "assign to the element where it stands: `m[(i, j)] = ..`";
            self.errors.unsupported(span, "a reference to an element of a type that is not std's", instead);
        }
    }

    /// Remembers that a declaration is active after all, as a call may change it: if the declared type carries no derivative, neither does
    /// the call's parameter.
    pub fn activate_lent(&mut self, var: Var, span: Span) {
        let before = self.contradicted.clone();
        self.activate(var, span);
        self.contradicted = before;
    }

    /// Remembers that a declaration is active after all, in which an active value is stored.
    pub fn activate_by_store(&mut self, var: Var, span: Span) {
        match self.fact(var).active && self.fact(var).lends.is_none() {
            true => self.errors.passive_part(span),
            false => self.activate(var, span),
        }
    }

    /// Remembers that a declaration is active after all.
    pub fn activate(&mut self, var: Var, span: Span) {
        if let Some(lent) = self.fact(var).lends {
            return self.activate(lent, span);
        }
        match self.fact(var).site.clone() {
            Some(site) => {
                if self.assumed.contains(&site) {
                    let name = self.info(var).hint.clone();
                    self.contradicted.get_or_insert((span, name));
                }
                self.found.insert(site);
            }
            None => {
                let name = self.info(var).hint.clone();
                self.errors.passive_target(span, &name);
            }
        }
    }

    /// What is known of a place's type.
    pub fn ty_of(&self, place: &Place) -> Ty {
        let mut ty = self.info(place.root).ty.clone();
        for step in &place.path {
            ty = match (step, ty) {
                (Proj::Index(i), t) => place::type_of_index(i).unwrap_or_else(|| types::element(&t)),
                (Proj::Range(..), t) => Ty::Slice(Box::new(types::element(&t))), // arrays of libraries have no ranges
                (Proj::Field(member), t) => place::member(&t, member),
                _ => Ty::Unknown,
            };
        }
        if ty == Ty::Unknown && self.complex && matches!(place.path.last(), Some(Proj::Field(m)) if is_part(m)) {
            return Ty::Float;
        }
        ty
    }

    /// What is known of a value's type.
    pub fn value_ty(&self, value: &Value) -> Ty {
        match value {
            Value::Active(a) => self.ty_of(&a.place),
            Value::Passive(p) => p.ty.clone(),
            Value::Tuple(all) => Ty::Tuple(all.iter().map(|v| self.value_ty(v)).collect()),
            Value::Ref(inner) => self.value_ty(inner),
            _ => Ty::Passive,
        }
    }

    /// Notes that a place turned out to be a float, where its variable's type allows it.
    pub fn refine(&mut self, place: &Place, ty: Ty) {
        let mut at = &mut self.vars[place.root.0 as usize].ty;
        for step in &place.path {
            if let (Proj::Field(_), Ty::Unknown) = (step, &*at) {
                *at = Ty::Struct(Default::default());
            }
            at = match (step, at) {
                (Proj::Index(_) | Proj::Range(..), Ty::Vec(t) | Ty::Array(t) | Ty::Slice(t)) => {
                    if matches!(step, Proj::Range(..)) {
                        return;
                    }
                    t
                }
                (Proj::Field(syn::Member::Unnamed(i)), Ty::Tuple(all)) if (i.index as usize) < all.len() => {
                    &mut all[i.index as usize]
                }
                (Proj::Field(member), Ty::Struct(all)) => all.entry(place::field_name(member)).or_insert(Ty::Unknown),
                _ => return,
            };
        }
        if *at == Ty::Unknown {
            *at = ty;
        }
    }

    /// A value as Rust tokens of the type that the user saw.
    pub fn show(&self, value: &Value, span: Span) -> PassiveCode {
        match value {
            Value::Active(a) => self.show_place(&a.place, a.refs),
            Value::Passive(p) => {
                let tokens = referred(p.passive.tokens.clone(), p.refs.depth, p.refs.exclusive);
                PassiveCode { tokens, ..p.passive.clone() }
            }
            Value::Tuple(all) => {
                let members: Vec<PassiveCode> = all.iter().map(|v| self.show(v, span)).collect();
                let tokens = members.iter().map(|m| &m.tokens);
                let tokens = quote!((#(#tokens,)*));
                gathered(tokens, members.iter(), span)
            }
            Value::Ref(inner) => {
                let inner = self.show(inner, span);
                let tokens = &inner.tokens;
                PassiveCode { tokens: quote!((&#tokens)), ..inner.clone() }
            }
            Value::Function { var, depth } => {
                let passive = PassiveCode::var(*var, self.info(*var));
                PassiveCode { tokens: referred(passive.tokens.clone(), *depth, false), ..passive }
            }
            Value::Maybe(m) => self.show_maybe(m, span),
            Value::Chain(chain) => self.show_chain(chain, span),
            Value::Closure(c) => match &c.callee {
                Some(callee) => self.passive_code_in(&c.scope, callee),
                None => self.passive_code_in(&c.scope, &syn::Expr::Closure(c.code.clone())),
            },
            Value::Queue(q) => {
                let (items, head) = (self.info(q.items), self.info(q.head));
                let (i, h) = (&items.name, &head.name);
                let parts = [PassiveCode::var(q.items, items), PassiveCode::var(q.head, head)];
                gathered(quote!(__d::Queue(&#i[#h..])), parts.iter(), span)
            }
            _ => PassiveCode { span, ..PassiveCode::literal(quote!(())) },
        }
    }

    /// The elements as a `Vec`, where they can be made without statements; else only what they read.
    fn show_chain(&self, chain: &Chain, span: Span) -> PassiveCode {
        let Chain::Indexed(ix) = chain else {
            return PassiveCode { span, ..PassiveCode::literal(quote!(__d::NotWrittenHere)) };
        };
        let mut trial = self.trial();
        let item = (ix.get)(&mut trial, PassiveCode::literal(quote!(__k)));
        let owned = matches!(&item, Value::Active(a) if types::is_sequence(&trial.ty_of(&a.place)));
        let item = self
            .outside(&trial, trial.show(&item, span))
            .map(|t| if owned { quote!((#t).to_vec()) } else { quote!(#t) });
        let plain = trial.open.iter().all(|b| b.stmts.is_empty()) && ix.is_plain();
        let (lo, element) = (&ix.lo.tokens, &item.tokens);
        let tokens = match &ix.hi {
            Some(hi) if plain => {
                let hi = &hi.tokens;
                quote!((#lo..#hi).map(|__k| #element).collect::<::std::vec::Vec<_>>())
            }
            _ => quote!(__d::NotWrittenHere),
        };
        gathered(tokens, [&ix.lo, &item].into_iter().chain(&ix.hi), span)
    }

    /// Whether code of a trial needs the statements of the trial.
    pub fn is_of_statements(&self, code: &PassiveCode) -> bool {
        code.reads.iter().chain(code.shapes.iter()).any(|v| v.0 as usize >= self.vars.len())
    }

    /// Code of a trial, without the variables that the trial alone has: the code reads all that its statements read. In the value's place stands
    /// one that nothing can be asked of.
    pub fn outside(&self, trial: &Lower, mut code: PassiveCode) -> PassiveCode {
        let made = |v: &Var| v.0 as usize >= self.vars.len();
        if self.is_of_statements(&code) {
            code.tokens = quote!(__d::NotWrittenHere);
            code.reads.extend(trial.open.iter().flat_map(|block| touched(&block.stmts, &[Access::Read])));
            code.reads.retain(|v| !made(v));
            code.shapes.retain(|v| !made(v));
        }
        code
    }

    /// A copy whose statements are thrown away.
    pub fn trial(&self) -> Lower {
        Lower {
            options: self.options.clone(),
            owner: self.owner.clone(),
            name: self.name.clone(),
            generics: self.generics.clone(),
            base: self.base.clone(),
            vars: self.vars.clone(),
            facts: self.facts.clone(),
            scope: self.scope.clone(),
            open: vec![Block::default()],
            assumed: self.assumed.clone(),
            found: BTreeSet::new(),
            contradicted: None,
            passive: self.passive.clone(),
            errors: Errors::default(),
            jumps: Jumps::default(),
            items: Vec::new(),
            usefulness: self.usefulness.clone(),
            looked_at: RefCell::default(),
            found_useful: BTreeSet::new(),
            callees: self.callees.clone(),
            unannotated: self.unannotated.clone(),
            exclusive_calls: self.exclusive_calls.clone(),
            objects: self.objects.clone(),
            number_traits: self.number_traits.clone(),
            in_body_of_floats: self.in_body_of_floats,
            aliases: self.aliases.clone(),
            checks: Vec::new(),
            structs: Vec::new(),
            parameters: Vars::new(),
            inlining: self.inlining,
            library: self.library,
            complex: self.complex,
            write_backs: Vec::new(),
            lent: Vec::new(),
            doubts: self.doubts.known(),
            option_shapes: self.option_shapes.known(),
            elements: self.elements.clone(),
            projections: self.projections.clone(),
            functions: self.functions.clone(),
            asked: BTreeSet::new(),
            unread: self.unread.clone(),
            whole_options: self.whole_options.clone(),
            found_whole: self.found_whole.clone(),
        }
    }

    /// A place as Rust tokens, behind references.
    pub fn show_place(&self, place: &Place, refs: Refs) -> PassiveCode {
        let name = &self.info(place.root).name;
        let mut passive = PassiveCode::literal(quote!(#name));
        passive.reads.insert(place.root);
        passive.span = self.info(place.root).span;
        let mut depth = refs.depth;
        if place.path.is_empty() && self.fact(place.root).reference {
            match depth {
                0 => passive.tokens = quote!((*#name)),
                _ => depth -= 1,
            }
        }
        for step in &place.path {
            let before = passive.tokens;
            passive.tokens = match step {
                Proj::Field(member) => quote!(#before.#member),
                Proj::Payload(variant, _) if variant == "Some" => quote!((*__d::some(&#before))),
                Proj::Payload(variant, member) => {
                    let name = crate::ir::place::accessor(variant, member);
                    quote!((*#before.#name()))
                }
                Proj::Deref => quote!((*#before)),
                Proj::Index(i) if place::type_of_index(i).is_some() => {
                    let at = &i.tokens;
                    quote!((*#before.__lead(#at)))
                }
                Proj::Index(i) => {
                    let at = &i.tokens;
                    quote!(#before[#at])
                }
                Proj::Range(lo, hi) => {
                    let (lo, hi) = (lo.as_ref().map(|o| &o.tokens), hi.as_ref().map(|o| &o.tokens));
                    quote!(#before[#lo..#hi])
                }
            };
        }
        place.indices(&mut |i| passive.reads.extend(&i.reads));
        passive.tokens = referred(passive.tokens, depth, refs.exclusive && depth > 0);
        passive
    }

    /// Whether nothing that the tokens read can change.
    pub fn is_stable(&self, passive: &PassiveCode) -> bool {
        passive.reads.iter().all(|v| !self.fact(*v).changes)
    }

    /// The same, and no length in it.
    pub fn is_settled(&self, passive: &PassiveCode) -> bool {
        let reshaped = |v: &Var| self.fact(*v).changes && !matches!(self.info(*v).ty, Ty::Slice(_) | Ty::Array(_));
        self.is_stable(passive) && !passive.shapes.iter().any(reshaped)
    }
}

/// `&`s around tokens.
fn referred(tokens: TokenStream, depth: usize, exclusive: bool) -> TokenStream {
    match (depth, exclusive) {
        (0, _) => tokens,
        (1, _) if is_operation(&tokens) => referred(quote!((#tokens)), 1, exclusive),
        (1, true) => quote!((&mut #tokens)),
        _ => {
            let inner = referred(tokens, depth - 1, false);
            quote!((&#inner))
        }
    }
}

/// Whether an operator stands between tokens: `&` in front of them would bind the first alone.
fn is_operation(tokens: &TokenStream) -> bool {
    tokens.clone().into_iter().skip(1).any(|tree| match tree {
        TokenTree::Punct(sign) => "+-*/%&|^=".contains(sign.as_char()),
        TokenTree::Ident(word) => word == "as",
        _ => false,
    })
}

/// Whether a field is called as the parts of complex numbers are.
fn is_part(member: &syn::Member) -> bool {
    matches!(member, syn::Member::Named(name) if name == "re" || name == "im")
}
