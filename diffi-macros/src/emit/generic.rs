//! The body over any number type: what overloading backends evaluate.
//!
//! Written from the same IR as the derivatives, where the types permit: floats, slices, arrays and
//! vectors of floats, and tokens that read active values one float at a time.

use super::names::{Foreign, Names};
use crate::activity::Activity;
use crate::ir::*;
use crate::partials::{float_type, literal};
use crate::table::Table;
use crate::versions::element;
use crate::walk::{Touch, Vars, blocks, touched};
use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::{TokenStreamExt, quote};
use std::collections::BTreeMap;

/// `__primal`, if the function has one.
pub fn primal(function: &Function, activity: &Activity, foreign: &Foreign) -> Option<TokenStream> {
    let table = Table::of(function);
    let changed = touched(&function.body.stmts, &[Touch::Write]);
    let generic =
        Generic { function, activity, names: Names::new(foreign, &table), changed, float: base_name(function)? };
    generic.permits().then(|| generic.item(&table))
}

/// A function over a float type of its own has no second one.
fn base_name(function: &Function) -> Option<Ident> {
    match &function.base {
        Base::Concrete(name) => Some(name.clone()),
        Base::Generic(_) => None,
    }
}

struct Generic<'a> {
    function: &'a Function,
    activity: &'a Activity,
    names: Names,
    changed: Vars,
    float: Ident,
}

