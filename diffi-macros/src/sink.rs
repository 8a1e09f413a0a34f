//! Scratch arrays move into the loop that overwrites them.
//!
//! A buffer that is declared before a loop only to be allocated once is filled anew by each trip.
//! Declared inside, it is what it means: a value of the trip. No trip then depends on the one
//! before, and nothing of it outlives the trip. (Where the memory comes from is another matter:
//! derivative code takes it from a pool.)

use crate::hash::HashMap;
use crate::ir::*;
use crate::walk::{Vars, Visit, blocks, blocks_mut, touches};
use proc_macro2::{TokenStream, TokenTree};

/// Moves what can be moved.
pub fn sink(mut function: Function) -> Function {
    let mut known = Known { lengths: HashMap::default(), names: HashMap::default() };
    for (index, info) in function.vars.iter().enumerate() {
        known.names.insert(info.name.to_string(), Var(index as u32));
    }
    known.learn(&function.body);
    let mut kept = Vars::new();
    Visit(&mut |v, _| {
        kept.insert(v);
    })
    .out(&function.result);
    let mut body = std::mem::take(&mut function.body);
    known.block(&mut body, &kept);
    function.body = body;
    function
}

/// What passive variables and lengths of arrays stand for.
struct Known {
    /// The right-hand sides of passive lets.
    lengths: HashMap<Var, String>,
    names: HashMap<String, Var>,
}

impl Known {
    fn learn(&mut self, block: &Block) {
        for stmt in &block.stmts {
            match stmt {
                Stmt::Let { var, expr: Expr::Opaque(o) } => {
                    self.lengths.insert(*var, text(&o.tokens));
                }
                Stmt::Let { var, expr: Expr::VecRepeat { len, .. } } => {
                    self.lengths.insert(*var, text(&len.tokens));
                }
                Stmt::Assign { place, .. } if place.path.is_empty() => {
                    self.lengths.remove(&place.root);
                    self.lengths.insert(place.root, format!("changing {:?}", place.root));
                }
                _ => {}
            }
            blocks(stmt).into_iter().for_each(|inner| self.learn(inner));
        }
    }

    /// A number's meaning: `n` for `let n_1 = n`, and for `a.len()` of a vector of length `n`.
    fn meaning(&self, text: &str) -> String {
        let name = text.strip_suffix(".len()").unwrap_or(text);
        match self.names.get(name).and_then(|v| self.lengths.get(v)) {
            Some(inner) if inner != text && !inner.starts_with("changing") => self.meaning(inner),
            _ => text.to_owned(),
        }
    }

    fn block(&self, block: &mut Block, kept: &Vars) {
        while let Some((from, into)) = self.candidate(block, kept) {
            let declaration = scratch(block.stmts.remove(from));
            if let Stmt::For(on) = &mut block.stmts[into - 1] {
                on.body.stmts.insert(0, declaration);
            }
        }
        for stmt in &mut block.stmts {
            for inner in blocks_mut(stmt) {
                self.block(inner, kept);
            }
        }
    }

    /// A declaration and the only statement that mentions it, a loop that fills it first.
    fn candidate(&self, block: &Block, kept: &Vars) -> Option<(usize, usize)> {
        block.stmts.iter().enumerate().find_map(|(from, stmt)| {
            let (Stmt::Let { var, expr: Expr::VecRepeat { value: Operand::Opaque(_), len } }
            | Stmt::Let { var, expr: Expr::Scratch { len } }) = stmt
            else {
                return None;
            };
            if kept.contains(var) {
                return None;
            }
            let mut users = (from + 1..block.stmts.len()).filter(|k| touches(&block.stmts[*k], *var));
            let into = users.next()?;
            let alone = users.next().is_none();
            let fills = matches!(&block.stmts[into], Stmt::For(on) if self.fills(&on.body, *var, len));
            (alone && fills).then_some((from, into))
        })
    }

    /// Whether a block sets every element of `array` before it does anything else with it.
    fn fills(&self, block: &Block, array: Var, len: &Opaque) -> bool {
        let mut users = block.stmts.iter().filter(|s| touches(s, array));
        let Some(Stmt::For(on)) = users.next() else { return false };
        if users.next().is_none() && self.fills(&on.body, array, len) {
            return true;
        }
        let whole = !on.inclusive
            && on.step.is_none()
            && on.until.is_none()
            && text(&on.lo.tokens) == "0"
            && self.meaning(&text(&on.hi.tokens)) == self.meaning(&text(&len.tokens));
        whole && self.sets(&on.body, array, on.var)
    }

    fn sets(&self, body: &Block, array: Var, index: Var) -> bool {
        let Some(Stmt::Assign { place, op: Assign::Set, value, .. }) = body.stmts.iter().find(|s| touches(s, array))
        else {
            return false;
        };
        let own = match &place.path[..] {
            [Proj::Index(i)] => self.names.get(&text(&i.tokens)) == Some(&index),
            _ => false,
        };
        own && place.root == array && !matches!(value, Operand::Place(p) if p.root == array)
    }
}

/// The loop sets every element first.
fn scratch(stmt: Stmt) -> Stmt {
    match stmt {
        Stmt::Let { var, expr: Expr::VecRepeat { len, .. } } => Stmt::Let { var, expr: Expr::Scratch { len } },
        other => other,
    }
}

/// Tokens without blanks.
fn text(tokens: &TokenStream) -> String {
    tokens
        .clone()
        .into_iter()
        .map(|tree| match tree {
            TokenTree::Group(g) => format!("{}{}{}", open(&g), text(&g.stream()), close(&g)),
            other => other.to_string(),
        })
        .collect()
}

fn open(group: &proc_macro2::Group) -> &'static str {
    match group.delimiter() {
        proc_macro2::Delimiter::Parenthesis => "(",
        proc_macro2::Delimiter::Bracket => "[",
        proc_macro2::Delimiter::Brace => "{",
        proc_macro2::Delimiter::None => "",
    }
}

fn close(group: &proc_macro2::Group) -> &'static str {
    match group.delimiter() {
        proc_macro2::Delimiter::Parenthesis => ")",
        proc_macro2::Delimiter::Bracket => "]",
        proc_macro2::Delimiter::Brace => "}",
        proc_macro2::Delimiter::None => "",
    }
}
