//! Parts of arrays: copies, written back where they are changed.

use crate::frontend::arrays::library::known::{is_fallible, view};
use crate::frontend::arrays::library::{library, operation};
use crate::frontend::state::context::Lower;
use crate::frontend::state::jumps::Dest;
use crate::frontend::state::value::{Chain, Refs, Scope, Value};
use crate::frontend::state::write_back::WriteBack;
use crate::frontend::syntax::effects;
use crate::frontend::syntax::writes::root_name;
use crate::ir::affine::gathered;
use crate::ir::*;
use crate::support::syntax::strip_parens;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::quote;
use syn::spanned::Spanned;
use syn::visit::Visit;

impl Lower {
    /// Writes the copies back that were made since there were so many.
    pub fn write_back(&mut self, since: usize) {
        while self.write_backs.len() > since {
            let Some(WriteBack { array, part, copy, span }) = self.write_backs.pop() else { return };
            let (set, tokens) = (operation("Set", span), &part.tokens);
            let op = PassiveCode { tokens: quote!(#set(#tokens)), ..part.clone() };
            let value = Value::place(Place::var(copy));
            self.change_by(op, &array, &value, span);
        }
    }

    /// For how many of the statements that follow a `let` names a part of an array that is written to, if the part can be written back
    /// after them: the array is lent until then, and nothing jumps away.
    pub fn kept_for(&self, stmt: &syn::Stmt, rest: &[syn::Stmt], dest: Dest) -> Option<usize> {
        let syn::Stmt::Local(local) = stmt else { return None };
        let lets = disjoint_parts(local).unwrap_or_else(|| vec![local.clone()]);
        let names: Vec<&Ident> = lets.iter().map(|one| self.named_part(one)).collect::<Option<_>>()?;
        let array = root_name(&lets.first()?.init.as_ref()?.expr)?;
        let named = |stmt: &syn::Stmt| names.iter().any(|name| Uses::of(stmt, name).named);
        let count = rest.iter().rposition(named)? + 1;
        let unit = |e: &syn::Expr| dest == Dest::Nobody || matches!(e, syn::Expr::ForLoop(_) | syn::Expr::While(_));
        let value = matches!(&rest[count - 1], syn::Stmt::Expr(e, None) if count == rest.len() && !unit(e));
        // a use of the array would be one after the last of the part, which another value has the name of
        let plain = rest[..count].iter().all(|stmt| {
            let part = |name: &&Ident| {
                let part = Uses::of(stmt, name);
                !part.jumps && !part.bound
            };
            names.iter().all(part) && !Uses::of(stmt, array).named
        });
        (plain && !value).then_some(count)
    }

    /// The name that a `let` gives a part of an array that is written to.
    fn named_part<'l>(&self, local: &'l syn::Local) -> Option<&'l Ident> {
        let syn::Local { pat: syn::Pat::Ident(name), init: Some(init), .. } = local else { return None };
        let m = part_of(&init.expr)?;
        let part = m.method.to_string().ends_with("_mut") && (view(m).is_some() || m.method == "as_slice_mut");
        (part && self.library && init.diverge.is_none()).then_some(&name.ident)
    }

    /// A name for a part of an array, and the statements that use it. What was written is written back after them.
    pub fn write_while_named(&mut self, local: &syn::Local, stmts: &[syn::Stmt]) {
        let parts = self.write_backs.len();
        let lets = disjoint_parts(local).unwrap_or_else(|| vec![local.clone()]);
        for local in &lets {
            self.expecting(None, |l| l.kept_local(local));
        }
        self.stmts(stmts, Dest::Nobody);
        self.write_back(parts);
    }

    /// A name for a part would have to be written back later.
    pub fn refuse_kept_parts(&mut self, since: usize, span: Span) {
        if self.write_backs.len() > since {
            self.write_backs.truncate(since);
            self.errors.unsupported(
                span,
                "a name for a part of an array that is written to",
                "give it a name by `let` alone and let nothing jump away while it is used, write to the part in the statement that names it, \
                 or in a loop over the parts",
            );
        }
    }

    /// A copy of a part, to be written back.
    pub fn part_mut(&mut self, array: Place, op: PassiveCode, ty: Ty, span: Span) -> Value {
        let array = match self.settled(Value::place(array)) {
            Value::Active(a) => a.place,
            _ => return Value::Poison,
        };
        let part = self.rule(op.clone(), &[Value::place(array.clone())], ty, "part", span);
        let Value::Active(a) = &part else { return Value::Poison };
        let copy = a.place.root;
        self.fact_mut(copy).changes = true;
        self.info_mut(copy).changes = true;
        self.jumps.claimed.insert(copy);
        self.write_backs.push(WriteBack { array, part: op, copy, span });
        part.behind(Refs::EXCLUSIVE)
    }

