//! What is computed from active values and carries no derivative.

use super::*;
use crate::ir::members::mentioned;
use crate::ir::place::element;
use crate::ir::visit::{Access, blocks, touched};
use crate::support::hash::HashMap;
use proc_macro2::{Ident, TokenTree};

/// The variables that a trace has no values of, and whatever reads them.
pub struct Hidden<'f> {
    pub function: &'f Function,
    activity: &'f Activity,
    vars: Vars,
    /// The same, of numbers: they take part, as constants of unknown value.
    numbers: Vars,
    /// What flags stand for, as long as all that they read stays what it is.
    flags: HashMap<Var, &'f PassiveCode>,
    pub values: Values,
    /// Variables of which more than numbers may differ from one side of a condition to the other.
    mixed: Vars,
}

/// Runs the analysis to its fixed point.
pub fn hidden<'f>(function: &'f Function, activity: &'f Activity, values: Values) -> Hidden<'f> {
    let mut hidden = Hidden {
        function,
        activity,
        vars: Vars::new(),
        numbers: Vars::new(),
        flags: HashMap::default(),
        values,
        mixed: Vars::new(),
    };
    find_flags(&function.body, &touched(&function.body.stmts, &[Access::Write]), &mut hidden.flags);
    while hidden.more(&function.body, &mut Own::Everything) {}
    hidden
}

fn find_flags<'f>(block: &'f Block, changed: &Vars, flags: &mut HashMap<Var, &'f PassiveCode>) {
    for stmt in &block.stmts {
        if let Stmt::Let { var, expr: Expr::Passive(o) } = stmt
            && !changed.contains(var)
            && !o.depends_on(changed)
        {
            flags.insert(*var, o);
        }
        blocks(stmt).into_iter().for_each(|b| find_flags(b, changed, flags));
    }
}

