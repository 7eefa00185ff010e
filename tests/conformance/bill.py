# SPDX-License-Identifier: GPL-2.0-or-later
# ctest: needs:linux-perf
"""bill.py FORKTAX SAMPLES WITNESS: where the time of a run goes, in trees whose threads overlap, sleep and wait.

Four witnesses: the rows are the clock of the run; the kernel counts its CPU time; and perf records the switches of the
same run, from which this test divides the clock by program itself. A server that runs already tells its own CPU time.
"""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time
from collections import defaultdict

from check import Check
from perf_switches import Perf
from runs import Tools

MS = 1e6
BURN = "import time\nwhile time.process_time() < {}: pass"
THREADS = """
import threading, time
def burn():
    while time.thread_time() < 0.1: sum(range(1000))
threads = [threading.Thread(target=burn) for _ in range(3)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
time.sleep(0.2)
"""
CLOSES = """
import os
if not os.fork():
    for fd in range(1000, 21000):
        try: os.close(fd)
        except OSError: pass
    os._exit(0)
os.wait()
"""
# Waits for a signal, works and sleeps, tells what CPU time the kernel has counted meanwhile, and waits again.
SERVER = """
import os, resource, signal, time
def cpu():
    return sum(u.ru_utime + u.ru_stime for u in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)))
def burn(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end: pass
signal.signal(signal.SIGUSR1, lambda *_: None)
signal.pause()
before = cpu()
for i in range(20):
    burn(0.005)
    time.sleep(0.01)
    child = os.fork()
    if not child:
        burn(0.004)
        os._exit(0)
    os.waitpid(child, 0)
print(cpu() - before, flush=True)
signal.pause()
"""
# Name: command, the least that it waits for a timer (ms).
CASES = {
    "beside each other": (["bash", "-c", f"python3 -c '{BURN.format(0.2)}' & perl -e '1 while times < 0.3'; wait"], 0),
    "one after the other": (["bash", "-c", "for i in 1 2 3 4 5 6 7 8; do /bin/true; (:); done"], 0),
    "threads": (["python3", "-c", THREADS], 190),
    "idle": (["bash", "-c", "/bin/sleep 0.3; perl -e '1 while times < 0.1'; :"], 290),
    "pipeline": (["bash", "-c", "seq 300000 | sort | tail -1"], 0),
    "outlives": (["bash", "-c", "sleep 15 >/dev/null 2>&1 & perl -e '1 while times < 0.1'; :"], 0),
    "calls": (["python3", "-c", CLOSES], 0),
}
EVENTS = ["sched:sched_switch", "sched:sched_process_fork", "sched:sched_process_exec", "sched:sched_process_exit",
          "sched:sched_stat_runtime"]


def divided(events, root):
    """The clock by program, in ns, and without one (None): from the root's first exec to its end."""
    names, running, parts, last = {root: None}, {}, defaultdict(float), None
    for event in events:
        numbers, now, tid, cpu = event["numbers"], event["now"], event["tid"], event["cpu"]
        if last is not None:
            own = [thread for thread in running.values() if thread in names]
            for thread in own:
                parts[names[thread]] += (now - last) / len(own)
            if not own:
                parts[None] += now - last
            last = now
        if event["event"] == "sched_switch":
            running[cpu] = numbers["next_pid"]
        elif event["event"] == "sched_process_fork" and numbers["pid"] in names:
            names[numbers["child_pid"]] = names[numbers["pid"]]
        elif event["event"] == "sched_process_exec" and numbers["pid"] in names:
            names[numbers["pid"]] = os.path.basename(re.search(r"filename=(\S+)", event["rest"])[1])
            running[cpu] = numbers["pid"]
            last = now if last is None else last
        elif event["event"] == "sched_process_exit" and tid == root:
            return parts
    return None


def trace(tools, command):
    report = tools.path("run.json")
    tools.execute([tools.forktax, "explain", "--no-try", "--no-time", "--json", "-o", report, *command])
    with open(report, encoding="utf-8") as file:
        return json.load(file)


def sums(saved, names):
    """The clock by program; by waits: None."""
    parts = defaultdict(float)
    for row in saved["bill"]["rows"]:
        exe = row["exe"]
        path = None if exe is None else saved["exes"][exe]["path"]
        parts[path and names.get(os.path.realpath(path), os.path.basename(path))] += row["wall_ns"]
    return parts


