//! Triangular iteration spaces: nests in which each iteration starts one element later than the one before.

use super::build::is_long;
use super::{Nest, Share, USE, recorded};
use crate::analysis::cost_model::JAMMED;
use crate::ir::affine::polynomial::Poly;
use crate::ir::symbols::{Role, Table};
use crate::ir::visit::{Access, Vars, blocks_mut, touched};
use crate::ir::*;
use quote::ToTokens;

impl Nest {
    /// How the elements at `place` lie to the next iteration's.
    pub(super) fn share(&self, table: &Table, place: &Place) -> Share {
        let (start, outside) = match place.path.split_last() {
            Some((Proj::Range(start, end), outside)) if end.as_ref().is_none_or(|end| !self.differs(end)) => {
                (start.as_ref(), outside)
            }
            _ => (None, &place.path[..]),
        };
        let mut same = true;
        place.up(outside.len()).indices(&mut |o| same &= !self.differs(o));
        let start = start.map_or(Some(0), |o| self.growth(table, o));
        match (same, start, self.growth(table, &self.inner.lo)) {
            (true, Some(0), Some(0)) => Share::Same,
            (true, Some(1), Some(0)) | (true, Some(0), Some(1)) => Share::Sliding,
            _ => Share::Own,
        }
    }

    /// Decides whether the iterations are a triangle's. Rows that are only read may lie to each other as they like: those that do
    /// not fit are cut for each iteration.
    pub(super) fn align(&mut self) -> Option<()> {
        let any = |share: Share, written: bool| self.rows.iter().any(|r| r.share == share && r.written >= written);
        let slides = any(Share::Sliding, true) || (any(Share::Sliding, false) && !any(Share::Same, false));
        self.triangular = slides && (self.differs(&self.inner.lo) || self.differs(&self.inner.hi));
        let unfit = if self.triangular { Share::Same } else { Share::Sliding };
        for row in self.rows.iter_mut().filter(|r| r.share == unfit) {
            if row.written {
                return None;
            }
            row.share = Share::Own;
        }
        Some(())
    }

    /// Whether all inner loops begin at the same index, or each one after the one before in a triangle.
    pub(super) fn starts_well(&self, table: &Table) -> bool {
        match self.growth(table, &self.inner.lo) {
            Some(0) => true,
            Some(1) => self.triangular,
            _ => false,
        }
    }

    /// The name for how many inner iterations there are, if plainly there is one less in each iteration of a triangle, and if the name
    /// serves nothing else.
    pub(super) fn falling(&self, table: &Table) -> Option<Var> {
        let name = self.inner.hi.tokens.to_string();
        let bound = self.inner.hi.reads.iter().copied().find(|v| table.info(*v).name == name)?;
        let starts_at_zero = self.inner.lo.tokens.to_string() == "0";
        let falls = starts_at_zero && self.triangular && self.falls(table, self.named(bound)?);
        let used = [&self.early, &self.inner.body.stmts, &self.late].into_iter().flat_map(|stmts| {
            let read = touched(stmts, &[USE, &[Access::Shape]].concat());
            read.into_iter().chain(stmts.iter().flat_map(recorded))
        });
        (falls && !used.into_iter().any(|v| v == bound)).then_some(bound)
    }

    /// How many inner iterations those outer ones have at most that no block takes: less than a block, if the rows end with the outer loop.
    pub(super) fn rest(&self, table: &Table) -> Option<usize> {
        let least = self.least(table, self.named(self.bound?)?)?;
        (JAMMED as i64 - 1 - least).try_into().ok()
    }

    /// How much less than what is left of the outer loop a number is: a length, or the least of some. It is the same in each iteration.
    fn least(&self, table: &Table, o: &PassiveCode) -> Option<i64> {
        let part = |e: &syn::Expr| PassiveCode { tokens: e.to_token_stream(), ..o.clone() };
        let number = match syn::parse2(o.tokens.clone()) {
            Ok(syn::Expr::MethodCall(call)) if call.method == "min" && call.args.len() == 1 => {
                let parts = [self.least(table, &part(&call.receiver)), self.least(table, &part(&call.args[0]))];
                return parts.into_iter().flatten().max();
            }
            Ok(syn::Expr::MethodCall(call)) if call.method == "len" => {
                let (_, start, end) = sliced(&call.receiver)?;
                self.index(table, &part(end?))?.sub(&self.index(table, &part(start))?)
            }
            _ => self.index(table, o)?,
        };
        let (partial, rest) = self.index(table, &self.outer.hi)?.sub(&number).split(self.outer.var);
        let known = partial.symbols().is_empty() && partial.constant() == 1 && rest.symbols().is_empty();
        (known && rest.constant() >= 0).then(|| rest.constant())
    }

    /// Whether a number is one less in each iteration: a length, or the least of some.
    fn falls(&self, table: &Table, o: &PassiveCode) -> bool {
        let part = |e: &syn::Expr| PassiveCode { tokens: e.to_token_stream(), ..o.clone() };
        match syn::parse2(o.tokens.clone()) {
            Ok(syn::Expr::MethodCall(call)) if call.method == "min" && call.args.len() == 1 => {
                self.falls(table, &part(&call.receiver)) && self.falls(table, &part(&call.args[0]))
            }
            Ok(syn::Expr::MethodCall(call)) if call.method == "len" => match sliced(&call.receiver) {
                Some((array, start, end)) => {
                    let (array, start, end) = (part(array), part(start), end.map(part));
                    self.is_shorter(table, &array, &start, end.as_ref())
                        && (self.goes_back(table) || self.is_cut(table, &array, &start, end.as_ref()))
                }
                None => false,
            },
            _ => self.growth(table, o) == Some(-1),
        }
    }

