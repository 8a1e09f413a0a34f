//! Statements.

use super::{Emit, Order};
use crate::ir::*;
use crate::table::{Role, is_fixed};
use proc_macro2::TokenStream;
use quote::quote;

impl Emit<'_> {
    /// The statements of a block, without braces.
    pub fn block(&self, block: &Block) -> TokenStream {
        block.stmts.iter().map(|s| self.stmt(s)).collect()
    }

    fn stmt(&self, stmt: &Stmt) -> TokenStream {
        match stmt {
            Stmt::Let { var, expr } => self.binding(*var, expr),
            Stmt::Declare { var } => {
                let (name, ty) = (self.name(*var), self.annotation(*var));
                quote!(let #name #ty;)
            }
            Stmt::Assign { place, op, value, .. } => self.assign(place, *op, value),
            Stmt::Push { place, value, .. } => {
                let (place, value) = (self.place(place), self.owned(value));
                quote!(#place.push(#value);)
            }
            Stmt::Swap { a, b, .. } => swap(a, b, |p| self.place(p), |o| self.opaque(o)),
            Stmt::If { cond, then, els } => {
                let (cond, then) = (self.opaque(cond), self.block(then));
                match els.stmts.is_empty() {
                    true => quote!(if #cond { #then }),
                    false => {
                        let els = self.block(els);
                        quote!(if #cond { #then } else { #els })
                    }
                }
            }
            Stmt::Switch { scrutinee, arms } => {
                let scrutinee = self.opaque(scrutinee);
                let arms = arms.iter().map(|arm| self.arm(arm));
                quote!(match #scrutinee { #(#arms)* })
            }
            Stmt::For(on) => self.counted(on, None),
            Stmt::While { prelude, cond, body, .. } => {
                let (prelude, cond, body) = (self.block(prelude), self.opaque(cond), self.block(body));
                match prelude.is_empty() {
                    true => quote!(while #cond { #body }),
                    false => quote!(loop { #prelude if !(#cond) { break; } #body }),
                }
            }
            Stmt::Effect { tokens, .. } => {
                let tokens = self.opaque(tokens);
                quote!(#tokens;)
            }
            Stmt::Derived(d) => self.derived(d),
        }
    }

    fn arm(&self, arm: &Arm) -> TokenStream {
        let pattern = crate::walk::substitute(arm.pattern.clone(), self.names.map());
        let guard = arm.guard.as_ref().map(|g| {
            let g = self.opaque(g);
            quote!(if #g)
        });
        let body = self.block(&arm.body);
        quote!(#pattern #guard => { #body })
    }

    fn annotation(&self, var: Var) -> TokenStream {
        let info = self.table.info(var);
        match (&info.ty, self.table.role(var)) {
            (Ty::Float, role) => {
                let space = self.space(role);
                quote!(: #space)
            }
            (_, Role::Primal) => match &info.written {
                Some(written) => quote!(: #written),
                None => quote!(),
            },
            _ => quote!(),
        }
    }

    fn binding(&self, var: Var, expr: &Expr) -> TokenStream {
        let (name, ty) = (self.name(var), self.annotation(var));
        let mutable = self.changed.contains(&var).then(|| quote!(mut));
        let value = self.expr(var, expr);
        quote!(let #mutable #name #ty = #value;)
    }

    fn expr(&self, var: Var, expr: &Expr) -> TokenStream {
        let role = self.table.role(var);
        match expr {
            Expr::Operand(o) => self.owned(o),
            Expr::Op { op, args, .. } => self.op(op, args),
            Expr::Call(call) => self.primal_call(call),
            Expr::Array(all) => {
                let all = all.iter().map(|o| self.owned(o));
                quote!([#(#all),*])
            }
            Expr::VecOf(all) => {
                let all = all.iter().map(|o| self.owned(o));
                quote!(::std::vec![#(#all),*])
            }
            Expr::Tuple(all) => {
                let all = all.iter().map(|o| self.owned(o));
                quote!((#(#all,)*))
            }
            Expr::Repeat { value, len } => {
                let (value, len) = (self.owned(value), self.opaque(len));
                quote!([#value; #len])
            }
            Expr::VecRepeat { value, len } => self.vec(var, value, len),
            Expr::VecNew(o) | Expr::Opaque(o) => self.opaque(o),
            Expr::Pop(p) => {
                let place = self.place(p);
                quote!(#place.pop().expect("an element"))
            }
            Expr::ToVec(p) => self.to_vec(var, p),
            Expr::Scratch { len } => {
                let (pool, zero, len) = (self.pool(role), self.zero(role), self.opaque(len));
                quote!(#pool.take(#len, #zero))
            }
            Expr::Zero => self.zero(role),
            Expr::If { cond, place } => {
                let (cond, zero, place) = (self.opaque(cond), self.zero(role), self.place(place));
                quote!(if #cond { #place } else { #zero })
            }
            Expr::Fresh { place, bar } => {
                let (fresh, zero, place) = (self.fresh(*bar), self.zero(role), self.place(place));
                quote!(if #fresh { #zero } else { #place })
            }
        }
    }

    fn is_float_vec(&self, var: Var) -> bool {
        *self.table.ty(var) == Ty::Vec(Box::new(Ty::Float))
    }

    fn vec(&self, var: Var, value: &Operand, len: &Opaque) -> TokenStream {
        let (value, len) = (self.owned(value), self.opaque(len));
        let pool = self.pool(self.table.role(var));
        match self.is_float_vec(var) {
            true => quote!(#pool.take(#len, #value)),
            false => quote!(::std::vec![#value; #len]),
        }
    }

    fn to_vec(&self, var: Var, place: &Place) -> TokenStream {
        let pool = self.pool(self.table.role(var));
        let is_ref = self.table.is_ref(place.root) && place.path.is_empty();
        let place = self.place(place);
        match self.is_float_vec(var) {
            true => quote!(#pool.take_copy(&#place)),
            false if is_ref => quote!((#place).to_vec()),
            false => quote!(#place.to_vec()),
        }
    }

    fn op(&self, op: &Op, args: &[Operand]) -> TokenStream {
        let values: Vec<TokenStream> = args.iter().map(|a| self.operand(a)).collect();
        match (op, &values[..]) {
            (Op::Neg, [a]) => quote!(-#a),
            (Op::Add, [a, b]) => quote!(#a + #b),
            (Op::Sub, [a, b]) => quote!(#a - #b),
            (Op::Mul, [a, b]) => quote!(#a * #b),
            (Op::Div, [a, b]) => quote!(#a / #b),
            (Op::Fn("rem"), [a, b]) => quote!(#a % #b),
            (Op::Fn("add"), [a, b]) => quote!(#a + #b),
            (Op::Fn("sub"), [a, b]) => quote!(#a - #b),
            (Op::Fn("mul"), [a, b]) => quote!(#a * #b),
            (Op::Fn("div"), [a, b]) => quote!(#a / #b),
            (Op::Fn("neg"), [a]) => quote!(-#a),
            (Op::Fn(name), all) => self.function(name, &args[0], all),
            _ => unreachable!("an operation has as many operands as it takes"),
        }
    }

    fn function(&self, name: &str, receiver: &Operand, values: &[TokenStream]) -> TokenStream {
        let method = quote::format_ident!("{}", name);
        match (&self.function.base, receiver) {
            (Base::Generic(base), _) => quote!(<<#base as __d::Base>::Math as __d::Math<#base>>::#method(#(#values),*)),
            (Base::Concrete(_), Operand::Place(_)) => {
                let (first, rest) = (&values[0], &values[1..]);
                quote!(#first.#method(#(#rest),*))
            }
            (Base::Concrete(base), Operand::Opaque(_)) => quote!(<#base>::#method(#(#values),*)),
        }
    }

    fn assign(&self, place: &Place, op: Assign, value: &Operand) -> TokenStream {
        let passive = *self.table.ty(place.root) == Ty::Passive && place.path.is_empty();
        let value = match value {
            Operand::Opaque(o) if passive => self.opaque(o),
            other => self.owned(other),
        };
        let place = self.place(place);
        match op {
            Assign::Set => quote!(#place = #value;),
            Assign::Add => quote!(#place += #value;),
            Assign::Sub => quote!(#place -= #value;),
        }
    }

    fn derived(&self, d: &Derived) -> TokenStream {
        match d {
            Derived::Zero { var, like } => self.shadow(*var, like),
            Derived::Release { var } => self.release(*var),
            Derived::Acc { place, value, elementwise } => self.acc(place, value, *elementwise),
            Derived::Refill { var, len, with } => {
                let (name, zero) = (self.name(*var), self.zero(self.table.role(*var)));
                let sized = len.as_ref().map(|len| {
                    let len = self.opaque(len);
                    quote!(#name.resize(#len, #zero);)
                });
                let filled = match with {
                    Refill::Value(o) => {
                        let value = self.operand(o);
                        quote!(#name.fill(#value);)
                    }
                    Refill::Zero => quote!(#name.fill(#zero);),
                    Refill::Anything => quote!(),
                    Refill::Copy(p) => {
                        let place = self.place(p);
                        quote!(#name.clear(); #name.extend_from_slice(&#place);)
                    }
                };
                quote!(#sized #filled)
            }
            Derived::View { var, place, exclusive, on } => {
                let (name, place) = (self.name(*var), self.place(place));
                let reference = if *exclusive { quote!(&mut) } else { quote!(&) };
                match on {
                    None => quote!(let #name = #reference #place;),
                    Some(on) => {
                        let (condition, space) = (self.condition(*on), self.space(self.table.role(*var)));
                        quote!(let #name: #reference [#space] = if #condition { #reference #place } else { #reference [] };)
                    }
                }
            }
            Derived::Fresh { bar, lo, hi } => {
                let (fresh, name, lo, hi) = (self.fresh(*bar), self.name(*bar), self.opaque(lo), self.opaque(hi));
                quote!(if #fresh { __d::clear_outside(#name, #lo, #hi); })
            }
            Derived::Clear { place, whole: false } => {
                let zero = self.zero(self.table.role(place.root));
                let place = self.place(place);
                quote!(#place = #zero;)
            }
            Derived::Clear { place, whole: true } => {
                let space = self.space(self.table.role(place.root));
                let place = self.place(place);
                quote!(__d::Tangent::<#space>::clear(&mut #place);)
            }
            Derived::Pop { var, place } => {
                let (name, ty, place) = (self.name(*var), self.annotation(*var), self.place(place));
                quote!(let #name #ty = #place.pop().expect("what was pushed");)
            }
            Derived::Guard { on, body } => {
                let (condition, body) = (self.condition(*on), self.block(body));
                quote!(if #condition { #body })
            }
            Derived::Save(r) => self.save(r),
            Derived::Restore(r) => self.restore(r),
            Derived::Keep(r) => self.keep(r),
            Derived::Replay(r) => self.replay(r),
            Derived::Loop(l) => self.counted(&l.on, Some(l)),
            Derived::Times { trips, body } => {
                let (trips, body) = (self.name(*trips), self.block(body));
                quote!(for _ in 0..#trips { #body })
            }
            Derived::Sweep(s) => self.sweep(s),
        }
    }

    /// The flag that says whether the callee initialises a parameter's cotangent.
    pub fn fresh(&self, bar: Var) -> proc_macro2::Ident {
        quote::format_ident!("{}_fresh", self.name(bar))
    }

    /// A shadow of a value's shape.
    pub fn shadow(&self, var: Var, like: &Like) -> TokenStream {
        let name = self.name(var);
        let role = self.table.role(var);
        let (space, pool, zero) = (self.space(role), self.pool(role), self.zero(role));
        let ty = self.table.ty(var);
        let element = match ty {
            Ty::Vec(e) => &**e,
            _ => ty,
        };
        let value = match like {
            Like::Fixed => self.fixed_zero(ty, role),
            Like::Value(_) if is_fixed(ty) => self.fixed_zero(ty, role),
            Like::Value(p) if is_fixed(element) => {
                let (zero, place) = (self.fixed_zero(element, role), self.place(p));
                quote!(::std::vec![#zero; #place.len()])
            }
            Like::Len(len) if is_fixed(element) => {
                let (zero, len) = (self.fixed_zero(element, role), self.opaque(len));
                quote!(::std::vec![#zero; #len])
            }
            Like::Value(p) => {
                let place = self.place(p);
                quote!(__d::Active::zeros::<#space>(&#place, &mut #pool))
            }
            Like::Passive(o) => {
                let o = self.opaque(o);
                quote!(__d::Active::zeros::<#space>(&(#o), &mut #pool))
            }
            Like::Len(len) => {
                let len = self.opaque(len);
                quote!(#pool.take(#len, #zero))
            }
        };
        quote!(let mut #name = #value;)
    }

    /// The zero of a tuple; members that carry nothing have an empty shadow.
    fn fixed_zero(&self, ty: &Ty, role: Role) -> TokenStream {
        match ty {
            Ty::Tuple(all) => {
                let members = all.iter().map(|t| self.fixed_zero(t, role));
                quote!((#(#members,)*))
            }
            Ty::Float => self.zero(role),
            _ => quote!(()),
        }
    }

    fn release(&self, var: Var) -> TokenStream {
        let name = self.name(var);
        let pool = self.pool(self.table.role(var));
        match self.is_float_vec(var) {
            true => quote!(#pool.give(#name);),
            false => quote!(),
        }
    }

    fn acc(&self, place: &Place, value: &Place, elementwise: bool) -> TokenStream {
        let space = self.space(self.table.role(place.root));
        let (to, from) = (self.place(place), self.place(value));
        match elementwise {
            false => quote!(__d::Tangent::<#space>::acc(&mut #to, &#from);),
            true => quote! {
                for (to, from) in #to.iter_mut().zip(#from.iter()) { __d::Tangent::<#space>::acc(to, from); }
            },
        }
    }

    /// Whether this is second order.
    pub fn is_second(&self) -> bool {
        self.order == Order::Second
    }
}

/// Exchanges two places: elements of one sequence by its own method, since it cannot be borrowed twice.
pub fn swap(
    a: &Place,
    b: &Place,
    place: impl Fn(&Place) -> TokenStream,
    index: impl Fn(&Opaque) -> TokenStream,
) -> TokenStream {
    match crate::walk::siblings(a, b) {
        Some((whole, i, j)) => {
            let (whole, i, j) = (place(&whole), index(i), index(j));
            quote!(#whole.swap(#i, #j);)
        }
        None => {
            let (a, b) = (place(a), place(b));
            quote!(::core::mem::swap(&mut #a, &mut #b);)
        }
    }
}
