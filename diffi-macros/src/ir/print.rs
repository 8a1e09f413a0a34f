//! The IR as text, for people and for snapshots.

use crate::ir::visit::substitute;
use crate::ir::*;
use proc_macro2::{Ident, TokenStream};
use std::collections::BTreeMap;
use std::fmt::Write;

/// A whole function.
pub fn function(function: &Function) -> String {
    let printer = Printer::new(&function.vars);
    let params: Vec<String> = function.params.iter().map(|p| printer.param(p)).collect();
    let mut out = format!("fn {}({}) {{\n", function.name, params.join(", "));
    printer.stmts(&function.body, 1, &mut out);
    let _ = writeln!(out, "    {}\n}}", printer.out(&function.result));
    out
}

/// A block over some variables.
pub fn block(vars: &[VarInfo], block: &Block) -> String {
    let mut out = String::new();
    Printer::new(vars).stmts(block, 0, &mut out);
    out
}

struct Printer<'a> {
    vars: &'a [VarInfo],
    names: BTreeMap<String, Ident>,
}

impl<'a> Printer<'a> {
    fn new(vars: &'a [VarInfo]) -> Self {
        let names = vars
            .iter()
            .enumerate()
            .map(|(k, v)| (v.name.to_string(), quote::format_ident!("{}_{k}", v.hint.trim_start_matches('_'))))
            .collect();
        Printer { vars, names }
    }

    fn param(&self, p: &Param) -> String {
        let kind = match (p.active, p.cache) {
            (_, true) => "cache ",
            (true, _) => "active ",
            (false, _) => "",
        };
        format!("{kind}{}: {}", self.var(p.var), text(p.full.clone()))
    }

    fn var(&self, v: Var) -> String {
        self.names[&self.vars[v.0 as usize].name.to_string()].to_string()
    }

    fn vars(&self, all: &[Var]) -> String {
        self.list(all, ", ")
    }

    fn list(&self, all: &[Var], between: &str) -> String {
        all.iter().map(|v| self.var(*v)).collect::<Vec<_>>().join(between)
    }

    fn tokens(&self, tokens: TokenStream) -> String {
        text(substitute(tokens, &self.names))
    }

    fn passive_code(&self, o: &PassiveCode) -> String {
        format!("`{}`", self.tokens(o.tokens.clone()))
    }

    fn place(&self, p: &Place) -> String {
        p.path.iter().fold(self.var(p.root), |out, step| match step {
            Proj::Field(syn::Member::Named(name)) => format!("{out}.{name}"),
            Proj::Field(syn::Member::Unnamed(index)) => format!("{out}.{}", index.index),
            Proj::Payload(variant, member) => {
                format!("({out} as {variant}).{}", crate::ir::place::field_name(member))
            }
            Proj::Deref => format!("(*{out})"),
            Proj::Index(i) => format!("{out}[{}]", self.tokens(i.tokens.clone())),
            Proj::Range(lo, hi) => {
                let end =
                    |o: &Option<PassiveCode>| o.as_ref().map(|o| self.tokens(o.tokens.clone())).unwrap_or_default();
                format!("{out}[{}..{}]", end(lo), end(hi))
            }
        })
    }

    fn operand(&self, o: &Operand) -> String {
        match o {
            Operand::Place(p) => self.place(p),
            Operand::Passive(o) => self.passive_code(o),
            Operand::Made { op, args } => format!("({} {})", op_name(op), self.operands(args)),
        }
    }

    fn operands(&self, all: &[Operand]) -> String {
        all.iter().map(|o| self.operand(o)).collect::<Vec<_>>().join(", ")
    }

