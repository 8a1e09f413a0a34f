//! Passive values that nobody reads: what read them is left out, and with it may be what told their types.

use crate::analysis::liveness::Live;
use crate::ir::purity::{is_blank, repeatable};
use crate::ir::visit::{Vars, Visit};
use crate::ir::*;

/// The body without what is never read, the result being read last.
pub fn without_unread(mut body: Block, result: &Output) -> Block {
    let mut read = Vars::new();
    Visit(&mut |var, _| _ = read.insert(var)).out(result);
    Live::of(&read).backwards(&mut body, &mut |stmt, live| match stmt {
        Stmt::Let { var, expr: Expr::Passive(o) } if repeatable(o) || is_blank(&o.tokens) => live.is_mentioned(*var),
        Stmt::Declare { var } => live.is_mentioned(*var),
        _ => true,
    });
    body
}
