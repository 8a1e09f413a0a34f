#!/usr/bin/env python3
"""GradBench's own evals against diffi and other tools, in one run: `evals.py CHECKOUT [options] [EVAL..]`.

CHECKOUT is a clone of https://github.com/gradbench/gradbench whose `tools/manual` is built: the evals ask it for the golden
answers. Python needs numpy, pydantic and dataclasses-json. Every message of an eval goes to every tool in turn, several times
round, so that a machine which is slow for a while is slow for all of them; times are the least. Only diffi's answers go back to the
eval, whose verdict on each is in the table.

  --tool NAME=COMMAND   another tool to measure, started in CHECKOUT; `manual` and `jax` are known without a command
  --diffi PATH          diffi's tool (else target/release/diffi-gradbench, or where CARGO_TARGET_DIR says)
  --rounds N            how often each tool is asked (3), for at least --seconds (0.2) each time
  --all                 GradBench's own sizes, where the usual ones are those of the table in the book
  --write PATH          the table as Markdown
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys

# Sizes for a run of minutes. `--all` takes what the evals do without options.
SIZES = {
    "hello": [],
    "gmm": ["-d", "2", "10", "20", "32", "64", "-k", "5", "10", "25", "50", "-n", "1000"],
    "lstm": ["-l", "2", "4", "-c", "1024", "4096"],
    "ba": ["--min", "1", "--max", "5"],
    "ht": ["--min", "1", "--max", "5"],
    "kmeans": [],
    "llsq": [],
    "lse": [],
    "ode": [],
    "det": ["-l", "5", "6", "7", "8", "9"],
    "particle": [],
    "saddle": [],
}
KNOWN = {
    "manual": "{python} python/gradbench/gradbench/cpp.py manual",
    "jax": "{python} python/gradbench/gradbench/tools/jax/run.py",
}


class Process:
    """A process that reads a line and writes a line."""

    def __init__(self, command, checkout):
        # JAX answers before it has computed anything unless it is told not to, and then nothing would be measured.
        path = {"PYTHONPATH": str(checkout / "python" / "gradbench"), "JAX_CPU_ENABLE_ASYNC_DISPATCH": "false"}
        self.process = subprocess.Popen(
            command, cwd=checkout, env=os.environ | path, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def send(self, line):
        self.process.stdin.write(line.rstrip("\n") + "\n")
        self.process.stdin.flush()

    def read(self):
        return self.process.stdout.readline()

    def ask(self, message):
        self.send(json.dumps(message))
        return json.loads(self.read())

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class Tool(Process):
    """A tool that may lack a module: then it is not asked again."""

    def __init__(self, name, command, checkout):
        super().__init__(command, checkout)
        self.name, self.able = name, True
        self.programs = checkout / "tools" / name / "bin"

    def answer(self, message):
        # GradBench's C++ tools are compiled at `define`, again each time; once is enough.
        if message["kind"] == "define" and (self.programs / message["module"]).exists():
            return None
        answer = self.ask(message)
        if message["kind"] == "define":
            self.able = answer["success"]
        return answer


def least(answer):
    """The shortest evaluation in microseconds, if there was one."""
    times = [t["nanoseconds"] for t in answer.get("timings") or [] if t["name"] == "evaluate"]
    return min(times) / 1000 if times else None


def run(eval_name, tools, options, checkout, arguments):
    """One eval. Gives a row for each evaluation: what, the verdict, the least time of each tool."""
    script = checkout / "python/gradbench/gradbench/evals" / eval_name / "run.py"
    source = Process([sys.executable, str(script), *options], checkout)
    rows = []
    while line := source.read():
        message = json.loads(line)
        if message["kind"] == "end":
            break
        first = tools[0].answer(message)
        if message["kind"] == "evaluate":
            times = measure(message, first, tools, arguments)
            what = message.get("description") or json.dumps(message["input"])[:20]
            rows.append([eval_name, what, message["function"], first.get("error") or "?", times])
        elif message["kind"] == "analysis":
            verdict = "yes" if message["valid"] else (message.get("error") or "no").strip().splitlines()[-1][:60]
            next(row for row in reversed(rows))[3] = verdict
        else:
            for tool in tools[1:]:
                tool.answer(message)
        source.send(json.dumps(first))
    source.close()
    return rows


def measure(message, first, tools, arguments):
    times = {tools[0].name: least(first)}
    for _ in range(arguments.rounds):
        for tool in tools:
            if not tool.able:
                continue
            time = least(tool.answer(short(message, arguments.seconds)))
            before = times.get(tool.name)
            times[tool.name] = time if before is None else min(before, time or before)
            tool.able = time is not None
    return times


def short(message, seconds):
    """The same message with a time of our own."""
    wanted = message["input"]
    if isinstance(wanted, dict):
        wanted = wanted | {"min_runs": 1, "min_seconds": seconds}
    return message | {"input": wanted}


def table(rows, names):
    head = ["eval", "size", "function", "accepted", *(f"{n}, µs" for n in names), *(f"diffi / {n}" for n in names[1:])]
    lines = [head, ["---"] * len(head)]
    for eval_name, what, function, verdict, times in rows:
        mine = times.get(names[0])
        shown = [f"{times[n]:.1f}" if times.get(n) else "" for n in names]
        ratios = [f"{mine / times[n]:.2f}" if mine and times.get(n) else "" for n in names[1:]]
        lines.append([eval_name, what, function, verdict, *shown, *ratios])
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("checkout", type=pathlib.Path)
    parser.add_argument("evals", nargs="*", default=list(SIZES))
    parser.add_argument("--tool", action="append", default=[])
    parser.add_argument("--diffi")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=0.2)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--write", type=pathlib.Path)
    arguments = parser.parse_args()
    checkout = arguments.checkout.resolve()
    root = pathlib.Path(__file__).resolve().parents[2]
    built = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", root / "target")) / "release" / "diffi-gradbench"
    commands = {"diffi": [str(pathlib.Path(arguments.diffi or built).resolve())]}
    for tool in arguments.tool:
        name, _, command = tool.partition("=")
        commands[name] = (command or KNOWN[name]).format(python=sys.executable).split()

    rows = []
    for eval_name in arguments.evals:
        tools = [Tool(name, command, checkout) for name, command in commands.items()]
        limits = [] if eval_name == "hello" else ["--min-seconds", "0"]
        rows += run(eval_name, tools, limits + ([] if arguments.all else SIZES[eval_name]), checkout, arguments)
        for tool in tools:
            tool.close()
        print(table(rows, list(commands)) if eval_name == arguments.evals[-1] else f"{eval_name}: done", flush=True)
    if arguments.write:
        arguments.write.write_text(table(rows, list(commands)))
    refused = [row for row in rows if row[3] != "yes"]
    sys.exit(f"{len(refused)} answers were not accepted" if refused else 0)


if __name__ == "__main__":
    main()
