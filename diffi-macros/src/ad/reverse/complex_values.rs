//! Which passive values may be complex numbers: those take no word, but what rustc finds for their type.

use crate::ir::var_set::Vars;
use crate::ir::visit::blocks;
use crate::ir::*;
use proc_macro2::{TokenStream, TokenTree};

/// What is made by code that names complex numbers, and what is computed of that.
pub fn complex_values(function: &Function) -> Vars {
    let mut found = Vars::new();
    if !cfg!(feature = "num-complex") {
        return found;
    }
    found.extend(function.params.iter().filter(|p| names_complex(p.ty.clone())).map(|p| p.var));
    loop {
        let before = found.len();
        spread(&function.body, &mut found);
        if found.len() == before {
            return found;
        }
    }
}

fn spread(block: &Block, found: &mut Vars) {
    for stmt in &block.stmts {
        let (var, value) = match stmt {
            Stmt::Let { var, expr: Expr::Passive(o) | Expr::Operand(Operand::Passive(o)) } => (Some(*var), Some(o)),
            Stmt::Assign { place, value: Operand::Passive(o), .. } => (Some(place.root), Some(o)),
            _ => (None, None),
        };
        if let (Some(var), Some(value)) = (var, value)
            && (names_complex(value.tokens.clone()) || value.reads.iter().any(|v| found.contains(v)))
        {
            found.insert(var);
        }
        blocks(stmt).into_iter().for_each(|inner| spread(inner, found));
    }
}

fn names_complex(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|tree| match tree {
        TokenTree::Ident(name) => name.to_string().starts_with("Complex"),
        TokenTree::Group(group) => names_complex(group.stream()),
        _ => false,
    })
}