impl Hidden<'_> {
    /// The condition, or what it stands for if it is a flag.
    pub fn meaning<'o>(&'o self, cond: &'o PassiveCode) -> &'o PassiveCode {
        let mut reads = cond.reads.iter();
        match (reads.next(), reads.next()) {
            (Some(var), None) if self.info(*var).name == cond.tokens.to_string() => {
                self.flags.get(var).copied().unwrap_or(cond)
            }
            _ => cond,
        }
    }

    pub fn info(&self, var: Var) -> &VarInfo {
        &self.function.vars[var.0 as usize]
    }

    /// Whether the variable is made of numbers that carry dependences, if only that on nothing.
    pub fn carries(&self, var: Var) -> bool {
        let parameter = self.function.params.iter().any(|p| p.var == var && p.active);
        parameter || self.activity.has_tangent(var) || self.numbers.contains(&var)
    }

    /// Whether there are hidden numbers.
    pub fn numbers(&self) -> bool {
        !self.numbers.is_empty()
    }

    /// The activity of a trace, in which hidden numbers are numbers like all others.
    pub fn activity(&self) -> Activity {
        let mut activity = self.activity.clone();
        self.numbers.iter().for_each(|var| activity.note(*var, activity.everything()));
        activity
    }

    pub fn var(&self, var: Var) -> bool {
        self.vars.contains(&var)
    }

    pub fn passive_code(&self, o: &PassiveCode) -> bool {
        o.reads.iter().any(|v| self.carries(*v) && self.is_asked(*v, o) || self.var(*v))
            || o.shapes.iter().any(|v| self.var(*v))
    }

    /// Whether the tokens ask for more of a variable than holds everywhere.
    pub fn is_asked(&self, var: Var, o: &PassiveCode) -> bool {
        let settled = self.values == Values::Any && !self.mixed.contains(&var);
        let VarInfo { name, ty, .. } = self.info(var);
        let constant = !self.mixed.contains(&var) && reads_constants(&o.tokens, name, ty);
        !constant && (!settled || asks(&o.tokens, name))
    }

    /// Whether an index on the way to the place is hidden.
    pub fn leads_astray(&self, place: &Place) -> bool {
        let mut hidden = false;
        place.indices(&mut |index| hidden |= self.passive_code(index));
        hidden
    }

    /// Whether the operand's value is unknown, as that of a number that carries dependences is.
    pub fn operand(&self, o: &Operand) -> bool {
        match o {
            Operand::Place(p) => self.place(p),
            Operand::Passive(o) => self.passive_code(o),
            Operand::Made { args, .. } => args.iter().any(|o| self.operand(o)),
        }
    }

    fn place(&self, p: &Place) -> bool {
        self.carries(p.root) || self.var(p.root) || self.leads_astray(p)
    }

    pub fn condition_of(&self, scrutinee: &PassiveCode, arms: &[Arm]) -> bool {
        self.passive_code(scrutinee)
            || arms.iter().filter_map(|arm| arm.guard.as_ref()).any(|guard| self.passive_code(guard))
    }

    /// Whether the loop is left on a hidden flag.
    pub fn end_of(&self, on: &For) -> bool {
        on.until.is_some_and(|flag| self.var(flag))
    }

    fn expr(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Operand(o) | Expr::Boxed(o) => self.operand(o),
            Expr::Op { args, .. } | Expr::Array(args) | Expr::VecOf(args) | Expr::Tuple(args) => {
                args.iter().any(|a| self.operand(a))
            }
            Expr::Struct(s) => s.fields.iter().any(|(_, o)| self.operand(o)),
            Expr::Repeat { value, len } | Expr::VecRepeat { value, len } => {
                self.operand(value) || self.passive_code(len)
            }
            Expr::Passive(o) | Expr::VecNew(o) | Expr::Scratch { len: o } => self.passive_code(o),
            Expr::ToVec(p) | Expr::Pop(p) | Expr::Content(p) => self.place(p),
            Expr::Call(call) => call.args.iter().any(|arg| match arg {
                CallArg::Ref(p) | CallArg::Mut(p) => self.place(p),
                CallArg::Value(o) => self.operand(o),
                CallArg::Passive(o) | CallArg::Lent(o) => self.passive_code(o),
            }),
            Expr::Zero | Expr::Fresh { .. } | Expr::If { .. } => false,
        }
    }

    /// Finds more that is hidden.
    fn more(&mut self, block: &Block, own: &mut Own) -> bool {
        let mut found = false;
        for stmt in &block.stmts {
            found |= self.more_in(stmt, own);
        }
        found
    }

    fn more_in(&mut self, stmt: &Stmt, own: &mut Own) -> bool {
        match stmt {
            Stmt::Let { var, expr } => {
                own.declares(*var);
                match self.carries(*var) {
                    true => self.has_mixed(expr) && self.mix(*var),
                    false => self.expr(expr) && self.hide(*var),
                }
            }
            Stmt::Declare { var } => {
                own.declares(*var);
                false
            }
            Stmt::Assign { place, value, .. } | Stmt::Push { place, value, .. } => {
                self.more_by_write(stmt, (place, value), own.is_outside(place.root))
            }
            Stmt::Swap { a, b, .. } => {
                let outside = [a, b].iter().any(|p| own.is_outside(p.root));
                let unknown = [a, b].iter().any(|p| self.place(p)) || outside;
                let hides = |hidden: &mut Self, p: &Place| unknown && (outside || !hidden.carries(p.root));
                [a, b].into_iter().fold(false, |found, p| found | (hides(self, p) && self.hide(p.root)))
            }
            Stmt::Effect { tokens, writes } => writes.iter().fold(false, |found, var| {
                found | ((self.passive_code(tokens) || own.is_outside(*var)) && self.hide(*var))
            }),
            Stmt::If { .. } | Stmt::Switch { .. } | Stmt::For(_) | Stmt::While { .. } => self.more_inside(stmt, own),
            Stmt::Derived(_) => false,
        }
    }

    fn more_by_write(&mut self, stmt: &Stmt, (place, value): (&Place, &Operand), outside: bool) -> bool {
        match self.carries(place.root) {
            true => {
                let mixes = outside || self.is_hidden(value) || self.is_mixed(value);
                mixes && !self.is_of_floats(stmt) && self.mix(place.root)
            }
            false => (outside || self.operand(value) || self.leads_astray(place)) && self.hide(place.root),
        }
    }

    fn more_inside(&mut self, stmt: &Stmt, own: &mut Own) -> bool {
        match stmt {
            Stmt::If { cond, then, els } => {
                let both = self.passive_code(cond);
                self.more_on(both, then, own) | self.more_on(both, els, own)
            }
            Stmt::Switch { scrutinee, arms } => {
                let all = self.condition_of(scrutinee, arms);
                arms.iter().fold(false, |found, arm| {
                    let bound = arm.binds.iter().fold(false, |found, var| found | (all && self.hide(*var)));
                    found | bound | self.more_on(all, &arm.body, own)
                })
            }
            Stmt::For(on) => {
                own.declares(on.var);
                self.more_on(self.end_of(on), &on.body, own)
            }
            Stmt::While { prelude, body, .. } => self.more(prelude, own) | self.more(body, own),
            _ => false,
        }
    }

    fn more_on(&mut self, side: bool, block: &Block, own: &mut Own) -> bool {
        match side {
            true => self.more(block, &mut Own::side()),
            false => self.more(block, own),
        }
    }

    /// What a variable holds beside numbers may differ between the sides; whether that is new.
    fn mix(&mut self, var: Var) -> bool {
        self.values == Values::Any && !is_number(&self.info(var).ty) && self.mixed.insert(var)
    }

    /// Whether what stands there may be more than numbers, and differ between the sides of a condition.
    pub fn is_mixed_place(&self, place: &Place) -> bool {
        self.mixed.contains(&place.root) && !self.is_float(place) && self.info(place.root).ty != Ty::Library
    }

    fn is_mixed(&self, o: &Operand) -> bool {
        matches!(o, Operand::Place(p) if self.is_mixed_place(p))
    }

    /// Whether something of that kind goes into a value.
    fn has_mixed(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Operand(o) | Expr::Boxed(o) => self.is_mixed(o),
            Expr::Repeat { value, .. } | Expr::VecRepeat { value, .. } => self.is_mixed(value),
            Expr::Array(args) | Expr::VecOf(args) | Expr::Tuple(args) => args.iter().any(|o| self.is_mixed(o)),
            Expr::Struct(s) => s.fields.iter().any(|(_, o)| self.is_mixed(o)),
            Expr::ToVec(p) | Expr::Pop(p) | Expr::Content(p) => self.is_mixed_place(p),
            _ => false,
        }
    }

    /// Whether the operand is passive, and hidden.
    pub fn is_hidden(&self, o: &Operand) -> bool {
        match o {
            Operand::Place(p) => self.var(p.root),
            other => self.operand(other),
        }
    }

    /// Whether the place is known to be of a number.
    pub fn is_float(&self, place: &Place) -> bool {
        element(&self.info(place.root).ty, &place.path) == Ty::Float
    }

    /// Whether what is assigned is known to be a number.
    pub fn is_of_floats(&self, stmt: &Stmt) -> bool {
        let Stmt::Assign { place, op, value, .. } = stmt else { return false };
        let of_value = || matches!(value, Operand::Place(p) if self.is_float(p));
        *op != Assign::Set || self.is_float(place) || of_value()
    }

    /// Hides a variable that carries nothing; whether that is new.
    fn hide(&mut self, var: Var) -> bool {
        match is_number(&self.info(var).ty) {
            _ if self.carries(var) => self.mix(var),
            true => self.numbers.insert(var),
            false => self.vars.insert(var),
        }
    }
}

