//! References that are assigned to: `while let [first, rest @ ..] = left { .. left = rest; }`.
//!
//! A reference is another name for a place. The place of one that is assigned to has variables for its indices and ends.

use crate::frontend::state::context::{Lower, New};
use crate::frontend::state::site::Site;
use crate::frontend::state::value::{Active, Value};
use crate::frontend::syntax::types;
use crate::ir::affine::{self, arithmetic};
use crate::ir::*;
use crate::support::syntax::strip_parens;
use proc_macro2::{Ident, Span};
use quote::quote;
use syn::spanned::Spanned;

impl Lower {
    /// Whether a name holds a reference, and is assigned to.
    pub fn is_moving(&self, reference: &Active, name: &Ident) -> bool {
        reference.refs.depth == 1 && self.scope.changes.are_assigned(name)
    }

    /// The place that a reference leads to at first, with variables for its indices.
    pub fn moving(&mut self, reference: Active, name: &Ident) -> Value {
        let root = reference.place.root;
        let mut path = self.closed(&reference.place);
        let whole = path.is_empty() && types::is_sequence(&self.ty_of(&Place::var(root)));
        let cut = self.scope.changes.are_cut(name) && !matches!(path.last(), Some(Proj::Range(..)));
        if whole || cut || self.assumed.contains(&Site::ends(name)) {
            self.add_ends(root, &mut path);
        }
        let path = path.into_iter().map(|step| match step {
            Proj::Index(i) => Proj::Index(self.aim(name, "at", i)),
            Proj::Range(lo, hi) => {
                let lo = self.aim(name, "from", lo.unwrap_or_else(|| affine::literal(0)));
                Proj::Range(Some(lo), hi.map(|hi| self.aim(name, "to", hi)))
            }
            field => field,
        });
        let path = path.collect();
        Value::Active(Active { place: Place { root, path }, ..reference })
    }

    /// `reference = other`: the same place with other indices.
    pub fn move_reference(&mut self, target: &Active, to: &Active, span: Span) {
        let (cells, mut path) = (&target.place.path, self.closed(&to.place));
        if target.place.root == to.place.root && cells.len() == path.len() + 1 {
            self.add_ends(to.place.root, &mut path);
        }
        let steps = cells.iter().zip(&path).map(|(cell, step)| self.step(cell, step));
        let steps: Option<Vec<_>> = steps.collect();
        match steps {
            Some(steps) if target.place.root == to.place.root && cells.len() == path.len() => {
                self.check_place(to, span);
                self.set_together(steps.into_iter().flatten().collect(), span);
            }
            Some(_) if cells.len() + 1 == path.len() && self.asks_for_ends(cells) => {}
            _ => self.errors.pointed_elsewhere(span),
        }
    }

    /// `reference = if c { a } else { b }`: assigned in each branch, as a reference that is chosen would be copied.
    pub fn moved_in_branches(&self, a: &syn::ExprAssign) -> Option<syn::Expr> {
        let syn::Expr::Path(name) = strip_parens(&a.left) else { return None };
        let Value::Active(reference) = self.scope.get(name.path.get_ident()?)? else { return None };
        let branches = matches!(strip_parens(&a.right), syn::Expr::If(_) | syn::Expr::Match(_) | syn::Expr::Block(_));
        (branches && reference.refs.depth > 0).then(|| assigned(&a.left, &a.right))
    }

    /// An index of a reference, as a variable.
    fn aim(&mut self, name: &Ident, hint: &str, index: PassiveCode) -> PassiveCode {
        let hint = format!("{name}_{hint}");
        let var = self.new_var(New { hint: &hint, span: name.span(), ty: Ty::Passive, changes: true, site: None });
        self.fact_mut(var).aim = Some(Site::ends(name));
        self.info_mut(var).mutable = true;
        let index = PassiveCode { tokens: index_tokens(&index), ..index };
        self.emit(Stmt::Let { var, expr: Expr::Passive(index) });
        PassiveCode::var(var, self.info(var))
    }

    /// The path with no part of a part, no element of a part, and both ends of every part.
    fn closed(&mut self, place: &Place) -> Vec<Proj> {
        let mut path = straight(&place.path);
        for at in 0..path.len() {
            let Proj::Range(lo, None) = &path[at] else { continue };
            let lo = lo.clone();
            let before = Value::place(Place { root: place.root, path: path[..at].to_vec() });
            path[at] = Proj::Range(lo, Some(self.length(&before, Span::call_site())));
        }
        path
    }

    /// All elements, as a part.
    fn add_ends(&mut self, root: Var, path: &mut Vec<Proj>) {
        let whole = Value::place(Place { root, path: path.clone() });
        let len = self.length(&whole, Span::call_site());
        path.push(Proj::Range(Some(affine::literal(0)), Some(len)));
    }