impl Generic<'_> {
    fn info(&self, var: Var) -> &VarInfo {
        &self.function.vars[var.0 as usize]
    }

    /// Whether the variable is made of the generic number.
    fn lifted(&self, var: Var) -> bool {
        let parameter = self.function.params.iter().any(|p| p.var == var && p.active);
        parameter || self.activity.has_tangent(var)
    }

    // ---- what the types permit ----

    fn permits(&self) -> bool {
        let params = self.function.params.iter().filter(|p| p.active).all(|p| is_plain(&self.info(p.var).ty));
        let locals = (0..self.function.vars.len() as u32).map(Var);
        let locals = locals.filter(|v| self.lifted(*v)).all(|v| is_plain(&self.info(v).ty));
        params && locals && self.permits_block(&self.function.body) && self.permits_out(&self.function.result)
    }

    fn permits_out(&self, out: &Out) -> bool {
        match out {
            Out::Tuple(all) | Out::Array(all) => all.iter().all(|o| self.permits_out(o)),
            Out::Place(p) => self.lifted(p.root),
            Out::Float(_) | Out::Unit => true,
            Out::Passive(_) => false,
        }
    }

    fn permits_block(&self, block: &Block) -> bool {
        block.stmts.iter().all(|s| self.permits_stmt(s) && blocks(s).into_iter().all(|b| self.permits_block(b)))
    }

    fn permits_stmt(&self, stmt: &Stmt) -> bool {
        let mut whole = self.permits_parts(stmt);
        let mut opaque = |o: &Opaque| whole &= self.reads_floats(o);
        match stmt {
            Stmt::Let { expr, .. } => match expr {
                Expr::Call(_) | Expr::Tuple(_) => return false,
                Expr::Opaque(o) | Expr::VecNew(o) => opaque(o),
                Expr::Repeat { len, .. } | Expr::VecRepeat { len, .. } | Expr::Scratch { len } => opaque(len),
                _ => {}
            },
            Stmt::Derived(_) => return false,
            Stmt::Effect { tokens, writes } => {
                opaque(tokens);
                whole &= !writes.iter().any(|v| self.lifted(*v));
            }
            Stmt::If { cond, .. } | Stmt::While { cond, .. } => opaque(cond),
            Stmt::Switch { scrutinee, arms } => {
                opaque(scrutinee);
                arms.iter().filter_map(|a| a.guard.as_ref()).for_each(opaque);
            }
            Stmt::For(on) => {
                opaque(&on.lo);
                opaque(&on.hi);
            }
            Stmt::Assign { .. } | Stmt::Push { .. } | Stmt::Swap { .. } | Stmt::Declare { .. } => {}
        }
        whole
    }

    /// Whether the aggregates that an aggregate is made of are made of the generic number, if it is.
    fn permits_parts(&self, stmt: &Stmt) -> bool {
        let part = |o: &Operand, ty: &Ty| match o {
            Operand::Place(p) => *ty == Ty::Float || self.lifted(p.root),
            Operand::Opaque(_) => *ty == Ty::Float,
        };
        let inner = |ty: &Ty| element(ty, &[Proj::Index(Opaque::literal(quote!(0)))]);
        match stmt {
            Stmt::Let { var, expr } if self.lifted(*var) => {
                let ty = &self.info(*var).ty;
                match expr {
                    Expr::Operand(o) => part(o, ty),
                    Expr::Array(all) | Expr::VecOf(all) => all.iter().all(|o| part(o, &inner(ty))),
                    Expr::Repeat { value, .. } | Expr::VecRepeat { value, .. } => part(value, &inner(ty)),
                    Expr::ToVec(p) | Expr::Pop(p) => self.lifted(p.root),
                    Expr::Opaque(_) => *ty == Ty::Float,
                    _ => true,
                }
            }
            Stmt::Assign { place, value, .. } if self.lifted(place.root) => {
                part(value, &element(&self.info(place.root).ty, &place.path))
            }
            Stmt::Swap { a, b, .. } => self.lifted(a.root) == self.lifted(b.root),
            Stmt::Push { place, value, .. } if self.lifted(place.root) => {
                part(value, &inner(&element(&self.info(place.root).ty, &place.path)))
            }
            _ => true,
        }
    }

    /// Whether all active values that tokens read are single floats.
    fn reads_floats(&self, o: &Opaque) -> bool {
        o.reads.iter().all(|v| !self.lifted(*v) || self.info(*v).ty == Ty::Float)
    }

    // ---- the item ----

    fn item(&self, table: &Table) -> TokenStream {
        let params = self.function.params.iter().map(|p| {
            let (name, mutable) =
                (self.name(p.var), (p.passing == Passing::Value && self.info(p.var).mutable).then(|| quote!(mut)));
            let ty = if p.active { self.over(p.full.clone()) } else { p.full.clone() };
            quote!(#mutable #name: #ty)
        });
        let generics = self.function.generics.params.iter().filter(|p| !matches!(p, syn::GenericParam::Lifetime(_)));
        let lifetimes = self.function.generics.lifetimes();
        let bounds = &self.function.generics.where_clause;
        let float = &self.float;
        let ret = self.over(self.function.ret.clone());
        let body = self.block(&self.function.body, table);
        let items = &self.function.items;
        let result = self.out(&self.function.result, table);
        quote! {
            /// The function over any number type.
            #[doc(hidden)]
            pub fn __primal<#(#lifetimes,)* #(#generics,)* Number: __d::Real<Base = #float>>(#(#params),*) -> #ret #bounds {
                #(#items)*
                #body
                #result
            }
        }
    }

    /// A type with the generic number in place of the float.
    fn over(&self, tokens: TokenStream) -> TokenStream {
        tokens
            .into_iter()
            .map(|tree| match tree {
                TokenTree::Ident(i) if i == self.float => TokenTree::Ident(Ident::new("Number", i.span())),
                TokenTree::Group(g) => TokenTree::Group(Group::new(g.delimiter(), self.over(g.stream()))),
                other => other,
            })
            .collect()
    }

    fn name(&self, var: Var) -> Ident {
        self.names.get(self.info(var))
    }

    // ---- values ----

    /// Passive tokens: active floats are read by value.
    fn opaque(&self, o: &Opaque) -> TokenStream {
        let mut map: BTreeMap<String, TokenStream> = BTreeMap::new();
        for var in o.reads.iter().chain(&o.shapes) {
            let name = self.name(*var);
            let float = self.lifted(*var) && self.info(*var).ty == Ty::Float;
            let value = if float { quote!((__d::Real::value(#name))) } else { quote!(#name) };
            map.insert(self.info(*var).name.to_string(), value);
        }
        replaced(o.tokens.clone(), &map, self.names.map())
    }

    fn place(&self, place: &Place, table: &Table) -> TokenStream {
        let root = self.name(place.root);
        let start = match table.is_ref(place.root) && place.path.is_empty() {
            true => quote!((*#root)),
            false => quote!(#root),
        };
        crate::partials::path(start, place, |o| self.opaque(o))
    }

    /// A value for a place that is made of the generic number, or for one that is not.
    fn value(&self, o: &Operand, lifted: bool, table: &Table) -> TokenStream {
        match o {
            Operand::Place(p) => {
                let place = self.place(p, table);
                let float = element(&self.info(p.root).ty, &p.path) == Ty::Float;
                match (self.lifted(p.root), float) {
                    (true, true) | (false, true) if self.lifted(p.root) == lifted => place,
                    (true, true) => quote!(__d::Real::value(#place)),
                    (false, true) => quote!(<Number as __d::Real>::from_base(#place)),
                    _ => quote!(::core::clone::Clone::clone(&#place)),
                }
            }
            Operand::Opaque(o) if lifted => {
                let tokens = self.opaque(o);
                quote!(<Number as __d::Real>::from_base(#tokens))
            }
            Operand::Opaque(o) => {
                let tokens = self.opaque(o);
                quote!((#tokens))
            }
        }
    }

    fn op(&self, op: &Op, args: &[Operand], lifted: bool, table: &Table) -> TokenStream {
        let last = args.len().saturating_sub(1);
        let passive = matches!(op, Op::Fn("powi"));
        let values: Vec<TokenStream> =
            args.iter().enumerate().map(|(k, a)| self.value(a, lifted && !(passive && k == last), table)).collect();
        let float = float_type(&self.function.base);
        match (op, &values[..]) {
            (Op::Neg | Op::Fn("neg"), [a]) => quote!(-#a),
            (Op::Add | Op::Fn("add"), [a, b]) => quote!(#a + #b),
            (Op::Sub | Op::Fn("sub"), [a, b]) => quote!(#a - #b),
            (Op::Mul | Op::Fn("mul"), [a, b]) => quote!(#a * #b),
            (Op::Div | Op::Fn("div"), [a, b]) => quote!(#a / #b),
            (Op::Fn("rem"), [a, b]) => quote!(#a % #b),
            (Op::Fn(name), all) => {
                let method = quote::format_ident!("{}", name);
                match lifted {
                    true => quote!(<Number as __d::Real>::#method(#(#all),*)),
                    false => quote!(<#float>::#method(#(#all),*)),
                }
            }
            _ => unreachable!("an operation has as many operands as it takes"),
        }
    }

    fn expr(&self, var: Var, expr: &Expr, table: &Table) -> TokenStream {
        let lifted = self.lifted(var);
        let list = |all: &[Operand]| {
            let all = all.iter().map(|o| self.value(o, lifted, table));
            quote!(#(#all),*)
        };
        match expr {
            Expr::Operand(o) => self.value(o, lifted, table),
            Expr::Op { op, args, .. } => self.op(op, args, lifted, table),
            Expr::Array(all) => {
                let all = list(all);
                quote!([#all])
            }
            Expr::VecOf(all) => {
                let all = list(all);
                quote!(::std::vec![#all])
            }
            Expr::Repeat { value, len } => {
                let (value, len) = (self.value(value, lifted, table), self.opaque(len));
                quote!([#value; #len])
            }
            Expr::VecRepeat { value, len } => {
                let (value, len) = (self.value(value, lifted, table), self.opaque(len));
                quote!(::std::vec![#value; #len])
            }
            Expr::Scratch { len } => {
                let (zero, len) = (literal(&self.function.base, &quote!(0.0)), self.opaque(len));
                let zero = if lifted { quote!(<Number as __d::Real>::from_base(#zero)) } else { zero };
                quote!(::std::vec![#zero; #len])
            }
            Expr::VecNew(_) => quote!(::std::vec::Vec::new()),
            Expr::Pop(p) => {
                let place = self.place(p, table);
                quote!(#place.pop().expect("an element"))
            }
            Expr::ToVec(p) => {
                let place = self.place(p, table);
                quote!(#place.to_vec())
            }
            Expr::Opaque(o) if lifted && self.info(var).ty == Ty::Float => {
                self.value(&Operand::Opaque(o.clone()), true, table)
            }
            Expr::Opaque(o) => self.opaque(o),
            Expr::Call(_) | Expr::Tuple(_) | Expr::Zero | Expr::Fresh { .. } | Expr::If { .. } => {
                unreachable!("the types did not permit it")
            }
        }
    }

    fn out(&self, out: &Out, table: &Table) -> TokenStream {
        match out {
            Out::Float(o) => self.value(o, true, table),
            Out::Place(p) if p.path.is_empty() && !table.is_ref(p.root) => self.place(p, table),
            Out::Place(p) => {
                let place = self.place(p, table);
                quote!(::core::clone::Clone::clone(&#place))
            }
            Out::Tuple(all) => {
                let all = all.iter().map(|o| self.out(o, table));
                quote!((#(#all,)*))
            }
            Out::Array(all) => {
                let all = all.iter().map(|o| self.out(o, table));
                quote!([#(#all),*])
            }
            Out::Passive(o) => self.opaque(o),
            Out::Unit => quote!(()),
        }
    }

    // ---- statements ----

    fn block(&self, block: &Block, table: &Table) -> TokenStream {
        block.stmts.iter().map(|s| self.stmt(s, table)).collect()
    }

    fn annotation(&self, var: Var) -> TokenStream {
        let info = self.info(var);
        let float = float_type(&self.function.base);
        match (&info.ty, self.lifted(var), &info.written) {
            (Ty::Float, true, _) => quote!(: Number),
            (Ty::Float, false, _) => quote!(: #float),
            (_, true, Some(written)) => {
                let written = self.over(written.clone());
                quote!(: #written)
            }
            (_, false, Some(written)) => quote!(: #written),
            _ => quote!(),
        }
    }

    fn stmt(&self, stmt: &Stmt, table: &Table) -> TokenStream {
        match stmt {
            Stmt::Let { var, expr } => {
                let (name, ty) = (self.name(*var), self.annotation(*var));
                let mutable = self.changed.contains(var).then(|| quote!(mut));
                let value = self.expr(*var, expr, table);
                quote!(let #mutable #name #ty = #value;)
            }
            Stmt::Declare { var } => {
                let (name, ty) = (self.name(*var), self.annotation(*var));
                quote!(let #name #ty;)
            }
            Stmt::Assign { place, op, value, .. } => {
                let passive = self.info(place.root).ty == Ty::Passive && place.path.is_empty();
                let value = match value {
                    Operand::Opaque(o) if passive => self.opaque(o),
                    other => self.value(other, self.lifted(place.root), table),
                };
                let place = self.place(place, table);
                match op {
                    Assign::Set => quote!(#place = #value;),
                    Assign::Add => quote!(#place += #value;),
                    Assign::Sub => quote!(#place -= #value;),
                }
            }
            Stmt::Push { place, value, .. } => {
                let value = self.value(value, self.lifted(place.root), table);
                let place = self.place(place, table);
                quote!(#place.push(#value);)
            }
            Stmt::Swap { a, b, .. } => super::statement::swap(a, b, |p| self.place(p, table), |o| self.opaque(o)),
            Stmt::If { cond, then, els } => {
                let (cond, then, els) = (self.opaque(cond), self.block(then, table), self.block(els, table));
                quote!(if #cond { #then } else { #els })
            }
            Stmt::Switch { scrutinee, arms } => {
                let scrutinee = self.opaque(scrutinee);
                let arms = arms.iter().map(|arm| {
                    let pattern = crate::walk::substitute(arm.pattern.clone(), self.names.map());
                    let guard = arm.guard.as_ref().map(|g| self.opaque(g)).map(|g| quote!(if #g));
                    let body = self.block(&arm.body, table);
                    quote!(#pattern #guard => { #body })
                });
                quote!(match #scrutinee { #(#arms)* })
            }
            Stmt::For(on) => self.counted(on, table),
            Stmt::While { prelude, cond, body, .. } => {
                let (prelude, cond, body) = (self.block(prelude, table), self.opaque(cond), self.block(body, table));
                quote!(loop { #prelude if !(#cond) { break; } #body })
            }
            Stmt::Effect { tokens, .. } => {
                let tokens = self.opaque(tokens);
                quote!(#tokens;)
            }
            Stmt::Derived(_) => TokenStream::new(),
        }
    }

    fn counted(&self, on: &For, table: &Table) -> TokenStream {
        let (var, lo, hi) = (self.name(on.var), self.opaque(&on.lo), self.opaque(&on.hi));
        let range = if on.inclusive { quote!((#lo..=#hi)) } else { quote!((#lo..#hi)) };
        let step = on.step.as_ref().map(|s| self.opaque(s)).map(|s| quote!(.step_by(#s)));
        let down = on.down.then(|| quote!(.rev()));
        let body = self.block(&on.body, table);
        let leave = on.until.map(|flag| self.name(flag)).map(|flag| quote!(if #flag { break; }));
        quote!(for #var in #range #step #down { #body #leave })
    }
}

/// Floats, and containers of floats.
fn is_plain(ty: &Ty) -> bool {
    match ty {
        Ty::Float => true,
        Ty::Vec(e) | Ty::Array(e) | Ty::Slice(e) => is_plain(e),
        Ty::Passive | Ty::Tuple(_) | Ty::Opaque => false,
    }
}

/// Identifiers replaced by tokens, the others by names.
fn replaced(tokens: TokenStream, map: &BTreeMap<String, TokenStream>, names: &BTreeMap<String, Ident>) -> TokenStream {
    let mut out = TokenStream::new();
    for tree in tokens {
        match tree {
            TokenTree::Ident(i) => match (map.get(&i.to_string()), names.get(&i.to_string())) {
                (Some(value), _) => out.extend(value.clone()),
                (None, Some(name)) => out.append(name.clone()),
                (None, None) => out.append(i),
            },
            TokenTree::Group(g) => out.append(Group::new(g.delimiter(), replaced(g.stream(), map, names))),
            other => out.append(other),
        }
    }
    out
}
