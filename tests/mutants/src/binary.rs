//! The binary of the copy's tests.

use crate::build::cargo;
use crate::table::numbers;
use crate::tree::{folder, tree};
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What tests may take without being a loop.
pub const LIMIT: Duration = Duration::from_secs(60);

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

    /// Whether these tests pass in time.
    pub fn passes(&self, tests: &[&str], seed: Option<u64>, mutant: Option<usize>, limit: Duration) -> bool {
        let mut command = self.command();
        command.args(tests).args(["-q", "--exact", "--test-threads=1"]).env("DIFFI_VERIFY", "1");
        seed.map(|seed| command.env("DIFFI_PROGRAMS", "1").env("DIFFI_SEED", seed.to_string()));
        mutant.map(|id| command.env("DIFFI_MUTANT", id.to_string()));
        succeeds(&mut command, limit)
    }

    /// The mutants that a test comes by; none if it fails.
    pub fn reached(&self, test: &str, seed: Option<u64>) -> Option<BTreeSet<usize>> {
        let file = folder().join("reached.txt");
        let _ = fs::remove_file(&file);
        let mut command = self.command();
        command.args([test, "-q", "--exact"]).env("DIFFI_VERIFY", "1").env("DIFFI_MUTANTS_REACHED", &file);
        seed.map(|seed| command.env("DIFFI_PROGRAMS", "1").env("DIFFI_SEED", seed.to_string()));
        succeeds(&mut command, LIMIT).then(|| numbers("reached.txt"))
    }

    fn command(&self) -> Command {
        let mut command = Command::new("nice");
        command.args(["-n", "15"]).arg(&self.path).current_dir(tree().join("diffi-macros"));
        command.env("LD_LIBRARY_PATH", &self.libraries).env("INSTA_UPDATE", "no").env("RUST_BACKTRACE", "0");
        command
    }
}

fn succeeds(command: &mut Command, limit: Duration) -> bool {
    let start = Instant::now();
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the tests run");
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