    /// What the variables of one step become; `None` where it is no step of the same kind.
    fn step(&self, cell: &Proj, step: &Proj) -> Option<Vec<(Var, PassiveCode)>> {
        let var = |o: &PassiveCode| o.reads.iter().copied().find(|v| self.fact(*v).aim.is_some());
        match (cell, step) {
            (Proj::Index(cell), Proj::Index(i)) => Some(vec![(var(cell)?, i.clone())]),
            (Proj::Range(Some(lo), Some(hi)), Proj::Range(from, to)) => {
                let from = from.clone().unwrap_or_else(|| affine::literal(0));
                Some(vec![(var(lo)?, from), (var(hi)?, to.clone()?)])
            }
            (Proj::Field(a), Proj::Field(b)) if a == b => Some(Vec::new()),
            (Proj::Deref, Proj::Deref) => Some(Vec::new()),
            _ => None,
        }
    }

    /// In another round, the reference leads to a part of what it leads to in this one.
    fn asks_for_ends(&mut self, cells: &[Proj]) -> bool {
        let Some(Proj::Index(cell)) = cells.last() else { return false };
        let site = cell.reads.iter().find_map(|v| self.fact(*v).aim.clone());
        site.is_some_and(|site| self.found.insert(site))
    }

    /// Panics where the place does not exist, as the reference to it does.
    fn check_place(&mut self, to: &Active, span: Span) {
        let shown = self.show(&Value::place(to.place.clone()), span);
        let tokens = &shown.tokens;
        let mut look = PassiveCode { tokens: quote!(let _ = &#tokens), ..shown.clone() };
        if !to.place.path.is_empty() {
            look.reads.remove(&to.place.root);
            look.shapes.insert(to.place.root);
        }
        self.emit(Stmt::Effect { tokens: look, writes: Default::default() });
    }

    /// Assigns all at once.
    fn set_together(&mut self, steps: Vec<(Var, PassiveCode)>, span: Span) {
        let mut steps: Vec<(Var, PassiveCode)> =
            steps.into_iter().filter(|(var, to)| self.info(*var).name != to.tokens.to_string()).collect();
        if steps.len() > 1 {
            steps = steps.into_iter().map(|(var, to)| (var, self.frozen("to", to))).collect();
        }
        for (var, to) in steps {
            self.assign(Place::var(var), Assign::Set, Operand::Passive(to), span);
        }
    }
}

/// `left = value`, in each branch of the value.
fn assigned(left: &syn::Expr, value: &syn::Expr) -> syn::Expr {
    match strip_parens(value) {
        syn::Expr::If(i) => {
            let other = i.else_branch.as_ref().map(|(t, e)| (*t, Box::new(assigned(left, e))));
            syn::Expr::If(syn::ExprIf {
                then_branch: assigned_in(left, &i.then_branch),
                else_branch: other,
                ..i.clone()
            })
        }
        syn::Expr::Block(b) => syn::Expr::Block(syn::ExprBlock { block: assigned_in(left, &b.block), ..b.clone() }),
        syn::Expr::Match(m) => {
            let mut spread = m.clone();
            spread.arms.iter_mut().for_each(|arm| *arm.body = assigned(left, &arm.body));
            syn::Expr::Match(spread)
        }
        value => syn::parse_quote_spanned!(value.span()=> #left = #value),
    }
}

/// A literal needs the type of an index.
fn index_tokens(index: &PassiveCode) -> proc_macro2::TokenStream {
    let tokens = &index.tokens;
    match affine::literal_index(index) {
        Some(n) => {
            let n = proc_macro2::Literal::usize_suffixed(n);
            quote!(#n)
        }
        None => quote!(#tokens),
    }
}

/// The same path with no part of a part, and no element of a part.
fn straight(path: &[Proj]) -> Vec<Proj> {
    let mut steps: Vec<Proj> = Vec::new();
    for step in path {
        let base = match steps.last() {
            Some(Proj::Range(lo, _)) => lo.clone().unwrap_or_else(|| affine::literal(0)),
            _ => {
                steps.push(step.clone());
                continue;
            }
        };
        let moved = |o: &PassiveCode| arithmetic::add(&base, o);
        let joined = match (steps.last(), step) {
            (_, Proj::Index(i)) => Proj::Index(moved(i)),
            (Some(Proj::Range(_, end)), Proj::Range(lo, hi)) => {
                let end = hi.as_ref().map(moved).or(end.clone());
                Proj::Range(Some(lo.as_ref().map_or(base.clone(), moved)), end)
            }
            _ => {
                steps.push(step.clone());
                continue;
            }
        };
        steps.pop();
        steps.push(joined);
    }
    steps
}

fn assigned_in(left: &syn::Expr, block: &syn::Block) -> syn::Block {
    let mut block = block.clone();
    if let Some(syn::Stmt::Expr(last, None)) = block.stmts.last_mut() {
        *last = assigned(left, last);
    }
    block
}
