//! A tool for GradBench (<https://github.com/gradbench/gradbench>): reads a JSON message a line, answers each with a JSON line.
//!
//! Every objective is an ordinary function with `#[differentiable]`; every derivative comes from a prepared operator.

mod clock;
mod problems;
mod protocol;

use std::io::{self, BufRead, Write};

fn main() -> io::Result<()> {
    let mut answers = io::stdout().lock();
    for message in io::stdin().lock().lines() {
        serde_json::to_writer(&mut answers, &protocol::answer(&message?))?;
        answers.write_all(b"\n")?;
        answers.flush()?;
    }
    Ok(())
}
