//! The nest after unroll-and-jam.
//!
//! ```text
//! let end = hi - (hi - lo) % 4
//! for i in lo..end, by four {
//!     early of i, i + 1, i + 2, i + 3
//!     if the tests hold {
//!         in a triangle, the elements of each iteration before the last one's first element
//!         for k in 0..pairs { the four bodies, two iterations of each }
//!         the last iteration, if their number is odd
//!     } else {
//!         four inner loops
//!     }
//!     late of i, i + 1, i + 2, i + 3
//! }
//! for i in end..hi { the body as it was }
//! ```
//!
//! A triangle of less than four iterations is left as it was.

use super::{Nest, Row, Share, Sum};
use crate::analysis::cost_model::{JAMMED, JAMMED_LANES};
use crate::ir::affine::gathered;
use crate::ir::clone::NO_PARAMETERS;
use crate::ir::place::key;
use crate::ir::symbols::{Role, Table};
use crate::ir::visit::{Access, Rename, Vars, blocks_mut, touched};
use crate::ir::*;
use crate::support::hash::HashMap;
use proc_macro2::{Literal, Span, TokenStream};
use quote::quote;
use std::collections::BTreeMap;

/// The statements that replace the loop.
pub fn build(table: &mut Table, nest: Nest) -> Vec<Stmt> {
    Build { table, nest, iteration: None, iterations: Vec::new(), found: Found::default() }.build()
}

struct Build<'a> {
    table: &'a mut Table,
    nest: Nest,
    /// Counts the iterations, where there are frames.
    iteration: Option<Var>,
    /// Per iteration of a block: its own variables.
    iterations: Vec<HashMap<Var, Var>>,
    found: Found,
}

/// Where the jammed bodies find their operands and make their sums.
#[derive(Default)]
struct Found {
    /// The variable that counts pairs.
    pair: Option<Var>,
    /// By the row's key, per iteration: its elements.
    rows: BTreeMap<String, Vec<Slices>>,
    /// By the sum's key, per iteration: its lanes, and what is added outside of the jam.
    parts: BTreeMap<String, Vec<Vec<Var>>>,
    /// By the place's key, per iteration: an element that no inner iteration changes.
    fixed: BTreeMap<String, Vec<Var>>,
    /// The variables of the inner body.
    own: HashMap<(Instance, Var), Var>,
}

/// A row, cut into slices.
#[derive(Clone, Copy)]
struct Slices {
    head: Option<Var>,
    pairs: Var,
    tail: Var,
    /// Where the first iteration's head is all iterations': where this iteration's begins in it.
    ahead: usize,
}

/// An inner iteration of a block's iteration.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Instance {
    iteration: usize,
    at: At,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum At {
    Lead(usize),
    Pair(usize),
    Tail,
}