    fn expr(&self, e: &Expr) -> String {
        match e {
            Expr::Operand(o) => self.operand(o),
            Expr::Op { op, args, .. } => format!("{} {}", op_name(op), self.operands(args)),
            Expr::Call(call) => self.call("call", call),
            Expr::Array(all) => format!("[{}]", self.operands(all)),
            Expr::Repeat { value, len } => format!("[{}; {}]", self.operand(value), self.passive_code(len)),
            Expr::VecRepeat { value, len } => format!("vec[{}; {}]", self.operand(value), self.passive_code(len)),
            Expr::VecOf(all) => format!("vec[{}]", self.operands(all)),
            Expr::VecNew(_) => "vec[]".to_owned(),
            Expr::Pop(p) => format!("pop {}", self.place(p)),
            Expr::ToVec(p) => format!("to_vec {}", self.place(p)),
            Expr::Content(p) => format!("content {}", self.place(p)),
            Expr::Tuple(all) => format!("({})", self.operands(all)),
            Expr::Struct(s) => {
                let all: Vec<Operand> = s.fields.iter().map(|(_, o)| o.clone()).collect();
                format!("{} {{ {} }}", self.tokens(s.path.clone()), self.operands(&all))
            }
            Expr::Boxed(o) => format!("box {}", self.operand(o)),
            Expr::Passive(o) => self.passive_code(o),
            Expr::Scratch { len } => format!("scratch {}", self.passive_code(len)),
            Expr::Zero => "zero".to_owned(),
            Expr::If { cond, place } => format!("if {} {}", self.passive_code(cond), self.place(place)),
            Expr::Fresh { place, .. } => format!("fresh {}", self.place(place)),
        }
    }

    fn call(&self, how: &str, call: &Call) -> String {
        let args: Vec<String> = call
            .args
            .iter()
            .map(|arg| match arg {
                CallArg::Ref(p) => format!("&{}", self.place(p)),
                CallArg::Mut(p) => format!("&mut {}", self.place(p)),
                CallArg::Value(o) => self.operand(o),
                CallArg::Passive(o) | CallArg::Lent(o) => self.passive_code(o),
            })
            .collect();
        format!("{how} {}({})", text(call.written.clone()), args.join(", "))
    }

    fn out(&self, out: &Output) -> String {
        let list = |all: &[Output]| all.iter().map(|o| self.out(o)).collect::<Vec<_>>().join(", ");
        match out {
            Output::Float(o) => self.operand(o),
            Output::Place(p) => format!("move {}", self.place(p)),
            Output::Tuple(all) => format!("({})", list(all)),
            Output::Array(all) => format!("[{}]", list(all)),
            Output::Passive(o) => self.passive_code(o),
            Output::Beside(y, aux) => format!("{} beside {}", self.out(y), self.passive_code(aux)),
            Output::Maybe(m) => format!("if {} some {}", self.passive_code(&m.present), self.out(&m.content)),
            Output::Unit => "()".to_owned(),
        }
    }

    fn stmts(&self, block: &Block, depth: usize, out: &mut String) {
        block.stmts.iter().for_each(|s| self.stmt(s, depth, out));
    }

    fn nested(&self, head: String, block: &Block, depth: usize, out: &mut String) {
        let pad = "    ".repeat(depth);
        let _ = writeln!(out, "{pad}{head} {{");
        self.stmts(block, depth + 1, out);
        let _ = writeln!(out, "{pad}}}");
    }

    fn stmt(&self, stmt: &Stmt, depth: usize, out: &mut String) {
        let line = match stmt {
            Stmt::Let { var, expr } => format!("let {} = {}", self.var(*var), self.expr(expr)),
            Stmt::Declare { var } => format!("declare {}", self.var(*var)),
            Stmt::Assign { place, op, value, .. } => {
                format!("{} {} {}", self.place(place), assign_name(*op), self.operand(value))
            }
            Stmt::Push { place, value, .. } => format!("push {} {}", self.place(place), self.operand(value)),
            Stmt::Swap { a, b, .. } => format!("swap {} {}", self.place(a), self.place(b)),
            Stmt::Effect { tokens, .. } => format!("effect {}", self.passive_code(tokens)),
            Stmt::If { .. } | Stmt::Switch { .. } | Stmt::For(_) | Stmt::While { .. } => {
                return self.control(stmt, depth, out);
            }
            Stmt::Derived(d) => match self.derived(d, depth, out) {
                Some(line) => line,
                None => return,
            },
        };
        let _ = writeln!(out, "{}{line}", "    ".repeat(depth));
    }

    /// A statement with blocks.
    fn control(&self, stmt: &Stmt, depth: usize, out: &mut String) {
        match stmt {
            Stmt::If { cond, then, els } => {
                self.nested(format!("if {}", self.passive_code(cond)), then, depth, out);
                if !els.stmts.is_empty() {
                    self.nested("else".to_owned(), els, depth, out);
                }
            }
            Stmt::Switch { scrutinee, arms } => {
                for arm in arms {
                    let head = format!("switch {} {}", self.passive_code(scrutinee), self.tokens(arm.pattern.clone()));
                    self.nested(head, &arm.body, depth, out);
                }
            }
            Stmt::For(on) => self.nested(self.counted(on), &on.body, depth, out),
            Stmt::While { prelude, cond, body, checkpoint } => {
                self.nested(format!("while{}", self.checkpoint(checkpoint)), prelude, depth, out);
                self.nested(format!("  {}", self.passive_code(cond)), body, depth, out);
            }
            _ => {}
        }
    }

