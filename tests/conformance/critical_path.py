# SPDX-License-Identifier: GPL-2.0-or-later
# ctest: needs:linux-perf
"""critical_path.py FORKTAX SAMPLES WITNESS CASE: what a command waits for, in trees whose path is known.

The programs that a case sleeps with have names of their own, so the path is known by construction. A second witness is
perf, which records the same run: the path is found in its events from the end backwards, and interrupts by the
tracepoints where they begin and end. (perf does not say which threads belong to which process: the cases with several
threads in a process are known by construction alone.) In the case `busy` others need the CPUs: each of many sleepers has
slept.
"""
import json
import os
import re
import shutil
import subprocess
import sys

import load
from check import Check, skip
from make_versions import OTHERS, version_of
from perf_switches import Perf
from runs import Tools

MAKEFILE = "all: p q r\np: ; @./a 0.9\nq: ; @./b 0.1\nr: ; @./c 0.1\n"
SPAWN = "import subprocess, sys; subprocess.run(['./a', '0.2']); subprocess.run(['./b', '0.2'])"
THREADS = """
import subprocess, threading
threads = [threading.Thread(target=subprocess.run, args=[line]) for line in (['./a', '0.1'], ['./b', '0.7'])]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
"""
FUTEX = """
import threading, time
event = threading.Event()
thread = threading.Thread(target=lambda: (time.sleep(0.2), event.set(), time.sleep(0.1)))
thread.start()
event.wait()
"""
SOCKET = """
import os, socket
one, other = socket.socketpair()
if not os.fork():
    os.system('./a 0.3')
    other.send(b'x')
    os._exit(os.system('./b 0.5'))
one.recv(1)
"""
# On one CPU: the timer of the sleeper interrupts the loop, which does not wake it.
INTERRUPTS = "while :; do :; done & loop=$!; ./a 0.4; kill $loop; :"
# The parent sleeps while the child does: that sleep is not on the path, nor does it count for what comes after.
SLEEPS_BESIDE = """
import subprocess, time
child = subprocess.Popen(['./a', '0.7'])
time.sleep(0.3)
child.wait()
while time.process_time() < 0.5:
    pass
"""
BUSY = "for i in {1..300}; do ./a 0.005; done; :"
GIT = ["git", "-c", "user.name=a", "-c", "user.email=a@a", "-c", "core.hooksPath=hooks"]
HOOKS = {"pre-commit": "./c 0.1 & ./a 0.5; wait", "commit-msg": "./b 0.2; :"}
# Name: command, the sleepers on the path and how long they sleep (s), those that are not on it.
CASES = {
    "sequence": (["bash", "-c", "./a 0.1; ./b 0.1; :"], {"a": 0.1, "b": 0.1}, ""),
    "parallel": (["bash", "-c", "./a 0.1 & ./b 0.7 & wait; ./c 0.1; :"], {"b": 0.7, "c": 0.1}, "a"),
    "substitution": (["bash", "-c", "x=$(./a 0.2; ./b 0.1); :"], {"a": 0.2, "b": 0.1}, ""),
    "pipe": (["bash", "-c", "./a 0.6 | ./b 0.1; (./c 0.1; echo) | cat; :"], {"a": 0.6, "c": 0.1}, "b"),
    "make": (["make", "-s", "-j2"], {"a": 0.9}, "bc"),
    "git-hooks": ([*GIT, "commit", "-q", "--allow-empty", "-m", "x"], {"a": 0.5, "b": 0.2}, "c"),
    "orphan": (["bash", "-c", "(./a 0.9 &); ./b 0.2; :"], {"b": 0.2}, "a"),
    "background": (["bash", "-c", "./a 0.1 & ./b 0.7; wait; :"], {"b": 0.7}, "a"),
    "vfork": (["python3", "-c", SPAWN], {"a": 0.2, "b": 0.2}, ""),
    "threads": (["python3", "-c", THREADS], {"b": 0.7}, "a"),
    "futex": (["python3", "-c", FUTEX], {}, ""),
    "socket": (["python3", "-c", SOCKET], {"a": 0.3}, "b"),
    "interrupts": (["taskset", "-c", str(min(os.sched_getaffinity(0))), "bash", "-c", INTERRUPTS], {"a": 0.4}, ""),
    "sleeps-beside": (["python3", "-c", SLEEPS_BESIDE], {"a": 0.7}, ""),
}
SLEEPS_ELSEWHERE = {"futex": 4e8}  # ns: in a thread
HAVE_THREADS = ("threads", "futex")

