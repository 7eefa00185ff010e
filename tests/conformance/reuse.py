# SPDX-License-Identifier: GPL-2.0-or-later
"""reuse.py FORKTAX SAMPLES WITNESS: `compare` and `explain` load their programs once, and no run shows anything of
those before it.

Three commands that differ in all that is counted take turns. Each run of one must be the same as one that
forktax traces alone. The run that `explain` shows of a command that does not fork is its second one, with the start.
"""
import json
import os
import re
import shlex
import sys

from check import Check
from runs import Tools

RUNS = 4
LISTS = ("syscalls", "exes", "groups", "processes", "script_lines", "sampling")
CHANCE = ("pid", "ppid", "ns_pid", "start_ns", "end_ns", "time_ns", "resolved", "cow_copy", "cow_reuse", "file_map",
          "total", "minflt", "by_actor", "kernel_mode", "faults", "classes", "inherited", "execd", "min", "median",
          "max", "majflt", "got_reads", "got_ns", "child_faults", "page_table_pages")


def certain(value):
    """Leaves out what differs from run to run: times, pids, and faults, which the first of several processes takes."""
    if isinstance(value, dict):
        return {key: certain(member) for key, member in value.items() if key not in CHANCE}
    return [certain(member) for member in value] if isinstance(value, list) else value


def seen(run):
    return {"life": certain(run["totals"]), "exact": run["integrity"]["exact"],
            **{name: certain(run.get(name)) for name in LISTS}}


def traced(tools, *words):
    """What forktax saves, and how often it has given the kernel the longest program."""
    log, saved = tools.path("log"), tools.path("saved")
    strace = ["strace", "-f", "-qq", "-s0", "-e", "trace=bpf", "-o", log]
    done = tools.execute([*strace, tools.forktax, words[0], "--json", "-o", saved, *words[1:]])
    if done.returncode:
        raise RuntimeError(done.stderr.decode())
    loads = re.findall(r'PROG_TYPE_TRACING, insn_cnt=\d+.*prog_name="on_sys_enter"', open(log, encoding="utf-8").read())
    return json.load(open(saved, encoding="utf-8")), len(loads)


def loads_once(check, loads, runs, what):
    # From Linux 7.0 on a program that was preempted may have missed an event, and is loaded again.
    preemptible = int(os.uname().release.split(".")[0]) >= 7
    print(f"{loads} loads of {what}")
    check.that(loads == 1 or preemptible and loads < runs, f"{loads} loads of {what}")


def compare(tools, check, commands, option):
    compared, loads = traced(tools, "compare", option, "--no-time", "--traced-runs", str(RUNS), *commands)
    loads_once(check, loads, RUNS * len(commands), f"{RUNS * len(commands)} runs with {option}")
    for command, runs in zip(commands, compared["runs"]):
        check.context = f"{option} {command}"
        alone = seen(traced(tools, "run", option, "--", *shlex.split(command))[0])
        for number, run in enumerate(map(seen, runs)):
            check.that(run["exact"], f"run {number} is not exact")
            for name, value in run.items():
                check.that(value == alone[name], f"run {number}: {name} is {value}, and alone {alone[name]}")


def explained(tools, check, *words):
    """What is counted, and that the clock is divided among all that ran, and nobody else."""
    run, loads = traced(tools, "explain", "--no-time", "--", *words)
    check.context = f"explain {words[-1]}"
    loads_once(check, loads, 3, "all runs")
    alone = traced(tools, "run", "--no-aslr", "--", *words)[0]
    check.that(seen(run)["life"] == seen(alone)["life"], f"{seen(run)['life']}, and alone {seen(alone)['life']}")
    check.that(run["integrity"]["exact"], "it is not exact")
    shares = sum(row["wall_ns"] for row in run["bill"]["rows"])
    check.that(abs(shares - run["wall_ns"]) <= run["wall_ns"] / 100, f"shares of {shares} ns of {run['wall_ns']}")
    return run


def explain(tools, check):
    for words in (["/bin/sleep", "0.1"], ["/bin/true"]):
        run = explained(tools, check, *words)
        calls = run["totals"]["syscalls"]
        check.that(len(run["start"]["calls"]) == calls, f"{len(run['start']['calls'])} calls of the start, of {calls}")
    explained(tools, check, "/bin/bash", "-c", "for i in 1 2 3; do (for f in 1 2 3 4 5 6; do : </dev/null; done); done")


def main():
    tools, check = Tools(*sys.argv[1:4]), Check()
    commands = [f"{tools.sample('forkloop', 'dynamic')} -n 30", f"{tools.sample('execchain', 'dynamic')}",
                "/bin/sh -c 'for i in 1 2 3; do /bin/true; done; cat /none 2>/dev/null; (:)'"]
    for option in ("--no-aslr", "--anatomy"):
        compare(tools, check, commands, option)
    explain(tools, check)
    check.finish()


main()