    fn counted(&self, on: &For) -> String {
        let dots = if on.inclusive { "..=" } else { ".." };
        let step = on.step.as_ref().map(|s| format!(" step {}", self.passive_code(s))).unwrap_or_default();
        let down = if on.down { " down" } else { "" };
        let until = on.until.map(|v| format!(" until {}", self.var(v))).unwrap_or_default();
        let (var, lo, hi) = (self.var(on.var), self.passive_code(&on.lo), self.passive_code(&on.hi));
        format!("for {var} in {lo}{dots}{hi}{step}{down}{until}{}", self.checkpoint(&on.checkpoint))
    }

    fn checkpoint(&self, checkpoint: &Option<Checkpoint>) -> String {
        match checkpoint.as_ref().map(|c| &c.keep) {
            None => String::new(),
            Some(CheckpointPolicy::Root) => " checkpoint".to_owned(),
            Some(CheckpointPolicy::Every(n)) => format!(" checkpoint every {}", self.passive_code(n)),
            Some(CheckpointPolicy::Snapshots(n)) => format!(" checkpoint snapshots {}", self.passive_code(n)),
        }
    }

    fn frame(&self, r: &TapeFrame) -> String {
        let carried: Vec<String> =
            r.carried.iter().map(|c| format!("; {} was {}", self.var(c.value), self.var(c.was))).collect();
        let carried = carried.concat();
        format!("[{} | {} | {}{carried}]", self.vars(&r.floats), self.vars(&r.words), self.vars(&r.wholes))
    }

    /// One line, or nothing if the lines are out already.
    fn derived(&self, d: &Derived, depth: usize, out: &mut String) -> Option<String> {
        let (head, body) = match d {
            Derived::NoAlias { slices, body } => (format!("alone {}", self.list(slices, " ")), body),
            Derived::Guard { on, body } => {
                let on: Vec<String> = on.members().map(|k| k.to_string()).collect();
                (format!("guard {}", on.join(" ")), body)
            }
            Derived::Loop(l) => {
                let frame = l.frame.map(|w| format!(" frame {}", widths(w))).unwrap_or_default();
                let iterations = l.iterations.map(|v| format!(" iterations {}", self.var(v))).unwrap_or_default();
                (format!("{}{iterations}{frame}", self.counted(&l.on)), &l.on.body)
            }
            Derived::LoopBuffers { vars, body } => (format!("lasting {}", self.list(vars, " ")), body),
            Derived::Times { iterations, body } => (format!("times {}", self.var(*iterations)), body),
            line => return Some(self.derived_line(line)),
        };
        self.nested(head, body, depth, out);
        None
    }

    fn derived_line(&self, d: &Derived) -> String {
        match d {
            Derived::Zero { var, like } => format!("let {} = zero like {}", self.var(*var), self.shape(like)),
            Derived::Unset { var, like, .. } => format!("let {} = unset like {}", self.var(*var), self.shape(like)),
            Derived::Release { var } => format!("release {}", self.var(*var)),
            Derived::Move { to, from, declares } => {
                format!("{}{} = move {}", if *declares { "let " } else { "" }, self.var(*to), self.var(*from))
            }
            Derived::Acc { place, value, .. } => format!("acc {} {}", self.place(place), self.place(value)),
            Derived::Fresh { bar, lo, hi } => {
                format!("fresh {} outside {}..{}", self.var(*bar), self.passive_code(lo), self.passive_code(hi))
            }
            Derived::Refill { var, with, .. } => format!("refill {} {}", self.var(*var), self.refill(with)),
            Derived::Clear { place, .. } => format!("clear {}", self.place(place)),
            Derived::Still { place, like } => format!("clear {} like {}", self.place(place), self.place(like)),
            Derived::Pop { var, place } => format!("let {} = pop {}", self.var(*var), self.place(place)),
            Derived::PushFrame(r) => format!("save {}", self.frame(r)),
            Derived::PopFrame(r) => format!("restore {}", self.frame(r)),
            Derived::StoreFrame(r) => format!("keep {}", self.frame(r)),
            Derived::LoadFrame(r) => format!("replay {}", self.frame(r)),
            Derived::FrameWindow { from, count, .. } => {
                format!("window {} and {}", self.passive_code(from), self.passive_code(count))
            }
            Derived::FrameBlock(l) => {
                format!("frames {} {}", widths(l.frame.unwrap_or_default()), self.counted(&l.on))
            }
            Derived::Either { place, value } => format!("either {} {}", self.place(place), self.operand(value)),
            Derived::Sweep(s) => self.sweep(s),
            Derived::View { .. }
            | Derived::Cut { .. }
            | Derived::Chunks { .. }
            | Derived::Cells { .. }
            | Derived::Parted { .. } => self.slices(d),
            Derived::NoAlias { .. }
            | Derived::Guard { .. }
            | Derived::Loop(_)
            | Derived::LoopBuffers { .. }
            | Derived::Times { .. } => unreachable!("the statement has a block"),
        }
    }