impl Build<'_> {
    fn build(mut self) -> Vec<Stmt> {
        let mut out = std::mem::take(&mut self.nest.before);
        self.table.set_jammed(self.nest.inner.var);
        if let Some(l) = self.nest.frame.take() {
            out.push(Stmt::Derived(Derived::FrameBlock(l)));
            let iteration = self.passive("iteration");
            self.iteration = Some(iteration);
            out.push(passive(iteration, PassiveCode::literal(quote!(0usize))));
        }
        let end = self.end(&mut out);
        out.extend([self.block(&end), self.remainder(&end)]);
        match self.nest.whole.take() {
            Some(mut whole) => {
                blocks_mut(&mut whole).into_iter().for_each(|body| self.shorten(body));
                vec![self.where_long(out, whole)]
            }
            None => out,
        }
    }

    /// A triangle of less than a block stays what it was.
    fn where_long(&self, then: Vec<Stmt>, whole: Stmt) -> Stmt {
        let cond = is_long(&self.nest.outer);
        Stmt::If { cond, then: Block { stmts: then }, els: Block { stmts: vec![whole] } }
    }

    /// The end of the last whole block.
    fn end(&mut self, out: &mut Vec<Stmt>) -> PassiveCode {
        let end = self.passive(&format!("{}_end", self.table.info(self.nest.outer.var).hint));
        let For { lo, hi, .. } = &self.nest.outer;
        let count = Literal::usize_unsuffixed(JAMMED);
        let tokens = |lo: &TokenStream, hi: &TokenStream| match lo.to_string() == "0" {
            true => quote!((#hi) - (#hi) % #count),
            false => quote!(if #lo < (#hi) { (#hi) - ((#hi) - #lo) % #count } else { #lo }),
        };
        out.push(passive(end, joined(lo, hi, tokens)));
        self.table.read(end)
    }

    fn block(&mut self, end: &PassiveCode) -> Stmt {
        let first = self.twin(self.nest.outer.var, "first");
        let mut stmts = Vec::new();
        for c in 0..JAMMED {
            self.open_iteration(c, first, &mut stmts);
            let mut early = self.nest.early.clone();
            early.retain(|s| !self.follows(s, c));
            early.iter().for_each(|s| self.copy(s, c, &mut stmts));
        }
        stmts.extend(self.nest.bound.into_iter().flat_map(|bound| self.bounds(bound)));
        self.inner_loops(&mut stmts);
        for c in 0..JAMMED {
            let late = self.nest.late.clone();
            late.iter().for_each(|s| self.copy(s, c, &mut stmts));
        }
        stmts.extend(self.advance(JAMMED));
        let by = Literal::usize_unsuffixed(JAMMED);
        let step = Some(PassiveCode::literal(quote!(#by)));
        Stmt::For(For { var: first, hi: end.clone(), step, body: Block { stmts }, ..self.nest.outer.clone() })
    }

    /// The inner loops: jammed where they may be, else one after another.
    fn inner_loops(&mut self, out: &mut Vec<Stmt>) {
        let lengths = self.lengths(out);
        let tests = self.tests(&lengths);
        let jammed = self.jammed(&lengths);
        match tests {
            None => out.extend(jammed),
            Some(cond) => {
                let els = Block { stmts: self.one_by_one() };
                out.push(Stmt::If { cond, then: Block { stmts: jammed }, els });
            }
        }
    }

    /// Whether a statement only says how many inner iterations there are, which follows from what the last iteration of the block has.
    fn follows(&self, stmt: &Stmt, c: usize) -> bool {
        c < JAMMED - 1 && matches!(stmt, Stmt::Let { var, .. } if Some(*var) == self.nest.bound)
    }

    /// How many inner iterations all but the last have.
    fn bounds(&self, bound: Var) -> Vec<Stmt> {
        let of = |c: usize| self.iterations[c][&bound];
        let one = |c: usize| {
            let ahead = Literal::usize_unsuffixed(JAMMED - 1 - c);
            passive(of(c), self.table.read(of(JAMMED - 1)).map(|n| quote!(#n + #ahead)))
        };
        (0..JAMMED - 1).map(one).collect()
    }

    /// The iterations that make no block.
    fn remainder(&mut self, end: &PassiveCode) -> Stmt {
        let mut on = For { lo: end.clone(), ..self.nest.outer.clone() };
        let at = self.iteration.map(|iteration| self.table.read(iteration));
        for stmt in &mut on.body.stmts {
            if let Stmt::Derived(Derived::StoreFrame(r) | Derived::LoadFrame(r)) = stmt {
                r.at = at.clone();
            }
        }
        self.shorten(&mut on.body);
        on.body.stmts.extend(self.advance(1));
        Stmt::For(on)
    }

    /// Says how short the inner loop of an outer iteration is that no block takes: LLVM prepares no vectors for it then.
    fn shorten(&self, body: &mut Block) {
        let (Some(bound), Some(most)) = (self.nest.bound, self.nest.rest(self.table)) else { return };
        let most = Literal::usize_unsuffixed(most);
        for stmt in &mut body.stmts {
            match stmt {
                Stmt::Let { var, expr: Expr::Passive(length) } if *var == bound => {
                    *length = length.clone().map(|n| quote!((#n).min(#most)));
                }
                _ => {}
            }
        }
    }

    fn advance(&self, by: usize) -> Option<Stmt> {
        let iteration = self.iteration?;
        let by = Literal::usize_unsuffixed(by);
        let next = self.table.read(iteration).map(|t| quote!(#t + #by));
        let place = Place::var(iteration);
        Some(Stmt::Assign { place, op: Assign::Set, value: Operand::Passive(next), span: Span::call_site() })
    }

    /// Variables for iteration `c` of a block; declares its loop variable.
    fn open_iteration(&mut self, c: usize, first: Var, out: &mut Vec<Stmt>) {
        let suffix = c.to_string();
        let vars: Vec<Var> = self.nest.own.iter().copied().chain([self.nest.outer.var]).collect();
        let map: HashMap<Var, Var> = vars.into_iter().map(|v| (v, self.twin(v, &suffix))).collect();
        let ahead = Literal::usize_unsuffixed(c);
        let index = self.table.read(first).map(|i| if c == 0 { quote!(#i) } else { quote!(#i + #ahead) });
        out.push(passive(map[&self.nest.outer.var], index));
        self.iterations.push(map);
    }

    /// A statement as iteration `c` has it.
    fn copy(&mut self, stmt: &Stmt, c: usize, out: &mut Vec<Stmt>) {
        let at = self.iteration.map(|iteration| {
            let ahead = Literal::usize_unsuffixed(c);
            self.table.read(iteration).map(|t| quote!(#t + #ahead))
        });
        let map = self.iterations[c].clone();
        match stmt {
            Stmt::Derived(Derived::StoreFrame(r)) => {
                out.extend(self.transported(r, |v| (v, map[&v])));
                out.push(Stmt::Derived(Derived::StoreFrame(TapeFrame { at, ..r.clone() })));
            }
            Stmt::Derived(Derived::LoadFrame(r)) => {
                out.push(Stmt::Derived(Derived::LoadFrame(TapeFrame { at, ..r.clone() })));
                out.extend(self.transported(r, |v| (map[&v], v)));
            }
            other => out.push(Rename { map: &map, vars: self.table.vars(), behind: &NO_PARAMETERS }.stmt(other)),
        }
    }

    /// A frame is tied to its variables: copies from or to those of an iteration.
    fn transported(&self, frame: &TapeFrame, pair: impl Fn(Var) -> (Var, Var)) -> Vec<Stmt> {
        let float = |(to, from)| Stmt::Let { var: to, expr: Expr::Operand(Operand::var(from)) };
        let word = |(to, from)| passive(to, self.table.read(from));
        let floats = frame.floats.iter().map(|v| float(pair(*v)));
        floats.chain(frame.words.iter().map(|v| word(pair(*v)))).collect()
    }

    /// Tokens as iteration `c` has them.
    fn of_iteration(&self, o: &PassiveCode, c: usize) -> PassiveCode {
        let mut o = o.clone();
        Rename { map: &self.iterations[c], vars: self.table.vars(), behind: &NO_PARAMETERS }.passive_code(&mut o);
        o
    }

    fn place_of_iteration(&self, place: &Place, c: usize) -> Place {
        let mut place = place.clone();
        Rename { map: &self.iterations[c], vars: self.table.vars(), behind: &NO_PARAMETERS }.place(&mut place);
        place
    }

    /// How many iterations the inner loops have.
    fn lengths(&mut self, out: &mut Vec<Stmt>) -> Vec<PassiveCode> {
        let mut lengths: Vec<PassiveCode> = Vec::new();
        let same = !self.nest.differs(&self.nest.inner.lo) && !self.nest.differs(&self.nest.inner.hi);
        for c in 0..JAMMED {
            if let Some(first) = lengths.first().filter(|_| same) {
                lengths.push(first.clone());
                continue;
            }
            let (lo, hi) = (self.of_iteration(&self.nest.inner.lo, c), self.of_iteration(&self.nest.inner.hi, c));
            if lo.tokens.to_string() == "0" {
                lengths.push(hi);
                continue;
            }
            let length = self.passive("length");
            out.push(passive(length, joined(&lo, &hi, |lo, hi| quote!(((#lo)..(#hi)).len()))));
            lengths.push(self.table.read(length));
        }
        lengths
    }

    /// Whether the ends meet, and rows that belong to one iteration do not overlap; none if both go without saying.
    fn tests(&self, lengths: &[PassiveCode]) -> Option<PassiveCode> {
        let text = |o: &PassiveCode| o.tokens.to_string();
        let differ = |both: &&[PassiveCode]| self.nest.bound.is_none() && text(&both[0]) != text(&both[1]);
        let meet = |both: &[PassiveCode]| {
            joined(&both[0], &both[1], |a, b| match self.nest.triangular {
                true => quote!((#a) == (#b) + 1),
                false => quote!((#a) == (#b)),
            })
        };
        let mut tests: Vec<PassiveCode> = lengths.windows(2).filter(differ).map(meet).collect();
        for row in self.nest.rows.iter().filter(|r| r.written && r.share == Share::Own) {
            let starts = self.starts(row);
            for c in 1..JAMMED {
                let end = joined(&starts[c - 1], &lengths[c - 1], |a, b| quote!(#a + (#b)));
                let test = joined(&end, &starts[c], |a, b| quote!(#a <= #b));
                if tests.iter().all(|t| text(t) != text(&test)) {
                    tests.push(test);
                }
            }
        }
        tests.into_iter().reduce(|a, b| joined(&a, &b, |a, b| quote!(#a && #b)))
    }

    /// Where the rows of one iteration begin in what they are parts of.
    fn starts(&self, row: &Row) -> Vec<PassiveCode> {
        let (_, start) = self.nest.parted(self.table, row).expect("tested by the analysis");
        (0..JAMMED).map(|c| self.begin(&self.of_iteration(&start, c), c)).collect()
    }

    /// `start + lo`.
    fn begin(&self, start: &PassiveCode, c: usize) -> PassiveCode {
        let lo = self.of_iteration(&self.nest.inner.lo, c);
        joined(start, &lo, |a, b| if b.to_string() == "0" { quote!((#a)) } else { quote!((#a) + (#b)) })
    }

    /// The four inner loops.
    fn one_by_one(&self) -> Vec<Stmt> {
        let one = |c: usize| {
            let (lo, hi) = (self.of_iteration(&self.nest.inner.lo, c), self.of_iteration(&self.nest.inner.hi, c));
            let rename = Rename { map: &self.iterations[c], vars: self.table.vars(), behind: &NO_PARAMETERS };
            let body = Block { stmts: self.nest.inner.body.stmts.iter().map(|s| rename.stmt(s)).collect() };
            let var = self.iterations[c].get(&self.nest.inner.var).copied().unwrap_or(self.nest.inner.var);
            Stmt::For(For { var, lo, hi, body, ..self.nest.inner.clone() })
        };
        (0..JAMMED).map(one).collect()
    }

    /// The jam.
    fn jammed(&mut self, lengths: &[PassiveCode]) -> Vec<Stmt> {
        let mut out = Vec::new();
        let (pairs, pair) = (self.passive("pairs"), self.twin(self.nest.inner.var, "pair"));
        let lanes = Literal::usize_unsuffixed(JAMMED_LANES);
        let longest = &lengths[JAMMED - 1];
        out.push(passive(pairs, longest.clone().map(|n| quote!((#n) / #lanes))));
        self.found.pair = Some(pair);
        for row in std::mem::take(&mut self.nest.rows) {
            self.view(&row, pairs, lengths, &mut out);
        }
        for place in std::mem::take(&mut self.nest.fixed) {
            self.fix(&place, lengths, &mut out);
        }
        let sums = std::mem::take(&mut self.nest.sums);
        sums.iter().for_each(|sum| self.lanes(sum, &mut out));
        let body = self.nest.inner.body.clone();
        for instance in self.leading() {
            out.extend(self.spread(&body, &[instance]));
        }
        out.push(self.both(&body, pairs, pair));
        let last: Vec<Instance> = (0..JAMMED).map(|iteration| Instance { iteration, at: At::Tail }).collect();
        let then = Block { stmts: self.spread(&body, &last) };
        let odd = longest.clone().map(|n| quote!((#n) % #lanes != 0));
        out.push(Stmt::If { cond: odd, then, els: Block::default() });
        sums.iter().for_each(|sum| self.collect(sum, &mut out));
        out
    }

    /// The iterations that come before those which all of the jammed loops have.
    fn leading(&self) -> Vec<Instance> {
        let lead = |iteration| (0..self.lead(iteration)).map(move |k| Instance { iteration, at: At::Lead(k) });
        (0..JAMMED).flat_map(lead).collect()
    }

    /// The loop over pairs of iterations of all jammed loops.
    fn both(&mut self, body: &Block, pairs: Var, pair: Var) -> Stmt {
        let lane = |iteration| (0..JAMMED_LANES).map(move |lane| Instance { iteration, at: At::Pair(lane) });
        let both: Vec<Instance> = (0..JAMMED).flat_map(lane).collect();
        let body = Block { stmts: self.spread(body, &both) };
        let (lo, hi) = (PassiveCode::literal(quote!(0)), self.table.read(pairs));
        self.alone(Stmt::For(For { var: pair, lo, hi, body, ..self.nest.inner.clone() }))
    }

    /// The loop over the pairs that it writes to as parameters.
    fn alone(&self, jam: Stmt) -> Stmt {
        let written = touched(std::slice::from_ref(&jam), &[Access::Write]);
        let pairs: Vars = self.found.rows.values().flatten().map(|slices| slices.pairs).collect();
        let slices: Vec<Var> = pairs.into_iter().filter(|v| written.contains(v)).collect();
        match slices.is_empty() {
            true => jam,
            false => Stmt::Derived(Derived::NoAlias { slices, body: Block { stmts: vec![jam] } }),
        }
    }

    /// How many elements an iteration has before the last one's first.
    fn lead(&self, iteration: usize) -> usize {
        if self.nest.triangular { JAMMED - 1 - iteration } else { 0 }
    }

    /// Cuts the slices that the iterations walk through; one for all where it is the same.
    fn view(&mut self, row: &Row, pairs: Var, lengths: &[PassiveCode], out: &mut Vec<Stmt>) {
        let aligned = row.share != Share::Own;
        let (exclusive, on, root) = (row.written, row.guard, row.place.root);
        let places = match exclusive && !aligned {
            true => self.parts(row, lengths, out),
            false => (0..if aligned { 1 } else { JAMMED }).map(|c| self.whole_row(row, c, &lengths[c])).collect(),
        };
        let mut cut = Vec::new();
        for (iteration, place) in places.into_iter().enumerate() {
            let lead = self.lead(iteration);
            let head = (lead > 0).then(|| self.slice(root, "head", Ty::Float));
            let pair = self.slice(root, "pairs", Ty::Array(Box::new(Ty::Float)));
            let tail = self.slice(root, "tail", Ty::Float);
            let (vars, head_of) = ([pair, tail], head.map(|head| (head, lead)));
            out.push(Stmt::Derived(Derived::Cut { head: head_of, vars, place, pairs, exclusive, on }));
            cut.push(Slices { head, pairs: pair, tail, ahead: 0 });
        }
        if aligned {
            cut = (0..JAMMED).map(|ahead| Slices { ahead, ..cut[0] }).collect();
        }
        self.found.rows.insert(key(&row.place), cut);
    }

    /// Parts of a place that the iterations write to, which do not overlap.
    fn parts(&mut self, row: &Row, lengths: &[PassiveCode], out: &mut Vec<Stmt>) -> Vec<Place> {
        let (place, _) = self.nest.parted(self.table, row).expect("tested by the analysis");
        let vars: Vec<Var> = (0..JAMMED).map(|_| self.slice(row.place.root, "row", Ty::Float)).collect();
        let (starts, lengths) = (self.starts(row), lengths.to_vec());
        out.push(Stmt::Derived(Derived::Parted { vars: vars.clone(), place, starts, lengths, on: row.guard }));
        vars.into_iter().map(|root| Place { root, path: vec![Proj::Range(None, None)] }).collect()
    }

    /// All elements of a row that iteration `c` visits: in a triangle from the first one on, and so many. (There, `lo..lo + length` takes
    /// twice as many instructions, because the sum may overflow.)
    fn whole_row(&self, row: &Row, c: usize, length: &PassiveCode) -> Place {
        let mut place = self.place_of_iteration(&row.place, c);
        let start = match place.path.pop() {
            Some(Proj::Range(Some(start), _)) => start,
            last => {
                place.path.extend(last);
                PassiveCode::literal(quote!(0))
            }
        };
        let lo = self.begin(&start, c);
        if self.nest.triangular {
            place.path.extend([Proj::Range(Some(lo), None), Proj::Range(None, Some(length.clone()))]);
        } else {
            let hi = joined(&lo, length, |a, b| quote!(#a + (#b)));
            place.path.push(Proj::Range(Some(lo), Some(hi)));
        }
        place
    }

    fn slice(&mut self, root: Var, hint: &str, element: Ty) -> Var {
        let var = self.table.companion(root, hint, self.table.role(root));
        if *self.table.ty(root) != Ty::Passive {
            self.table.retype(var, Ty::Slice(Box::new(element)));
        }
        var
    }

    /// Reads an element that no inner iteration changes.
    fn fix(&mut self, place: &Place, lengths: &[PassiveCode], out: &mut Vec<Stmt>) {
        let mut vars = Vec::new();
        for (c, length) in lengths.iter().enumerate() {
            let var = self.table.companion(place.root, "fixed", self.table.role(place.root));
            self.table.retype(var, Ty::Float);
            let cond = length.clone().map(|n| quote!(0 < (#n)));
            let place = self.place_of_iteration(place, c);
            let expr = match self.lead(c) {
                0 => Expr::If { cond, place },
                _ => Expr::Operand(Operand::Place(place)),
            };
            out.push(Stmt::Let { var, expr });
            vars.push(var);
        }
        self.found.fixed.insert(key(place), vars);
    }

    /// Partial sums, per iteration, of what is not the user's, or may be added in any order.
    fn lanes(&mut self, sum: &Sum, out: &mut Vec<Stmt>) {
        let root = sum.place.root;
        if self.table.role(root) == Role::Primal && !self.table.reassociates() {
            return;
        }
        let mut lane = || {
            let var = self.table.companion(root, "part", self.table.role(root));
            self.table.retype(var, Ty::Float);
            out.push(Stmt::Let { var, expr: Expr::Zero });
            var
        };
        let lanes = (0..JAMMED).map(|_| (0..=JAMMED_LANES).map(|_| lane()).collect()).collect();
        self.found.parts.insert(key(&sum.place), lanes);
    }

    /// Adds the partial sums up.
    fn collect(&self, sum: &Sum, out: &mut Vec<Stmt>) {
        let Some(parts) = self.found.parts.get(&key(&sum.place)) else { return };
        let mut stmts = Vec::new();
        for (c, lanes) in parts.iter().enumerate() {
            let (rest, lanes) = lanes.split_last().expect("the lanes, and the rest");
            let target = self.place_of_iteration(&sum.place, c);
            let sums = lanes.iter().map(|lane| (Place::var(*rest), *lane)).chain([(target, *rest)]);
            for (place, value) in sums {
                let value = Operand::var(value);
                stmts.push(Stmt::Assign { place, op: Assign::Add, value, span: Span::call_site() });
            }
        }
        match sum.guard {
            Some(on) => out.push(Stmt::Derived(Derived::Guard { on, body: Block { stmts } })),
            None => out.extend(stmts),
        }
    }

    /// Every statement once for each of the instances.
    fn spread(&mut self, body: &Block, instances: &[Instance]) -> Vec<Stmt> {
        let mut stmts = Vec::new();
        for stmt in &body.stmts {
            if let Stmt::Derived(Derived::Guard { on, body }) = stmt {
                let body = Block { stmts: self.spread(body, instances) };
                stmts.push(Stmt::Derived(Derived::Guard { on: *on, body }));
                continue;
            }
            for instance in instances {
                stmts.push(self.instance(stmt, *instance));
            }
        }
        stmts
    }

    /// A statement of the inner body for one of its iterations.
    fn instance(&mut self, stmt: &Stmt, instance: Instance) -> Stmt {
        let mut stmt = stmt.clone();
        match &mut stmt {
            Stmt::Let { var, expr } => {
                match expr {
                    Expr::Op { args, .. } => args.iter_mut().for_each(|a| self.operand(a, instance)),
                    Expr::Operand(value) => self.operand(value, instance),
                    other => unreachable!("no part of an inner body: {other:?}"),
                }
                let new = self.twin(*var, &instance.iteration.to_string());
                self.found.own.insert((instance, *var), new);
                *var = new;
            }
            Stmt::Assign { place, value, .. } => {
                self.operand(value, instance);
                match self.found.parts.get(&key(place)) {
                    Some(parts) => *place = Place::var(parts[instance.iteration][instance.lane()]),
                    None => self.element(place, instance),
                }
            }
            other => unreachable!("no part of an inner body: {other:?}"),
        }
        stmt
    }

    fn operand(&self, operand: &mut Operand, instance: Instance) {
        match operand {
            Operand::Place(place) => self.element(place, instance),
            Operand::Passive(o) => *o = self.of_iteration(o, instance.iteration),
            Operand::Made { args, .. } => args.iter_mut().for_each(|arg| self.operand(arg, instance)),
        }
    }

    /// An element of a row, a variable of the inner body or what does not change in it.
    fn element(&self, place: &mut Place, instance: Instance) {
        if let Some(own) = self.found.own.get(&(instance, place.root)) {
            *place = Place::var(*own);
            return;
        }
        if let Some(fixed) = self.found.fixed.get(&key(place)) {
            *place = Place::var(fixed[instance.iteration]);
            return;
        }
        let row = place.path.split_last().map(|(_, prefix)| Place { root: place.root, path: prefix.to_vec() });
        let found = row.and_then(|row| self.found.rows.get(&key(&row))).filter(|_| self.is_element(place));
        *place = match found {
            Some(iterations) => self.slice_element(iterations[instance.iteration], instance.at),
            None => self.place_of_iteration(place, instance.iteration),
        };
    }

    fn slice_element(&self, slices: Slices, at: At) -> Place {
        let number = |k: usize| {
            let k = Literal::usize_unsuffixed(k);
            Proj::Index(PassiveCode::literal(quote!(#k)))
        };
        match at {
            At::Lead(k) => Place { root: slices.head.expect("a head"), path: vec![number(slices.ahead + k)] },
            At::Tail => Place { root: slices.tail, path: vec![number(0)] },
            At::Pair(lane) => {
                let pair = self.found.pair.map(|pair| Proj::Index(self.table.read(pair)));
                Place { root: slices.pairs, path: pair.into_iter().chain([number(lane)]).collect() }
            }
        }
    }

    fn is_element(&self, place: &Place) -> bool {
        matches!(place.path.last(), Some(Proj::Index(i)) if i.reads.contains(&self.nest.inner.var))
    }

    /// A variable that stands for another.
    fn twin(&mut self, of: Var, suffix: &str) -> Var {
        let hint = format!("{}_{suffix}", self.table.info(of).hint);
        self.table.twin(of, &hint)
    }

    fn passive(&mut self, hint: &str) -> Var {
        self.table.fresh(hint, Ty::Passive, Role::Primal, Span::call_site())
    }
}

impl Instance {
    fn lane(self) -> usize {
        match self.at {
            At::Pair(lane) => lane,
            At::Lead(_) | At::Tail => JAMMED_LANES,
        }
    }
}

/// Whether a loop has a block of iterations.
pub(super) fn is_long(on: &For) -> PassiveCode {
    let count = Literal::usize_unsuffixed(JAMMED);
    joined(&on.lo, &on.hi, |lo, hi| match lo.to_string() == "0" {
        true => quote!(#count <= (#hi)),
        false => quote!(#lo + #count <= (#hi)),
    })
}

fn passive(var: Var, value: PassiveCode) -> Stmt {
    Stmt::Let { var, expr: Expr::Passive(value) }
}

/// Tokens made of others.
fn joined(a: &PassiveCode, b: &PassiveCode, tokens: impl Fn(&TokenStream, &TokenStream) -> TokenStream) -> PassiveCode {
    gathered(tokens(&a.tokens, &b.tokens), [a, b].into_iter(), a.span)
}
