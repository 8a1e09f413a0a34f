//! The verifier of the IR: invariants that hold before and after every pass.
//!
//! - A variable is defined before it is read; a definition ends with its block. Until the stage *code* there is no second one in its
//!   scope; later, copies of an iteration may shadow each other.
//! - A primal variable is computed from primal variables alone: cotangents and tangents do not flow into values.
//! - Passive code declares every variable that it mentions, and an effect those that it writes.
//! - A frame that is pushed to the tape is popped, with the same layout.
//! - Of what stands on the tape as its shape alone, no number is read.
//!
//! The verifier runs in tests, and elsewhere where `DIFFI_VERIFY` is set: CI sets it. `DIFFI_VERIFY=0` turns it off in tests.

use crate::ad::derivatives::Derivatives;
use crate::ir::frames;
use crate::ir::symbols::{Role, Table};
use crate::ir::visit::{Access, Vars, Visit, blocks, each_passive};
use crate::ir::*;
use crate::opt::pass::{Stage, each_group};
use crate::support::hash::{HashMap, HashSet};
use proc_macro2::{TokenStream, TokenTree};
use std::collections::BTreeSet;
use std::sync::LazyLock;

static ASKED: LazyLock<bool> = LazyLock::new(|| match std::env::var_os("DIFFI_VERIFY") {
    Some(asked) => asked != "0",
    None => cfg!(test),
});

/// Checks all derivative code.
///
/// # Panics
///
/// If an invariant does not hold; the message names the pass after which it was found.
pub fn verify(pass: &str, stage: Stage, function: &Function, code: &mut Derivatives<'_>) {
    if !*ASKED {
        return;
    }
    let unique = stage == Stage::Adjoint;
    each_group(code, function, &mut |context, bodies| {
        let mut found = Vec::new();
        let mut frames = Frames::default();
        for (body, block) in bodies {
            let complaints = Verifier::of(function, context.table, unique).body(block);
            found.extend(complaints.into_iter().map(|c| format!("{}: {c}", body.heading())));
            frames.count(block);
        }
        found.extend(frames.complaint());
        let name = &function.name;
        assert!(found.is_empty(), "after `{pass}`, the code of `{name}` is wrong:\n{}", found.join("\n"));
    });
}

/// The check of one body.
struct Verifier<'a> {
    table: &'a Table,
    /// Variables by the names that passive code mentions them by.
    names: HashMap<String, Var>,
    defined: HashSet<Var>,
    /// Variables that came off the tape as their shapes alone.
    shapes: HashSet<Var>,
    /// No definition may stand in the scope of another one.
    unique: bool,
    complaints: Vec<String>,
}

impl<'a> Verifier<'a> {
    fn of(function: &Function, table: &'a Table, unique: bool) -> Self {
        let names = (0..table.vars().len() as u32).map(Var).map(|v| (table.info(v).name.to_string(), v)).collect();
        let defined = function.params.iter().map(|p| p.var).collect();
        Verifier { table, names, defined, shapes: HashSet::default(), unique, complaints: Vec::new() }
    }

    fn body(mut self, block: &Block) -> Vec<String> {
        let made = crate::ir::visit::touched(&block.stmts, &[Access::Define]);
        let shadow = |v: &Var| self.table.role(*v) != Role::Primal && !made.contains(v);
        self.defined.extend((0..self.table.vars().len() as u32).map(Var).filter(shadow));
        self.block(block);
        self.complaints
    }

    /// A block, whose definitions end with it.
    fn block(&mut self, block: &Block) {
        let outside = self.defined.clone();
        self.stmts(block);
        self.defined = outside;
    }

    fn stmts(&mut self, block: &Block) {
        for stmt in &block.stmts {
            let outside = (!blocks(stmt).is_empty()).then(|| self.defined.clone());
            match stmt {
                // what the prelude brings into being, the condition and the body use
                Stmt::While { prelude, body, .. } => {
                    self.stmts(prelude);
                    self.head(stmt);
                    self.block(body);
                }
                _ => {
                    self.head(stmt);
                    blocks(stmt).into_iter().for_each(|body| self.block(body));
                }
            }
            if let Some(outside) = outside {
                self.defined = outside;
            }
        }
    }