    fn slices(&self, d: &Derived) -> String {
        match d {
            Derived::View { var, place, .. } => format!("view {} {}", self.var(*var), self.place(place)),
            Derived::Cut { vars, place, .. } => format!("cut {} {}", self.vars(vars), self.place(place)),
            Derived::Chunks { var, place, width, .. } => {
                format!("chunks {} {} of {width}", self.var(*var), self.place(place))
            }
            Derived::Cells { var, place, .. } => format!("cells {} {}", self.var(*var), self.place(place)),
            Derived::Parted { vars, place, starts, .. } => {
                let starts: Vec<String> = starts.iter().map(|o| self.passive_code(o)).collect();
                format!("parted {} {} at {}", self.vars(vars), self.place(place), starts.join(", "))
            }
            _ => unreachable!("the statement names no slices"),
        }
    }

    fn shape(&self, like: &ShapeOf) -> String {
        match like {
            ShapeOf::Value(p) => self.place(p),
            ShapeOf::Passive(o) | ShapeOf::Len(o) => self.passive_code(o),
            ShapeOf::Fixed => "its type".to_owned(),
        }
    }

    fn refill(&self, with: &Refill) -> String {
        match with {
            Refill::Value(o) => self.operand(o),
            Refill::Zero => "zero".to_owned(),
            Refill::Anything => "anything".to_owned(),
            Refill::Copy(p) => self.place(p),
        }
    }

    fn sweep(&self, s: &Sweep) -> String {
        let how = match s.kind {
            SweepKind::Push => "push",
            SweepKind::Forward => "forward",
            SweepKind::Reverse => "reverse",
            SweepKind::Both => "pull",
        };
        let result = s.result.map(|v| format!("let {} = ", self.var(v))).unwrap_or_default();
        let bar = |b: &Option<(Place, ParamSet)>| b.as_ref().map_or("off".to_owned(), |(p, _)| self.place(p));
        let bars: Vec<String> = s.bars.iter().map(bar).collect();
        format!("{result}{} bars {}", self.call(how, &s.call), bars.join(", "))
    }
}

fn op_name(op: &Op) -> &'static str {
    match op {
        Op::Neg => "neg",
        Op::Add => "add",
        Op::Sub => "sub",
        Op::Mul => "mul",
        Op::StrongMul(StrongZero::Vector) => "strong_mul",
        Op::StrongMul(StrongZero::Factor) => "mul_strong",
        Op::StrongMul(StrongZero::Either) => "strong_mul_strong",
        Op::Div => "div",
        Op::PseudoInverse => "pseudo_inverse",
        Op::Fn(name) => name,
    }
}

/// Tokens without the blanks that `TokenStream` puts around everything.
fn text(tokens: TokenStream) -> String {
    let mut text = tokens.to_string();
    for (from, to) in [
        (" . ", "."),
        (" [", "["),
        ("[ ", "["),
        (" ]", "]"),
        (" (", "("),
        ("( ", "("),
        (" )", ")"),
        (" ,", ","),
        (" :: ", "::"),
        ("& ", "&"),
    ] {
        text = text.replace(from, to);
    }
    text
}

fn assign_name(op: Assign) -> &'static str {
    match op {
        Assign::Set => "=",
        Assign::Add => "+=",
        Assign::Sub => "-=",
        Assign::Begin(_) => "+= or =",
    }
}

fn widths(Widths { floats, words, tangents }: Widths) -> String {
    format!("{floats}+{words}+{tangents}")
}
