//! Functions of one number that are computed side by side, `x.sin()` and `x.cos()`: the partial derivative of each is the other one, which need not be
//! evaluated again.
//!
//! Where both stand in one block, the adjoint of either has the other's answer available, or keeps it. Neither may be overwritten, nor what
//! they are functions of.

use crate::ir::place::key;
use crate::ir::visit::{Access, Vars, blocks, touched};
use crate::ir::*;
use crate::support::hash::HashMap;

/// By answer: the functions of the same number in the same block, and their answers.
#[derive(Clone, Default)]
pub struct Answers(HashMap<Var, Vec<(&'static str, Var)>>);

impl Answers {
    pub fn find(function: &Function) -> Self {
        let mut answers = Answers::default();
        answers.block(&function.body, &touched(&function.body.stmts, &[Access::Write]));
        answers
    }

    /// What is computed beside the answer of a function.
    pub fn beside(&self, answer: Var) -> &[(&'static str, Var)] {
        self.0.get(&answer).map(Vec::as_slice).unwrap_or_default()
    }

    fn block(&mut self, block: &Block, written: &Vars) {
        let found: Vec<_> = block.stmts.iter().filter_map(|stmt| answer(stmt, written)).collect();
        for (of, _, var) in &found {
            let beside = found.iter().filter(|(other, _, answer)| other == of && answer != var);
            let beside: Vec<_> = beside.map(|(_, name, answer)| (*name, *answer)).collect();
            if !beside.is_empty() {
                self.0.insert(*var, beside);
            }
        }
        block.stmts.iter().flat_map(blocks).for_each(|inner| self.block(inner, written));
    }
}

/// Of which place a statement has the function's answer, by what function.
fn answer(stmt: &Stmt, written: &Vars) -> Option<(String, &'static str, Var)> {
    let Stmt::Let { var, expr: Expr::Op { op: Op::Fn(name), args, .. } } = stmt else { return None };
    let [Operand::Place(of)] = &args[..] else { return None };
    let mut read = Vars::from([of.root, *var]);
    of.indices(&mut |o| read.extend(&o.reads));
    read.is_disjoint(written).then(|| (key(of), *name, *var))
}

#[cfg(test)]
mod tests {
    use crate::ad::reverse::adjoints;
    use crate::analysis::activity::activity;
    use crate::ir::print;
    use crate::support::options::Options;

    /// Whether the reverse sweep, where it runs by itself, evaluates functions once more.
    fn evaluates(body: &str) -> bool {
        let item: syn::ItemFn =
            syn::parse_str(&format!("fn f(x: f64, v: &[f64]) -> f64 {{ {body} }}")).expect("parses");
        let lowered =
            crate::frontend::lower::lower(&Options::default(), &item, None).expect("the function is accepted");
        let function = crate::opt::scalar::dead_code::dead_code(crate::opt::normalize::rename::rename(lowered));
        let (_, apart) = adjoints(&function, &activity(&function));
        let reverse = print::block(apart.table.vars(), &apart.reverse);
        ["= sin ", "= cos ", "= sinh ", "= cosh "].iter().any(|call| reverse.contains(call))
    }

    #[test]
    fn of_one_number() {
        assert!(!evaluates("x.sin() * x.cos()"));
        assert!(!evaluates(
            "let y = x * x; if x > 0.0 { let (s, c) = y.sin_cos(); s / c } else { y.cosh() - y.sinh() }"
        ));
        assert!(!evaluates("let mut t = 0.0; for i in 0..v.len() { t += v[i].sin() * v[i].cos() * t; } t"));
    }

    #[test]
    fn not_of_another_nor_elsewhere() {
        assert!(evaluates("x.sin() * (2.0 * x).cos()"));
        assert!(evaluates("let s = x.sin(); if x > 0.0 { s * x.cos() } else { s }"));
        assert!(evaluates("let mut y = x; let s = y.sin(); y += s; s * y.cos()"));
    }
}
