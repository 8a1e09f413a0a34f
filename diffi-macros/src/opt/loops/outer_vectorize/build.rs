//! The block of iterations that share vector registers, and the iterations that remain.

use super::Iteration;
use crate::ir::affine::atom;
use crate::ir::clone::NO_PARAMETERS;
use crate::ir::place::key;
use crate::ir::symbols::{Role, Table};
use crate::ir::visit::{Access, Rename, Vars, blocks, blocks_mut, touched};
use crate::ir::*;
use crate::support::hash::HashMap;
use proc_macro2::{Literal, Span};
use quote::{ToTokens, quote};

/// What stands in the loop's place.
pub(super) fn build(table: &mut Table, iteration: Iteration) -> Vec<Stmt> {
    let on = iteration.around.on.clone();
    let [end, first] = [("end", Ty::Passive), ("first", Ty::Passive)].map(|(suffix, ty)| {
        table.fresh(&format!("{}_{suffix}", table.info(on.var).hint), ty, Role::Primal, Span::call_site())
    });
    let mut build = Build::new(table, &iteration);
    let mut stmts = build.loop_variables(first);
    stmts.extend(build.block(&on.body.stmts));
    let by = Literal::usize_unsuffixed(iteration.width);
    let end_of_blocks = passive(end, end_of(&on, iteration.width));
    let step = Some(PassiveCode::literal(quote!(#by)));
    let table = build.table;
    let hi = table.read(end);
    let blocks_of_iterations = For { var: first, hi: hi.clone(), step, body: Block { stmts }, ..on.clone() };
    let rest = For { lo: hi, ..on };
    let inner = [nested(&blocks_of_iterations.body), nested(&rest.body)];
    inner.into_iter().flatten().chain([first, rest.var]).for_each(|var| table.set_abreast(var));
    let around = |on| Stmt::Derived(Derived::Loop(Box::new(Loop { on, ..(*iteration.around).clone() })));
    vec![end_of_blocks, around(blocks_of_iterations), around(rest)]
}

/// The end of the last whole block.
fn end_of(on: &For, width: usize) -> PassiveCode {
    let (lo, hi, count) = (atom(&on.lo), atom(&on.hi), Literal::usize_unsuffixed(width));
    let mut end = on.hi.clone();
    end.tokens = match lo.to_string() == "0" {
        true => quote!(#hi - #hi % #count),
        false => quote!(if #lo < #hi { #hi - (#hi - #lo) % #count } else { #lo }),
    };
    end.reads.extend(&on.lo.reads);
    end.shapes.extend(&on.lo.shapes);
    end
}

/// The variables of all loops inside.
fn nested(block: &Block) -> Vars {
    let mut found = Vars::new();
    for stmt in &block.stmts {
        match stmt {
            Stmt::For(on) => found.extend([on.var]),
            Stmt::Derived(Derived::Loop(l)) => found.extend([l.on.var]),
            _ => {}
        }
        blocks(stmt).into_iter().for_each(|inner| found.extend(nested(inner)));
    }
    found
}

struct Build<'a> {
    table: &'a mut Table,
    iteration: &'a Iteration,
    /// The names of a block, by iterations: the same for what the iterations share.
    names: Vec<HashMap<Var, Var>>,
    /// The arrays of a block in which elements of its iterations stand side by side.
    wide: Vars,
    /// Slices of the elements of all iterations, by the place that the element of one has.
    lanes: HashMap<String, Var>,
    /// In a loop without loops.
    innermost: bool,
}

impl<'a> Build<'a> {
    fn new(table: &'a mut Table, iteration: &'a Iteration) -> Self {
        let mut names = vec![HashMap::default(); iteration.width];
        let mut wide = Vars::new();
        for var in iteration.own.iter().chain([&iteration.around.on.var]).copied() {
            let hint = table.info(var).hint.clone();
            let mut name = |suffix: &str| table.twin(var, &format!("{}_{suffix}", hint.trim_start_matches('_')));
            if iteration.is_one(var) {
                let all = name("all");
                names.iter_mut().for_each(|names| {
                    names.insert(var, all);
                });
                wide.extend(iteration.side_by_side.contains(&var).then_some(all));
            } else {
                names.iter_mut().enumerate().for_each(|(p, names)| {
                    names.insert(var, name(&p.to_string()));
                });
            }
        }
        Build { table, iteration, names, wide, lanes: HashMap::default(), innermost: false }
    }

    /// Which iterations of the user's the block has.
    fn loop_variables(&self, first: Var) -> Vec<Stmt> {
        let one = |(p, names): (usize, &HashMap<Var, Var>)| {
            let ahead = Literal::usize_unsuffixed(p);
            let index = self.table.read(first).map(|i| if p == 0 { quote!(#i) } else { quote!(#i + #ahead) });
            passive(names[&self.iteration.around.on.var], index)
        };
        self.names.iter().enumerate().map(one).collect()
    }

    fn block(&mut self, stmts: &[Stmt]) -> Vec<Stmt> {
        let mut out = Vec::new();
        stmts.iter().for_each(|s| self.stmt(s, &mut out));
        out
    }

    fn stmt(&mut self, stmt: &Stmt, out: &mut Vec<Stmt>) {
        match stmt {
            Stmt::Assign { place, op, value, .. } if self.adds_to_all(place, value) => self.add(place, *op, value, out),
            Stmt::Let { var, .. } | Stmt::Declare { var } if self.iteration.is_one(*var) => out.extend(self.once(stmt)),
            Stmt::Assign { place, .. } | Stmt::Derived(Derived::Clear { place, .. }) if self.is_of_all(place) => {
                out.extend(self.once(stmt));
            }
            Stmt::Let { var, expr: Expr::Passive(o) } => {
                let stmt = passive(*var, self.shaped(o, out));
                out.extend(self.copies(&stmt));
            }
            Stmt::Let { .. } | Stmt::Assign { .. } | Stmt::Derived(Derived::Clear { .. }) if !self.innermost => {
                let lanes = self.lanes_of(stmt);
                self.with_lanes(lanes, out, |build, out| out.extend(build.copies(stmt)));
            }
            Stmt::Let { .. } | Stmt::Assign { .. } | Stmt::Derived(Derived::Clear { .. }) => {
                out.extend(self.copies(stmt));
            }
            Stmt::Declare { .. } | Stmt::Derived(Derived::Sweep(_)) => out.extend(self.copies(stmt)),
            Stmt::Derived(Derived::StoreFrame(r)) => out.push(Stmt::Derived(Derived::StoreFrame(self.frame(r)))),
            Stmt::Derived(Derived::LoadFrame(r)) => out.push(Stmt::Derived(Derived::LoadFrame(self.frame(r)))),
            Stmt::Derived(Derived::Zero { var, .. } | Derived::Release { var }) if !self.iteration.is_one(*var) => {
                out.extend(self.copies(stmt));
            }
            Stmt::Derived(
                Derived::Zero { .. } | Derived::Release { .. } | Derived::View { .. } | Derived::Refill { .. },
            ) => {
                out.extend(self.once(stmt));
            }
            Stmt::For(on) if self.is_innermost(on) => self.innermost(stmt, on, out),
            Stmt::Derived(Derived::Loop(l)) if self.is_innermost(&l.on) => self.innermost(stmt, &l.on, out),
            other => out.push(self.around(other)),
        }
    }

    /// A statement with blocks.
    fn around(&mut self, stmt: &Stmt) -> Stmt {
        let mut whole = self.shell(stmt);
        for (new, old) in blocks_mut(&mut whole).into_iter().zip(blocks(stmt)) {
            new.stmts = self.block(&old.stmts);
        }
        whole
    }

    fn is_innermost(&self, on: &For) -> bool {
        !self.innermost && crate::analysis::loops::is_innermost(&on.body)
    }

    /// What an innermost loop reads of the iterations in every iteration of its own is there before it.
    fn innermost(&mut self, stmt: &Stmt, on: &For, out: &mut Vec<Stmt>) {
        self.table.set_by_itself(self.names[0][&on.var]);
        let lanes = if on.step.is_none() { self.lanes_of_all(on) } else { Vec::new() };
        let runs = (!lanes.is_empty()).then(|| {
            let mut cond = crate::ir::affine::runs(&on.lo, &on.hi, on.inclusive);
            self.rename(0).passive_code(&mut cond);
            cond
        });
        let mut stmts = Vec::new();
        self.innermost = true;
        self.with_lanes(lanes, &mut stmts, |build, out| out.push(build.around(stmt)));
        self.innermost = false;
        match runs {
            Some(cond) => out.push(Stmt::If { cond, then: Block { stmts }, els: Block::default() }),
            None => out.extend(stmts),
        }
    }

    /// The elements of all iterations that a statement uses, each with whether it writes them; none if it uses an array twice.
    fn lanes_of(&self, stmt: &Stmt) -> Vec<(Place, bool)> {
        let mut found: Vec<(Place, bool)> = Vec::new();
        let mut twice = false;
        crate::ir::visit::places::each_place(stmt, &mut |place, written| {
            let same = |other: &(Place, bool)| key(&other.0) == key(place);
            if self.has_lanes(place) && !found.iter().any(|other| same(other) && !other.1 && !written) {
                twice |= found.iter().any(|other| other.0.root == place.root && (other.1 || written));
                found.push((place.clone(), written));
            }
        });
        if twice { Vec::new() } else { found }
    }

    /// The same of an innermost loop, where every iteration of it reads the same ones.
    fn lanes_of_all(&self, on: &For) -> Vec<(Place, bool)> {
        let mut inside = touched(&on.body.stmts, &[Access::Define, Access::Write]);
        inside.insert(on.var);
        let mut found: Vec<(Place, bool)> = Vec::new();
        for stmt in &on.body.stmts {
            crate::ir::visit::places::each_place(stmt, &mut |place, written| {
                let mut fixed = !written && self.has_lanes(place) && !inside.contains(&place.root);
                place.indices(&mut |o| fixed &= !o.depends_on(&inside));
                if fixed && !found.iter().any(|other| key(&other.0) == key(place)) {
                    found.push((place.clone(), false));
                }
            });
        }
        found
    }

    /// Whether a place is an element of an array of which those of all iterations stand side by side.
    fn has_lanes(&self, place: &Place) -> bool {
        let mut same = self.iteration.side_by_side.contains(&place.root);
        place.indices(&mut |o| same &= self.iteration.is_same(o));
        same && matches!(place.path.last(), Some(Proj::Index(_)))
    }

    /// Cuts the elements of all iterations out, so that their indices are checked once, for what `f` adds.
    fn with_lanes(
        &mut self,
        lanes: Vec<(Place, bool)>,
        out: &mut Vec<Stmt>,
        f: impl FnOnce(&mut Self, &mut Vec<Stmt>),
    ) {
        let mut keys = Vec::new();
        for (mut place, exclusive) in lanes {
            self.rename(0).place(&mut place);
            let var = self.table.companion(place.root, "lanes", self.table.role(place.root));
            self.table.retype(var, Ty::Slice(Box::new(Ty::Float)));
            keys.push(key(&place));
            let all = self.all_lanes(&place);
            out.push(Stmt::Derived(Derived::View { var, place: all, exclusive, on: None }));
            self.lanes.insert(key(&place), var);
        }
        f(self, out);
        keys.iter().for_each(|key| _ = self.lanes.remove(key));
    }

    /// The elements of all iterations, of which `place` is one.
    fn all_lanes(&self, place: &Place) -> Place {
        let mut all = place.clone();
        self.widen(&mut all, 0);
        if let Some(Proj::Index(first)) = all.path.pop() {
            let count = PassiveCode::literal(Literal::usize_unsuffixed(self.iteration.width).into_token_stream());
            all.path.extend([Proj::Range(Some(first), None), Proj::Range(None, Some(count))]);
        }
        all
    }

    fn copies(&self, stmt: &Stmt) -> Vec<Stmt> {
        (0..self.iteration.width).map(|p| self.copy(stmt, p)).collect()
    }

    /// A number of the iterations' own, perhaps in an array, that is the same for all of them.
    fn is_of_all(&self, place: &Place) -> bool {
        self.iteration.own.contains(&place.root) && !self.iteration.varying.contains(&place.root)
    }

    /// What the iterations add to one element of a cotangent.
    fn adds_to_all(&self, place: &Place, value: &Operand) -> bool {
        let mut same = true;
        place.indices(&mut |o| same &= self.iteration.is_same(o));
        let varies = matches!(value, Operand::Place(p) if self.iteration.varying.contains(&p.root));
        same && varies && !self.iteration.own.contains(&place.root) && self.table.role(place.root) != Role::Primal
    }

    /// The sum of all iterations is added: that of every second one first, as halves of a vector are.
    fn add(&mut self, place: &Place, op: Assign, value: &Operand, out: &mut Vec<Stmt>) {
        let role = self.table.role(place.root);
        let mut terms: Vec<Operand> = (0..self.iteration.width).map(|p| self.operand(value, p)).collect();
        while terms.len() > 1 {
            let half = terms.len() / 2;
            let pairs: Vec<[Operand; 2]> = (0..half).map(|p| [terms[p].clone(), terms[p + half].clone()]).collect();
            terms = pairs.into_iter().map(|pair| self.sum(pair, role, out)).collect();
        }
        let place = self.place(place, 0);
        let [value] = terms.try_into().expect("the number of iterations is a power of two");
        out.push(Stmt::Assign { place, op, value, span: Span::call_site() });
    }

    fn sum(&mut self, terms: [Operand; 2], role: Role, out: &mut Vec<Stmt>) -> Operand {
        let var = self.table.fresh("sum", Ty::Float, role, Span::call_site());
        out.push(Stmt::Let { var, expr: Expr::Op { op: Op::Add, args: terms.into(), span: Span::call_site() } });
        Operand::var(var)
    }

    /// A statement that stands for all iterations. Arrays in which their elements stand side by side are as many times as long.
    fn once(&mut self, stmt: &Stmt) -> Vec<Stmt> {
        let (mut out, mut stmt) = (Vec::new(), stmt.clone());
        if let Stmt::Let { expr: Expr::Passive(o), .. } = &mut stmt {
            *o = self.shaped(o, &mut out);
        }
        let mut new = self.copy(&stmt, 0);
        match &mut new {
            Stmt::Let { var, expr: Expr::Scratch { len } | Expr::VecRepeat { len, .. } }
            | Stmt::Derived(Derived::Zero { var, like: ShapeOf::Len(len) })
                if self.wide.contains(var) =>
            {
                *len = times(len, self.iteration.width);
            }
            _ => {}
        }
        out.push(new);
        out
    }

    /// What asks for the shapes of an iteration's own arrays asks for those of parts that are as long.
    fn shaped(&mut self, o: &PassiveCode, out: &mut Vec<Stmt>) -> PassiveCode {
        let mut map = HashMap::default();
        for var in o.shapes.intersection(&self.iteration.side_by_side) {
            let (role, all) = (self.table.role(*var), self.names[0][var]);
            let hint = format!("{}_part", self.table.info(*var).hint);
            let part = self.table.fresh(&hint, Ty::Slice(Box::new(Ty::Float)), role, o.span);
            self.table.set_ref(part);
            let (name, count) = (&self.table.info(all).name, Literal::usize_unsuffixed(self.iteration.width));
            let mut length = PassiveCode::literal(quote!(#name.len() / #count));
            length.shapes.extend([all]);
            let place = Place { root: all, path: vec![Proj::Range(None, Some(length))] };
            out.push(Stmt::Derived(Derived::View { var: part, place, exclusive: false, on: None }));
            map.insert(*var, part);
        }
        let mut o = o.clone();
        Rename { map: &map, vars: self.table.vars(), behind: &NO_PARAMETERS }.passive_code(&mut o);
        o
    }

    /// A loop, a condition or a guard, with the names that all iterations share.
    fn shell(&self, stmt: &Stmt) -> Stmt {
        let rename = self.rename(0);
        let counted = |on: &mut For| {
            on.var = self.names[0][&on.var];
            [&mut on.lo, &mut on.hi].into_iter().chain(&mut on.step).for_each(|o| rename.passive_code(o));
        };
        let mut new = stmt.clone();
        match &mut new {
            Stmt::For(on) => counted(on),
            Stmt::Derived(Derived::Loop(l)) => {
                counted(&mut l.on);
                let widths = l.frame.and_then(|_| l.on.body.stmts.iter().find_map(|s| self.widths(s)));
                l.frame = widths.or(l.frame);
            }
            Stmt::If { cond, .. } => rename.passive_code(cond),
            _ => {}
        }
        new
    }

    /// The frames of all iterations as one: what the iterations share is kept once.
    fn frame(&self, r: &TapeFrame) -> TapeFrame {
        let all = |vars: &[Var]| -> Vec<Var> {
            let copies = |v: &Var| if self.iteration.is_one(*v) { 1 } else { self.iteration.width };
            vars.iter().flat_map(|v| self.names[..copies(v)].iter().map(|names| names[v])).collect()
        };
        TapeFrame { floats: all(&r.floats), words: all(&r.words), ..r.clone() }
    }

    /// How much a loop keeps each time, where this is what it keeps.
    fn widths(&self, stmt: &Stmt) -> Option<Widths> {
        let Stmt::Derived(Derived::StoreFrame(r) | Derived::LoadFrame(r)) = stmt else { return None };
        let all = self.frame(r);
        let tangents = all.floats.iter().filter(|v| self.table.role(**v) == Role::Dot).count();
        Some(Widths { floats: all.floats.len() - tangents, words: all.words.len(), tangents })
    }

    /// A statement as iteration `p` of a block has it.
    fn copy(&self, stmt: &Stmt, p: usize) -> Stmt {
        let (rename, mut new) = (self.rename(p), stmt.clone());
        match &mut new {
            Stmt::Let { .. } | Stmt::Assign { .. } | Stmt::Derived(Derived::Clear { .. }) => new = rename.stmt(stmt),
            Stmt::Declare { var } | Stmt::Derived(Derived::Release { var }) => *var = self.name(*var, p),
            Stmt::Derived(Derived::Refill { var, with, .. }) => {
                *var = self.name(*var, p);
                if let Refill::Value(value) = with {
                    rename.operand(value);
                }
            }
            Stmt::Derived(Derived::View { var, place, .. }) => {
                rename.place(place);
                *var = self.name(*var, p);
                self.widen(place, p);
            }
            Stmt::Derived(Derived::Zero { var, like: ShapeOf::Len(len) }) => {
                rename.passive_code(len);
                *var = self.name(*var, p);
            }
            Stmt::Derived(Derived::Sweep(s)) => self.copy_sweep(s, &rename, p),
            other => unreachable!("only these fit: {other:?}"),
        }
        crate::ir::visit::places::each_place_mut(&mut new, &mut |place| self.widen(place, p));
        new
    }

    /// A variable as iteration `p` has it.
    fn name(&self, var: Var, p: usize) -> Var {
        self.names[p].get(&var).copied().unwrap_or(var)
    }

    fn copy_sweep(&self, s: &mut Sweep, rename: &Rename<'_>, p: usize) {
        rename.call(&mut s.call);
        s.bars.iter_mut().flatten().for_each(|(place, _)| rename.place(place));
        s.result.iter_mut().chain(&mut s.result_bar).for_each(|v| *v = self.name(*v, p));
        s.fresh = s.fresh.iter().map(|v| self.name(*v, p)).collect();
        if let Some(tangents) = &mut s.tangents {
            tangents.args.iter_mut().flatten().for_each(|(place, _)| rename.place(place));
            tangents.bars.iter_mut().flatten().for_each(|place| rename.place(place));
            tangents.result.iter_mut().chain(&mut tangents.result_bar).for_each(|v| *v = self.name(*v, p));
        }
        let arguments = s.call.args.iter_mut().filter_map(|arg| match arg {
            CallArg::Value(Operand::Place(place)) => Some(place),
            _ => None,
        });
        arguments.for_each(|place| self.widen(place, p));
    }

    fn operand(&self, o: &Operand, p: usize) -> Operand {
        let mut o = o.clone();
        self.rename(p).operand(&mut o);
        if let Operand::Place(place) = &mut o {
            self.widen(place, p);
        }
        o
    }

    fn place(&self, place: &Place, p: usize) -> Place {
        let mut place = place.clone();
        self.rename(p).place(&mut place);
        self.widen(&mut place, p);
        place
    }

    fn rename(&self, p: usize) -> Rename<'_> {
        Rename { map: &self.names[p], vars: self.table.vars(), behind: &NO_PARAMETERS }
    }

    /// An element of one iteration, where those of all stand side by side.
    fn widen(&self, place: &mut Place, p: usize) {
        if !self.wide.contains(&place.root) {
            return;
        }
        let lane = Literal::usize_unsuffixed(p);
        if let Some(lanes) = self.lanes.get(&key(place)) {
            let lane = PassiveCode::literal(lane.into_token_stream());
            *place = Place { root: *lanes, path: vec![Proj::Index(lane)] };
            return;
        }
        let width = self.iteration.width;
        for step in &mut place.path {
            match step {
                Proj::Index(index) if p == 0 => *index = times(index, width).map(|i| quote!(#i)),
                Proj::Index(index) => *index = times(index, width).map(|i| quote!(#i + #lane)),
                Proj::Range(lo, hi) => lo.iter_mut().chain(hi).for_each(|o| *o = times(o, width)),
                Proj::Field(_) | Proj::Payload(..) | Proj::Deref => {}
            }
        }
    }
}

/// So much for each iteration of a block.
fn times(o: &PassiveCode, width: usize) -> PassiveCode {
    let (count, of) = (Literal::usize_unsuffixed(width), atom(o));
    o.clone().map(|_| quote!(#count * #of))
}

fn passive(var: Var, value: PassiveCode) -> Stmt {
    Stmt::Let { var, expr: Expr::Passive(value) }
}
