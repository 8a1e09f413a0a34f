//! Loops with frames, and the tape.

use crate::ad::reverse::written_iterations;
use crate::analysis::cost_model::WRITTEN_OUT_ITERATIONS;
use crate::analysis::loops::is_innermost;
use crate::emit::code::writer::Emit;
use crate::ir::affine::is_shifted;
use crate::ir::symbols::Role;
use crate::ir::visit::Visit;
use crate::ir::visit::places::{each_place, each_place_in};
use crate::ir::*;

/// The values of a frame by the stack they lie on.
pub struct Stacks {
    /// Floats.
    pub floats: Vec<Var>,
    /// Other numbers.
    pub words: Vec<Var>,
    /// Tangents.
    pub tangents: Vec<Var>,
}

/// The parts of a workspace that whole values are kept in.
pub const PARTS: &str =
    "&mut __d::Parts::new(&mut ws.floats, &mut ws.words, &mut ws.base, &mut ws.arrays, &mut ws.others)";

/// The traits by which rustc finds how a passive value is kept.
const KEEPING: &str = "use __d::{ KeepPart as _, KeepPassive as _ };";

impl Emit<'_> {
    pub fn stacks(&self, frame: &TapeFrame) -> Stacks {
        let (tangents, floats) = frame.floats.iter().partition(|v| self.table.role(**v) == Role::Dot);
        Stacks { floats, words: frame.words.clone(), tangents }
    }

    pub fn all_names(&self, vars: &[Var]) -> String {
        vars.iter().map(|v| format!("{}, ", self.name(*v))).collect()
    }

    /// A variable where it is declared.
    pub fn bound(&self, var: Var) -> String {
        format!("{}{}", self.mutable(var), self.name(var))
    }

    /// The name of what ties the types of a value on the tape.
    pub fn kin(&self, var: Var) -> String {
        format!("kin_{}", self.name(self.table.origin(var)))
    }

    /// The tokens that tie the type of a word that is kept to the one that is read back.
    pub fn kins(&self, blocks: &[&Block]) -> Vec<String> {
        let mut vars = Vec::new();
        blocks.iter().for_each(|b| words(b, &mut vars));
        vars.iter_mut().for_each(|v| *v = self.table.origin(*v));
        vars.sort();
        vars.dedup();
        let own = vars.iter().map(|v| format!("let {} = __d::Kin::new();", self.kin(*v)));
        let traits = blocks.iter().any(|b| self.keeps_passive(b)).then(|| KEEPING.to_owned());
        traits.into_iter().chain(own).chain(self.asked_calls()).collect()
    }

    /// Whether the block keeps passive values of types that only rustc knows.
    fn keeps_passive(&self, block: &Block) -> bool {
        block.stmts.iter().any(|stmt| match stmt {
            Stmt::Derived(Derived::PushFrame(r) | Derived::PopFrame(r)) => {
                r.wholes.iter().any(|v| *self.table.ty(*v) == Ty::Passive)
            }
            other => crate::ir::visit::blocks(other).into_iter().any(|b| self.keeps_passive(b)),
        })
    }

    pub fn word_values(&self, vars: &[Var]) -> String {
        vars.iter().map(|v| format!("{}.save({}), ", self.kin(*v), self.name(*v))).collect()
    }

    pub fn word_loads(&self, vars: &[Var]) -> String {
        let loads = vars.iter().enumerate();
        loads.map(|(k, v)| format!("let {} = {}.load(word_{k});", self.bound(*v), self.kin(*v))).collect()
    }

    /// Pushes a frame.
    pub fn save(&self, frame: &TapeFrame) -> String {
        let together = self.together(frame);
        if !together.is_empty() {
            return self.save_together(frame, &together);
        }
        let Stacks { floats, words, tangents } = self.stacks(frame);
        let mut out = String::new();
        frame.whole_dots.iter().for_each(|(dot, of)| out += &self.save_whole_dot(*dot, *of));
        frame.wholes.iter().for_each(|v| out += &self.save_whole(frame, *v));
        let (floats, tangents, values) = (self.all_names(&floats), self.all_names(&tangents), self.word_values(&words));
        for (stack, values) in [("floats", floats), ("tangents", tangents), ("words", values)] {
            if !values.is_empty() {
                out += &format!("ws.{stack}.push([{values}]);");
            }
        }
        out
    }

    /// Pops a frame.
    pub fn restore(&self, frame: &TapeFrame) -> String {
        let together = self.together(frame);
        if !together.is_empty() {
            return self.restore_together(frame, &together);
        }
        let Stacks { floats, words, tangents } = self.stacks(frame);
        let mut out = String::new();
        let bound = |vars: &[Var]| vars.iter().map(|v| self.bound(*v) + ", ").collect::<String>();
        let (floats, tangents) = (bound(&floats), bound(&tangents));
        for (stack, values) in [("words", word_names(words.len())), ("tangents", tangents), ("floats", floats)] {
            if !values.is_empty() {
                out += &format!("let [{values}] = ws.{stack}.pop();");
            }
            if stack == "words" {
                out += &self.word_loads(&words);
            }
        }
        frame.wholes.iter().rev().for_each(|v| out += &self.restore_whole(frame, *v));
        for (dot, of) in frame.whole_dots.iter().rev() {
            out += &self.restore_whole_dot(frame, *dot, *of);
        }
        out
    }

    /// This iteration's frame on one of the stacks: `rec`, or `rec_block[at]`.
    fn frame(&self, stack: &str, at: &Option<PassiveCode>) -> String {
        match at.as_ref().map(|o| self.passive_code(o)) {
            None => format!("*{stack}"),
            Some(at) => format!("{stack}_block[{at}]"),
        }
    }

    /// Writes this iteration's frame.
    pub fn keep(&self, frame: &TapeFrame) -> String {
        let Stacks { floats, words, tangents } = self.stacks(frame);
        let (floats, tangents) = (self.all_names(&floats), self.all_names(&tangents));
        let lists = [("rec", floats), ("dots", tangents), ("words", self.word_values(&words))];
        let lists = lists.iter().filter(|(_, values)| !values.is_empty());
        lists.map(|(list, values)| format!("{} = [{values}];", self.frame(list, &frame.at))).collect()
    }

    /// Reads this iteration's frame.
    pub fn replay(&self, frame: &TapeFrame) -> String {
        let Stacks { floats, words, tangents } = self.stacks(frame);
        let (floats, tangents) = (self.all_names(&floats), self.all_names(&tangents));
        let lists = [("rec", floats), ("dots", tangents), ("words", word_names(words.len()))];
        let lists = lists.iter().filter(|(_, values)| !values.is_empty());
        let replayed = |(list, values): &(&str, String)| format!("let [{values}] = {};", self.frame(list, &frame.at));
        let lists: String = lists.map(replayed).collect();
        let carried = frame.carried.iter().map(|c| {
            let (name, (list, column)) = (self.name(c.value), self.column(frame, c.was));
            format!("let {name} = {list}_before[{column}];")
        });
        lists + &self.word_loads(&words) + &carried.collect::<String>()
    }

    /// On which stack a float of a frame lies, and where in the frame.
    fn column(&self, frame: &TapeFrame, var: Var) -> (&'static str, usize) {
        let is_dot = |v: Var| self.table.role(v) == Role::Dot;
        let mut same = frame.floats.iter().filter(|v| is_dot(**v) == is_dot(var));
        let column = same.position(|v| *v == var).expect("a float of the frame");
        (if is_dot(var) { "dots" } else { "rec" }, column)
    }

    /// A counted loop.
    pub fn counted(&self, on: &For, with: Option<&Loop>) -> String {
        match with {
            Some(l) if !l.lanes.is_empty() => self.in_lanes(l),
            Some(l) if l.frame.is_some() || !l.walks.is_empty() => self.with_frames(l),
            _ => self.plain_loop(on, with.and_then(backward_iterations)),
        }
    }

    fn plain_loop(&self, on: &For, iterations: Option<Var>) -> String {
        let (range, var, body) = (self.range(on, iterations), self.name(on.var), self.block(&on.body));
        self.written_out(on, iterations, &body).unwrap_or_else(|| {
            let by_itself = match self.table.is_by_itself(on.var) {
                true => "__d::by_itself();".to_owned(),
                false => self.batch_by_itself(on, &[]),
            };
            format!("for {var} in {range} {{ {by_itself} {body} {} }}", self.leave(on))
        })
    }

    /// What keeps the iterations of an innermost loop along rows of tangents apart where these are batches: each fills vectors by itself.
    /// Other loops are not vectorised by LLVM, and would only read again where their arrays are. Arrays of a fixed length may lie in registers.
    fn batch_by_itself(&self, on: &For, walks: &[Walk]) -> String {
        let is_batch = |var: Var| self.space(self.table.role(var)) == "Space";
        let mut fills = walks.iter().any(|walk| walk.how != Walked::Read && is_batch(walk.element));
        let (mut rows, counter) = (true, self.table.info(on.var).name.to_string());
        each_place_in(&on.body, &mut |place, written| match &place.path[..] {
            [] => {}
            [Proj::Index(at)] => {
                let list = matches!(self.table.ty(place.root), Ty::Vec(_) | Ty::Slice(_));
                fills |= written && list && is_batch(place.root);
                rows &= !written || is_shifted(&counter, at);
            }
            _ => rows = false,
        });
        match fills && rows && is_innermost(&on.body) {
            true => format!("__d::batch_by_itself::<Space, {}>();", self.float),
            false => String::new(),
        }
    }

    /// The exit of a loop that is left early.
    fn leave(&self, on: &For) -> String {
        on.until.map(|flag| format!("if {} {{ break; }}", self.name(flag))).unwrap_or_default()
    }

    /// A loop along the tape frames of its iterations, or along slices.
    fn with_frames(&self, l: &Loop) -> String {
        let on = &l.on;
        let (open, lists) = self.opened(l);
        if !l.walks.is_empty() {
            return self.along(l, open, &lists);
        }
        let (counter, body, leave) = (self.counter(l, &lists), self.block(&on.body), self.leave(on));
        let frames = match l.sweep {
            LoopSweep::Primal => "iter_mut()",
            LoopSweep::AdjointForward => "iter()",
            LoopSweep::AdjointReversed => "iter().rev()",
        };
        let frames = lists.iter().map(|name| ((*name).to_owned(), format!("{name}_block.{frames}")));
        let (pattern, iter) = counter.into_iter().chain(frames).reduce(zipped).unwrap_or_default();
        let by_itself = self.batch_by_itself(on, &[]);
        format!("{open} for {pattern} in {iter} {{ {by_itself} {body} {leave} }} {}", self.close(l))
    }

    /// The counter and its range. There are as many frames as iterations: a counter that nobody reads need not be counted.
    fn counter(&self, l: &Loop, lists: &[&str]) -> Option<(String, String)> {
        let on = &l.on;
        (uses(&on.body, on.var) || lists.is_empty()).then_some(())?;
        let range = self.range(on, backward_iterations(l));
        Some((self.name(on.var).to_owned(), if range.starts_with('(') { range } else { format!("({range})") }))
    }

    /// A loop of a few iterations over arrays of tangents, iteration by iteration. Of several tangents at once, LLVM would take the iterations together instead, and
    /// gather the numbers from all over the memory.
    fn written_out(&self, on: &For, iterations: Option<Var>, body: &str) -> Option<String> {
        let number = |o: &PassiveCode| syn::parse2::<syn::LitInt>(o.tokens.clone()).ok();
        let (lo, hi) = (number(&on.lo)?, number(&on.hi)?);
        let innermost = on.body.stmts.iter().all(|s| crate::ir::visit::blocks(s).is_empty());
        let plain = on.step.is_none() && on.until.is_none() && iterations.is_none() && on.checkpoint.is_none();
        let mut tangents = false;
        let mut note = |p: &Place, _| tangents |= self.table.role(p.root) == Role::Dot && !p.path.is_empty();
        on.body.stmts.iter().for_each(|s| each_place(s, &mut note));
        let first = lo.base10_parse::<usize>().ok()?;
        let count = written_iterations(on)?;
        if !(innermost && plain && tangents && (2..=WRITTEN_OUT_ITERATIONS).contains(&count)) {
            return None;
        }
        let (var, suffix) = (self.name(on.var), [lo.suffix(), hi.suffix()].into_iter().max().unwrap_or_default());
        let iteration = |k: usize| format!("{{ let {var} = {}{suffix}; {body} }}", first + k);
        Some((0..count).map(|k| iteration(if on.down { count - 1 - k } else { k })).collect())
    }

    /// A counted loop that makes sums in several parts at once.
    fn in_lanes(&self, l: &Loop) -> String {
        let (range, var, lo) = (self.range(&l.on, None), self.name(l.on.var), self.passive_code(&l.on.lo));
        let body = self.block(&l.on.body);
        let sums: Vec<&str> = l.lanes.iter().map(|v| self.name(*v)).collect();
        let (open, lists) = self.opened(l);
        let at = if lo == "0" { var.to_owned() } else { format!("{var} - ({lo})") };
        let frames: String = lists.iter().map(|name| format!("let {name} = &{name}_block[{at}];")).collect();
        let parts: String = sums.iter().map(|sum| format!("{sum}_part, ")).collect();
        let (starts, ends) = (sums.iter().map(|sum| format!("mut {sum}, ")).collect::<String>(), sums.join(", "));
        let added: String = sums.iter().map(|sum| format!("{sum} += {sum}_part;")).collect();
        format!(
            "{{
                 {open}
                 let [{parts}] = __d::in_lanes({range}, |{var}, [{starts}]| {{ {frames} {body} [{ends}] }});
                 {added}
             }}"
        )
    }

    /// A loop that walks along slices: one counter for all of them, and no index that could be out of range.
    fn along(&self, l: &Loop, open: String, lists: &[&str]) -> String {
        let counter = uses(&l.on.body, l.on.var)
            .then(|| (self.name(l.on.var).to_owned(), format!("__d::indices{}", self.upwards(&l.on, None))));
        // frames lie in the order of the primal's iterations, elements in that of their indices
        let turned = l.on.down != (l.sweep == LoopSweep::AdjointReversed);
        let frames = if l.sweep == LoopSweep::Primal { "iter_mut()" } else { "iter()" };
        let frames = format!("{frames}{}", if turned { ".rev()" } else { "" });
        let frames = lists.iter().map(|name| ((*name).to_owned(), format!("{name}_block.{frames}")));
        let walks = l.walks.iter().map(|walk| (self.name(walk.element).to_owned(), self.walked(walk)));
        let sides = counter.into_iter().chain(frames).chain(walks);
        let (pattern, iter) = sides.reduce(zipped).unwrap_or_default();
        let (down, body) = (if l.on.down { ".rev()" } else { "" }, self.block(&l.on.body));
        let by_itself = self.batch_by_itself(&l.on, &l.walks);
        format!("{open} for {pattern} in {iter}{down} {{ {by_itself} {body} }}")
    }

    /// The iterator along a slice.
    fn walked(&self, walk: &Walk) -> String {
        let iter = match (&walk.by, walk.how) {
            (None, Walked::Written) => "iter_mut()".to_owned(),
            (None, _) => "iter()".to_owned(),
            (Some(width), Walked::Written) => format!("chunks_exact_mut({})", self.passive_code(width)),
            (Some(width), _) => format!("chunks_exact({})", self.passive_code(width)),
        };
        format!("{}.{iter}", self.place_by(&walk.slice, matches!(walk.how, Walked::Written)))
    }

    /// The loop's values upwards; those of which some are left out, or only the first are taken, as an iterator of a known length.
    fn upwards(&self, on: &For, iterations: Option<Var>) -> String {
        let (lo, hi) = (self.passive_code(&on.lo), self.passive_code(&on.hi));
        let step = on.step.as_ref().map(|s| format!(".step_by({})", self.passive_code(s))).unwrap_or_default();
        match on.inclusive {
            true if on.step.is_some() || iterations.is_some() => format!("__d::Through({lo}..={hi}){step}"),
            true => format!("({lo}..={hi})"),
            false => format!("({lo}..{hi}){step}"),
        }
    }

    fn range(&self, on: &For, iterations: Option<Var>) -> String {
        let up = self.upwards(on, iterations);
        match (iterations, on.down) {
            // the primal's direction first, then back from where it stopped
            (Some(iterations), down) => {
                format!(
                    "__d::first_iterations({up}{}, {}).rev()",
                    if down { "" } else { ".rev()" },
                    self.name(iterations)
                )
            }
            (None, true) => format!("{up}.rev()"),
            (None, false) if on.step.is_none() && !on.inclusive => up[1..up.len() - 1].to_owned(),
            (None, false) => up,
        }
    }

    /// What stands in front of a loop that keeps frames, if that does not stand elsewhere; the names of an iteration's frames.
    fn opened(&self, l: &Loop) -> (String, Vec<&'static str>) {
        let (open, lists) = l.frame.map(|widths| self.open(l, widths)).unwrap_or_default();
        (if l.opened { String::new() } else { open }, lists)
    }

    /// The blocks of frames of a loop, `let rec_block = ws.floats.block::<3>(iterations);`, and the names of an iteration's frames.
    pub fn open(&self, l: &Loop, widths: Widths) -> (String, Vec<&'static str>) {
        let forward = l.sweep == LoopSweep::Primal;
        let count = match l.iterations.filter(|_| !forward) {
            Some(iterations) => format!("let count = {};", self.name(iterations)),
            None => format!("let count = {}.size_hint().0;", self.upwards(&l.on, None)),
        };
        let (mut open, mut lists) = (count, Vec::new());
        for (name, stack, width) in stacks(widths) {
            let front = self.front(l, name);
            open += &opened_stack((name, stack, width), forward, &front);
            lists.push(name);
            if !front.is_empty() && !forward {
                lists.push(if name == "rec" { "rec_before" } else { "dots_before" });
            }
        }
        (open, lists)
    }

    /// `let rec_block = &mut rec_block[first..first + count];`
    pub fn window(&self, widths: Widths, from: &PassiveCode, count: &PassiveCode) -> String {
        let (from, count) = (self.passive_code(from), self.passive_code(count));
        let cut = |name: &str| format!("let {name}_block = &mut {name}_block[{from}..{from} + {count}];");
        stacks(widths).map(|(name, ..)| cut(name)).collect()
    }

    /// Gives back the frames of iterations that a loop was left without: `ws.floats.unblock::<3>(count - iterations);`.
    fn close(&self, l: &Loop) -> String {
        let (LoopSweep::Primal, Some(iterations), Some(widths)) = (l.sweep, l.iterations, l.frame) else {
            return String::new();
        };
        let iterations = self.name(iterations);
        stacks(widths)
            .map(|(_, stack, width)| format!("ws.{stack}.unblock::<{width}>(count - {iterations});"))
            .collect()
    }

    /// Fills the frame in front of the first, `front[0] = left;`.
    fn front(&self, l: &Loop, list: &str) -> String {
        let frame = l.on.body.stmts.iter().find_map(|s| match s {
            Stmt::Derived(Derived::StoreFrame(r) | Derived::LoadFrame(r)) => Some(r),
            _ => None,
        });
        let Some(frame) = frame else { return String::new() };
        let all = l.first.iter().map(|c| (self.column(frame, c.was), self.place(&Place::var(c.cell))));
        let mine = all.filter(|((on, _), _)| *on == list);
        mine.map(|((_, column), cell)| format!("front[{column}] = {cell};")).collect()
    }
}