/// Whether the tokens read more of a variable than its length, integers within it, and which variant of an enum it is.
pub fn asks(tokens: &TokenStream, name: &Ident) -> bool {
    let trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let is = |k: Option<usize>, word: &str| {
        k.and_then(|k| trees.get(k)).is_some_and(|t| matches!(t, TokenTree::Ident(i) if i == word))
    };
    trees.iter().enumerate().any(|(k, tree)| match tree {
        TokenTree::Ident(i) if i == name => !matches!(&trees[k + 1..], [TokenTree::Punct(dot), TokenTree::Ident(m), ..]
                if dot.as_char() == '.' && (m == "len" || m == "is_empty")),
        TokenTree::Group(_) if is(k.checked_sub(1), "integer") => false,
        TokenTree::Group(g) if is(k.checked_sub(2), "matches") => !is_of_variant(&g.stream()),
        TokenTree::Group(g) => asks(&g.stream(), name),
        _ => false,
    })
}

/// Whether tokens read nothing of a variable but fields that carry no derivative, by its type: `p.count`.
fn reads_constants(tokens: &TokenStream, name: &Ident, ty: &Ty) -> bool {
    let Ty::Struct(fields) = ty else { return false };
    let constant = |key: &String| fields.get(key) == Some(&Ty::Passive);
    mentioned(tokens, &name.to_string()).is_some_and(|keys| keys.iter().all(constant))
}

/// Whether the arguments of `matches!` are a place and a path, whatever that holds.
fn is_of_variant(tokens: &TokenStream) -> bool {
    let text = tokens.to_string().replace(' ', "");
    text.rsplit_once(',').is_some_and(|(place, pattern)| {
        let path = pattern.trim_end_matches("{..}");
        !place.contains(',') && path.chars().all(|c| c.is_alphanumeric() || c == '_' || c == ':')
    })
}

fn is_number(ty: &Ty) -> bool {
    match ty {
        Ty::Float => true,
        Ty::Vec(e) | Ty::Array(e) => is_number(e),
        _ => false,
    }
}