    /// The elements of an array as a vector, in logical order; any other value as it is.
    pub fn as_sequence(&mut self, value: Value, span: Span) -> Value {
        let (library, refs) = match &value {
            Value::Active(a) => {
                let ty = self.ty_of(&a.place);
                (ty == Ty::Library || self.library && ty == Ty::Unknown, a.refs)
            }
            _ => (false, Refs::default()),
        };
        if !library {
            return value;
        }
        let (ty, op) = (Ty::Vec(Box::new(Ty::Float)), PassiveCode::literal(operation("Flat", span)));
        match (refs.exclusive, value) {
            (true, Value::Active(a)) => self.part_mut(a.place, op, ty, span),
            (_, value) => self.rule(op, &[value], ty, "flat", span).behind(refs),
        }
    }

    /// The parts of an array, as copies.
    pub fn parts_of(&mut self, array: Value, m: &syn::ExprMethodCall) -> Option<Chain> {
        let (span, name) = (m.span(), m.method.to_string());
        let exclusive = name.ends_with("_mut");
        let place = match self.settled(array) {
            Value::Active(a) => a.place,
            Value::Passive(p) => match p.root.filter(|_| exclusive) {
                Some(root) => {
                    self.activate(root, span);
                    return None;
                }
                None => {
                    let whole = self.passive_code(&syn::Expr::MethodCall(m.clone()));
                    return self.chain_of_value(Value::passive(whole), span);
                }
            },
            _ => return None,
        };
        if name.starts_with("indexed") {
            return Some(self.indexed_elements(place, exclusive, span));
        }
        if name.contains("windows") || name.contains("chunks") {
            return self.strided_parts(place, m, exclusive);
        }
        let axis = match m.args.first() {
            Some(axis) => self.parameter(axis),
            None if name.starts_with("column") => PassiveCode::literal(quote!(__d::library::Axis(1))),
            None => PassiveCode::literal(quote!(__d::library::Axis(0))),
        };
        let array = self.show_place(&place, Refs::SHARED);
        let (a, of) = (&array.tokens, &axis.tokens);
        let lanes = name == "lanes" || name == "lanes_mut";
        let count = library(if lanes { "lanes" } else { "length" }, span);
        let mut len = gathered(quote!(#count(#a, #of)), [&array, &axis].into_iter(), span);
        len.reads.remove(&place.root);
        len.shapes.insert(place.root);
        let len = self.hold("n", len);
        let op = match name.as_str() {
            "lanes" | "lanes_mut" => "Lane",
            "rows" | "rows_mut" | "row_iter" | "row_iter_mut" => "Row",
            "columns" | "columns_mut" | "column_iter" | "column_iter_mut" => "Column",
            _ => "At",
        };
        let whole = matches!(op, "Lane" | "At");
        let of_ndarray = !name.ends_with("_iter") || matches!(name.as_str(), "outer_iter" | "axis_iter");
        Some(Chain::counted(len, move |l, k| {
            let (op, k_tokens, of) = (operation(op, span), &k.tokens, &axis.tokens);
            let tokens = if whole { quote!(#op(#of, #k_tokens)) } else { quote!(#op(#k_tokens)) };
            let op = gathered(tokens, [&axis, &k].into_iter(), span);
            match exclusive {
                true => l.part_mut(place.clone(), op, Ty::Library, span),
                false => {
                    let part = l.rule(op, &[Value::place(place.clone())], Ty::Library, "part", span);
                    if let (Value::Active(a), true) = (&part, of_ndarray) {
                        l.fact_mut(a.place.root).view = true;
                    }
                    part.behind(Refs::SHARED)
                }
            }
        }))
    }

    /// The elements of an array in logical order, each with the indices that it has.
    fn indexed_elements(&mut self, array: Place, exclusive: bool, span: Span) -> Chain {
        let mut shown = self.show_place(&array, Refs::SHARED);
        shown.reads.remove(&array.root);
        shown.shapes.insert(array.root);
        let refs = Refs { depth: 1, exclusive };
        let elements = self.as_sequence(Value::place(array).behind(refs), span);
        let len = self.length(&elements, span);
        let indices = library("indices", span);
        Chain::counted(len, move |l, k| {
            let (array, at) = (&shown.tokens, &k.tokens);
            let at = gathered(quote!(#indices(#array, #at)), [&shown, &k].into_iter(), span);
            let at = Value::passive(at);
            Value::Tuple(vec![at, l.element_of(elements.clone(), k, span).behind(refs)])
        })
    }
}

/// The call that names a part, without `unwrap()`.
fn part_of(init: &syn::Expr) -> Option<&syn::ExprMethodCall> {
    match strip_parens(init) {
        syn::Expr::MethodCall(m) if (m.method == "unwrap" || m.method == "expect") && is_fallible(&m.receiver) => {
            part_of(&m.receiver)
        }
        syn::Expr::MethodCall(m) => Some(m),
        _ => None,
    }
}

/// `let (p, q) = a.multi_slice_mut((s, t))` and `let (p, q) = a.view_mut().split_at(axis, k)` as a `let` for each part: the parts
/// have no element in common, and so it does not matter which is written back first.
fn disjoint_parts(local: &syn::Local) -> Option<Vec<syn::Local>> {
    let (syn::Pat::Tuple(names), Some(init)) = (&local.pat, &local.init) else { return None };
    let syn::Expr::MethodCall(m) = strip_parens(&init.expr) else { return None };
    let parts: Vec<syn::Expr> = match (m.method.to_string().as_str(), &m.args.iter().collect::<Vec<_>>()[..]) {
        ("multi_slice_mut", [syn::Expr::Tuple(all)]) if is_place(&m.receiver) => {
            let array = &m.receiver;
            all.elems.iter().map(|part| syn::parse_quote_spanned!(m.span()=> #array.slice_mut(#part))).collect()
        }
        ("split_at", [axis, at]) if effects::of_expr(&Scope::default(), at).is_pure() => {
            let array = whole_view(&m.receiver)?;
            let both = ["before", "after"].map(|part| Ident::new(part, m.method.span()));
            let part =
                |side| syn::parse_quote_spanned!(m.span()=> #array.slice_axis_mut(#axis, __d::library::#side(#at)));
            both.into_iter().map(part).collect()
        }
        _ => return None,
    };
    let lets = names.elems.iter().zip(parts).map(|(name, part)| match syn::parse_quote!(let #name = #part;) {
        syn::Stmt::Local(local) => Some(local),
        _ => None,
    });
    lets.collect::<Option<Vec<_>>>().filter(|lets| lets.len() == names.elems.len())
}

/// The array of `array.view_mut()`.
fn whole_view(view: &syn::Expr) -> Option<&syn::Expr> {
    match strip_parens(view) {
        syn::Expr::MethodCall(m) if m.method == "view_mut" && m.args.is_empty() && is_place(&m.receiver) => {
            Some(&m.receiver)
        }
        _ => None,
    }
}

/// Whether an expression is the same place as often as it is evaluated.
fn is_place(e: &syn::Expr) -> bool {
    match strip_parens(e) {
        syn::Expr::Path(_) => true,
        syn::Expr::Field(f) => is_place(&f.base),
        _ => false,
    }
}

/// What a statement does with a name.
struct Uses<'a> {
    name: &'a Ident,
    /// The name stands for a value.
    named: bool,
    /// The name is given to another value.
    bound: bool,
    /// Something jumps away: no `break` of a loop within the statement.
    jumps: bool,
    /// How many loops lie around.
    loops: usize,
    in_closure: bool,
}

impl<'a> Uses<'a> {
    fn of(stmt: &syn::Stmt, name: &'a Ident) -> Self {
        let mut uses = Uses { name, named: false, bound: false, jumps: false, loops: 0, in_closure: false };
        uses.visit_stmt(stmt);
        uses
    }

    /// The tokens of a macro: the name of a field or a method is no value's.
    fn tokens(&mut self, tokens: TokenStream) {
        let mut after_dot = false;
        for tree in tokens {
            match &tree {
                TokenTree::Ident(ident) => self.named |= !after_dot && ident == self.name,
                TokenTree::Group(group) => self.tokens(group.stream()),
                _ => {}
            }
            after_dot = matches!(&tree, TokenTree::Punct(p) if p.as_char() == '.');
        }
    }
}

impl Visit<'_> for Uses<'_> {
    fn visit_expr(&mut self, e: &syn::Expr) {
        use syn::Expr::{Break, Closure, Continue, ForLoop, Loop, Return, Try, While};
        self.jumps |= match e {
            Return(_) | Try(_) => !self.in_closure,
            Break(b) => self.loops == 0 || b.label.is_some(),
            Continue(c) => self.loops == 0 || c.label.is_some(),
            _ => false,
        };
        let before = (self.loops, self.in_closure);
        match e {
            ForLoop(_) | While(_) | Loop(_) => self.loops += 1,
            Closure(_) => (self.loops, self.in_closure) = (0, true),
            _ => {}
        }
        syn::visit::visit_expr(self, e);
        (self.loops, self.in_closure) = before;
    }
    fn visit_expr_path(&mut self, p: &syn::ExprPath) {
        self.named |= p.path.is_ident(self.name);
    }
    fn visit_pat_ident(&mut self, p: &syn::PatIdent) {
        self.bound |= p.ident == *self.name;
    }
    fn visit_macro(&mut self, m: &syn::Macro) {
        self.tokens(m.tokens.clone());
    }
}
