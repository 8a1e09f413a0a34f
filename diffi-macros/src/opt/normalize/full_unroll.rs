//! Complete unrolling (LLVM's LoopFullUnroll): a loop over the few elements of a short array becomes a copy of its body for each.
//!
//! ```text
//! for k in 0..3 {                   d[0] = b[0] - a[0]
//!     d[k] = b[k] - a[k]            d[1] = b[1] - a[1]
//! }                                 d[2] = b[2] - a[2]
//! ```
//!
//! The elements have names of their own then ([`split_aggregates`](super::split_aggregates)), and a loop around it is an innermost one.

use crate::analysis::cost_model::{UNROLLED_ITERATIONS, UNROLLED_STATEMENTS};
use crate::ir::affine::{literal, number};
use crate::ir::clone::Twins;
use crate::ir::place::element;
use crate::ir::visit::parts::mutable::{self, Part};
use crate::ir::visit::{Access, Vars, blocks, blocks_mut, each_passive, replaced, touched};
use crate::ir::*;
use crate::support::hash::HashMap;
use proc_macro2::{Ident, Literal, TokenStream, TokenTree};

/// Unrolls the short loops of a function.
pub fn full_unroll(mut function: Function) -> Function {
    let mut body = std::mem::take(&mut function.body);
    let mut lengths = HashMap::default();
    note_lengths(&function, &body, &mut lengths);
    let params = function.params.iter().map(|param| param.var).collect();
    Unrolling { lengths, params, vars: &mut function.vars }.block(&mut body);
    function.body = body;
    function
}

/// The lengths of arrays whose types or values say them.
fn note_lengths(function: &Function, body: &Block, lengths: &mut HashMap<Var, usize>) {
    for param in &function.params {
        if let Ok(syn::Type::Array(array)) = syn::parse2(param.ty.clone())
            && let syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(len), .. }) = &array.len
        {
            lengths.extend(len.base10_parse().ok().map(|len| (param.var, len)));
        }
    }
    note_in(body, lengths);
}

fn note_in(block: &Block, lengths: &mut HashMap<Var, usize>) {
    for stmt in &block.stmts {
        if let Stmt::Let { var, expr } = stmt {
            let length = match expr {
                Expr::Array(all) => Some(all.len()),
                Expr::Repeat { len, .. } => usize_of(len),
                Expr::Passive(code) => length_asked(code).and_then(|array| lengths.get(&array).copied()),
                _ => None,
            };
            lengths.extend(length.map(|length| (*var, length)));
        }
        blocks(stmt).into_iter().for_each(|inner| note_in(inner, lengths));
    }
}

fn usize_of(code: &PassiveCode) -> Option<usize> {
    number(code).and_then(|n| usize::try_from(n).ok())
}

/// The array whose length the code is: `d.len()`.
fn length_asked(code: &PassiveCode) -> Option<Var> {
    let only = code.shapes.only().filter(|_| code.reads.is_empty())?;
    let trees: Vec<TokenTree> = code.tokens.clone().into_iter().collect();
    let asks =
        matches!(&trees[..], [TokenTree::Ident(_), TokenTree::Punct(_), TokenTree::Ident(len), _] if len == "len");
    asks.then_some(only)
}

struct Unrolling<'a> {
    /// Of arrays, and of variables that are one.
    lengths: HashMap<Var, usize>,
    params: Vars,
    vars: &'a mut Vec<VarInfo>,
}

impl Unrolling<'_> {
    fn block(&mut self, block: &mut Block) {
        block.stmts.iter_mut().flat_map(blocks_mut).for_each(|inner| self.block(inner));
        block.replace(|stmt| match stmt {
            Stmt::For(on) => self.unrolled(on),
            _ => None,
        });
    }

    fn unrolled(&mut self, on: &For) -> Option<Vec<Stmt>> {
        let whole = on.step.is_none() && on.until.is_none() && on.checkpoint.is_none();
        let (lo, hi) = (usize_of(&on.lo)?, self.end(&on.hi)? + usize::from(on.inclusive));
        let count = hi.checked_sub(lo).filter(|count| (1..=UNROLLED_ITERATIONS).contains(count))?;
        let size = size(&on.body)?;
        if !whole || size * count > UNROLLED_STATEMENTS || !self.walks_an_array(on) || !self.is_plainly_read(on) {
            return None;
        }
        let mut iterations: Vec<usize> = (lo..hi).collect();
        if on.down {
            iterations.reverse();
        }
        Some(iterations.into_iter().flat_map(|k| self.iteration(on, k)).collect())
    }

    /// The end of a loop, if it is known.
    fn end(&self, hi: &PassiveCode) -> Option<usize> {
        let named = || hi.reads.only().filter(|var| self.vars[var.0 as usize].name == hi.tokens.to_string());
        usize_of(hi).or_else(|| self.lengths.get(&length_asked(hi).or_else(named)?).copied())
    }

    /// Whether the loop's variable is an index into a local array.
    fn walks_an_array(&self, on: &For) -> bool {
        let mut found = false;
        each_place(&on.body, &mut |place| {
            let ty = &self.vars[place.root.0 as usize].ty;
            found |= !self.params.contains(&place.root)
                && place.path.iter().enumerate().any(|(at, step)| match step {
                    Proj::Index(index) => {
                        index.reads.contains(&on.var) && matches!(element(ty, &place.path[..at]), Ty::Array(_))
                    }
                    _ => false,
                });
        });
        found
    }

    /// Whether a number may stand wherever the loop's variable does.
    fn is_plainly_read(&self, on: &For) -> bool {
        let name = &self.vars[on.var.0 as usize].name;
        let mut plain = true;
        each_code(&on.body, &mut |code| {
            plain &= !code.shapes.contains(&on.var) && (!code.reads.contains(&on.var) || is_plain(&code.tokens, name));
        });
        plain
    }

    /// Whether an index of an array is made of the loop's variable without a cast: that is a `usize` then.
    fn is_index(&self, on: &For) -> bool {
        let mut found = false;
        each_place(&on.body, &mut |place| {
            let ty = &self.vars[place.root.0 as usize].ty;
            found |= place.path.iter().enumerate().any(|(at, step)| match step {
                Proj::Index(index) => {
                    let bare = index.reads.contains(&on.var) && is_arithmetic(&index.tokens);
                    bare && matches!(element(ty, &place.path[..at]), Ty::Array(_))
                }
                _ => false,
            });
        });
        found
    }

    /// The body, with a number for the loop's variable.
    fn iteration(&mut self, on: &For, k: usize) -> Vec<Stmt> {
        let defined = touched(&on.body.stmts, &[Access::Define]);
        let map: HashMap<Var, Var> = defined.iter().map(|var| (*var, self.twin(*var))).collect();
        let mut stmts = Twins { map: &map, vars: self.vars }.stmts(&on.body.stmts);
        let put = Put { var: on.var, name: self.vars[on.var.0 as usize].name.to_string(), k, typed: self.is_index(on) };
        stmts.iter_mut().for_each(|stmt| put.stmt(stmt));
        stmts
    }

    fn twin(&mut self, of: Var) -> Var {
        let (var, old) = (Var(self.vars.len() as u32), &self.vars[of.0 as usize]);
        let name = Ident::new(&format!("__v{}_{}", var.0, old.hint), old.name.span());
        self.vars.push(VarInfo { name, ..old.clone() });
        var
    }
}

