//! Many programs as one crate: written, built with cargo, run, and read back.

use crate::partners;
use crate::print::{self, Dialect};
use crate::program::*;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// What became of a program.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// It was run; these checks were made.
    Checked(Vec<Check>),
    /// The attribute refused it, with this message.
    Refused(String),
    /// What the attribute wrote does not compile.
    Broken(String),
    /// It is no program, or it panics: the generator's mistake.
    Invalid(String),
}

/// One comparison.
#[derive(Clone, Debug)]
pub struct Check {
    /// `right`, `wrong`, `panic`, `wild` (too large to be compared), `flat` (no derivative at all) or `invalid`.
    pub verdict: String,
    /// Which arguments are active, `a`, and which constant, `c`.
    pub choice: String,
    /// The operator.
    pub mode: String,
    /// In proportion to the largest entry.
    pub deviation: f64,
    /// What came and what should have come.
    pub message: String,
}

impl Outcome {
    /// What is wrong in one word and a half, if something is.
    pub fn failure(&self) -> Option<String> {
        match self {
            Outcome::Refused(_) => Some("refused".into()),
            Outcome::Broken(_) => Some("broken".into()),
            Outcome::Invalid(_) => None,
            Outcome::Checked(checks) => {
                let bad = checks.iter().find(|c| c.verdict == "wrong" || c.verdict == "panic")?;
                Some(format!("{} {}", bad.verdict, bad.mode))
            }
        }
    }

    /// Whether all checks were made and all were right.
    pub fn is_right(&self) -> bool {
        let fine = |c: &Check| c.verdict == "right" || c.verdict == "flat";
        matches!(self, Outcome::Checked(checks) if !checks.is_empty() && checks.iter().all(fine))
    }
}

/// Where batches are built.
pub struct Workshop {
    package: PathBuf,
    target: PathBuf,
    /// In how many crates a batch is built side by side.
    crates: usize,
    /// The only check that matters, by its choice and mode.
    focus: Option<(String, String)>,
    /// Whether partners are built, against the references of their programs.
    partners: bool,
}

impl Workshop {
    /// In cargo's target directory, which the running program lies in.
    pub fn new(crates: usize) -> Workshop {
        let me = std::env::current_exe().expect("this program has a path");
        let target = me.ancestors().find(|p| p.join("CACHEDIR.TAG").exists()).expect("cargo built this program");
        let target = target.to_path_buf();
        Workshop { package: target.join("random"), target, crates, focus: None, partners: false }
    }

    /// The same for partners of programs.
    pub fn of_partners(self) -> Workshop {
        Workshop { partners: true, ..self }
    }

    /// The same, with no other check than the one that fails here.
    pub fn focused(&self, outcome: &Outcome) -> Workshop {
        let focus = match outcome {
            Outcome::Checked(checks) => {
                let bad = checks.iter().find(|c| c.verdict == "wrong" || c.verdict == "panic");
                bad.map(|c| (c.choice.clone(), c.mode.clone()))
            }
            _ => Some((String::new(), String::new())),
        };
        let (package, target) = (self.package.clone(), self.target.clone());
        Workshop { package, target, crates: self.crates, focus, partners: self.partners }
    }

    /// Builds and runs programs.
    pub fn run(&self, programs: &[Program]) -> Vec<Outcome> {
        let mut outcomes: Vec<Option<Outcome>> = vec![None; programs.len()];
        self.write_package();
        for (k, program) in programs.iter().enumerate() {
            self.write_program(k, program);
        }
        loop {
            let left: Vec<usize> = (0..programs.len()).filter(|k| outcomes[*k].is_none()).collect();
            self.write_crates(&left);
            let errors = self.build();
            if errors.is_empty() {
                self.read(&left, &mut outcomes);
                break;
            }
            let mut found = false;
            for k in &left {
                if let Some(outcome) = blamed(*k, &errors) {
                    outcomes[*k] = Some(outcome);
                    found = true;
                }
            }
            if !found {
                self.bisect(programs, &left, &errors, &mut outcomes);
                break;
            }
        }
        outcomes.into_iter().map(|o| o.unwrap_or(Outcome::Invalid("it was not run".into()))).collect()
    }

    /// Errors that name no program: every half by itself.
    fn bisect(&self, programs: &[Program], left: &[usize], errors: &str, outcomes: &mut [Option<Outcome>]) {
        if let [k] = left {
            outcomes[*k] = Some(Outcome::Broken(errors.to_string()));
            return;
        }
        for half in left.chunks(left.len().div_ceil(2)) {
            let part: Vec<Program> = half.iter().map(|k| programs[*k].clone()).collect();
            for (k, outcome) in half.iter().zip(self.run(&part)) {
                outcomes[*k] = Some(outcome);
            }
        }
    }

