//! The statements that a trace runs. None of them reads what is hidden; where one would have to, there is no such body.

use super::*;
use proc_macro2::{Ident, Span, TokenTree};

pub struct Body<'h> {
    hidden: &'h Hidden<'h>,
    /// Whether anything is not as it is in the function.
    differs: bool,
}

impl<'h> Body<'h> {
    pub fn new(hidden: &'h Hidden<'h>) -> Self {
        Body { hidden, differs: false }
    }

    pub fn differs(&self) -> bool {
        self.differs
    }

    pub fn block(&mut self, block: &Block, own: &mut Own) -> Option<Block> {
        let mut stmts = Vec::new();
        for stmt in &block.stmts {
            self.stmt(stmt, own, &mut stmts)?;
        }
        Some(Block { stmts })
    }

    fn stmt(&mut self, stmt: &Stmt, own: &mut Own, stmts: &mut Vec<Stmt>) -> Option<()> {
        match stmt {
            Stmt::Let { var, .. } | Stmt::Declare { var } if self.hidden.var(*var) => {
                if let Stmt::Let { expr, .. } = stmt {
                    (!self.writes(expr)).then_some(())?;
                }
                self.differs = true;
            }
            Stmt::Assign { place, .. } | Stmt::Push { place, .. } | Stmt::Swap { a: place, .. }
                if self.hidden.var(place.root) =>
            {
                self.differs = true;
            }
            Stmt::Let { var, expr } => {
                own.declares(*var);
                stmts.push(Stmt::Let { var: *var, expr: self.expr(*var, expr, own)? });
            }
            Stmt::Declare { var } => {
                own.declares(*var);
                stmts.push(match self.hidden.carries(*var) {
                    true => Stmt::Let { var: *var, expr: Expr::Opaque(constant()) },
                    false => stmt.clone(),
                });
            }
            Stmt::Assign { place, op, value, span } => {
                stmts.push(self.assign(place, *op, value, *span, own)?);
            }
            Stmt::Push { place, value, span } => {
                self.straight(place)?;
                (!own.is_outside(place.root)).then_some(())?;
                stmts.push(Stmt::Push { place: place.clone(), value: self.operand(value)?, span: *span });
            }
            Stmt::Swap { a, b, .. } => {
                self.straight(a)?;
                self.straight(b)?;
                match own.is_outside(a.root) || own.is_outside(b.root) {
                    true => {
                        let (left, right) = (Operand::Place(a.clone()), Operand::Place(b.clone()));
                        stmts.extend([either(a, right), either(b, left)]);
                    }
                    false => stmts.push(stmt.clone()),
                }
            }
            Stmt::Effect { tokens, writes } => match writes.iter().filter(|var| self.hidden.var(**var)).count() {
                _ if writes.iter().any(|var| self.hidden.carries(*var)) => return None,
                // an assertion or a print; what stands on one side only may be there to end the program
                0 if writes.is_empty() && (own.is_side() || self.hidden.opaque(tokens)) => {}
                0 => stmts.push(stmt.clone()),
                all if all == writes.len() => self.differs = true,
                _ => return None,
            },
            Stmt::If { cond, then, els } if self.hidden.opaque(cond) => {
                self.differs = true;
                let shown = self.shown(cond);
                for (side, cond) in [(then, shown), (els, Opaque::literal(quote!(true)))] {
                    let then = self.block(side, &mut Own::side())?;
                    stmts.push(Stmt::If { cond, then, els: Block::default() });
                }
            }
            Stmt::If { cond, then, els } => {
                let (then, els) = (self.block(then, own)?, self.block(els, own)?);
                stmts.push(Stmt::If { cond: cond.clone(), then, els });
            }
            Stmt::Switch { scrutinee, arms } if self.hidden.condition_of(scrutinee, arms) => {
                self.differs = true;
                for arm in arms {
                    let then = self.block(&arm.body, &mut Own::side())?;
                    stmts.push(Stmt::If { cond: Opaque::literal(quote!(true)), then, els: Block::default() });
                }
            }
            Stmt::Switch { scrutinee, arms } => {
                let mut all = Vec::new();
                for arm in arms {
                    all.push(Arm { body: self.block(&arm.body, own)?, ..arm.clone() });
                }
                stmts.push(Stmt::Switch { scrutinee: scrutinee.clone(), arms: all });
            }
            Stmt::For(on) => {
                let bounds = [&on.lo, &on.hi].into_iter().chain(&on.step);
                bounds.into_iter().all(|bound| !self.hidden.opaque(bound)).then_some(())?;
                own.declares(on.var);
                let to_the_end = self.hidden.end_of(on);
                let body = match to_the_end {
                    true => self.block(&on.body, &mut Own::side())?,
                    false => self.block(&on.body, own)?,
                };
                let until = on.until.filter(|_| !to_the_end);
                self.differs |= to_the_end;
                stmts.push(Stmt::For(For { body, until, ..on.clone() }));
            }
            Stmt::While { prelude, cond, body, checkpoint } => {
                (!self.hidden.opaque(cond)).then_some(())?;
                let (prelude, body) = (self.block(prelude, own)?, self.block(body, own)?);
                stmts.push(Stmt::While { prelude, cond: cond.clone(), body, checkpoint: checkpoint.clone() });
            }
            Stmt::Derived(_) => return None,
        }
        Some(())
    }