EVENTS = ["sched:sched_waking", "sched:sched_switch", "sched:sched_process_fork", "sched:sched_process_exit",
          "sched:sched_process_exec", "timer:hrtimer_expire_entry", "timer:hrtimer_expire_exit",
          "irq:softirq_entry", "irq:softirq_exit", "irq:irq_handler_entry", "irq:irq_handler_exit"]

def sources(events, root):
    """Of each thread of the tree: (when, by which thread) it was created, or woken while it slept; and the root's
    first exec and its end."""
    tree, found, pending, nested, begin, end = {root}, {}, {}, {}, None, None
    for event in events:
        when, tid, name, cpu, numbers = (event[key] for key in ("now", "tid", "event", "cpu", "numbers"))
        if name.endswith("_entry"):
            nested[cpu] = nested.get(cpu, 0) + 1
        elif name.endswith("_exit") and name != "sched_process_exit":
            nested[cpu] = max(nested.get(cpu, 0) - 1, 0)
        elif name == "sched_process_fork" and numbers["pid"] in tree:
            tree.add(numbers["child_pid"])
            found.setdefault(numbers["child_pid"], []).append((when, numbers["pid"]))
        elif name == "sched_process_exec" and tid == root and begin is None:
            begin = when
        elif name == "sched_process_exit" and tid == root:
            end = when
        elif name == "sched_waking" and numbers["pid"] in tree:
            pending[numbers["pid"]] = (when, None if nested.get(cpu) else tid)
        elif name == "sched_switch":
            if numbers["next_pid"] in pending:  # it runs again: only then was it asleep
                woken, waker = pending.pop(numbers["next_pid"])
                if numbers["next_pid"] in sleeping_since and waker in tree and waker != numbers["next_pid"]:
                    found.setdefault(numbers["next_pid"], []).append((woken, waker))
            sleeping_since.pop(numbers["next_pid"], None)
            state = re.search(r"prev_state=(\S+)", event["rest"])[1]
            if numbers["prev_pid"] in tree and not state.startswith("R"):
                sleeping_since[numbers["prev_pid"]] = when
    return found, begin, end


sleeping_since = {}


def backwards(found, root, begin, end):
    """The pids of the path, from its beginning on."""
    path, thread, when = [root], root, end
    while True:
        before = [source for source in found.get(thread, []) if source[0] < when]
        if not before or (thread == root and before[-1][0] < begin):
            return path[::-1]
        when, thread = before[-1]
        if path[-1] != thread:
            path.append(thread)


def steps_of(path):
    """The pids of the steps, each change once."""
    pids = [step["pid"] for step in path["steps"]]
    return [pid for i, pid in enumerate(pids) if not i or pid != pids[i - 1]]


def compare_with_perf(check, events, dropped, path):
    root = path["steps"][0]["pid"]
    found, begin, end = sources(events, root)
    if begin is None or end is None or dropped & {root, *found}:
        print("perf did not record the whole run: not compared")
        return
    want = backwards(found, root, begin, end)
    check.equal("pids of the path, by forktax and by perf", steps_of(path), want)
    print(f"perf: the same {len(want)} steps")


def sum_of(path, part):
    return sum(program["ns"][part] for program in path["programs"])


def check_construction(check, saved, on_path, off_path, unseen):
    """`unseen`: threads that tracepoints do not show. A timer that interrupts one wakes whom it wakes unseen."""
    path = saved["critical_path"]
    on, steps = {}, 0
    for program in path["programs"]:
        name = os.path.basename(saved["exes"][program["exe"]]["path"])
        if program["executed"]:
            on[name] = sum(program["ns"].values())  # it may be preempted before it sleeps: then it sleeps less
        steps += program["steps"]
    for name, seconds in on_path.items():
        check.that(on.get(name, 0) >= seconds * 1e9, f"{name} is on the path for {on.get(name, 0)} ns")
    asleep, unknown = sum_of(path, "device"), sum_of(path, "unknown")
    if unknown and unseen:
        print(f"{unknown} ns are not known: nothing shows what threads {unseen} do")
        asleep += unknown
    else:
        check.equal("ns not known", unknown, 0)
    check.that(asleep <= sum(on_path.values()) * 1.1e9 + SLEEPS_ELSEWHERE.get(check.context, 1e8),
               f"{asleep} ns of the path are asleep")
    check.that(asleep >= sum(on_path.values()) * 0.5e9,
               f"timers wake it: it is asleep for {asleep} ns until then: {path['programs']}")
    for name in off_path:
        check.that(name not in on, f"{name} is on the path")
    check.equal("ns of all programs", sum(sum(program["ns"].values()) for program in path["programs"]),
                saved["wall_ns"])
    check.equal("ns of the path", path["wall_ns"], saved["wall_ns"])
    check.equal("steps", steps, len(path["steps"]) + path["steps_left_out"])
    at = 0
    for step in path["steps"]:
        check.equal("begin of a step, after the one before", step["begin_ns"], at)
        at = step["end_ns"]
    check.equal("end of the last step", at, saved["wall_ns"])