    fn write_package(&self) {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let root = here.ancestors().nth(2).expect("the workspace is above");
        let bins: String = (0..self.crates)
            .map(|k| format!("[[bin]]\nname = \"{}\"\npath = \"src/main{k}.rs\"\n\n", self.name(k)))
            .collect();
        let manifest = format!(
            "[package]\nname = \"diffi-random-batch\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n{bins}\
             [dependencies]\nndarray = \"*\"\ndiffi = {{ path = {:?} }}\ndiffi-random = {{ path = {here:?} }}\n\n\
             [profile.dev]\ndebug = false\n\n[workspace]\n",
            root.join("diffi"),
        );
        fs::create_dir_all(self.package.join("src")).expect("the target directory can be written to");
        write(&self.package.join("Cargo.toml"), &manifest);
        let lock = self.package.join("Cargo.lock");
        if !lock.exists() {
            fs::copy(root.join("Cargo.lock"), lock).expect("the workspace has a Cargo.lock");
        }
    }

    fn name(&self, k: usize) -> String {
        format!("diffi-random-batch-{k}")
    }

    fn write_program(&self, k: usize, program: &Program) {
        let file = |part: &str| self.package.join(format!("src/p{k}_{part}.rs"));
        let partner = if self.partners { partners::of(program).map(|(_, text)| text) } else { None };
        let plain = partner.unwrap_or_else(|| print::program(program, Dialect::Plain, true));
        write(&file("plain"), &format!("use diffi::prelude::*;\nuse ndarray::{{Array1, Array2, s}};\n\n{plain}"));
        let reference = print::program(program, Dialect::Reference, false);
        write(
            &file("reference"),
            &format!("use diffi_random::number::{{S, lit}};\nuse ndarray::{{Array1, Array2, s}};\n\n{reference}"),
        );
        write(&file("check"), &checks(k, program, self.focus.as_ref()));
    }

    fn write_crates(&self, programs: &[usize]) {
        for part in 0..self.crates {
            let mine = || programs.iter().filter(|k| *k % self.crates == part);
            let mut text = String::from("#![allow(warnings)]\n");
            for k in mine() {
                for of in ["plain", "reference", "check"] {
                    let _ = writeln!(text, "#[path = \"p{k}_{of}.rs\"]\nmod p{k}_{of};");
                }
            }
            text += "fn main() {\n    std::panic::set_hook(Box::new(|p| eprintln!(\"{p}\")));\n";
            mine().for_each(|k| text += &format!("    p{k}_check::check();\n"));
            write(&self.package.join(format!("src/main{part}.rs")), &(text + "}\n"));
        }
    }

    /// The compiler's errors, one a line; empty if there are none.
    fn build(&self) -> String {
        let cargo = std::env::var("CARGO").unwrap_or("cargo".into());
        let output = Command::new(cargo)
            .args(["build", "--quiet", "--offline", "--keep-going", "--message-format=short"])
            .current_dir(&self.package)
            .env("CARGO_TARGET_DIR", &self.target)
            .env("CARGO_INCREMENTAL", "0")
            .output()
            .expect("cargo runs");
        if output.status.success() { String::new() } else { String::from_utf8_lossy(&output.stderr).into_owned() }
    }