/// Puts a number in place of a loop's variable.
struct Put {
    var: Var,
    name: String,
    k: usize,
    /// The number says its type: methods are called on it (`(k + 1).pow(2)`).
    typed: bool,
}

impl Put {
    fn stmt(&self, stmt: &mut Stmt) {
        mutable::head(stmt, &mut |part| match part {
            Part::Place(place, _) => place.indices_mut(&mut |index| self.index(index)),
            Part::Passive(code) | Part::Lent(code) => self.code(code),
            Part::Var(..) => {}
        });
        blocks_mut(stmt).into_iter().flat_map(|block| &mut block.stmts).for_each(|inner| self.stmt(inner));
    }

    fn code(&self, code: &mut PassiveCode) {
        if code.reads.remove(&self.var) {
            let number = if self.typed { Literal::usize_suffixed(self.k) } else { Literal::usize_unsuffixed(self.k) };
            let number = TokenStream::from(TokenTree::from(number));
            code.tokens = replaced(code.tokens.clone(), &self.name, &|_| number.clone());
        }
    }

    /// An index that is a number is written as one.
    fn index(&self, index: &mut PassiveCode) {
        self.code(index);
        let value = || value(&syn::parse2(index.tokens.clone()).ok()?);
        if index.reads.is_empty()
            && index.shapes.is_empty()
            && let Some(value) = value()
        {
            index.tokens = literal(value).tokens;
        }
    }
}

/// Whether tokens are names, numbers and operators alone, of which all have one type.
fn is_arithmetic(tokens: &TokenStream) -> bool {
    let trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let is_call = |at: usize| matches!(trees.get(at + 1), Some(TokenTree::Group(_)));
    trees.iter().enumerate().all(|(at, tree)| match tree {
        TokenTree::Ident(word) => word != "as" && !is_call(at),
        TokenTree::Punct(sign) => "+-*/%".contains(sign.as_char()),
        TokenTree::Literal(_) => true,
        TokenTree::Group(group) => is_arithmetic(&group.stream()),
    })
}

/// What integers in an expression make.
fn value(e: &syn::Expr) -> Option<usize> {
    match e {
        syn::Expr::Paren(inner) => value(&inner.expr),
        syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(n), .. }) => n.base10_parse().ok(),
        syn::Expr::Binary(syn::ExprBinary { left, op, right, .. }) => {
            let (a, b) = (value(left)?, value(right)?);
            match op {
                syn::BinOp::Add(_) => a.checked_add(b),
                syn::BinOp::Sub(_) => a.checked_sub(b),
                syn::BinOp::Mul(_) => a.checked_mul(b),
                syn::BinOp::Div(_) => a.checked_div(b),
                syn::BinOp::Rem(_) => a.checked_rem(b),
                _ => None,
            }
        }
        _ => None,
    }
}

/// How many statements there are, if all of them can be copied.
fn size(block: &Block) -> Option<usize> {
    let of = |stmt: &Stmt| match stmt {
        Stmt::For(_) | Stmt::While { .. } | Stmt::Derived(_) => None,
        stmt => Some(1 + blocks(stmt).into_iter().map(size).sum::<Option<usize>>()?),
    };
    block.stmts.iter().map(of).sum()
}

fn each_place(block: &Block, f: &mut dyn FnMut(&Place)) {
    crate::ir::visit::places::each_place_in(block, &mut |place, _| f(place));
}

fn each_code(block: &Block, f: &mut dyn FnMut(&PassiveCode)) {
    for stmt in &block.stmts {
        each_passive(stmt, &mut |code| f(code));
        blocks(stmt).into_iter().for_each(|inner| each_code(inner, f));
    }
}

/// Whether nothing is asked of a name that a number cannot answer.
fn is_plain(tokens: &TokenStream, name: &Ident) -> bool {
    let trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
    trees.iter().enumerate().all(|(at, tree)| match tree {
        TokenTree::Ident(found) if found == name => {
            !matches!(trees.get(at + 1), Some(TokenTree::Punct(p)) if p.as_char() == '.')
        }
        TokenTree::Group(group) => is_plain(&group.stream(), name),
        _ => true,
    })
}
