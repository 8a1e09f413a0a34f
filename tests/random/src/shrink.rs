//! Smaller programs that fail in the same way: statements go, blocks lose their heads, expressions become literals.

use crate::batch::{Outcome, Workshop};
use crate::program::*;
use std::collections::BTreeMap;

/// One reduction of the node of this number, in order of the text.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Edit {
    /// The statement goes.
    Delete,
    /// A statement becomes what its block of this number holds.
    Unwrap(usize),
    /// A float becomes a literal.
    Literal,
    /// A float becomes the child of this number.
    Child(usize),
}

type Edits = BTreeMap<usize, Edit>;

/// How many candidates are built at once.
const CANDIDATES: usize = 40;

/// The smallest program that was found to fail as this one does.
pub fn shrink(workshop: &Workshop, program: &Program, outcome: &Outcome) -> Program {
    let Some(kind) = kind(outcome) else { return program.clone() };
    let workshop = workshop.focused(outcome);
    let mut best = without_rest(program);
    if !fails(&workshop, &[best.clone()], &kind)[0] {
        best = program.clone();
    }
    loop {
        let mut progress = false;
        let all = edits(&best).into_iter().filter(|(at, edit)| {
            let candidate = applied(&best, &Edits::from([(*at, *edit)]));
            size(&candidate) < size(&best) && is_bound(&candidate)
        });
        let all: Vec<(usize, Edit)> = all.collect();
        for chunk in all.chunks(CANDIDATES) {
            let candidates: Vec<Program> =
                chunk.iter().map(|(at, edit)| without_rest(&applied(&best, &Edits::from([(*at, *edit)])))).collect();
            let failing = fails(&workshop, &candidates, &kind);
            let mut good: Vec<(usize, Edit)> =
                chunk.iter().zip(&failing).filter(|(_, f)| **f).map(|(e, _)| *e).collect();
            if good.is_empty() {
                continue;
            }
            progress = true;
            let mut smallest = candidates
                .into_iter()
                .zip(failing)
                .filter(|(_, f)| *f)
                .map(|(c, _)| c)
                .min_by_key(size)
                .expect("one fails");
            // all that work alone, then fewer and fewer of them
            while good.len() > 1 {
                let together = without_rest(&applied(&best, &good.iter().copied().collect()));
                if size(&together) < size(&smallest)
                    && is_bound(&together)
                    && fails(&workshop, std::slice::from_ref(&together), &kind)[0]
                {
                    smallest = together;
                    break;
                }
                good.truncate(good.len() / 2);
            }
            best = smallest;
            eprintln!("{} nodes", size(&best));
            break;
        }
        if !progress {
            return best;
        }
    }
}

/// What must stay the same while the program shrinks.
fn kind(outcome: &Outcome) -> Option<String> {
    match outcome {
        Outcome::Refused(message) => Some(message.clone()),
        Outcome::Broken(message) => Some(message.chars().take_while(|c| *c != ']').collect()),
        other => Some(other.failure()?.split(' ').next()?.to_string()),
    }
}

fn fails(workshop: &Workshop, programs: &[Program], kind: &str) -> Vec<bool> {
    workshop.run(programs).iter().map(|o| self::kind(o).as_deref() == Some(kind)).collect()
}

fn size(program: &Program) -> usize {
    let mut n = program.functions.len() * 3 + program.main().params.len();
    program.each(&mut |_| n += 1);
    n
}

/// What can be tried, the large pieces first.
fn edits(program: &Program) -> Vec<(usize, Edit)> {
    let mut found = Vec::new();
    let mut number = 0;
    program.each(&mut |node| {
        let mut weight = 0;
        node.each(&mut |_| weight += 1);
        let blocks = node.parts.iter().filter(|p| matches!(p, Part::Block(_))).count();
        // a loop that does not end is no candidate
        if node.ty == Ty::Unit && node.construct != "step" {
            found.push((weight, number, Edit::Delete));
            (0..blocks).for_each(|k| found.push((weight / 2, number, Edit::Unwrap(k))));
        }
        if node.ty == Ty::F && weight > 1 {
            found.push((weight, number, Edit::Literal));
            let floats = node.children().len();
            (0..floats.min(2)).for_each(|k| found.push((weight / 2, number, Edit::Child(k))));
        }
        number += 1;
    });
    found.sort_by_key(|(weight, number, _)| (std::cmp::Reverse(*weight), *number));
    found.into_iter().map(|(_, number, edit)| (number, edit)).collect()
}