    /// Whether a slice has one element less in each iteration.
    fn is_shorter(&self, table: &Table, array: &PassiveCode, start: &PassiveCode, end: Option<&PassiveCode>) -> bool {
        match end {
            None => !self.mentions_own(table, array) && self.growth(table, start) == Some(1),
            Some(end) => {
                let length = self.index(table, end).zip(self.index(table, start)).map(|(hi, lo)| hi.sub(&lo));
                length.and_then(|length| self.growth_of(&length)) == Some(-1)
            }
        }
    }

    /// Whether only cotangents are written: the forward sweep has seen whether all is in range.
    fn goes_back(&self, table: &Table) -> bool {
        let rows = self.rows.iter().filter(|row| row.written).map(|row| row.place.root);
        rows.chain(self.sums.iter().map(|sum| sum.place.root)).all(|root| table.role(root) == Role::Bar)
    }

    /// Whether a slice is one of the rows.
    fn is_cut(&self, table: &Table, array: &PassiveCode, start: &PassiveCode, end: Option<&PassiveCode>) -> bool {
        let text = |o: &PassiveCode| o.tokens.to_string();
        self.rows.iter().any(|row| match row.place.path.last() {
            Some(Proj::Range(Some(lo), hi)) => {
                let root = &table.info(row.place.root).name;
                let same_root = array.tokens.clone().into_iter().next().is_some_and(|first| *root == first.to_string());
                same_root && text(lo) == text(start) && hi.as_ref().map(text) == end.map(text)
            }
            _ => false,
        })
    }

    /// By how much an index grows from one iteration to the next, if always by the same.
    fn growth(&self, table: &Table, o: &PassiveCode) -> Option<i64> {
        match self.index(table, o) {
            Some(index) => self.growth_of(&index),
            None => (!self.differs(o)).then_some(0),
        }
    }

    fn growth_of(&self, index: &Poly<Var>) -> Option<i64> {
        let (partial, rest) = index.split(self.outer.var);
        let changing = self.changing();
        let fixed = partial.symbols().is_empty() && !rest.symbols().iter().any(|v| changing.contains(v));
        fixed.then(|| partial.constant())
    }

    /// What has another value in each iteration, apart from the loop's variable.
    fn changing(&self) -> Vars {
        &self.own | &touched(&self.outer.body.stmts, &[Access::Write])
    }

    /// Whether tokens name what each iteration has for itself.
    fn mentions_own(&self, table: &Table, o: &PassiveCode) -> bool {
        let text = o.tokens.to_string();
        let mut names = self.own.iter().copied().chain([self.outer.var]).map(|v| table.info(v).name.to_string());
        names.any(|name| text.contains(&name))
    }

    /// An index as a polynomial in the loop's variable and others; none, if it is no polynomial.
    fn index(&self, table: &Table, o: &PassiveCode) -> Option<Poly<Var>> {
        let changed = touched(&self.outer.body.stmts, &[Access::Write]);
        Poly::of(&syn::parse2(o.tokens.clone()).ok()?, &mut |name| {
            let var = o.reads.iter().copied().find(|v| table.info(*v).name == name)?;
            let value = self.named(var).and_then(|value| self.index(table, value));
            let value = value.filter(|index| !index.symbols().iter().any(|v| changed.contains(v)));
            Some(value.unwrap_or_else(|| Poly::symbol(var)))
        })
    }

    /// What an iteration gives this name to.
    fn named(&self, var: Var) -> Option<&PassiveCode> {
        self.early.iter().find_map(|stmt| match stmt {
            Stmt::Let { var: v, expr: Expr::Passive(value) } if *v == var => Some(value),
            _ => None,
        })
    }
}

/// `array[start..end]`, or `array[start..]`.
fn sliced(e: &syn::Expr) -> Option<(&syn::Expr, &syn::Expr, Option<&syn::Expr>)> {
    let syn::Expr::Index(syn::ExprIndex { expr, index, .. }) = e else { return None };
    match &**index {
        syn::Expr::Range(syn::ExprRange { start: Some(start), limits: syn::RangeLimits::HalfOpen(_), end, .. }) => {
            Some((expr, start, end.as_deref()))
        }
        _ => None,
    }
}

/// A loop around a triangle becomes two, one for long triangles and one for short ones: neither keeps registers for the other.
pub(super) fn apart(stmt: &Stmt) -> Option<Vec<Stmt>> {
    let on = whole_loop(stmt)?;
    let at = on.body.stmts.iter().position(is_choice)?;
    let Stmt::If { cond, then, els } = &on.body.stmts[at] else { return None };
    let inside = &touched(std::slice::from_ref(stmt), &[Access::Define, Access::Write]) | &[on.var].into();
    let one = |branch: &Block| {
        let mut copy = stmt.clone();
        let body = blocks_mut(&mut copy).pop().expect("the body of a loop");
        body.stmts.splice(at..=at, branch.stmts.clone());
        Block { stmts: vec![copy] }
    };
    let both = || Stmt::If { cond: cond.clone(), then: one(then), els: one(els) };
    (!cond.depends_on(&inside)).then(|| vec![both()])
}

fn whole_loop(stmt: &Stmt) -> Option<&For> {
    match stmt {
        Stmt::For(on) => Some(on),
        Stmt::Derived(Derived::Loop(l)) if l.frame.is_none() && l.iterations.is_none() => Some(&l.on),
        _ => None,
    }
}

/// Whether a statement is what became of a triangle.
fn is_choice(stmt: &Stmt) -> bool {
    let Stmt::If { cond, els, .. } = stmt else { return false };
    let on = match &els.stmts[..] {
        [Stmt::For(on)] => on,
        [Stmt::Derived(Derived::Loop(l))] => &l.on,
        _ => return false,
    };
    cond.tokens.to_string() == is_long(on).tokens.to_string()
}
