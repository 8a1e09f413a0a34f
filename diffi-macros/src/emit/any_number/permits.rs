//! Whether a function's types permit a body over any number type.

use super::*;
use crate::ir::visit::{Access, Visit, each_passive, touched};

impl Generic<'_> {
    pub fn permits(&self) -> bool {
        let base = &self.function.base;
        let params =
            self.function.params.iter().filter(|p| p.active).all(|p| is_plain_type(&p.ty, base) && p.copying.is_none());
        let made = self.made_by_calls();
        let locals = (0..self.function.vars.len() as u32).map(Var).filter(|v| self.lifted(*v));
        let locals = locals.into_iter().all(|v| is_known(&self.info(v).ty) || made.contains(&v));
        let (ret, _) = self.returned();
        let unit = ret.is_empty() || ret.to_string() == "()";
        params
            && locals
            && (unit || is_plain_type(&ret, base) || returns_numbers(self.function))
            && self.permits_block(&self.function.body, &self.read())
            && self.permits_out(&self.function.result)
    }

    /// The variables whose type is whatever a callee returns. (Arrays of libraries hold floats.)
    fn made_by_calls(&self) -> Vars {
        let mut made = Vars::new();
        self.note_made(&self.function.body, &mut made);
        made
    }

    fn note_made(&self, block: &Block, made: &mut Vars) {
        for stmt in &block.stmts {
            match stmt {
                Stmt::Let { var, expr: Expr::Call(_) } if self.info(*var).ty != Ty::Library => {
                    made.insert(*var);
                }
                Stmt::Let { var, expr: Expr::Operand(Operand::Place(p)) } if made.contains(&p.root) => {
                    made.insert(*var);
                }
                _ => {}
            }
            blocks(stmt).into_iter().for_each(|b| self.note_made(b, made));
        }
    }

    fn permits_out(&self, out: &Output) -> bool {
        match out {
            Output::Tuple(all) | Output::Array(all) => all.iter().all(|o| self.permits_out(o)),
            Output::Place(p) => is_simple(p),
            Output::Float(Operand::Passive(o)) => self.permits_tokens(&o.tokens),
            Output::Float(Operand::Place(p)) => is_simple(p),
            Output::Unit => true,
            Output::Beside(y, _) if matches!(**y, Output::Unit) => false,
            Output::Beside(y, aux) => self.permits_out(y) && self.permits_tokens(&aux.tokens),
            Output::Float(Operand::Made { .. }) | Output::Passive(_) | Output::Maybe(_) => false,
        }
    }

    /// The variables that anything reads.
    fn read(&self) -> Vars {
        let mut read = touched(&self.function.body.stmts, &[Access::Read, Access::Shape]);
        Visit(&mut |v, _| _ = read.insert(v)).out(&self.function.result);
        read
    }

    fn permits_block(&self, block: &Block, read: &Vars) -> bool {
        let inside = |s| blocks(s).into_iter().all(|b| self.permits_block(b, read));
        block.stmts.iter().all(|s| self.permits_stmt(s, read) && inside(s))
    }

    fn permits_stmt(&self, stmt: &Stmt, read: &Vars) -> bool {
        let mut permitted = match stmt {
            Stmt::Derived(Derived::Either { place, value }) => {
                is_simple(place) && self.permits_value(value, &self.ty(place), true)
            }
            Stmt::Derived(_) => false,
            Stmt::Effect { writes, .. } => !writes.iter().any(|v| self.lifted(*v)),
            Stmt::Let { var, expr: Expr::Call(_) } if self.info(*var).ty == Ty::Passive && read.contains(var) => false,
            Stmt::Let { var, expr } => self.permits_expr(*var, expr),
            Stmt::Declare { var } => !self.lifted(*var) || is_known(&self.info(*var).ty),
            Stmt::Assign { place, value, .. } => {
                is_simple(place) && self.permits_value(value, &self.ty(place), self.lifted(place.root))
            }
            Stmt::Push { place, value, .. } => {
                let inner = element_type(&self.ty(place));
                is_simple(place) && self.permits_value(value, &inner, self.lifted(place.root))
            }
            Stmt::Swap { a, b, .. } => self.lifted(a.root) == self.lifted(b.root) && is_simple(a) && is_simple(b),
            Stmt::If { .. } | Stmt::Switch { .. } | Stmt::For(_) | Stmt::While { .. } => true,
        };
        each_passive(stmt, &mut |o| permitted &= self.permits_tokens(&o.tokens));
        permitted
    }

    fn permits_expr(&self, var: Var, expr: &Expr) -> bool {
        let (ty, lifted) = (&self.info(var).ty, self.lifted(var));
        let inner = element_type(ty);
        match expr {
            Expr::Operand(o) => self.permits_value(o, ty, lifted),
            Expr::Op { args, .. } => *ty == Ty::Float && args.iter().all(|a| self.permits_value(a, &Ty::Float, lifted)),
            Expr::Array(all) | Expr::VecOf(all) => all.iter().all(|o| self.permits_value(o, &inner, lifted)),
            Expr::Repeat { value, .. } | Expr::VecRepeat { value, .. } => self.permits_value(value, &inner, lifted),
            Expr::Tuple(all) => self.permits_tuple(all, ty, lifted),
            Expr::Call(call) => self.permits_call(call),
            Expr::ToVec(p) | Expr::Pop(p) => self.lifted(p.root) == lifted && is_simple(p),
            Expr::Passive(_) => !lifted || is_plain(ty),
            Expr::VecNew(_) | Expr::Scratch { .. } => true,
            _ => false,
        }
    }

    fn permits_tuple(&self, all: &[Operand], ty: &Ty, lifted: bool) -> bool {
        let Ty::Tuple(tys) = ty else { return false };
        tys.len() == all.len() && all.iter().zip(tys).all(|(o, ty)| self.permits_value(o, ty, lifted))
    }

    fn permits_call(&self, call: &Call) -> bool {
        let whole = halves(call).iter().all(Option::is_none);
        let written = match &call.callee {
            Callee::Function(handle) => !is_rule(handle),
            callee => matches!(callee, Callee::With(_)),
        };
        let written = written && !self.is_inner(&call.written);
        let argument = |arg: &CallArg| match arg {
            CallArg::Ref(p) => is_simple(p),
            CallArg::Mut(p) => self.lifted(p.root) && is_simple(p),
            CallArg::Value(Operand::Place(p)) => is_simple(p),
            CallArg::Value(_) | CallArg::Passive(_) | CallArg::Lent(_) => true,
        };
        written && whole && call.handed.iter().all(is_constant) && call.args.iter().all(argument)
    }

    /// Whether a function is declared inside of the body, where the handle does not see it.
    fn is_inner(&self, called: &TokenStream) -> bool {
        let called = called.to_string();
        self.function.items.iter().any(|item| {
            let item = syn::parse2::<syn::ItemFn>(item.clone());
            item.is_ok_and(|item| item.sig.ident == called)
        })
    }

    /// Whether the operand can be made a value of this type.
    fn permits_value(&self, o: &Operand, ty: &Ty, lifted: bool) -> bool {
        match o {
            Operand::Place(p) => is_simple(p) && (*ty != Ty::Unknown || self.lifted(p.root) == lifted),
            _ => !lifted || *ty != Ty::Unknown,
        }
    }
}