    /// A statement without the blocks in it.
    fn head(&mut self, stmt: &Stmt) {
        let mut read = Vars::new();
        let mut touches = Vec::new();
        Visit(&mut |v, touch| touches.push((v, touch))).head(stmt);
        for (var, touch) in touches {
            self.touch(var, touch);
            read.extend((touch == Access::Read && self.defined.contains(&var)).then_some(var));
        }
        if let Stmt::Derived(Derived::PopFrame(frame)) = stmt {
            self.shapes.extend(&frame.shapes);
        }
        let target = match stmt {
            Stmt::Let { var, expr: Expr::Op { .. } | Expr::Operand(_) | Expr::Passive(_) } => Some(*var),
            Stmt::Assign { place, .. } => Some(place.root),
            _ => None,
        };
        let is_primal = |v: &Var| self.table.role(*v) == Role::Primal;
        if let Some(target) = target.filter(|v| is_primal(v) && !read.iter().all(is_primal)) {
            self.complaints.push(format!("the value `{}` is made of a shadow", self.table.info(target).name));
        }
        let writes = if let Stmt::Effect { writes, .. } = stmt { writes.clone() } else { Vars::new() };
        each_passive(stmt, &mut |o| self.passive_code(o, &writes));
    }

    /// A variable is used where it is defined, read where it has a value, and defined once.
    fn touch(&mut self, var: Var, touch: Access) {
        let name = &self.table.info(var).name;
        match touch {
            Access::Read if self.shapes.contains(&var) => {
                self.complaints.push(format!("`{name}` is read, of which the tape has the shape alone"))
            }
            Access::Define | Access::Write => _ = self.shapes.remove(&var),
            _ => {}
        }
        match touch {
            Access::Define if !self.defined.insert(var) && self.unique => {
                self.complaints.push(format!("`{name}` is defined twice"))
            }
            Access::Define => {}
            _ if !self.defined.contains(&var) => {
                self.complaints.push(format!("`{name}` is used ({touch:?}) where it is not defined"))
            }
            _ => {}
        }
    }

    /// Passive code declares the variables that it mentions; an effect may also write.
    fn passive_code(&mut self, o: &PassiveCode, writes: &Vars) {
        let mut mentioned = Vars::new();
        mentions(&self.names, &o.tokens, &mut mentioned);
        let declared = &o.reads | &o.shapes;
        if !mentioned.is_subset(&(&declared | writes)) {
            let names = |vars: &Vars| vars.iter().map(|v| self.table.info(*v).name.to_string()).collect::<Vec<_>>();
            let complaint =
                format!("`{}` declares {:?}, and mentions {:?}", o.tokens, names(&declared), names(&mentioned));
            self.complaints.push(complaint);
        }
    }
}

fn mentions(names: &HashMap<String, Var>, tokens: &TokenStream, found: &mut Vars) {
    for tree in tokens.clone() {
        match tree {
            TokenTree::Ident(name) => found.extend(names.get(&name.to_string())),
            TokenTree::Group(group) => mentions(names, &group.stream(), found),
            _ => {}
        }
    }
}

/// What lies in a tape frame: how many floats, words and wholes, which of the wholes are shapes, and whether it is popped again.
type Layout = (usize, usize, Vec<bool>, bool);

/// The layouts of tape frames that are pushed, and of those that are popped, by the frame. Checkpointed loops pop the frames of an iteration
/// in several places.
#[derive(Default)]
struct Frames {
    pushed: BTreeSet<(FrameId, Layout)>,
    popped: BTreeSet<(FrameId, Layout)>,
}

impl Frames {
    fn count(&mut self, block: &Block) {
        for stmt in &block.stmts {
            self.pushed.extend(frames::pushed(stmt).map(layout));
            self.popped.extend(frames::popped(stmt).map(layout));
            blocks(stmt).into_iter().for_each(|inner| self.count(inner));
        }
    }

    fn complaint(&self) -> Option<String> {
        let Frames { pushed, popped } = self;
        (pushed != popped).then(|| format!("tape frames {pushed:?} are pushed, and {popped:?} popped"))
    }
}

fn layout(frame: &TapeFrame) -> (FrameId, Layout) {
    let shapes = frame.wholes.iter().map(|v| frame.shapes.contains(v)).collect();
    (frame.id, (frame.floats.len(), frame.words.len(), shapes, frame.again))
}