def compare_with_perf(check, saved, events):
    parts = divided(events, saved["processes"][0]["pid"])
    if not parts:
        print("perf did not record the whole run: not compared")
        return
    names = {os.path.realpath(shutil.which(name)): name for name in parts if name and shutil.which(name)}
    bill = sums(saved, names)
    for name in parts:
        # exec is the new program's in the bill; in the events it becomes that in the middle of the call.
        check.near(f"{name}, by the bill and by perf", bill[name], parts[name], 0.02, 8 * MS)
    check.near("all programs", sum(bill.values()) - bill[None], sum(parts.values()) - parts[None], 0.02, 1 * MS)


def check_rows(check, saved, idle_ms):
    bill = saved["bill"]
    rows = bill["rows"]
    check.equal("the rows and the clock", sum(row["wall_ns"] for row in rows), saved["wall_ns"])
    check.near("CPU time", sum(row["cpu_ns"] for row in rows), bill["cpu_ns"], 0.02, 1 * MS)
    check.equal("the tree's CPU time", bill["cpu_ns"], saved["tree_times"]["cpu_ns"])
    waits = defaultdict(float)
    for row in rows:
        if row["exe"] is None:
            waits[row["kind"]] += row["wall_ns"]
    check.that(waits["device"] >= idle_ms * MS, f"it waits for a timer for {waits['device'] / MS} ms")
    check.that(waits["unknown"] <= 0.02 * saved["wall_ns"] + 1 * MS, f"{waits['unknown'] / MS} ms are not known")


def attach(tools):
    """The saved run of a server, and the CPU time that it says it had."""
    report = tools.path("attached.json")
    with subprocess.Popen(["python3", "-c", SERVER], stdout=subprocess.PIPE, text=True) as server:
        while " S " not in pathlib.Path(f"/proc/{server.pid}/stat").read_text(encoding="ascii"):
            time.sleep(0.05)
        time.sleep(0.3)
        with subprocess.Popen([tools.forktax, "explain", "--json", "-o", report, "--duration=4", "-p", str(server.pid)],
                              stderr=subprocess.PIPE, text=True) as forktax:
            forktax.stderr.readline()
            server.send_signal(signal.SIGUSR1)
            said = float(server.stdout.readline()) * 1e9
        server.kill()
    with open(report, encoding="utf-8") as file:
        return json.load(file), said


def check_attached(check, tools):
    """The window is divided, too; the kernel and the server itself are the witnesses."""
    saved, said = attach(tools)
    bill, sums_of = saved["bill"], defaultdict(float)
    for row in bill["rows"]:
        sums_of[row["kind"]] += row["wall_ns"]
    sleeps = [row["wall_ns"] for row in bill["rows"] if row["kind"] == "asleep"]
    check.equal("the rows and the window", sum(row["wall_ns"] for row in bill["rows"]), bill["wall_ns"])
    check.near("the window", bill["wall_ns"], saved["wall_ns"], 0.01, 20 * MS)
    check.near("its CPU time, by the kernel", sum(row["cpu_ns"] for row in bill["rows"]), bill["cpu_ns"], 0.02, 1 * MS)
    check.near("its CPU time, by the server", bill["cpu_ns"], said, 0.03, 4 * MS)
    check.near("what it sleeps by itself", sum(sleeps) - max(sleeps), 200 * MS, 0.03, 4 * MS)
    check.that(sums_of["unknown"] <= 1 * MS, f"{sums_of['unknown'] / MS} ms are not known")
    check.equal("forks", sum(row["count"] for row in bill["rows"] if row["kind"] == "fork"), 20)


def check_calls(check, saved):
    rows = [row for row in saved["bill"]["rows"] if row["kind"] == "call" and row["error"] == 9]
    check.equal("failing calls", sum(row["count"] for row in rows), 20000)
    check.that(all(not row["executed"] for row in rows), "they are the child's")
    check.equal("forks", sum(row["count"] for row in saved["bill"]["rows"] if row["kind"] == "fork"), 1)


def main():
    check, tools = Check(), Tools(*sys.argv[1:4])
    for name, (command, idle_ms) in CASES.items():
        check.context = name
        perf = Perf(tools, EVENTS) if shutil.which("perf") else None
        if perf:
            perf.begin()
        saved = trace(tools, command)
        events = perf.end()[0] if perf else []
        check_rows(check, saved, idle_ms)
        compare_with_perf(check, saved, events)
        if name == "calls":
            check_calls(check, saved)
        if name == "outlives":
            check.equal("threads that outlive it", saved["bill"]["unfinished"], 1)
    check.context = "attached"
    check_attached(check, tools)
    check.finish()


main()