/// Whether the type is known, or that of a container whose elements rustc knows.
fn is_known(ty: &Ty) -> bool {
    match ty {
        Ty::Float => true,
        Ty::Vec(e) | Ty::Array(e) | Ty::Slice(e) => is_known(e) || **e == Ty::Unknown,
        Ty::Tuple(all) => all.iter().all(|ty| is_known(ty) || *ty == Ty::Passive),
        Ty::Passive | Ty::Struct(_) | Ty::Unknown | Ty::Library => false,
    }
}

/// Whether the path leads through elements and members of tuples alone: structs are not made of numbers.
pub fn is_simple(place: &Place) -> bool {
    place
        .path
        .iter()
        .all(|step| matches!(step, Proj::Index(_) | Proj::Range(..) | Proj::Field(syn::Member::Unnamed(_))))
}

/// Whether a handle is that of the runtime's operations: their rules are of values as they are.
fn is_rule(handle: &TokenStream) -> bool {
    matches!(handle.clone().into_iter().next(), Some(TokenTree::Ident(name)) if name == "__d")
}

/// Whether a function that is handed over carries no numbers.
fn is_constant(handed: &FunctionArg) -> bool {
    match &handed.code {
        FunctionArgCode::Closure { function, .. } => !function.params.iter().any(|p| p.captured && p.active),
        FunctionArgCode::Parameter(_) => false,
        FunctionArgCode::Unknown(_) => true,
    }
}
