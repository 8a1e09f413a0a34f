//! Loops that fill an array: every element is set before anything else is done with the array.

use crate::ir::visit::places::each_place;
use crate::ir::visit::{Access, Vars, Visit, blocks, touched, touches};
use crate::ir::*;
use crate::support::hash::HashMap;
use proc_macro2::{TokenStream, TokenTree};

/// What passive variables and lengths of arrays stand for.
pub struct Fills {
    /// The right-hand sides of passive lets.
    lengths: HashMap<Var, String>,
    names: HashMap<String, Var>,
    /// Passive variables that change.
    changing: Vars,
}

impl Fills {
    /// Reads a function's body.
    pub fn of(vars: &[VarInfo], body: &Block) -> Self {
        let names = vars.iter().enumerate().map(|(k, info)| (info.name.to_string(), Var(k as u32))).collect();
        let mut known = Fills { lengths: HashMap::default(), names, changing: Vars::new() };
        known.learn(body);
        known
    }

    fn learn(&mut self, block: &Block) {
        for stmt in &block.stmts {
            match stmt {
                Stmt::Let { var, expr: Expr::Passive(o) } => {
                    self.lengths.insert(*var, text(&o.tokens));
                }
                Stmt::Let { var, expr: Expr::VecRepeat { len, .. } } => {
                    self.lengths.insert(*var, text(&len.tokens));
                }
                Stmt::Assign { place, .. } if place.path.is_empty() => self.changing.extend([place.root]),
                Stmt::Effect { writes, .. } => self.changing.extend(writes),
                _ => {}
            }
            blocks(stmt).into_iter().for_each(|inner| self.learn(inner));
        }
    }

    /// A number's meaning: `n` for `let n_1 = n`, and for `a.len()` of a vector of length `n`.
    fn meaning(&self, text: &str) -> String {
        let name = text.strip_suffix(".len()").unwrap_or(text);
        match self.names.get(name).and_then(|v| self.lengths.get(v)) {
            Some(inner) if inner != text => self.meaning(inner),
            _ => text.to_owned(),
        }
    }

    /// A number as another one and what is added to it, the same wherever it stands.
    fn measure(&self, o: &PassiveCode) -> Option<(String, i64)> {
        let fixed = !o.depends_on(&self.changing);
        fixed.then(|| {
            let (base, offset) = with_offset(&text(&o.tokens));
            let (base, more) = with_offset(&self.meaning(&base));
            (base, offset + more)
        })
    }

    /// Whether a block sets every element of `array` before it does anything else with it.
    pub fn fills(&self, block: &Block, array: Var, len: &PassiveCode) -> bool {
        let mut users = block.stmts.iter().filter(|s| touches(s, array));
        let (first, alone) = (users.next(), users.next().is_none());
        let nested = || matches!(first, Some(Stmt::For(on)) if self.fills(&on.body, array, len));
        self.are_filling(block.stmts.iter(), array, len) || alone && nested()
    }

    /// Whether statements set every element of `array` before they do anything else with it: the first ones each by itself, perhaps,
    /// and the rest in a loop.
    pub fn are_filling<'s>(&self, stmts: impl Iterator<Item = &'s Stmt>, array: Var, len: &PassiveCode) -> bool {
        let mut count = 0;
        for stmt in stmts.filter(|s| touches(s, array)) {
            match stmt {
                Stmt::Assign { op: Assign::Set, .. } if sets_only(stmt, array, &count.to_string()) => count += 1,
                Stmt::For(on) => return self.is_filling(on, array, count, len),
                _ => return false,
            }
        }
        false
    }

    /// Whether a loop sets every element of `array` from that with this number on, and reads none before.
    fn is_filling(&self, on: &For, array: Var, first: i64, len: &PassiveCode) -> bool {
        let at = on.body.stmts.iter().position(|s| touches(s, array));
        let Some((set, later)) = at.and_then(|at| on.body.stmts[at..].split_first()) else { return false };
        let Stmt::Assign { place: Place { path, .. }, op: Assign::Set, .. } = set else { return false };
        let [Proj::Index(index)] = &path[..] else { return false };
        let (index, (base, offset)) = (text(&index.tokens), with_offset(&text(&index.tokens)));
        let from = text(&on.lo.tokens).parse::<i64>().ok().map(|lo| lo + offset);
        let to = self.measure(&on.hi).map(|(hi, more)| (hi, more + offset));
        let one_by_one = !on.inclusive && on.step.is_none() && on.until.is_none();
        let whole = one_by_one && from == Some(first) && to.is_some() && to == self.measure(len);
        let own = self.names.get(&base) == Some(&on.var) && sets_only(set, array, &index);
        whole && own && later.iter().all(|s| touches_only(s, array, &index))
    }
}

/// Whether a statement sets the element with this index, and touches the array nowhere else.
fn sets_only(stmt: &Stmt, array: Var, index: &str) -> bool {
    matches!(stmt, Stmt::Assign { place, .. } if place.root == array && has_index(place, index))
        && touches_only(stmt, array, index)
        && !touched(std::slice::from_ref(stmt), &[Access::Read]).contains(&array)
}

/// Whether a statement touches no other element of an array than the one with this index.
fn touches_only(stmt: &Stmt, array: Var, index: &str) -> bool {
    let (mut all, mut own) = (0, 0);
    Visit(&mut |v, touch| all += usize::from(v == array && touch != Access::Shape)).stmt(stmt);
    each_place(stmt, &mut |place, _| own += usize::from(place.root == array && has_index(place, index)));
    all == own
}

fn has_index(place: &Place, index: &str) -> bool {
    matches!(&place.path[..], [Proj::Index(i)] if text(&i.tokens) == index)
}

/// `n + 1` and `n - 1` as `n` and what is added.
fn with_offset(text: &str) -> (String, i64) {
    let at = text.rfind(['+', '-']).unwrap_or(0);
    let (base, offset) = text.split_at(at);
    let name = base.strip_suffix(".len()").unwrap_or(base);
    let plain = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    match offset.parse::<i64>() {
        Ok(offset) if plain => (base.to_owned(), offset),
        _ => (text.to_owned(), 0),
    }
}

/// Tokens without blanks.
fn text(tokens: &TokenStream) -> String {
    tokens
        .clone()
        .into_iter()
        .map(|tree| match tree {
            TokenTree::Group(g) => format!("{}{}{}", open(&g), text(&g.stream()), close(&g)),
            other => other.to_string(),
        })
        .collect()
}

fn open(group: &proc_macro2::Group) -> &'static str {
    match group.delimiter() {
        proc_macro2::Delimiter::Parenthesis => "(",
        proc_macro2::Delimiter::Bracket => "[",
        proc_macro2::Delimiter::Brace => "{",
        proc_macro2::Delimiter::None => "",
    }
}

fn close(group: &proc_macro2::Group) -> &'static str {
    match group.delimiter() {
        proc_macro2::Delimiter::Parenthesis => ")",
        proc_macro2::Delimiter::Bracket => "]",
        proc_macro2::Delimiter::Brace => "}",
        proc_macro2::Delimiter::None => "",
    }
}