    /// What one side gives to a variable from outside is one of the values that it may have.
    fn assign(&mut self, place: &Place, op: Assign, value: &Operand, span: Span, own: &Own) -> Option<Stmt> {
        self.straight(place)?;
        let carries = self.hidden.carries(place.root);
        let value = if carries { self.operand(value)? } else { value.clone() };
        Some(match carries && own.is_outside(place.root) {
            true => either(place, value),
            false => Stmt::Assign { place: place.clone(), op, value, span },
        })
    }

    /// Whether what the expression does besides matters.
    fn writes(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Call(call) => call.args.iter().any(|arg| matches!(arg, CallArg::Mut(_))),
            Expr::Pop(_) => true,
            _ => false,
        }
    }

    /// No index on the way to the place is hidden.
    fn straight(&self, place: &Place) -> Option<()> {
        (!self.hidden.leads_astray(place)).then_some(())
    }

    fn known(&self, o: &Opaque) -> Option<Opaque> {
        (!self.hidden.opaque(o)).then(|| o.clone())
    }

    /// A number that is hidden is a constant.
    fn operand(&mut self, o: &Operand) -> Option<Operand> {
        let hidden = match o {
            Operand::Place(p) => {
                self.straight(p)?;
                self.hidden.var(p.root)
            }
            other => self.hidden.operand(other),
        };
        self.differs |= hidden;
        Some(if hidden { Operand::Opaque(constant()) } else { o.clone() })
    }

    fn operands(&mut self, all: &[Operand]) -> Option<Vec<Operand>> {
        all.iter().map(|o| self.operand(o)).collect()
    }

    /// Members that are no numbers have to be known.
    fn members(&mut self, all: &[Operand], ty: &Ty) -> Option<Vec<Operand>> {
        let Ty::Tuple(tys) = ty else { return None };
        let mut members = Vec::new();
        for (o, ty) in all.iter().zip(tys) {
            let member = self.operand(o)?;
            let constant = matches!(&member, Operand::Opaque(o) if is_unseen(&o.tokens));
            (!constant || *ty == Ty::Float).then_some(())?;
            members.push(member);
        }
        Some(members)
    }

    fn expr(&mut self, var: Var, expr: &Expr, own: &Own) -> Option<Expr> {
        let ty = self.hidden.info(var).ty.clone();
        if !self.hidden.carries(var) && !self.writes(expr) {
            return Some(expr.clone());
        }
        Some(match expr {
            Expr::Operand(o) => Expr::Operand(self.operand(o)?),
            Expr::Op { op: Op::Fn("powi"), args, .. } if self.hidden.operand(&args[1]) => return None,
            Expr::Op { op, args, span } => Expr::Op { op: op.clone(), args: self.operands(args)?, span: *span },
            Expr::Array(all) => Expr::Array(self.operands(all)?),
            Expr::VecOf(all) => Expr::VecOf(self.operands(all)?),
            Expr::Tuple(all) => Expr::Tuple(self.members(all, &ty)?),
            Expr::Repeat { value, len } => Expr::Repeat { value: self.operand(value)?, len: self.known(len)? },
            Expr::VecRepeat { value, len } => Expr::VecRepeat { value: self.operand(value)?, len: self.known(len)? },
            Expr::VecNew(o) => Expr::VecNew(self.known(o)?),
            Expr::Scratch { len } => Expr::Scratch { len: self.known(len)? },
            Expr::Opaque(o) if ty == Ty::Float && self.hidden.opaque(o) => {
                self.differs = true;
                Expr::Opaque(constant())
            }
            Expr::Opaque(o) => Expr::Opaque(self.known(o)?),
            Expr::Pop(p) if own.is_outside(p.root) => return None,
            Expr::ToVec(p) | Expr::Pop(p) => {
                self.straight(p)?;
                expr.clone()
            }
            Expr::Call(call) => Expr::Call(self.call(call, own)?),
            Expr::Struct(_) | Expr::Boxed(_) | Expr::Content(_) => return None,
            Expr::Zero | Expr::Fresh { .. } | Expr::If { .. } => return None,
        })
    }

    fn call(&mut self, call: &Call, own: &Own) -> Option<Call> {
        let mut args = Vec::new();
        for arg in &call.args {
            args.push(match arg {
                CallArg::Mut(p) if own.is_outside(p.root) => return None,
                CallArg::Ref(p) | CallArg::Mut(p) => {
                    self.straight(p)?;
                    (!self.hidden.var(p.root)).then(|| arg.clone())?
                }
                CallArg::Value(o) => CallArg::Value(self.operand(o)?),
                CallArg::Passive(o) => CallArg::Passive(self.known(o)?),
            });
        }
        Some(Call { args, ..call.clone() })
    }

    pub fn out(&mut self, out: &Out) -> Option<Out> {
        Some(match out {
            Out::Float(o) => Out::Float(self.operand(o)?),
            Out::Tuple(all) => Out::Tuple(all.iter().map(|o| self.out(o)).collect::<Option<_>>()?),
            Out::Array(all) => Out::Array(all.iter().map(|o| self.out(o)).collect::<Option<_>>()?),
            Out::Place(p) => {
                self.straight(p)?;
                (!self.hidden.var(p.root)).then(|| out.clone())?
            }
            Out::Unit => Out::Unit,
            Out::Passive(_) | Out::Maybe(_) | Out::Beside(..) => return None,
        })
    }

    /// The parts of a condition, joined by `&&`, that are not hidden: where they do not hold, neither does the condition.
    fn shown(&self, cond: &Opaque) -> Opaque {
        let cond = self.hidden.meaning(cond);
        let unseen = |v: &&Var| self.hidden.carries(**v) || self.hidden.var(**v);
        let names: Vec<&Ident> = cond.reads.iter().filter(unseen).map(|v| &self.hidden.info(*v).name).collect();
        let parts = conjuncts(&cond.tokens).unwrap_or_default();
        let mut shown = parts.into_iter().filter(|part| !names.iter().any(|name| reads(part, name)));
        let Some(first) = shown.next() else { return Opaque::literal(quote!(true)) };
        let reads = cond.reads.iter().filter(|v| !unseen(v)).copied().collect();
        Opaque { tokens: quote!(#first #(&& #shown)*), reads, ..cond.clone() }
    }
}

fn either(place: &Place, value: Operand) -> Stmt {
    Stmt::Derived(Derived::Either { place: place.clone(), value })
}

/// A number that depends on nothing, and of which nothing is known.
fn constant() -> Opaque {
    Opaque::literal(unseen())
}

/// The parts of a condition that is nothing but `a && b && ..`.
fn conjuncts(tokens: &TokenStream) -> Option<Vec<TokenStream>> {
    fn split(e: &syn::Expr, parts: &mut Vec<TokenStream>) {
        match e {
            syn::Expr::Binary(b) if matches!(b.op, syn::BinOp::And(_)) => {
                split(&b.left, parts);
                split(&b.right, parts);
            }
            syn::Expr::Paren(p) => split(&p.expr, parts),
            other => parts.push(quote!(#other)),
        }
    }
    let mut parts = Vec::new();
    split(&syn::parse2(tokens.clone()).ok()?, &mut parts);
    Some(parts)
}

/// Whether more than its length is read of a variable.
fn reads(tokens: &TokenStream, name: &Ident) -> bool {
    let trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
    trees.iter().enumerate().any(|(k, tree)| match tree {
        TokenTree::Ident(i) if i == name => !matches!(&trees[k + 1..], [TokenTree::Punct(dot), TokenTree::Ident(m), ..]
                if dot.as_char() == '.' && (m == "len" || m == "is_empty")),
        TokenTree::Group(g) => reads(&g.stream(), name),
        _ => false,
    })
}
