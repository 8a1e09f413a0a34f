//! Variables that are kept as they are before some code, so that the code can be run again.

use crate::ad::reverse::Reverse;
use crate::ad::reverse::powers::Scale;
use crate::ir::clone::Twins;
use crate::ir::visit::{Access, Vars, blocks_mut, touched};
use crate::ir::*;
use crate::support::hash::HashMap;
use quote::quote;

/// Variables that are kept, and the variables that take their places.
#[derive(Default)]
pub struct Snapshot {
    /// What is kept.
    pub kept: TapeFrame,
    /// What it is restored into.
    restored: TapeFrame,
    /// What else is declared there: references to what was restored, where the originals are references.
    declared: Vec<Stmt>,
    /// From a variable to the one that takes its place.
    pub twins: HashMap<Var, Var>,
}

impl Snapshot {
    /// Keeps one more word, which is restored into `twin`.
    pub fn also(&mut self, word: Var, twin: Var) {
        self.kept.words.push(word);
        self.restored.words.push(twin);
        self.twins.insert(word, twin);
    }

    /// Restores everything.
    pub fn restore(&self, out: &mut Vec<Stmt>) {
        out.push(Stmt::Derived(Derived::PopFrame(self.restored.clone())));
        out.extend(self.declared.clone());
    }

    /// The frame that keeps the twins.
    pub fn kept_again(&self) -> TapeFrame {
        let twins = |all: &[Var]| all.iter().map(|v| self.twins[v]).collect();
        let TapeFrame { floats, words, wholes, .. } = &self.kept;
        TapeFrame {
            id: self.kept.id,
            floats: twins(floats),
            words: twins(words),
            wholes: twins(wholes),
            again: true,
            ..TapeFrame::default()
        }
    }

    /// Keeps everything at the end of a forward part, and restores it at the start of its reverse part.
    pub fn around(&self, forward: &mut Vec<Stmt>, reverse: &mut Vec<Stmt>) {
        if !self.twins.is_empty() {
            forward.push(Stmt::Derived(Derived::PushFrame(self.kept.clone())));
            self.restore(reverse);
        }
    }
}

impl Reverse<'_> {
    /// A snapshot of variables from outside.
    pub fn snapshot(&mut self, vars: &Vars) -> Snapshot {
        let (mut snapshot, id) = (Snapshot::default(), self.frame_id());
        (snapshot.kept.id, snapshot.restored.id) = (id, id);
        (snapshot.kept.again, snapshot.restored.again) = (true, true);
        for var in vars.iter().copied() {
            let twin = self.outer_twin(var, &mut snapshot);
            if self.table.is_ref(var) {
                let owner = self.owner(var);
                snapshot.kept.wholes.push(var);
                snapshot.restored.wholes.push(owner);
                let path = if self.is_unsized(var) { vec![Proj::Range(None, None)] } else { vec![] };
                let place = Place { root: owner, path };
                snapshot.declared.push(Stmt::Derived(Derived::View { var: twin, place, exclusive: true, on: None }));
            } else {
                self.list_for(var, &mut snapshot.kept).push(var);
                self.list_for(var, &mut snapshot.restored).push(twin);
            }
        }
        snapshot
    }

    /// Twins of scalars whose values from before are not needed.
    pub fn declare_twins(&mut self, vars: &Vars, snapshot: &mut Snapshot) {
        for var in vars.iter().copied() {
            let twin = self.outer_twin(var, snapshot);
            let expr = match self.table.ty(var) {
                Ty::Float => Expr::Zero,
                _ => Expr::Passive(PassiveCode::literal(quote!(::core::default::Default::default()))),
            };
            snapshot.declared.push(Stmt::Let { var: twin, expr });
        }
    }

    /// Statements over twins of all that they define, given the twins of what they use. What they only show or check has
    /// been shown and checked.
    pub fn again(&mut self, stmts: &[Stmt], outer: &HashMap<Var, Var>, number: (Var, Var)) -> Vec<Stmt> {
        let mut map = outer.clone();
        map.insert(number.0, number.1);
        for var in touched(stmts, &[Access::Define]) {
            let twin = self.twin(var);
            map.insert(var, twin);
        }
        let twins = Twins { map: &map, vars: self.table.vars() };
        let mut copy = twins.stmts(stmts);
        retain(&mut copy, &|s| !matches!(s, Stmt::Effect { writes, .. } if writes.is_empty()));
        let length = |(var, twin): (&Var, &Var)| Some((*twin, twins.passive_code(self.made_with.get(var)?.clone())));
        let lengths: Vec<(Var, PassiveCode)> = map.iter().filter_map(length).collect();
        let scale = |(var, twin): (&Var, &Var)| Some((*twin, self.scales.get(var)?.clone().map(|c| twins.operand(c))));
        let scales: Vec<(Var, Scale)> = map.iter().filter_map(scale).collect();
        let of = |var: &Var| map.get(var).copied().unwrap_or(*var);
        let own = self.first.iter().filter(|(var, _)| map.contains_key(var) && !outer.contains_key(var));
        let first: Vec<(Var, Option<Var>)> = own.map(|(var, value)| (of(var), value.as_ref().map(of))).collect();
        let root = |(var, twin): (&Var, &Var)| Some((*twin, of(self.roots.of.get(var)?)));
        let roots: Vec<(Var, Var)> = map.iter().filter_map(root).collect();
        let spent: Vec<Var> = self.roots.spent.iter().map(of).collect();
        self.first.extend(first);
        self.roots.of.extend(roots);
        self.roots.spent.extend(spent);
        self.made_with.extend(lengths);
        self.scales.extend(scales);
        copy
    }

    /// A twin of a variable from outside: the cotangent is the same.
    fn outer_twin(&mut self, var: Var, snapshot: &mut Snapshot) -> Var {
        let twin = self.twin(var);
        if self.activity.active(var) {
            let bar = self.bar(var);
            self.set_bar(twin, bar);
        }
        snapshot.twins.insert(var, twin);
        twin
    }

    /// A variable in another one's place, of which the same is known.
    fn twin(&mut self, var: Var) -> Var {
        let hint = self.table.info(var).hint.clone();
        let twin = self.table.twin(var, &hint);
        self.activity.same(twin, var);
        for facts in [&mut self.containers, &mut self.for_variables, &mut self.given] {
            if facts.contains(&var) {
                facts.insert(twin);
            }
        }
        if self.stable.contains(&var) {
            self.stable.insert(twin);
        }
        twin
    }

    /// What a reference that is restored refers to.
    fn owner(&mut self, var: Var) -> Var {
        let owner = self.twin(var);
        self.table.set_owned(owner);
        if let Ty::Slice(element) = self.table.ty(var).clone() {
            self.table.retype(owner, Ty::Vec(element));
        }
        owner
    }

    /// A slice behind a reference.
    fn is_unsized(&self, var: Var) -> bool {
        let origin = self.table.origin(var);
        let param = self.function.params.iter().find(|p| p.var == origin);
        match param {
            Some(param) => matches!(syn::parse2(param.ty.clone()), Ok(syn::Type::Slice(_))),
            None => matches!(self.table.ty(var), Ty::Slice(_)),
        }
    }
}

/// Removes statements, nested ones included.
pub fn retain(stmts: &mut Vec<Stmt>, keep: &dyn Fn(&Stmt) -> bool) {
    stmts.retain(keep);
    for stmt in stmts {
        blocks_mut(stmt).into_iter().for_each(|b| retain(&mut b.stmts, keep));
    }
}
