//! Slice forwarding (XLA's algebraic simplifier): an element of a row is read where it lies, in the array.
//!
//! In `for q in c.rows() { for v in q { .. } }` each row would be a copy that stays on the tape, with a cotangent of its own. Where nothing
//! but elements of it are read, and the array stays as it is, `q[k]` is `c[[i, k]]`.

use crate::frontend::syntax::types::is_of_ndarray;
use crate::ir::affine::shift::several;
use crate::ir::visit::parts::{Use, mutable, shared};
use crate::ir::visit::{Vars, Visit, blocks, blocks_mut, replaced};
use crate::ir::*;
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::quote;
use std::collections::BTreeMap;

/// Rewrites a function.
pub fn forward_slices(mut function: Function) -> Function {
    Known::of(&function).block(&mut function.body);
    function
}

/// A row or a column of an array with two axes.
#[derive(Clone)]
struct Line {
    part: Var,
    of: Var,
    /// Which one.
    at: PassiveCode,
    axis: Axis,
}

/// On which axis it is one.
#[derive(Clone, Copy)]
enum Axis {
    Row,
    Column,
    /// Of an array of any number of axes.
    Number(usize),
}

impl Line {
    /// `let part = array.row(at)` and its kind.
    fn of(stmt: &Stmt) -> Option<Self> {
        let (part, op, of) = unary(stmt)?;
        let trees: Vec<TokenTree> = op.tokens.clone().into_iter().collect();
        let [path @ .., TokenTree::Ident(name), TokenTree::Group(arguments)] = &trees[..] else { return None };
        if path.is_empty() || !of.path.is_empty() {
            return None;
        }
        let (axis, at) = match &name.to_string()[..] {
            "Row" => (Axis::Row, arguments.stream()),
            "Column" => (Axis::Column, arguments.stream()),
            "At" => {
                let (axis, at) = axis_and_place(arguments.stream())?;
                (Axis::Number(axis), at)
            }
            _ => return None,
        };
        Some(Line { part, of: of.root, at: PassiveCode { tokens: at, ..op.clone() }, axis })
    }

