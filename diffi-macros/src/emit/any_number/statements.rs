//! Statements.

use super::*;
use crate::emit::code::statement::swap;
use crate::frontend::lower::confirmed;
use crate::ir::visit::operands::touches_operand;

impl Generic<'_> {
    pub fn block(&self, block: &Block) -> String {
        block.stmts.iter().map(|s| self.stmt(s)).collect()
    }

    fn annotation(&self, var: Var) -> String {
        let info = self.info(var);
        let written = info.written.as_ref().filter(|_| is_plain(&info.ty) || !self.lifted(var));
        match (&info.ty, self.lifted(var), written) {
            (Ty::Float, true, _) => ": __Number".to_owned(),
            (Ty::Float, false, _) => format!(": {}", self.float),
            (_, true, Some(written)) => format!(": {}", self.over(written.clone())),
            (_, false, Some(written)) => format!(": {}", self.frame.holes.ty(written)),
            _ => String::new(),
        }
    }

    /// The type that the result of a call is needed in, where that can be written.
    fn needed(&self, var: Var) -> Option<String> {
        let ty = &self.info(var).ty;
        let written = self.annotation(var);
        match is_plain(ty) {
            true if written.is_empty() => Some(format!(": {}", self.spelled(var)?)),
            true => Some(written),
            false => None,
        }
    }

    /// A variable's type, where what is known of it is all of it.
    pub fn spelled(&self, var: Var) -> Option<String> {
        let number = if self.lifted(var) { "__Number".to_owned() } else { self.float.to_string() };
        spelled(&self.info(var).ty, &number)
    }

    fn stmt(&self, stmt: &Stmt) -> String {
        match stmt {
            Stmt::Let { var, expr } => self.binding(*var, expr),
            Stmt::Declare { var } => {
                let mutable = if self.again.contains(var) { "mut " } else { "" };
                format!("let {mutable}{}{};", self.name(*var), self.annotation(*var))
            }
            Stmt::Assign { place, op, value, .. } => self.assign(place, *op, value),
            Stmt::Push { place, value, .. } => {
                let inner = element_type(&self.ty(place));
                format!("{}.push({});", self.place_mut(place), self.value(value, &inner, self.lifted(place.root)))
            }
            Stmt::Swap { a, b, .. } => swap(a, b, |p| self.place_mut(p), |o| self.passive_code(o)),
            Stmt::If { cond, then, els } => {
                format!("if {} {{ {} }} else {{ {} }}", self.condition(cond), self.block(then), self.block(els))
            }
            Stmt::Switch { scrutinee, arms } => {
                let arms: String = arms.iter().map(|arm| self.arm(arm)).collect();
                format!("match {} {{ {arms} }}", self.passive_code(scrutinee))
            }
            Stmt::For(on) => self.counted(on),
            Stmt::While { prelude, cond, body, .. } => {
                let (prelude, cond, body) = (self.block(prelude), self.condition(cond), self.block(body));
                format!("loop {{ {prelude} if !({cond}) {{ break; }} {body} }}")
            }
            Stmt::Effect { tokens, .. } if confirmed::is_question(&tokens.tokens) => String::new(),
            Stmt::Effect { tokens, .. } => format!("{};", self.passive_code(tokens)),
            Stmt::Derived(Derived::Either { place, value }) => {
                let (to, value) = (self.place_mut(place), self.value(value, &self.ty(place), true));
                format!("{{ let given = {value}; __d::Either::either(&mut {to}, given); }}")
            }
            Stmt::Derived(_) => String::new(),
        }
    }

    fn binding(&self, var: Var, expr: &Expr) -> String {
        let (name, value) = (self.name(var), self.expr(var, expr));
        let is_changed = self.changed.contains(&var) || self.table.info(var).seen == ViewForm::Left;
        let mutable = if is_changed { "mut " } else { "" };
        let (ty, value) = match (expr, self.needed(var)) {
            (Expr::Call(_), None) => (String::new(), value),
            (Expr::Call(_), Some(ty)) => (ty, format!("__d::remade::<_, __Number, _, _>({value})")),
            _ => (self.annotation(var), value),
        };
        format!("let {mutable}{name}{ty} = {value};")
    }

    fn assign(&self, place: &Place, op: Assign, value: &Operand) -> String {
        let own = touches_operand(value, place.root);
        let open = self.lifted(place.root) && self.is_part_of_unknown(place);
        let written = match value {
            Operand::Passive(o) if !self.lifted(place.root) => self.condition(o),
            Operand::Made { .. } if self.lifted(place.root) && !open && !own => self.whole_value(value, &Ty::Float),
            other => self.value(other, &self.ty(place), self.lifted(place.root)),
        };
        let (to, value) = (self.place_mut(place), written);
        let number = || self.value(&Operand::Place(place.clone()), &Ty::Float, true);
        match op {
            Assign::Set if open => format!("{to} = __d::remade::<_, __Number, _, _>({value});"),
            Assign::Add if open => format!("{to} = __d::remade::<_, __Number, _, _>({} + {value});", number()),
            Assign::Sub if open => format!("{to} = __d::remade::<_, __Number, _, _>({} - {value});", number()),
            Assign::Set => format!("{to} = {value};"),
            // for a number that is no float, `v[i] += v[j]` borrows `v` twice
            Assign::Add if own => format!("{to} = {to} + {value};"),
            Assign::Sub if own => format!("{to} = {to} - {value};"),
            Assign::Add | Assign::Begin(_) => format!("{to} += {value};"),
            Assign::Sub => format!("{to} -= {value};"),
        }
    }

    fn arm(&self, arm: &Arm) -> String {
        let guard = arm.guard.as_ref().map(|g| format!("if {}", self.condition(g))).unwrap_or_default();
        format!("{} {guard} => {{ {} }}", self.named(&arm.pattern), self.block(&arm.body))
    }

    fn counted(&self, on: &For) -> String {
        let (var, lo, hi) = (self.name(on.var), self.passive_code(&on.lo), self.passive_code(&on.hi));
        let dots = if on.inclusive { "..=" } else { ".." };
        let step = on.step.as_ref().map(|s| format!(".step_by({})", self.passive_code(s))).unwrap_or_default();
        let down = if on.down { ".rev()" } else { "" };
        let leave = on.until.map(|flag| format!("if {} {{ break; }}", self.name(flag))).unwrap_or_default();
        format!("for {var} in ({lo}{dots}{hi}){step}{down} {{ {} {leave} }}", self.block(&on.body))
    }
}

/// A type over a number; not where a length would have to be known.
fn spelled(ty: &Ty, number: &str) -> Option<String> {
    match ty {
        Ty::Float => Some(number.to_owned()),
        Ty::Vec(inner) => Some(format!("::std::vec::Vec<{}>", spelled(inner, number)?)),
        Ty::Tuple(all) => {
            let members: Option<String> = all.iter().map(|ty| Some(spelled(ty, number)? + ", ")).collect();
            Some(format!("({})", members?))
        }
        _ => None,
    }
}
