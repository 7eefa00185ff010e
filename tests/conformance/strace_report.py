# SPDX-License-Identifier: GPL-2.0-or-later
"""`forktax report LOG` of what strace saw of a real program or a sample.

Beside the log as strace_log.py reads it, value by value; and beside forktax's own run of the same
processes, which strace watched from outside.
"""
import json
import re
from collections import Counter

import rules
import strace_log
import witnesses
from runs import Run

EXECUTED = re.compile(r"^(\d+) +(?:execve(?:at)?\(|<\.\.\. execve(?:at)? resumed>).*= 0$")


def execs(path):
    with open(path, errors="replace") as lines:
        return sum(1 for line in lines if EXECUTED.match(line))


def report(tools, log, *options):
    saved = tools.path("report.json")
    result = tools.execute([tools.forktax, "report", "--json", "-o", saved, *options, log])
    if result.returncode:
        raise RuntimeError(result.stderr.decode())
    with open(saved) as file:
        return Run(json.load(file))


def check_log(check, got, path):
    """The whole log: forktax, which ran the program, is part of it."""
    log = strace_log.Log(path)
    tasks = list(log.tasks.values())
    wanted = strace_log.sum_calls(tasks) - rules.killed_before_entry(tasks)
    errors = Counter((abi, name) for task in tasks for abi, name, outcome in task.calls
                     if outcome not in (strace_log.RETURNED_WELL, strace_log.NO_RETURN))
    check.equal_counts("calls", rules.drop_abi_of_unknown(got.calls()), rules.drop_abi_of_unknown(wanted),
                       ("report", "log"))
    check.equal_counts("errors", rules.drop_abi_of_unknown(got.calls("errors")),
                       rules.drop_abi_of_unknown(errors), ("report", "log"))
    wanted = Counter()
    for task in tasks:
        killed = sum(rules.killed_before_entry([task]).values())
        wanted[log.process_of(task.tid)] += len(task.calls) - killed
    check.equal_counts("calls of process", got.calls_by_pid(), +wanted, ("report", "log"))
    # A task that has a maker and no process of its own is a thread.
    check.equal("execs", got.totals["execs"], execs(path))
    check.equal("processes", got.totals["processes"],
                len(log.tasks) - len(log.thread_of) + log.reused)
    check.equal("threads", got.totals["threads"], len(log.thread_of))


def check_run(check, got, run, sample):
    """forktax's own run: by process, from the execve of the command on."""
    by_pid = {one["pid"]: one for one in got.processes}
    root = run.root()
    check.that(root["pid"] in by_pid, "the log has the command")
    mine = Counter({pid: count for pid, count in got.calls_by_pid().items()
                    if pid in {one["pid"] for one in run.processes}})
    # The gate, before its execve; the execve itself is the command's.
    mine[root["pid"]] -= by_pid[root["pid"]]["images"][0]["syscalls"] - 1
    followed = [one for one in run.processes if sample not in rules.UNTRACED or one["pid"] in by_pid]
    entered = Counter({pid: count for pid, count in run.calls_by_pid().items()
                       if pid in {one["pid"] for one in followed}})
    witnesses.check_attempts(check, "process", entered, run.calls_by_pid("denied"), mine,
                             sample in rules.SECCOMP)
    for one in followed:
        other = by_pid.get(one["pid"])
        if not other:
            check.fail(f"process {one['pid']} is not in the report")
            continue
        for key in ("threads", "children", "finished", "exit"):
            check.equal(f"{key} of {one['pid']}", other[key], one[key])
        images = other["images"][1:] if one is root else other["images"]
        both = min(len(images), len(one["images"]))  # of long chains not all are listed
        check.equal(f"images of {one['pid']}", [image["kind"] for image in images[:both]],
                    [image["kind"] for image in one["images"][:both]])
        check.equal(f"number of images of {one['pid']}", len(images) + other["images_left_out"],
                    len(one["images"]) + one["images_left_out"])


def check_report(check, tools, run, sample=None):
    """Of the log of the last run that strace watched (Tools.trace_with_strace), which was `run`."""
    path = tools.path("strace.log")
    got = report(tools, path, "--show=processes")
    if sample not in rules.UNTRACED:
        check.equal("notes", got.saved["integrity"]["notes"], [])
    check_log(check, got, path)
    check_run(check, got, run, sample)
    print(f"report: {got.totals['processes']} processes, {got.totals['syscalls']} calls")
