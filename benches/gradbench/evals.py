#!/usr/bin/env python3
"""GradBench's own evals against diffi and other tools, in one run: `evals.py CHECKOUT [options] [EVAL..]`.

CHECKOUT is a clone of https://github.com/gradbench/gradbench whose `tools/manual` is built: the evals ask it for the golden
answers. Python needs numpy, pydantic and dataclasses-json. Every message of an eval goes to every tool in turn, several times
round, so that a machine which is slow for a while is slow for all of them; times are the least. Only diffi's answers go back to the
eval, whose verdict on each is in the table.

  --tool NAME=COMMAND   another tool to measure, started in CHECKOUT; those of KNOWN, below, need no command
  --diffi PATH          diffi's tool (else target/release/diffi-gradbench, or where CARGO_TARGET_DIR says)
  --native PATH         diffi's tool compiled with `-C target-cpu=native`, which is measured too
  --opted PATH          that tool compiled with `--features vector-math` besides, which is measured too
  --rounds N            how often each tool is asked (3), for at least --seconds (0.2) each time
  --all                 GradBench's own sizes, where the usual ones are those of the table in the book
  --write PATH          the table as Markdown
  --about TEXT          what stands under it: the machine, and versions
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
    "gmm": ["-d", "2", "10", "20", "32", "64", "-k", "5", "25", "-n", "1000"],
    "lstm": ["-l", "2", "4", "-c", "1024"],
    "ba": ["--min", "1", "--max", "3"],
    "ht": ["--min", "1", "--max", "3"],
    "kmeans": ["-k", "10", "100"],
    "llsq": ["-n", "16", "128", "1024", "16392"],
    "lse": ["-n", "2500", "10000", "40000", "160000", "1280000"],
    "ode": ["-n", "1000", "10000"],
    "det": ["-l", "5", "6", "7", "8", "9"],
    "particle": [],
    "saddle": [],
}
# What answers without differentiating is shown, but is not the best of the others.
CLOSED_FORMS = {("ode", "manual")}
UNITS = (
    "Least times in microseconds; `/ best` is a time over that of the best of the others. "
    "`manual` solves `ode` in closed form, and is not among these there."
)
KNOWN = {
    **{name: "{python} python/gradbench/gradbench/cpp.py " + name for name in ["manual", "tapenade", "codipack", "adept"]},
    "jax": "{python} {here}/jax_waits.py",
    "enzyme": "{python} {here}/enzyme.py",
}


class Process:
    """A process that reads a line and writes a line."""

    def __init__(self, command, checkout):
        path = {"PYTHONPATH": str(checkout / "python" / "gradbench")}
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


def table(rows, own, peers):
    head = ["eval", "size", "function", "accepted", *own, *peers, "best of the others", *(f"{n} / best" for n in own)]
    lines = [head, ["---"] * len(head)]
    for eval_name, what, function, verdict, times in rows:
        shown = [f"{times[n]:.4g}" if times.get(n) else "" for n in own + peers]
        rivals = [n for n in peers if times.get(n) and (eval_name, n) not in CLOSED_FORMS]
        best = min(rivals, key=times.get, default=None)
        ratios = [f"{times[n] / times[best]:.2f}" if best and times.get(n) else "" for n in own]
        lines.append([eval_name, what, function, verdict, *shown, best or "", *ratios])
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("checkout", type=pathlib.Path)
    parser.add_argument("evals", nargs="*", default=list(SIZES))
    parser.add_argument("--tool", action="append", default=[])
    parser.add_argument("--diffi")
    parser.add_argument("--native")
    parser.add_argument("--opted")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=0.2)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--write", type=pathlib.Path)
    parser.add_argument("--about", default="")
    arguments = parser.parse_args()
    checkout = arguments.checkout.resolve()
    here = pathlib.Path(__file__).resolve().parent
    root = here.parents[1]
    built = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", root / "target")) / "release" / "diffi-gradbench"
    commands = {"diffi": [str(pathlib.Path(arguments.diffi or built).resolve())]}
    for name, path in [("diffi, native", arguments.native), ("diffi, opted in", arguments.opted)]:
        if path:
            commands[name] = [str(pathlib.Path(path).resolve())]
    own = list(commands)
    for tool in arguments.tool:
        name, _, command = tool.partition("=")
        commands[name] = (command or KNOWN[name]).format(python=sys.executable, here=here).split()

    rows = []
    for eval_name in arguments.evals:
        tools = [Tool(name, command, checkout) for name, command in commands.items()]
        limits = [] if eval_name == "hello" else ["--min-seconds", "0"]
        rows += run(eval_name, tools, limits + ([] if arguments.all else SIZES[eval_name]), checkout, arguments)
        for tool in tools:
            tool.close()
        print(f"{eval_name}: done", file=sys.stderr, flush=True)
    shown = f"{table(rows, own, [name for name in commands if name not in own])}\n{UNITS} {arguments.about}\n"
    print(shown)
    if arguments.write:
        arguments.write.write_text(shown)
    refused = [row for row in rows if row[3] != "yes"]
    sys.exit(f"{len(refused)} answers were not accepted" if refused else 0)


if __name__ == "__main__":
    main()