def check_makefile(check, path):
    """The line of target p has what its child has; the lines of q and r are not on the path."""
    lines = {(line["language"], os.path.basename(line["file"] or ""), line["line"], line["function"]):
             sum(line["ns"].values()) for line in path["lines"]}
    check.equal("lines on the path", set(lines), {("make", "Makefile", 2, "p")})
    check.that(sum(lines.values()) >= 0.9e9, f"the line of p is on the path for {lines} ns")


def explain(tools, command):
    """The saved run: what the command waits for is recorded by `explain`."""
    report = tools.path("run.json")
    result = tools.execute([tools.forktax, "explain", "--no-try", "--json", "-o", report, *command])
    if result.returncode:
        sys.exit(f"explain {command}: {result.stderr.decode()}")
    with open(report, encoding="utf-8") as file:
        return json.load(file)


def check_busy(check, tools):
    """Each sleeper sleeps for 5 ms, wherever its CPU comes from: other threads run before and after it."""
    sleepers = 0
    with load.starting():
        for _ in range(4):
            saved = explain(tools, ["bash", "-c", BUSY])
            [exe] = [i for i, exe in enumerate(saved["exes"]) if os.path.basename(exe["path"]) == "a"]
            for step in saved["critical_path"]["steps"]:
                if step["exe"] != exe or not step["executed"]:
                    continue
                sleepers += 1
                # It is preempted now and then after it has begun to sleep, for the kernel: it waits for a CPU then.
                waits = sum(step["ns"][part] for part in ("device", "unknown", "ready"))
                check.that(waits >= 4.9e6, f"a sleeper waits: {step}")
    check.that(sleepers >= 1000, f"{sleepers} sleepers are on the path")


def make_repository(tools):
    os.makedirs(tools.path("hooks"), exist_ok=True)
    for hook, script in HOOKS.items():
        with open(tools.path(f"hooks/{hook}"), "w", encoding="ascii") as file:
            file.write(f"#!/bin/sh\n{script}\n")
        os.chmod(tools.path(f"hooks/{hook}"), 0o755)
    subprocess.run(["git", "init", "-q", tools.path("")], check=True)


def prepare(tools, name):
    for sleeper in "abc":
        shutil.copy(os.path.join(os.path.dirname(tools.witness), "conformance-sleeper"), tools.path(sleeper))
    with open(tools.path("Makefile"), "w", encoding="ascii") as makefile:
        makefile.write(MAKEFILE)
    if name == "git-hooks":
        make_repository(tools)


def check_case(check, tools, name):
    command, on_path, off_path = CASES[name]
    if not shutil.which(command[0]):
        skip(f"{command[0]} is not installed")
    perf = Perf(tools, EVENTS) if shutil.which("perf") else None
    recording = perf and perf.begin()
    saved = explain(tools, command)
    events, unseen = perf.end() if recording else ([], set())
    check.that("critical_path" in saved, f"no path: {saved['integrity']}")
    if "critical_path" not in saved:
        return
    check_construction(check, saved, on_path, off_path, unseen)
    if name == "make" and version_of(shutil.which("make")) in OTHERS:
        check_makefile(check, saved["critical_path"])
    if events and name not in HAVE_THREADS:
        compare_with_perf(check, events, unseen, saved["critical_path"])
    else:
        print("not compared with perf")


def main():
    name = sys.argv[4]
    check, tools = Check(), Tools(*sys.argv[1:4])
    check.context = name
    prepare(tools, name)
    if name == "busy":
        check_busy(check, tools)
    else:
        check_case(check, tools, name)
    check.finish()


main()