/// The stacks that frames of these widths lie on: the name of an iteration's frame, the stack's, and the width there.
fn stacks(widths: Widths) -> impl Iterator<Item = (&'static str, &'static str, usize)> {
    let all =
        [("rec", "floats", widths.floats), ("dots", "tangents", widths.tangents), ("words", "words", widths.words)];
    all.into_iter().filter(|(_, _, width)| *width > 0)
}

/// `word_0, word_1, `
pub fn word_names(count: usize) -> String {
    (0..count).map(|k| format!("word_{k}, ")).collect()
}

/// Two iterators as one: the pattern and the expression.
fn zipped((pattern, iter): (String, String), (next, other): (String, String)) -> (String, String) {
    (format!("({pattern}, {next})"), format!("{iter}.zip({other})"))
}

/// Whether a block mentions the variable.
fn uses(block: &Block, var: Var) -> bool {
    let mut found = false;
    Visit(&mut |v, _| found |= v == var).block(block);
    found
}

/// The words (and wholes) that a block keeps.
fn words(block: &Block, found: &mut Vec<Var>) {
    for stmt in &block.stmts {
        match stmt {
            Stmt::Derived(
                Derived::PushFrame(r) | Derived::StoreFrame(r) | Derived::PopFrame(r) | Derived::LoadFrame(r),
            ) => {
                found.extend(r.words.iter().chain(&r.wholes));
            }
            other => crate::ir::visit::blocks(other).into_iter().for_each(|b| words(b, found)),
        }
    }
}

/// The block of frames of one stack; `front` is written to the frame in front, if there is one.
fn opened_stack((name, stack, width): (&str, &str, usize), forward: bool, front: &str) -> String {
    let method = if forward { "block" } else { "unblock" };
    match front.is_empty() {
        true => format!("let {name}_block = ws.{stack}.{method}::<{width}>(count);"),
        false => format!(
            "let {name}_all = ws.{stack}.{method}::<{width}>(if count > 0 {{ count + 1 }} else {{ 0 }}); {}",
            after_front(name, forward, front)
        ),
    }
}

/// The block of frames behind the one in front, which holds the values before the first iteration.
fn after_front(name: &str, forward: bool, front: &str) -> String {
    match forward {
        true => format!(
            "if let Some(front) = {name}_all.first_mut() {{ {front} }}
             let {name}_block = {name}_all.get_mut(1..).unwrap_or_default();"
        ),
        false => format!(
            "let {name}_before_block = &{name}_all[..count];
             let {name}_block = {name}_all.get(1..).unwrap_or_default();"
        ),
    }
}

/// How many iterations a sweep backwards runs.
fn backward_iterations(l: &Loop) -> Option<Var> {
    l.iterations.filter(|_| l.sweep != LoopSweep::Primal)
}