fn applied(program: &Program, edits: &Edits) -> Program {
    let mut program = program.clone();
    let mut number = 0;
    for function in &mut program.functions {
        function.body = block(std::mem::take(&mut function.body), edits, &mut number);
    }
    program
}

fn block(nodes: Vec<Node>, edits: &Edits, number: &mut usize) -> Vec<Node> {
    nodes
        .into_iter()
        .flat_map(|node| {
            let edit = edits.get(number).copied();
            let node = changed(node, edits, number);
            match edit {
                Some(Edit::Delete) => Vec::new(),
                Some(Edit::Unwrap(k)) => {
                    let mut blocks =
                        node.parts.into_iter().filter_map(|p| if let Part::Block(b) = p { Some(b) } else { None });
                    blocks.nth(k).unwrap_or_default()
                }
                _ => vec![node],
            }
        })
        .collect()
}

fn changed(node: Node, edits: &Edits, number: &mut usize) -> Node {
    let edit = edits.get(number).copied();
    *number += 1;
    let mut parts = Vec::new();
    for part in node.parts {
        parts.push(match part {
            Part::Child(n, level) => Part::Child(changed(n, edits, number), level),
            Part::ToFloat(n) => Part::ToFloat(Box::new(changed(*n, edits, number))),
            Part::ToIndex(n) => Part::ToIndex(Box::new(changed(*n, edits, number))),
            Part::Update(a, op, b) => {
                let a = changed(*a, edits, number);
                Part::Update(Box::new(a), op, Box::new(changed(*b, edits, number)))
            }
            Part::Block(nodes) => Part::Block(block(nodes, edits, number)),
            other => other,
        });
    }
    let node = Node {
        parts,
        construct: node.construct,
        ty: node.ty.clone(),
        level: node.level,
        typed: node.typed,
        size: node.size,
    };
    match edit {
        Some(Edit::Literal) => node!("", Ty::F, "@::from(0.5)"),
        Some(Edit::Child(k)) => match node.children().get(k) {
            Some(child) if child.ty == Ty::F => (*child).clone(),
            _ => node,
        },
        _ => node,
    }
}

/// Whether every name that is used is bound somewhere in its function.
fn is_bound(program: &Program) -> bool {
    program.functions.iter().all(|f| {
        let (mut used, mut bound): (Vec<&String>, Vec<&String>) =
            (Vec::new(), f.params.iter().map(|p| &p.name).collect());
        let mut stack: Vec<&Node> = f.body.iter().collect();
        while let Some(node) = stack.pop() {
            for part in &node.parts {
                match part {
                    Part::Use(name) => used.push(name),
                    Part::Bind(name) => bound.push(name),
                    _ => {}
                }
            }
            stack.extend(node.children());
        }
        used.iter().all(|name| bound.iter().any(|b| name.split('.').next() == Some(b)))
    })
}

/// Without functions that nobody calls and parameters that nobody reads.
fn without_rest(program: &Program) -> Program {
    let mut program = program.clone();
    let mut text = String::new();
    program.each(&mut |n| {
        for part in &n.parts {
            match part {
                Part::Text(t) | Part::Use(t) => text += &format!("{t} "),
                _ => {}
            }
        }
    });
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).collect();
    let last = program.functions.len() - 1;
    let mut k = 0;
    program.functions.retain(|f| {
        k += 1;
        k > last || words.contains(&f.name.as_str())
    });
    let main = program.functions.last_mut().expect("a program has a function");
    let read: Vec<Param> = main.params.iter().filter(|p| words.contains(&p.name.as_str())).cloned().collect();
    if read.iter().any(|p| p.ty.is_active() && p.kind != Kind::Mut) {
        main.params = read;
    }
    program
}
