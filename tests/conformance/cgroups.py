# SPDX-License-Identifier: GPL-2.0-or-later
"""cgroups.py FORKTAX SAMPLES WITNESS CASE [brief]: `forktax run --cgroup` and -a beside a program's own ledger.

cgroupmembers.c enters a cgroup in every way, and leaves it: what it does inside is counted, each call and
process, and nothing of what it does outside.
"""
import errno
import os
import subprocess
import sys

import balance
import load
import rules
from cgroup import Cgroup
from check import Check, skip
from runs import Tools


class Watching:
    """forktax while it watches: begins when it counts, ends with stop()."""

    def __init__(self, tools, *options):
        self.saved = tools.path("run.json")
        ready, said = os.pipe()
        self.process = subprocess.Popen([tools.forktax, "run", "-q", "--show=processes", *options, "--json", "-o", self.saved,
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


def is_left_out(run):
    """It says itself that it lacks calls, for reasons that a busy machine gives."""
    integrity = run.saved["integrity"]
    return rules.inexact_by_preemption(integrity) or any("entering a cgroup" in note for note in integrity["notes"])


def watched_ledger(tools, members, *options, count=()):
    """(ledger, run) of options that watch the cgroup DIRECTORY/in."""
    with Cgroup("in", "in/below", "out") as cgroup:
        options = [option.replace("CGROUP", cgroup.path) for option in options]
        for _ in range(rules.EXACT_TRIES):
            watching = Watching(tools, *options)
            with subprocess.Popen([members, cgroup.directory, *count], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                  text=True) as program:
                program.stdin.write("go\n")
                program.stdin.flush()
                ledger = ledger_of([program.stdout.readline() for _ in range(4)])
                run = watching.stop(tools)
                program.stdin.close()
            if not is_left_out(run):
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
        if is_left_out(run):
            print(f"left out: {check.context}: not exact {rules.EXACT_TRIES} times: {run.saved['integrity']}")
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


# In the cgroup CGROUP from its second line on: 100 calls, and 3 children with 10 calls each.
MEMBER = """import os, sys
os.getpgid(0)
open(sys.argv[1] + "/cgroup.procs", "w").write("0")
for _ in range(100): os.getpriority(0, 0)
for _ in range(3):
    if not os.fork():
        for _ in range(10): os.getpriority(0, 0)
        os._exit(0)
    os.wait()
"""
CALLS, FORKS = 130, 3


def enter(directory):
    subprocess.run([sys.executable, "-c", MEMBER, directory], check=True)


def remove(directory):
    while True:  # a process that has ended leaves a moment later
        try:
            return os.rmdir(directory)
        except OSError as error:
            if error.errno != errno.EBUSY:
                raise


def watch_births(tools, cgroup):
    """(run, how many were members) of cgroups that come and go while a pattern of them is watched."""
    made, members = cgroup.directory, 0
    watching = Watching(tools, f"--cgroup={cgroup.path}/o*/job-[0-9]?.scope")
    for _ in range(2):  # the second time under the same names, and as other cgroups
        for name in ("out/job-10.scope", "other/job-2x.scope"):
            os.makedirs(f"{made}/{name}/below")
            enter(f"{made}/{name}/below")
            enter(f"{made}/{name}")
            members += 2
        for name in ("out/job-100.scope", "out/job-x0.scope", "in/job-10.scope", "other/Job-10.scope"):
            os.makedirs(f"{made}/{name}")
            enter(f"{made}/{name}")
        for name in ("out/job-10.scope/below", "other/job-2x.scope/below", "out/job-10.scope", "other/job-2x.scope",
                     "out/job-100.scope", "out/job-x0.scope", "in/job-10.scope", "other/Job-10.scope", "other"):
            remove(f"{made}/{name}")
    return watching.stop(tools), members


def born(check, tools, members, _):
    """Cgroups that are created later: each process in those that match, from its first call there on."""
    for _ in range(rules.EXACT_TRIES):
        with Cgroup("in", "out") as cgroup:
            run, count = watch_births(tools, cgroup)
        if not rules.inexact_by_preemption(run.saved["integrity"]):
            break
    check.that(run.saved["integrity"]["exact"], f"not exact: {run.saved['integrity']}")
    check.equal("getpriority", calls_of(run, "getpriority"), count * CALLS)
    check.equal("getpgid, outside", calls_of(run, "getpgid"), 0)
    check.equal("forks", run.totals["forks"], count * FORKS)
    check.equal("paths", sorted(run.saved["cgroups"]),
                [f"{cgroup.path}/other/job-2x.scope", f"{cgroup.path}/out/job-10.scope"])
    balance.check_balance(check, run)


# A process whose second thread is in another cgroup: that of its first thread decides. Both make 100 calls.
THREADS = """import os, sys, threading
first, second = sys.argv[1:]
def move(directory): open(directory + "/cgroup.threads", "w").write(str(threading.get_native_id()))
def work(): [os.getpriority(0, 0) for _ in range(100)]
def other():
    move(second)
    work()
open(os.path.dirname(first) + "/cgroup.procs", "w").write("0")
move(first)
thread = threading.Thread(target=other)
thread.start()
thread.join()
work()
"""


def threaded(check, tools, members, _):
    """Both threads of one that begins inside, neither of one that begins outside, both with -a."""
    for first, second, calls in (("in", "out", 200), ("out", "in", 0), ("in", "in", 200)):
        with Cgroup("in", "out") as cgroup:
            for name in ("in", "out"):
                with open(f"{cgroup.directory}/{name}/cgroup.type", "w", encoding="ascii") as file:
                    file.write("threaded")
            watching = Watching(tools, f"--cgroup={cgroup.path}/in,{cgroup.path}/out/nothing*")
            enter_threads = [sys.executable, "-c", THREADS, f"{cgroup.directory}/{first}", f"{cgroup.directory}/{second}"]
            subprocess.run(enter_threads, check=True)
            # So that there is a process to count in any case.
            subprocess.run([sys.executable, "-c", THREADS, f"{cgroup.directory}/in", f"{cgroup.directory}/in"], check=True)
            run = watching.stop(tools)
        check.context = f"{first}, then {second}"
        check.equal("getpriority", calls_of(run, "getpriority"), calls + 200)


def asleep(check, tools, members, _):
    """Each process is summed up once, where threads that are met as they end find it held by nobody. Every CPU is busy, so
    that they are preempted meanwhile: without the claim of bpf/ending.h, about one of a thousand is counted twice."""
    with load.starting():
        expected, run = watched_ledger(tools, members, "--cgroup", "CGROUP/in", count=("900",))
    check.equal("processes", run.totals["processes"], expected["processes"])
    if run.saved["integrity"]["exact"]:
        check.equal("getpriority", calls_of(run, "getpriority"), expected["getpriority"])
    else:
        check.that(calls_of(run, "getpriority") <= expected["getpriority"], f"getpriority: {calls_of(run, 'getpriority')}, "
                   f"more than {expected['getpriority']}")


def main():
    forktax, samples, witness, case, *brief = sys.argv[1:]
    check = Check()
    members = os.path.join(os.path.dirname(witness), "conformance-cgroupmembers")
    {"ledger": ledger, "everything": everything, "born": born, "threaded": threaded, "asleep": asleep}[case](
        check, Tools(forktax, samples, witness), members, bool(brief))
    if not check.done and not check.failures:
        skip("no run was exact: so many events are seldom counted without recursion misses in an emulator")
    check.finish()


main()
