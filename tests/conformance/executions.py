# SPDX-License-Identifier: GPL-2.0-or-later
"""executions.py FORKTAX SAMPLES WITNESS: programs that were executed, by their arguments.

Witnesses: strace, which decodes each execve (-e trace=execve); and commands that are made so that it is known what they
read, and what they write where.
"""
import os
import re
import shutil
import subprocess
import sys
from collections import Counter

from check import PATIENCE_S, Check
from runs import Tools

TEXT = 512  # bytes of the arguments that are listed
ENTERED = re.compile(r'^execve\("((?:\\x..)*)", \[((?:"(?:\\x..)*"(?:\.\.\.)?(?:, )?)*)\]')
SUPERSEDED = re.compile(r"superseded by execve in pid (\d+)")
COMMANDS = {
    "a loop": ["bash", "-c", "for i in 1 2 3 1; do /bin/true $i; x=$(basename /a/$i); done; exec /bin/echo last"],
    "make": ["make", "-s", "-f", "{dir}/Makefile"],
    "find": ["find", "{dir}", "-name", "*.txt", "-exec", "/bin/true", "{}", "-", ";"],
    "xargs": ["sh", "-c", "seq 7 | xargs -n 2 /bin/echo"],
    "env": ["env", "A=b", "env", "-u", "C", "nice", "/bin/true", "x"],
    "a script": ["{dir}/script", "one", "two words"],
    "odd bytes": ["bash", "-c", "/bin/true $'\\xff\\xfe\\n\"\\\\' '' ' a ' $'\\u00e9' \"$(printf '\\1\\177')\""],
    "long": ["bash", "-c", "/bin/true {long} end; /bin/true {long} and; /bin/true {long} end; :"],
    "not there": ["bash", "-c", "/nowhere/program; /etc/passwd; /bin/true was there"],
    "no arguments": ["python3", "-c", "import ctypes; ctypes.CDLL(None).execve(b'/bin/true', (ctypes.c_char_p * 1)(), None)"],
}


def words_of(text):
    return tuple(bytes.fromhex(word.replace("\\x", "")) for word in re.findall(r'"((?:\\x..)*)"', text))


def by_strace(tools, command):
    """How often each list of arguments was executed."""
    log = tools.path("strace.log")
    subprocess.run(["strace", "-f", "-q", "-xx", "-s", "40000", "-e", "trace=execve", "-o", log, *command],
                   env=tools.environment, cwd=tools.scratch, stdin=subprocess.DEVNULL, capture_output=True,
                   timeout=PATIENCE_S, check=False)
    counts, pending = Counter(), {}
    with open(log, encoding="ascii") as lines:
        for pid, text in (line.split(None, 1) for line in lines):
            entered, superseded = ENTERED.match(text), SUPERSEDED.search(text)
            if entered:
                pending[pid] = words_of(entered[2]) or (b"",)  # the kernel gives it one
            if superseded:
                pending[pid] = pending.pop(superseded[1])
            if re.search(r"\) += 0$", text) and "execve" in text:
                counts[pending.pop(pid)] += 1
    return counts


def as_listed(words):
    """The arguments as JSON has them, and their bytes."""
    whole = b"".join(word + b"\0" for word in words)
    listed = whole if len(whole) <= TEXT else whole[:TEXT]
    texts = (listed[:-1] if listed.endswith(b"\0") else listed).split(b"\0") if whole else []
    return tuple(text.decode(errors="replace") for text in texts), len(whole)


def rows_of(run):
    return run.saved["executions"]["rows"]


def trace(check, tools, command, *options):
    _, run = tools.trace(command, "--tree-times", *options)
    rows = rows_of(run)
    check.equal("left out", run.saved["executions"]["left_out"], 0)
    check.equal("executions", sum(row["count"] for row in rows), run.saved["totals"]["execs"])
    check.equal("of each program", Counter({row["exe"]: row["images"] for row in run.saved["tree_times"]["rows"]
                                            if row["executed"]}), sums(rows))
    idle = sum(row["wall_ns"] for row in run.saved["bill"]["rows"] if row["exe"] is None)
    check.near("share of the clock", sum(row["wall_ns"] for row in rows), run.saved["bill"]["wall_ns"] - idle, 0, 1000)
    check.near("CPU time", sum(row["cpu_ns"] for row in rows), run.saved["tree_times"]["cpu_ns"], 0.03, 1e6)
    return run


def sums(rows):
    counts = Counter()
    for row in rows:
        counts[row["exe"]] += row["count"]
    return counts


def prepare(tools):
    for number in range(5):
        open(tools.path(f"{number}.txt"), "w", encoding="ascii").close()
    with open(tools.path("Makefile"), "w", encoding="ascii") as file:
        file.write("NAME = $(shell uname -m)\nall: a b\n\t@echo $(NAME) >/dev/null; /bin/true $@\n"
                   "a b:\n\t@/bin/true $(NAME) $@\n")
    with open(tools.path("script"), "w", encoding="ascii") as file:
        file.write("#!/bin/sh -e\n/bin/true \"$@\"\n")
    os.chmod(tools.path("script"), 0o755)


