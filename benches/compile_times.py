#!/usr/bin/env python3
"""What kernels and long functions cost to compile, as a table in benches/results/compile_times.md: `benches/compile_times.py [NAME]`.

Each kernel of `benches/kernels/list` becomes a crate of its own, with what it calls: as it is, and with its attributes and one call of
`gradient`. Both are built anew in debug and in release, where all that they depend on is built. Times are the processor's, the
shorter of two, cargo's own included; expanded lines are those that rustc prints. With a part of a kernel's name, the rows of
some are printed only.
"""

import math
import os
import pathlib
import re
import resource
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "compile_times"
CRATE = TARGET / "crate"
MANIFEST = f"""[package]
name = "measured"
version = "0.0.0"
edition = "2024"
[dependencies]
diffi = {{ path = "{ROOT}/diffi" }}
ndarray = "0.17"
[workspace]
[profile.dev]
debug = false # of which rustc's stack has too little for thousands of variables
"""
ROUNDS = 2
SIZES = [250, 500, 1000, 3000]
ATTRIBUTE = re.compile(r"^#\[differentiable.*\n", re.MULTILINE)


HEAD = """# What kernels cost to compile

Seconds of the processor, the shorter of two builds, by `benches/compile_times.py`, with the macro unoptimised: each kernel as a crate of
its own, as it is and with its attributes and one call of `gradient`. Bars: 3 in debug, 8 in release, 25 expanded lines a line in the
median; a function of twice as many statements 2.2 times the expansion, and one of 3,000 in debug 10 s.
"""
said = []


def say(text):
    print(text, flush=True)
    said.append(text)


def kernels():
    """The name of each kernel, the lines of its file that it needs, and the type of its constants."""
    names = re.findall(r"^\s+\$run!\(\s*(\w+)", (ROOT / "benches/kernels/list/mod.rs").read_text(), re.MULTILINE)
    files = [path.read_text() for path in sorted((ROOT / "benches/kernels/list").glob("*.rs"))]
    items = [re.split(r"\n\n(?=\S)", text) for text in files]
    for name in names:
        among = next(file for file in items if any(f"pub fn {name}(" in item for item in file))
        text = needed(name, among)
        constants = re.search(rf"pub fn {name}\(\s*\w+: &\[f64\],\s*\w+: &(.*?),?\s*\) -> f64", text)[1]
        yield name, text, constants


def needed(name, items):
    """An item, and those of its file that it names."""
    declared = {}
    for item in items:
        found = re.search(r"^(?:pub )?(?:fn|struct|type) (\w+)", item, re.MULTILINE)
        if found:
            declared[found[1]] = item
    wanted, open_names = [], [name]
    while open_names:
        item = declared[open_names.pop()]
        if item not in wanted:
            wanted.append(item)
            code = re.sub(r"//.*", "", item)
            open_names += [word for word in re.findall(r"\w+", code) if word in declared]
    return "\n\n".join(item for item in items if item in wanted)


def plain(text):
    return ATTRIBUTE.sub("", text)


def called(name, constants):
    return (
        f"\n\npub fn call(x: &[f64], constants: &{constants}) -> diffi::Result<Vec<f64>> {{\n"
        f"    gradient({name}::D, AutoReverse, (x, Constant(constants)))\n}}\n"
    )


def write(text):
    head = "#![allow(unused_imports, dead_code)]\nuse ndarray::Array2;\n"
    (CRATE / "src/lib.rs").write_text(head + text)


def cargo(*words):
    settings = {"CARGO_INCREMENTAL": "0", "RUSTC_BOOTSTRAP": "1", "CARGO_TARGET_DIR": str(TARGET / "target")}
    command = ["cargo", words[0], "--quiet", "--manifest-path", str(CRATE / "Cargo.toml"), *words[1:]]
    return subprocess.run(command, env=os.environ | settings, check=True, stdout=subprocess.PIPE, text=True).stdout


def processor_time():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def seconds(*words):
    def once():
        (CRATE / "src/lib.rs").touch()
        before = processor_time()
        cargo(*words)
        return processor_time() - before

    return min(once() for _ in range(ROUNDS))


def builds():
    return seconds("build"), seconds("build", "--release")


def lines(text):
    return sum(1 for line in text.splitlines() if line.strip() and not line.strip().startswith("//"))


def kernel_table(only):
    say("| kernel | debug: plain, s | with a gradient | ratio | release: plain, s | with a gradient | ratio | lines | expanded | ratio |")
    say("|---|---|---|---|---|---|---|---|---|---|")
    rows = []
    for name, text, constants in kernels():
        if only not in name:
            continue
        write(plain(text))
        debug, release = builds()
        write("use diffi::prelude::*;\n" + text)
        expanded = lines(cargo("rustc", "--lib", "--", "-Zunpretty=expanded"))
        write("use diffi::prelude::*;\n" + text + called(name, constants))
        debug_called, release_called = builds()
        written = lines(plain(text))
        row = debug_called / debug, release_called / release, expanded / written
        rows.append(row)
        say(
            f"| {name} | {debug:.2f} | {debug_called:.2f} | {row[0]:.1f} | {release:.2f} | {release_called:.2f} | {row[1]:.1f} "
            f"| {written} | {expanded} | {row[2]:.1f} |"
        )
    for what, column in zip(["debug", "release", "expanded lines a line"], zip(*rows)):
        say(f"\n{what}: median {statistics.median(column):.1f}, most {max(column):.1f}")


def statements(count):
    """A function of so many: products, sines, quotients, and one `if` in four."""
    kinds = [
        "a{0} * x[{1}] + 0.5",
        "a{0}.sin() + x[{1}]",
        "a{0} / (1.0 + x[{1}] * x[{1}])",
        "if a{0} > 0.3 {{ a{0} * x[{1}] }} else {{ a{0} + x[{1}] }}",
    ]
    body = "".join(f"    let a{k + 1} = {kinds[k % 4].format(k, k % 16)};\n" for k in range(count))
    return f"#[differentiable]\npub fn long(x: &[f64]) -> f64 {{\n    let a0 = x[0];\n{body}    a{count}\n}}\n"


def long_table():
    say("\n| statements | expansion, s | a doubling | debug: plain, s | with a gradient |")
    say("|---|---|---|---|---|")
    call = "\npub fn call(x: &[f64]) -> diffi::Result<Vec<f64>> {\n    gradient(long::D, AutoReverse, x)\n}\n"
    last = None
    for count in SIZES:
        text = statements(count)
        write(plain(text))
        base = seconds("rustc", "--lib", "--", "-Zno-analysis")
        debug = seconds("build")
        write("use diffi::prelude::*;\n" + text + call)
        expansion = seconds("rustc", "--lib", "--", "-Zno-analysis") - base
        doubling = "" if last is None else f"{(expansion / last[1]) ** (1 / math.log2(count / last[0])):.2f}"
        last = count, expansion
        say(f"| {count} | {expansion:.2f} | {doubling} | {debug:.2f} | {seconds('build'):.2f} |")


def report(only):
    (CRATE / "src").mkdir(parents=True, exist_ok=True)
    (CRATE / "Cargo.toml").write_text(MANIFEST)
    write("use diffi::prelude::*;\n" + statements(4))
    builds()
    say(HEAD)
    kernel_table(only)
    if not only:
        long_table()
        (ROOT / "benches/results/compile_times.md").write_text("\n".join(said) + "\n")


if __name__ == "__main__":
    report(sys.argv[1] if len(sys.argv) > 1 else "")
