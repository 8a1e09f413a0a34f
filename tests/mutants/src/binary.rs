//! The binary of the copy's tests.

use crate::build::cargo;
use crate::stages::{CORPUS, EXPANSIONS, PROGRAMS};
use crate::table::numbers;
use crate::tree::{folder, tree};
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What tests may take without being a loop.
const LIMIT: Duration = Duration::from_secs(60);

/// A run of the test binary.
pub enum Run {
    /// A test by its name.
    Test(String),
    /// A random program by its seed.
    Program(u64),
    /// The functions of a file of the suite.
    File(String),
    /// The expansions of a file.
    Expansion(String),
}

/// What a run is of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Test,
    Program,
    File,
    Expansion,
}

impl Run {
    /// What it is of.
    pub fn kind(&self) -> Kind {
        match self {
            Run::Test(_) => Kind::Test,
            Run::Program(_) => Kind::Program,
            Run::File(_) => Kind::File,
            Run::Expansion(_) => Kind::Expansion,
        }
    }

    /// The file that keeps what it did without a mutant.
    pub fn file_name(&self) -> String {
        match self {
            Run::Test(name) => format!("cases/{}.txt", name.replace("::", ".")),
            Run::Program(seed) => format!("cases/program-{seed}.txt"),
            Run::File(name) | Run::Expansion(name) => format!("cases/file-{}.txt", name.replace('/', ".")),
        }
    }

    /// The name of the test, or of the file that is expanded.
    pub fn name(&self) -> &str {
        match self {
            Run::Test(name) | Run::Expansion(name) => name,
            Run::Program(_) => PROGRAMS,
            Run::File(_) => CORPUS,
        }
    }
}

/// The test binary, and the libraries of rustc that it loads.
pub struct Binary {
    path: PathBuf,
    libraries: String,
}

impl Binary {
    /// The binary that was built last.
    pub fn find() -> Binary {
        let built = cargo(&["test", "-p", "diffi-macros", "--lib", "--no-run", "--message-format=json"]).output();
        let lines = String::from_utf8_lossy(&built.expect("cargo runs").stdout).into_owned();
        let messages = lines.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
        let mut made = messages.filter_map(|m| m["executable"].as_str().map(PathBuf::from));
        let libraries = Command::new("rustc").args(["--print", "target-libdir"]).current_dir(tree()).output();
        let libraries = String::from_utf8_lossy(&libraries.expect("rustc runs").stdout).trim().to_owned();
        Binary { path: made.next().expect("a test binary"), libraries }
    }

    /// The names of all tests.
    pub fn list(&self) -> Vec<String> {
        let output = self.command().arg("--list").output().expect("the tests are listed");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        text.lines().filter_map(|line| line.strip_suffix(": test")).map(str::to_owned).collect()
    }

    /// Whether these tests pass with a mutant.
    pub fn pass(&self, tests: &[&str], mutant: usize) -> bool {
        let mut command = self.command();
        command.args(tests).args(["-q", "--exact", "--test-threads=1"]).env("DIFFI_MUTANT", mutant.to_string());
        succeeds(command.stdout(Stdio::null()), LIMIT)
    }

    /// What a run prints with a mutant; nothing if it takes too long.
    pub fn output(&self, run: &Run, mutant: usize, limit: Duration) -> Option<String> {
        let mut command = self.run(run);
        command.env("DIFFI_MUTANT", mutant.to_string());
        self.printed(&mut command, limit)
    }

    /// What a run prints without a mutant, and the mutants that it comes by; none if it says nothing about mutants.
    pub fn reached(&self, run: &Run) -> Option<(String, BTreeSet<usize>)> {
        let file = folder().join("reached.txt");
        let _ = fs::remove_file(&file);
        let mut command = self.run(run);
        let output = self.printed(command.env("DIFFI_MUTANTS_REACHED", &file), LIMIT)?;
        let compares = match run.kind() {
            Kind::File => output.contains(": right"),
            Kind::Expansion => true,
            _ => output.contains("1 passed"),
        };
        compares.then(|| (output, numbers("reached.txt")))
    }

    /// All that a run prints but times and counts of code.
    fn printed(&self, command: &mut Command, limit: Duration) -> Option<String> {
        let file = folder().join("output.txt");
        let to = fs::File::create(&file).expect("the file can be written");
        let _ = fs::remove_file(expansions());
        let before = Instant::now();
        succeeds(command.stdout(to), limit);
        let mut text = String::from_utf8_lossy(&fs::read(&file).unwrap_or_default()).into_owned();
        text += &fs::read_to_string(expansions()).unwrap_or_default();
        let kept = text.lines().map(|line| line.split("finished in").next().unwrap_or_default());
        (before.elapsed() < limit).then(|| kept.collect::<Vec<_>>().join("\n"))
    }

    fn run(&self, run: &Run) -> Command {
        let mut command = self.command();
        let test = if let Run::Expansion(_) = run { EXPANSIONS } else { run.name() };
        command.args([test, "-q", "--exact", "--nocapture"]);
        match run {
            Run::Test(_) => {}
            Run::Expansion(name) => drop(command.env("DIFFI_EXPANDED", name).env("DIFFI_EXPANSIONS", expansions())),
            Run::Program(seed) => drop(command.env("DIFFI_PROGRAMS", "1").env("DIFFI_SEED", seed.to_string())),
            Run::File(name) => drop(command.env("DIFFI_CORPUS", name)),
        }
        command
    }

    fn command(&self) -> Command {
        let mut command = Command::new("nice");
        command.args(["-n", "15"]).arg(&self.path).current_dir(tree().join("diffi-macros"));
        command.env("LD_LIBRARY_PATH", &self.libraries).env("INSTA_UPDATE", "no").env("RUST_BACKTRACE", "0");
        command.env("DIFFI_VERIFY", "1");
        command
    }
}

/// The file that a run writes expansions to.
fn expansions() -> PathBuf {
    folder().join("expansions.txt")
}

fn succeeds(command: &mut Command, limit: Duration) -> bool {
    let start = Instant::now();
    let mut child = command.stderr(Stdio::null()).spawn().expect("the tests run");
    loop {
        match child.try_wait().expect("the tests can be waited for") {
            Some(status) => return status.success(),
            None if start.elapsed() > limit => {
                let _ = child.kill();
                let _ = child.wait();
                return false;
            }
            None => std::thread::sleep(Duration::from_millis(5)),
        }
    }
}