    /// The index of an element in the array.
    fn index(&self, k: &PassiveCode) -> PassiveCode {
        let (at, k_tokens) = (&self.at.tokens, &k.tokens);
        let tokens = match self.axis {
            Axis::Row | Axis::Number(0) => quote!([#at, #k_tokens]),
            Axis::Column | Axis::Number(_) => quote!([#k_tokens, #at]),
        };
        let mut index = PassiveCode { tokens, ..k.clone() };
        index.reads.extend(&self.at.reads);
        index.shapes.extend(&self.at.shapes);
        index
    }

    /// The line as a view.
    fn view(&self, array: &TokenStream) -> TokenStream {
        let at = &self.at.tokens;
        match self.axis {
            Axis::Row => quote!((#array.row(#at))),
            Axis::Column => quote!((#array.column(#at))),
            Axis::Number(axis) => quote!((#array.index_axis(__d::library::Axis(#axis), #at))),
        }
    }
}

/// The axis, which is a number, and where on it.
fn axis_and_place(arguments: TokenStream) -> Option<(usize, TokenStream)> {
    let parsed: syn::Expr = syn::parse2(quote!(f(#arguments))).ok()?;
    let syn::Expr::Call(call) = parsed else { return None };
    let [syn::Expr::Call(axis), at] = &call.args.iter().collect::<Vec<_>>()[..] else { return None };
    let [syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(number), .. })] = &axis.args.iter().collect::<Vec<_>>()[..]
    else {
        return None;
    };
    let axis = number.base10_parse().ok().filter(|axis| *axis < 2)?;
    Some((axis, quote!(#at)))
}

/// `let var = operation of a place`.
fn unary(stmt: &Stmt) -> Option<(Var, &PassiveCode, &Place)> {
    let Stmt::Let { var, expr: Expr::Call(call) } = stmt else { return None };
    let Callee::Function(path) = &call.callee else { return None };
    let is_one = path.clone().into_iter().any(|tree| matches!(tree, TokenTree::Ident(name) if name == "One"));
    match &call.args[..] {
        [CallArg::Passive(op), CallArg::Ref(of)] if call.is_rule() && is_one => Some((*var, op, of)),
        _ => None,
    }
}

/// `let flat = the elements of a variable`.
fn flat(stmt: &Stmt) -> Option<(Var, Var)> {
    let (var, op, of) = unary(stmt)?;
    let is_flat = op.tokens.to_string().replace(' ', "").ends_with("op::Flat");
    (is_flat && of.path.is_empty()).then_some((var, of.root))
}

/// What the function says of its arrays.
struct Known {
    /// Arrays of ndarray by their types: whether they have two axes.
    typed: BTreeMap<Var, bool>,
    names: Vec<Ident>,
    results: Vars,
}

impl Known {
    fn of(function: &Function) -> Self {
        let params = function.params.iter().map(|p| (p.var, Some(&p.ty)));
        let locals = function.vars.iter().enumerate().map(|(k, info)| (Var(k as u32), info.written.as_ref()));
        let named = |ty: &TokenStream| match syn::parse2(ty.clone()).ok()? {
            syn::Type::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()),
            _ => None,
        };
        let array = |(var, ty): (Var, Option<&TokenStream>)| {
            let name = named(ty?).filter(|name| is_of_ndarray(name))?;
            Some((var, name.ends_with('2')))
        };
        let mut results = Vars::new();
        Visit(&mut |v, _| _ = results.insert(v)).out(&function.result);
        Known {
            typed: params.chain(locals).filter_map(array).collect(),
            names: function.vars.iter().map(|info| info.name.clone()).collect(),
            results,
        }
    }

    fn name(&self, var: Var) -> &Ident {
        &self.names[var.0 as usize]
    }

    fn block(&self, block: &mut Block) {
        let mut at = 0;
        while at < block.stmts.len() {
            let (before, behind) = block.stmts.split_at_mut(at + 1);
            match Line::of(&before[at]).and_then(|line| self.forwarded(line, behind)) {
                Some(forward) => {
                    block.stmts.remove(at);
                    forward.block_from(block, at);
                }
                None => {
                    blocks_mut(&mut block.stmts[at]).into_iter().for_each(|inner| self.block(inner));
                    at += 1;
                }
            }
        }
    }

    /// A line, if its elements are all that the statements behind it read of it, while the array stays.
    fn forwarded(&self, line: Line, behind: &[Stmt]) -> Option<Forward<'_>> {
        let mut uses = Uses { line: &line, flats: Vars::new(), singles: false, fits: true };
        behind.iter().for_each(|stmt| uses.stmt(stmt));
        let Uses { flats, singles, fits, .. } = uses;
        let two_axes = match (line.axis, self.typed.get(&line.of)) {
            (_, Some(two)) => *two,
            (Axis::Row | Axis::Column, None) => !cfg!(feature = "nalgebra"),
            (Axis::Number(_), None) => singles,
        };
        let inner = !self.results.contains(&line.part) && flats.is_disjoint(&self.results);
        (fits && inner && two_axes).then_some(Forward { line, flats, known: self })
    }
}

/// What statements do with a line.
struct Uses<'a> {
    line: &'a Line,
    /// Lists of its elements.
    flats: Vars,
    /// An element is read by one index: the line has one axis.
    singles: bool,
    fits: bool,
}

impl Uses<'_> {
    fn stmt(&mut self, stmt: &Stmt) {
        match flat(stmt) {
            Some((flat, of)) if of == self.line.part => _ = self.flats.insert(flat),
            _ => shared::head(stmt, &mut |part| self.part(part)),
        }
        blocks(stmt).into_iter().for_each(|inner| inner.stmts.iter().for_each(|stmt| self.stmt(stmt)));
    }

    fn is_line(&self, var: Var) -> bool {
        var == self.line.part || self.flats.contains(&var)
    }

    fn part(&mut self, part: shared::Part) {
        match part {
            shared::Part::Place(place, used) => {
                place.indices(&mut |index| {
                    self.fits &= index.reads.iter().chain(&index.shapes).all(|v| !self.is_line(*v))
                });
                if self.is_line(place.root) {
                    self.fits &=
                        used == Use::Read && matches!(&place.path[..], [Proj::Index(k)] if several(k).is_none());
                    self.singles |= place.root == self.line.part;
                } else {
                    self.change(place.root, used);
                }
            }
            shared::Part::Var(var, used) => {
                self.fits &= !self.is_line(*var);
                self.change(*var, used);
            }
            // a list of elements is asked for its length alone
            shared::Part::Passive(code) => self.fits &= code.reads.is_disjoint(&self.flats),
            shared::Part::Lent(code) => {
                let lends = |var: &Var| self.is_line(*var) || *var == self.line.of;
                self.fits &= !code.reads.iter().chain(&code.shapes).any(lends);
            }
        }
    }

    /// What the line is of, and which one it is, has to stay.
    fn change(&mut self, var: Var, used: Use) {
        let changes = matches!(used, Use::Write | Use::Update | Use::Adapt | Use::Define);
        self.fits &= !(changes && (var == self.line.of || self.line.at.reads.contains(&var)));
    }
}

/// The line as a part of the array.
struct Forward<'a> {
    line: Line,
    flats: Vars,
    known: &'a Known,
}

impl Forward<'_> {
    fn block_from(&self, block: &mut Block, at: usize) {
        block.stmts[at..].iter_mut().for_each(|stmt| self.stmt(stmt));
        block.stmts.retain(|stmt| flat(stmt).is_none_or(|(var, _)| !self.flats.contains(&var)));
    }

    fn stmt(&self, stmt: &mut Stmt) {
        if flat(stmt).is_some_and(|(var, _)| self.flats.contains(&var)) {
            return;
        }
        mutable::head(stmt, &mut |part| match part {
            mutable::Part::Place(place, _) => self.place(place),
            mutable::Part::Passive(code) => self.passive(code),
            mutable::Part::Var(..) | mutable::Part::Lent(_) => {}
        });
        blocks_mut(stmt).into_iter().for_each(|inner| self.block_from(inner, 0));
    }

    fn lines(&self) -> impl Iterator<Item = Var> {
        self.flats.iter().copied().chain([self.line.part])
    }

    fn place(&self, place: &mut Place) {
        if self.lines().any(|line| line == place.root)
            && let [Proj::Index(k)] = &place.path[..]
        {
            *place = Place { root: self.line.of, path: vec![Proj::Index(self.line.index(k))] };
        }
    }

    /// Passive code reads the line through a view.
    fn passive(&self, code: &mut PassiveCode) {
        let array = self.known.name(self.line.of);
        let view = self.line.view(&quote!(#array));
        for line in self.lines() {
            let (reads, asks) = (code.reads.remove(&line), code.shapes.remove(&line));
            if !reads && !asks {
                continue;
            }
            let tokens = std::mem::take(&mut code.tokens);
            code.tokens = replaced(tokens, &self.known.name(line).to_string(), &|_| view.clone());
            let array = [self.line.of];
            if reads {
                code.reads.extend(&array);
            } else {
                code.shapes.extend(&array);
            }
            code.reads.extend(&self.line.at.reads);
            code.shapes.extend(&self.line.at.shapes);
        }
    }
}
