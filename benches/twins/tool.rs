//! A process with twins of the kernels, which is asked line by line.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

pub struct Tool {
    pub name: &'static str,
    process: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    /// How many answers it gives to a kernel: one for each of its ways.
    answers: usize,
}

impl Tool {
    /// Starts a command, whose words spaces divide.
    pub fn start(name: &'static str, command: &str, answers: usize) -> Tool {
        let mut words = command.split_whitespace();
        let mut process = Command::new(words.next().expect("a command has words"))
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{name} does not start: {error}"));
        let to = process.stdin.take().expect("the input is a pipe");
        let from = BufReader::new(process.stdout.take().expect("the output is a pipe"));
        Tool { name, process, to, from, answers }
    }

    fn numbers(&mut self) -> Vec<f64> {
        let mut line = String::new();
        self.from.read_line(&mut line).expect("the output is text");
        assert!(!line.is_empty(), "{} has ended", self.name);
        line.split_whitespace().map(|word| word.parse().expect("answers are numbers")).collect()
    }

    /// Lets the tool read the inputs of a kernel, and compares its value and gradient with diffi's.
    pub fn load(&mut self, kernel: &str, expected: &[f64]) {
        writeln!(self.to, "load {kernel}").expect("the tool reads");
        for _ in 0..self.answers {
            let found = self.numbers();
            assert_eq!(found.len(), expected.len(), "{} on {kernel}", self.name);
            let size = expected[1..].iter().fold(0.0_f64, |most, e| most.max(e.abs()));
            for (k, (found, expected)) in found.iter().zip(expected).enumerate() {
                let scale = if k == 0 { expected.abs() } else { size };
                let near = (found - expected).abs() <= 1e-9 * scale.max(1e-3);
                assert!(near, "{kernel}, number {k}: {} has {found}, diffi {expected}", self.name);
            }
        }
    }

    /// Seconds of a call of `function` or `gradient`.
    pub fn seconds(&mut self, what: &str) -> f64 {
        writeln!(self.to, "{what}").expect("the tool reads");
        self.numbers()[0]
    }
}

impl Drop for Tool {
    fn drop(&mut self) {
        _ = self.process.kill();
        _ = self.process.wait();
    }
}