def check_arguments(check, tools):
    threads = {f"threadexec, {linkage}": [os.path.join(tools.samples, linkage, "threadexec")]
               for linkage in ("dynamic", "static") if os.path.exists(os.path.join(tools.samples, linkage, "threadexec"))}
    for name, command in {**COMMANDS, **threads}.items():
        if not shutil.which(command[0]) and not command[0].startswith("{"):
            continue
        check.context = name
        command = [word.replace("{dir}", tools.scratch).replace("{long}", "word " * 2000) for word in command]
        expected = Counter()
        for words, count in by_strace(tools, command).items():
            if name == "a script" and words[0].endswith(b"/script"):
                words = (b"/bin/sh", b"-e") + words  # as the kernel executes it
            expected[as_listed(words)] += count
        run = trace(check, tools, command)
        got = Counter()
        for row in rows_of(run):
            got[tuple(row["arguments"]), row["bytes"]] += row["count"]
            check.equal("cut", row["cut"], row["bytes"] > TEXT)
        check.equal_counts("executions", got, expected, ("forktax", "strace"))
    check.context = "long"
    run = trace(check, tools, [word.replace("{long}", "word " * 200) for word in COMMANDS["long"]])
    check.equal("that differ in the last of 1,000 bytes", sorted(row["count"] for row in rows_of(run)), [1, 1, 2])


def row_of(rows, name):
    """The only one of a program."""
    found = [row for row in rows if os.path.basename(row["arguments"][0]) == name]
    return found[0] if len(found) == 1 else None


def check_streams(check, tools):
    """What is read and written: (commands of a loop, program, what its row has)."""
    for script, name, expected in (
            ("x=$(uname -m)", "uname", (0, 0, 6)),
            ("x=$(uname -m | cat)", "uname", (0, 0, 6)),
            ("x=$(uname -m | cat)", "cat", (6, len(os.uname().machine) + 1, 6)),
            ("x=$(echo $i$i | tr a b)", "tr", (6, 3, 1)),
            ("x=$(cat /proc/sys/kernel/random/uuid)", "cat", (0, 0, 1)),
            ("uname -m", "uname", (0, 0, 0)),  # this is the output of the command
            ("uname -m >/dev/null", "uname", (0, 0, 0)),
            ("x=$(/bin/true)", "true", (0, 0, 0)),
            ("x=$(sh -c 'uname -m; (uname -n)')", "sh", (0, 0, 0)),
            ("x=$(head -c 8192 /dev/zero)", "head", (0, 0, 6)),
            ("x=$(cat <&0)", "cat", (0, 0, 0)),  # of nothing
            (f"x=$(cat < {tools.path('Makefile')})", "cat",
             (6, os.path.getsize(tools.path("Makefile")), 6))):
        check.context = script
        run = trace(check, tools, ["bash", "-c", f"for i in 1 2 3 4 5 6; do {script}; done"])
        row = row_of(rows_of(run), name)
        check.that(row, f"{name} has one row")
        if row:
            check.equal("count", row["count"], 6)
            check.equal("captured", row["captured"], 6 if "$(" in script else 0)
            check.equal("has read, bytes, same output",
                        (row["fed"], row["input_most_bytes"], row["same_output"]), expected)


def check_places(check, tools):
    """Other directories, lines and programs that fork are others."""
    script = tools.path("lines.sh")
    with open(script, "w", encoding="ascii") as file:
        file.write("for i in 1 2 3; do\n/bin/true same\n/bin/true same\ndone\n(cd /; /bin/true same; :)\n")
    check.context = "lines"
    run = trace(check, tools, ["bash", script], "--lines")
    lines = run.saved["lines"]["rows"]
    places = Counter({lines[row["line"]]["line"]: row["count"] for row in rows_of(run) if row["line"] is not None})
    check.equal_counts("executions by line", places, Counter({2: 3, 3: 3, 5: 1}))
    check.context = "directories"
    run = trace(check, tools, ["bash", script])
    check.equal("rows", sorted(row["count"] for row in rows_of(run) if row["arguments"][0] == "/bin/true"), [1, 6])
    check.context = "many"
    run = trace(check, tools, ["sh", "-c", "i=0; while [ $i -lt 1500 ]; do /bin/true $i; i=$((i + 1)); done"])
    check.equal("rows", len(rows_of(run)), 1501)


def main():
    check, tools = Check(), Tools(*sys.argv[1:4])
    prepare(tools)
    check_arguments(check, tools)
    check_streams(check, tools)
    check_places(check, tools)
    return check.finish()


if __name__ == "__main__":
    sys.exit(main())
