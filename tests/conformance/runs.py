# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs commands under forktax, alone or together with other witnesses."""
import atexit
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter

import rules
import strace_log
from check import PATIENCE_S, Check, skip

CAPABILITIES = {"CAP_SYS_ADMIN": 21, "CAP_PERFMON": 38, "CAP_BPF": 39}


def capabilities():
    """Those of CAPABILITIES that this process has."""
    with open("/proc/self/status") as status:
        bits = next(int(line.split()[1], 16) for line in status if line.startswith("CapEff:"))
    return {name for name, bit in CAPABILITIES.items() if bits >> bit & 1}


def in_first_user_namespace():
    with open("/proc/self/uid_map") as uids:
        return uids.read().split() == ["0", "0", "4294967295"]


def skip_unless_possible():
    """What forktax and strace cannot do without, checked without asking forktax."""
    if os.geteuid() != 0:
        skip("needs root")
    if not in_first_user_namespace():
        skip("root of a user namespace only: the kernel refuses tracing programs")
    got = capabilities()
    if "CAP_SYS_ADMIN" not in got and not {"CAP_PERFMON", "CAP_BPF"} <= got:
        skip("needs CAP_BPF and CAP_PERFMON, or CAP_SYS_ADMIN")
    if not os.access(rules.BTF, os.R_OK):
        skip(f"{rules.BTF} cannot be read: no CONFIG_DEBUG_INFO_BTF, or /sys is not mounted")
    if not shutil.which("strace"):
        skip("strace is not installed")


class Tools:
    """What a test script gets from ctest: forktax, the samples and the witness program."""

    def __init__(self, forktax, samples, witness):
        self.forktax, self.samples, self.witness = map(os.path.abspath, (forktax, samples, witness))
        skip_unless_possible()
        self.scratch = tempfile.mkdtemp(prefix="forktax-conformance-")
        atexit.register(shutil.rmtree, self.scratch)
        self.environment = {"PATH": os.environ["PATH"], "HOME": self.scratch, "LC_ALL": "C",
                            "TMPDIR": self.scratch}

    def sample(self, name, linkage):
        """Its path; where that linkage could not be built, the test is skipped."""
        path = os.path.join(self.samples, linkage, name)
        if not os.path.exists(path):
            skip(f"linkage {linkage} was not built")
        return path

    def path(self, name):
        return os.path.join(self.scratch, name)

    def execute(self, command, directory=None):
        return subprocess.run(command, env=self.environment, cwd=directory or self.scratch,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE_S)

    def trace(self, command, *options, before=(), directory=None):
        """Traces the command, again where rules.inexact_by_preemption allows it: the last run."""
        for left in reversed(range(rules.EXACT_TRIES)):
            result, run = self.trace_once(command, options, before, directory)
            if not left or not rules.inexact_by_preemption(run.saved["integrity"]):
                return result, run
            print(f"again: {' '.join(command)}: not exact, at most "
                  f"{run.saved['integrity']['recursion_misses']} recursion misses")

    def trace_once(self, command, options, before, directory):
        """`before... forktax run ... -- command`, and the saved run."""
        saved = self.path("run.json")
        if os.path.exists(saved):
            os.unlink(saved)
        result = self.execute([*before, self.forktax, "run", "--json", "-o", saved, "--show=processes",
                               *options, "--", *command], directory)
        if not os.path.exists(saved):
            sys.stderr.buffer.write(result.stderr)
            raise RuntimeError(f"forktax saved nothing, exit status {result.returncode}")
        return result, self.read(saved)

    @staticmethod
    def read(saved):
        with open(saved, encoding="utf-8") as file:
            return Run(json.load(file))

    def trace_with_strace(self, command, *options, directory=None):
        """Both tracers at once on the same processes: strace outside, since forktax stops nobody."""
        log = self.path("strace.log")
        before = ["strace", *strace_log.OPTIONS, "-o", log]
        result, run = self.trace(command, "--follow-daemons=60", *options, before=before,
                                 directory=directory)
        return result, run, CommandLog(log)

    def under_witness(self, command):
        return [self.witness, self.path("wait4"), *command]

    def witnessed(self):
        """minflt, majflt and status word of the last command under the witness."""
        with open(self.path("wait4")) as file:
            return [int(word) for word in file.read().split()]


def forks_by_strace(command, log):
    """Processes, not threads, that a command and all below it create. A call that another thread interrupts has two
    lines: flags are in the first, the result is in the second."""
    strace = ["strace", "-f", "-q", "-e", "trace=fork,vfork,clone,clone3", "-e", "signal=none", "-o", log]
    subprocess.run([*strace, *command],
                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    forks, makes_thread = 0, set()
    with open(log, encoding="utf-8", errors="replace") as file:
        for line in file:
            task, event = line.split(maxsplit=1)
            if "CLONE_THREAD" in event:
                makes_thread.add(task)
            if ("clone" in event or "fork" in event) and event.rsplit("= ", 1)[-1].strip().isdigit():
                forks += task not in makes_thread
                makes_thread.discard(task)
    return forks


class CommandLog:
    """The part of a strace log that is about the command, not about forktax."""

    def __init__(self, path):
        log = strace_log.Log(path)
        tids = list(log.tasks)
        tracer = tids[0]
        root = next(task for tid, task in log.tasks.items() if log.process_of(tid) != tracer)
        tasks = [task for tid, task in log.tasks.items()
                 if task is root or not self.is_of_tracer(log, log.process_of(tid), tracer)]
        # Before its execve the root still is forktax, waiting to be let go.
        names = [name for _, name, _ in root.calls]
        root.calls = root.calls[names.index("execve"):]
        self.tasks = tasks
        self.root = root.tid
        self.process_of = log.process_of

    @staticmethod
    def is_of_tracer(log, process, tracer):
        """forktax, or a child by which it tries what the CPU does (user/source/ebpf/access_flag.c)."""
        return process == tracer or log.created_by.get(process, (None,))[0] == tracer

    def calls_by_process(self):
        sums = Counter()
        for task in self.tasks:
            sums[self.process_of(task.tid)] += len(task.calls)
        return sums


def table(rows, value="calls"):
    return Counter({(row["abi"], row["name"]): row[value] for row in rows if row[value]})


def errnos(rows):
    """(abi, name, errno) -> calls that failed so."""
    return Counter({(row["abi"], row["name"], error["name"]): error["calls"]
                    for row in rows for error in row["errnos"]})


class Run:
    """A saved run."""

    def __init__(self, saved):
        Check.last_run_is_exact = saved["integrity"]["exact"]
        self.saved = saved
        self.totals = saved["totals"]
        self.processes = saved["processes"]
        self.groups = saved["groups"]

    def calls(self, value="calls"):
        return table(self.saved["syscalls"], value)

    def root_calls(self, value="calls"):
        return table(self.saved["roots"]["calls"], value)

    def group_calls(self, value="calls"):
        total = Counter()
        for group in self.groups:
            total += table(group["calls"], value)
        return total

    def errnos(self):
        return errnos(self.saved["syscalls"])

    def part_errnos(self):
        """Of the roots, and of all groups."""
        total = errnos(self.saved["roots"]["calls"])
        for group in self.groups:
            total += errnos(group["calls"])
        return total

    def root(self):
        return next(one for one in self.processes if one["birth"] == "root")

    def children(self):
        return [one for one in self.processes if one["birth"] != "root"]

    def calls_by_pid(self, value="syscalls"):
        sums = Counter()
        for one in self.processes:
            sums[one["pid"]] += sum(image[value] for image in one["images"])
        return sums
