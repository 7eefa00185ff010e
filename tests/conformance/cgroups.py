# SPDX-License-Identifier: GPL-2.0-or-later
"""cgroups.py FORKTAX SAMPLES WITNESS CASE [brief]: `forktax run --cgroup` and -a beside a program's own ledger.

cgroupmembers.c enters a cgroup in every way, and leaves it: what it does inside is counted, each call and
process, and nothing of what it does outside.
"""
import os
import subprocess
import sys

import balance
import rules
from cgroup import Cgroup
from check import Check, skip
from runs import Tools


class Watching:
    """forktax while it watches: begins when it counts, ends with stop()."""

    def __init__(self, tools, *options):
        self.saved = tools.path("run.json")
        ready, said = os.pipe()
        self.process = subprocess.Popen([tools.forktax, "run", "-q", "--per-child", *options, "--json", "-o", self.saved,
                                         f"--ready-fd={said}"], pass_fds=[said])
        os.close(said)
        with os.fdopen(ready, "rb") as stream:
            if stream.read() != b"ready\n":
                raise RuntimeError("forktax does not count")

    def stop(self, tools):
        self.process.terminate()
        if self.process.wait() not in (0, -15):
            raise RuntimeError(f"forktax: exit status {self.process.returncode}")
        return tools.read(self.saved)


def ledger_of(lines):
    return {name: int(number) for name, number in map(str.split, lines)}


def watched_ledger(tools, members, *options):
    """(ledger, run) of options that watch the cgroup DIRECTORY/in."""
    with Cgroup("in", "in/below", "out") as cgroup:
        options = [option.replace("CGROUP", cgroup.path) for option in options]
        for _ in range(rules.EXACT_TRIES):
            watching = Watching(tools, *options)
            with subprocess.Popen([members, cgroup.directory], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                  text=True) as program:
                program.stdin.write("go\n")
                program.stdin.flush()
                ledger = ledger_of([program.stdout.readline() for _ in range(4)])
                run = watching.stop(tools)
                program.stdin.close()
            if not rules.inexact_by_preemption(run.saved["integrity"]):
                break
        return ledger, run


def calls_of(run, name):
    return sum(number for (_, call), number in run.calls().items() if call == name)


def ledger(check, tools, members, is_brief):
    cases = (["--cgroup", "CGROUP/in"], ["--cgroup=CGROUP/i?,CGROUP/in/below", "--faults=totals"],
             ["--cgroup", "CGROUP/in", "-T"])
    for options in cases[:1] if is_brief else cases:
        check.context = " ".join(options)
        expected, run = watched_ledger(tools, members, *options)
        if rules.inexact_by_preemption(run.saved["integrity"]):
            print(f"left out: {check.context}: not exact, because of recursion misses, {rules.EXACT_TRIES} times")
            continue
        check.that(run.saved["integrity"]["exact"], f"not exact: {run.saved['integrity']}")
        check.equal("getpriority", calls_of(run, "getpriority"), expected["getpriority"])
        check.equal("getpgid, outside", calls_of(run, "getpgid"), 0)
        for name in ("processes", "forks", "execs"):
            check.equal(name, run.totals[name], expected[name])
        if run.saved["origins"]["fault_classes"] == "counted":
            balance.check_balance(check, run)


def everything(check, tools, members, _):
    """-a: what is outside is counted, too. Others run beside it: so these are the least, and it may happen to
    be inexact."""
    expected, run = watched_ledger(tools, members, "-a")
    for name in ("processes", "forks", "execs"):
        check.that(run.totals[name] >= expected[name], f"{name}: {run.totals[name]}, less than {expected[name]}")
    check.that(calls_of(run, "getpriority") >= expected["getpriority"], "getpriority: too few")
    check.that(calls_of(run, "getpgid") >= 100, "getpgid: too few")
    pids = {one["pid"] for one in run.processes}
    check.that(os.getpid() in pids, "the process that makes the test is missing")
    balance.check_totals(check, run)


def main():
    forktax, samples, witness, case, *brief = sys.argv[1:]
    check = Check()
    members = os.path.join(os.path.dirname(witness), "conformance-cgroupmembers")
    {"ledger": ledger, "everything": everything}[case](check, Tools(forktax, samples, witness), members, bool(brief))
    if not check.done and not check.failures:
        skip("no run was exact: so many events are seldom counted without recursion misses in an emulator")
    check.finish()


main()