    /// What a crate prints; it is stopped where a program does not end.
    fn output(&self, part: usize) -> String {
        let mut run = Command::new(self.target.join("debug").join(self.name(part)))
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("a batch runs");
        let mut pipe = run.stdout.take().expect("it is piped");
        let reader = std::thread::spawn(move || {
            let mut bytes = Vec::new();
            let _ = pipe.read_to_end(&mut bytes);
            bytes
        });
        for _ in 0..600 {
            if !matches!(run.try_wait(), Ok(None)) {
                break;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        let _ = run.kill();
        let _ = run.wait();
        String::from_utf8_lossy(&reader.join().unwrap_or_default()).into_owned()
    }

    fn read(&self, programs: &[usize], outcomes: &mut [Option<Outcome>]) {
        let mut found: BTreeMap<usize, Vec<Check>> = BTreeMap::new();
        for part in 0..self.crates {
            let text = self.output(part);
            for line in text.lines() {
                let fields: Vec<&str> = line.splitn(6, '\t').collect();
                if let [name, verdict, choice, mode, deviation, message] = fields[..] {
                    let Some(k) = name.strip_prefix('p').and_then(|k| k.parse().ok()) else { continue };
                    found.entry(k).or_default().push(Check {
                        verdict: verdict.into(),
                        choice: choice.into(),
                        mode: mode.into(),
                        deviation: deviation.parse().unwrap_or(f64::INFINITY),
                        message: message.into(),
                    });
                }
            }
        }
        for k in programs {
            let checks = found.remove(k).unwrap_or_default();
            let broken = checks.is_empty() || checks.iter().any(|c| c.verdict == "invalid");
            outcomes[*k] = Some(if broken { Outcome::Invalid("it panics".into()) } else { Outcome::Checked(checks) });
        }
    }
}

fn write(path: &Path, text: &str) {
    if fs::read_to_string(path).ok().as_deref() != Some(text) {
        fs::write(path, text).expect("the target directory can be written to");
    }
}

/// What the compiler says of one program.
fn blamed(k: usize, errors: &str) -> Option<Outcome> {
    let of = |part: &str| errors.lines().find(|l| l.contains(&format!("src/p{k}_{part}.rs:")) && l.contains(": error"));
    let message = |line: &str| line.split_once(": ").map_or(line, |(_, rest)| rest).to_string();
    if let Some(line) = of("reference") {
        return Some(Outcome::Invalid(message(line)));
    }
    let line = of("plain").or_else(|| of("check"))?;
    let message = message(line);
    Some(if message.starts_with("error: ") { Outcome::Refused(message) } else { Outcome::Broken(message) })
}

/// The module that checks a program.
fn checks(k: usize, program: &Program, focus: Option<&(String, String)>) -> String {
    let f = program.main();
    let mut text = format!(
        "use super::{{p{k}_plain as plain, p{k}_reference as reference}};\nuse diffi::prelude::*;\n\
         use diffi_random::check::*;\nuse diffi_random::direction;\nuse ndarray::{{Array1, Array2}};\nuse diffi_random::number::S;\n\n"
    );
    for of in &program.types {
        let _ = writeln!(text, "use plain::{};", of.name);
        text += &lifted(of);
    }
    text += "\npub fn check() {\n";
    for (i, p) in f.params.iter().enumerate() {
        let _ = writeln!(text, "    let a{i}: {} = {};", p.ty.name().replace('@', "f64"), print::value(&p.value));
    }
    let passed = |i: usize, p: &Param| match p.kind {
        Kind::By => format!("a{i}.clone()"),
        Kind::At => format!("&a{i}"),
        Kind::Mut => format!("&mut a{i}"),
    };
    let all = || f.params.iter().enumerate();
    let list = |texts: Vec<String>| texts.join(", ");
    let made = f.params.iter().any(|p| p.ty.is_made());
    let plain = list(all().map(|(i, p)| passed(i, p)).collect());
    text += "    let run = |seeds: &mut Seeds| {\n";
    for (i, p) in all().filter(|(_, p)| p.ty.is_active()) {
        let _ = writeln!(text, "        let mut a{i} = seeds.argument(&a{i}); // {}", p.name);
    }
    let _ = writeln!(text, "        let result = reference::{}({plain});", f.name);
    text += "        let mut list = Vec::new();\n        result.leaves(&mut list);\n";
    for (i, _) in all().filter(|(_, p)| p.kind == Kind::Mut) {
        let _ = writeln!(text, "        a{i}.leaves(&mut list);");
    }
    let _ = writeln!(text, "        list\n    }};\n    let mut case = Case::new(\"p{k}\", &run);");
    let _ = writeln!(text, "    let f = plain::{}::D;", f.name);
    let writes = f.params.iter().any(|p| p.kind == Kind::Mut);
    let exclusive =
        list(all().filter(|(_, p)| p.ty.is_active()).map(|(_, p)| (p.kind == Kind::Mut).to_string()).collect());
    let first = focus.is_some_and(|(choice, _)| !choice.contains('c'));
    for (number, choice) in choices(f, k).into_iter().enumerate().take(if first { 1 } else { usize::MAX }) {
        let active = |i: usize| f.params[i].ty.is_active() && choice[i];
        let mask = list(all().filter(|(_, p)| p.ty.is_active()).map(|(i, _)| choice[i].to_string()).collect());
        let roles = all().map(|(i, p)| match p.kind {
            Kind::Mut => passed(i, p),
            _ if active(i) => passed(i, p),
            _ => format!("Constant({})", passed(i, p)),
        });
        let tuple = |texts: Vec<String>| if texts.len() == 1 { texts[0].clone() } else { format!("({})", list(texts)) };
        let args = tuple(roles.collect());
        let seeds = tuple(
            all()
                .filter(|(i, _)| active(*i))
                .map(|(i, p)| {
                    let sign = if p.kind == Kind::At { "&" } else { "" };
                    match p.ty.is_made() {
                        true => format!("{sign}direction!(a{i}, k)"),
                        false => format!("{sign}tangent(&a{i}, &mut k)"),
                    }
                })
                .collect(),
        );
        let tangents = |code: &str| if made { format!("{code}.to_flat()") } else { format!("flat({code})") };
        let copies: String =
            all().filter(|(_, p)| p.kind == Kind::Mut).map(|(i, _)| format!("let mut a{i} = a{i}.clone(); ")).collect();
        let _ = writeln!(text, "    if case.choose(&[{mask}], &[{exclusive}]) {{");
        let mut check = |kind: &str, mode: &str, code: &str| {
            // a smaller program has fewer arguments: its choices are called differently
            if focus.is_some_and(|(_, only)| only != mode) {
                return;
            }
            let _ = writeln!(text, "        case.{kind}(\"{mode}\", &mut || {{ {copies}{code} }});");
        };
        check("jacobian", "forward", &format!("jacobian(f, AutoForward, {args}).unwrap().rows()"));
        check("jacobian", "reverse", &format!("jacobian(f, AutoReverse, {args}).unwrap().rows()"));
        if !writes && number == 0 {
            check(
                "pushforward",
                "pushforward",
                &format!("let mut k = 0; flat(pushforward(f, AutoForward, {args}, {seeds}).unwrap())"),
            );
            check(
                "pullback",
                "split pullback",
                &format!(
                    "let y = plain::{}({plain}); let bar = cotangent(y); let mut held = prepare_pullback_same_point(\
                     f, AutoReverse, {args}, bar.clone()).unwrap(); {}",
                    f.name,
                    tangents("held.pullback(bar).unwrap()")
                ),
            );
        }
        if !writes && number == 0 && f.result == Ty::F {
            check("value", "value", &format!("vec![value_and_gradient(f, AutoReverse, {args}).unwrap().0]"));
            check("gradient", "gradient", &tangents(&format!("gradient(f, AutoReverse, {args}).unwrap()")));
        }
        if !writes && f.result == Ty::F {
            let product = tangents(&format!("hvp(f, AutoReverse, {args}, {seeds}).unwrap()"));
            check("hvp", "hvp", &format!("let mut k = 0; {product}"));
        }
        text += "    }\n";
    }
    text + "}\n"
}

/// A struct or an enum over the numbers of the reference.
fn lifted(of: &Defined) -> String {
    let pattern = |of: &Defined, v: &Variant| {
        let fields: Vec<String> = v.fields.iter().enumerate().map(|(k, (name, _))| format!("{name}: v{k}")).collect();
        format!("{} {{ {} }}", of.path(v), fields.join(", "))
    };
    let arms = |module: &str, to: &dyn Fn(&Variant) -> String| -> String {
        of.variants.iter().map(|v| format!("{module}{} => {},\n", pattern(of, v), to(v))).collect()
    };
    let each = |v: &Variant, call: &str| -> String {
        let calls: String = (0..v.fields.len()).map(|k| format!("v{k}.{call}; ")).collect();
        format!("{{ {calls} }}")
    };
    let made = |v: &Variant| {
        let field = |(k, (name, _)): (usize, &(String, Ty))| format!("{name}: v{k}.lift(seeds)");
        let fields: Vec<String> = v.fields.iter().enumerate().map(field).collect();
        format!("reference::{} {{ {} }}", of.path(v), fields.join(", "))
    };
    let (name, lift) = (&of.name, arms("", &made));
    let change = arms("", &|v| each(v, "each(f)"));
    let leaves = arms("reference::", &|v| each(v, "leaves(to)"));
    format!(
        "impl Lift for {name} {{ type Lifted = reference::{name};\n\
         fn lift(&self, seeds: &mut Seeds) -> Self::Lifted {{ match self {{ {lift} }} }}\n\
         fn each(&mut self, f: &mut dyn FnMut(&mut f64)) {{ match self {{ {change} }} }} }}\n\
         impl Leaves for reference::{name} {{ fn leaves(&self, to: &mut Vec<S>) {{ match self {{ {leaves} }} }} }}\n"
    )
}

/// The choices of active arguments that are checked: all, and two of each one alone and all but one, which two by number.
fn choices(f: &Function, number: usize) -> Vec<Vec<bool>> {
    let inputs: Vec<usize> =
        (0..f.params.len()).filter(|i| f.params[*i].ty.is_active() && f.params[*i].kind != Kind::Mut).collect();
    let choice = |on: &dyn Fn(usize) -> bool| -> Vec<bool> {
        (0..f.params.len()).map(|i| f.params[i].kind == Kind::Mut || !inputs.contains(&i) || on(i)).collect()
    };
    let mut all = vec![choice(&|_| true)];
    if inputs.len() > 1 {
        all.extend(inputs.iter().map(|k| choice(&|i| i == *k)));
    }
    if inputs.len() > 2 {
        all.extend(inputs.iter().map(|k| choice(&|i| i != *k)));
    }
    let others = all.len() - 1;
    (0..=others.min(2)).map(|c| if c == 0 { 0 } else { 1 + (number + c) % others }).map(|c| all[c].clone()).collect()
}
