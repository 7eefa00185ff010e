# SPDX-License-Identifier: GPL-2.0-or-later
# ctest: needs:linux-perf
"""bill.py FORKTAX SAMPLES WITNESS: where the time of a run goes, in trees whose threads overlap, sleep and wait.

Three witnesses: the rows are the clock of the run; the kernel counts its CPU time; and perf records the switches of the
same run, from which this test divides the clock by program itself.
"""
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections import defaultdict

from check import PATIENCE_S, Check
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
# Name: command, the least that it waits for a timer (ms).
CASES = {
    "beside each other": (["bash", "-c", f"python3 -c '{BURN.format(0.2)}' & perl -e '1 while times < 0.3'; wait"], 0),
    "one after the other": (["bash", "-c", "for i in 1 2 3 4 5 6 7 8; do /bin/true; (:); done"], 0),
    "threads": (["python3", "-c", THREADS], 190),
    "idle": (["bash", "-c", "/bin/sleep 0.3; perl -e '1 while times < 0.1'; :"], 290),
    "pipeline": (["bash", "-c", "seq 300000 | sort | tail -1"], 0),
    "outlives": (["bash", "-c", "sleep 5 >/dev/null 2>&1 & perl -e '1 while times < 0.1'; :"], 0),
    "calls": (["python3", "-c", CLOSES], 0),
}
EVENTS = ["sched_switch", "sched_process_fork", "sched_process_exec", "sched_process_exit", "sched_stat_runtime"]
LINE = re.compile(r"\s*(?P<tid>-?\d+)\s+\[?(?P<cpu>\d+)\]?\s+(?P<time>[\d.]+):\s+\w+:(?P<event>\w+):\s*(?P<rest>.*)")
NUMBER = re.compile(r"\b(\w*pid|runtime)=(\d+)")


class Perf:
    def __init__(self, tools):
        self.data, self.process = tools.path("perf.data"), None

    def begin(self):
        events = [word for event in EVENTS for word in ("-e", f"sched:{event}")]
        self.process = subprocess.Popen(["perf", "record", "-q", "-a", "-m", "4096", "-k", "mono", "-o", self.data,
                                         *events], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(1)  # until it records

    def end(self):
        self.process.send_signal(signal.SIGINT)
        self.process.wait(PATIENCE_S)
        text = subprocess.run(["perf", "script", "-i", self.data, "--ns", "--show-lost-events", "-F",
                               "tid,cpu,time,event,trace"], capture_output=True, text=True, timeout=PATIENCE_S).stdout
        matches = [LINE.match(line) for line in text.splitlines()]
        return None if "PERF_RECORD_LOST" in text else [match.groupdict() for match in matches if match]


def parsed(event):
    """The tid of a thread that has ended is -1."""
    numbers = {key: int(value) for key, value in NUMBER.findall(event["rest"])}
    tid = int(event["tid"])
    current = numbers["prev_pid"] if event["event"] == "sched_switch" else tid if tid >= 0 else numbers["pid"]
    return {"event": event["event"], "now": float(event["time"]) * 1e9, "tid": current, "cpu": event["cpu"],
            "numbers": numbers, "rest": event["rest"]}


def completed(events):
    """The same events with the switches that are missing, of tasks that the kernel keeps out of tracepoints: a task
    runs since the kernel's count of its run time began (sched_stat_runtime says how long that is ago)."""
    running, last, arrivals, added = {}, {}, {}, []
    for event in reversed(events):
        if event["event"] == "sched_stat_runtime" and event["numbers"]["pid"] == event["tid"]:
            arrivals[event["tid"]] = event["now"] - event["numbers"]["runtime"]
        event["arrival"] = arrivals.get(event["tid"], event["now"])
    for event in events:
        cpu, tid, now = event["cpu"], event["tid"], event["now"]
        if running.get(cpu, tid) != tid:
            added.append({"event": "sched_switch", "now": min(now, max(last[cpu], event["arrival"])), "cpu": cpu,
                          "tid": running[cpu], "numbers": {"next_pid": tid}})
        running[cpu] = event["numbers"]["next_pid"] if event["event"] == "sched_switch" else tid
        last[cpu] = now
    return sorted(added + events, key=lambda event: event["now"])


def divided(events, root):
    """The clock by program, in ns, and without one (None): from the root's first exec to its end."""
    names, running, parts, last = {root: None}, {}, defaultdict(float), None
    for event in completed([parsed(event) for event in events]):
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
    parts = divided(events, saved["processes"][0]["pid"]) if events else None
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


def check_calls(check, saved):
    rows = [row for row in saved["bill"]["rows"] if row["kind"] == "call" and row["error"] == 9]
    check.equal("failing calls", sum(row["count"] for row in rows), 20000)
    check.that(all(not row["executed"] for row in rows), "they are the child's")
    check.equal("forks", sum(row["count"] for row in saved["bill"]["rows"] if row["kind"] == "fork"), 1)


def main():
    check, tools = Check(), Tools(*sys.argv[1:4])
    for name, (command, idle_ms) in CASES.items():
        check.context = name
        perf = Perf(tools) if shutil.which("perf") else None
        if perf:
            perf.begin()
        saved = trace(tools, command)
        events = perf.end() if perf else None
        check_rows(check, saved, idle_ms)
        compare_with_perf(check, saved, events)
        if name == "calls":
            check_calls(check, saved)
        if name == "outlives":
            check.equal("threads that outlive it", saved["bill"]["unfinished"], 1)
    check.finish()


main()
