# SPDX-License-Identifier: GPL-2.0-or-later
"""What perf records of all CPUs while a command runs: tracepoints, with the switches that it lacks."""
import re
import signal
import subprocess
import time

from check import PATIENCE_S

# The tid of a thread that has ended is -1.
LINE = re.compile(r"\s*(?P<tid>-?\d+)\s+\[?(?P<cpu>\d+)\]?\s+(?P<time>[\d.]+):\s+\w+:(?P<event>\w+):\s*(?P<rest>.*)")
NUMBER = re.compile(r"\b(\w*pid|runtime)=(\d+)")


class Perf:
    """What perf saw of a run."""

    def __init__(self, tools, events):
        self.data, self.events, self.process = tools.path("perf.data"), events, None

    def begin(self):
        command = ["perf", "record", "-q", "-a", "-m", "4096", "-k", "mono", "-o", self.data]
        for event in self.events:
            command += ["-e", event]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(1)  # until it records: if it does not yet, the run is found to lack its beginning
        return self.process.poll() is None

    def end(self):
        """The events; and the threads whose switches were missing. No events: some were lost."""
        self.process.send_signal(signal.SIGINT)
        self.process.wait(PATIENCE_S)
        text = subprocess.run(["perf", "script", "-i", self.data, "--ns", "--show-lost-events", "-F",
                               "tid,cpu,time,event,trace"], capture_output=True, text=True, errors="replace",
                              timeout=PATIENCE_S).stdout
        if "PERF_RECORD_LOST" in text:
            return [], set()
        return whole([parsed(match) for match in map(LINE.match, text.splitlines()) if match])


def parsed(match):
    """`now` is in ns."""
    numbers = {key: int(value) for key, value in NUMBER.findall(match["rest"])}
    return {"event": match["event"], "tid": numbers.get("prev_pid", int(match["tid"])), "cpu": match["cpu"],
            "now": float(match["time"]) * 1e9, "numbers": numbers, "rest": match["rest"]}


def note_arrivals(events):
    """Since when the thread of each event runs, by the kernel's count of its run time (sched_stat_runtime); where that
    is not recorded, since the event."""
    arrivals = {}
    for event in reversed(events):
        if event["event"] == "sched_stat_runtime" and event["numbers"]["pid"] == event["tid"]:
            arrivals[event["tid"]] = event["now"] - event["numbers"]["runtime"]
        event["arrival"] = min(event["now"], arrivals.get(event["tid"], event["now"]))


def whole(events):
    """The events with the switches that are missing, and the threads whose switches these were. perf drops what a
    thread does, often an idle one, once its count of recursions has got stuck (task_struct.perf_recursion, since Linux
    6.11); and a kernel may keep some thread out of all tracepoints, as one in a guest does with the threads of its
    agent. What its CPU runs next shows itself by its own next event, at the latest by the switch to another."""
    running, last, made, dropped = {}, {}, [], set()
    note_arrivals(events)
    for event in events:
        cpu = event["cpu"]
        before = running.get(cpu, event["tid"])
        tid = event["tid"] if event["tid"] >= 0 else before
        if before != tid:
            dropped.add(before)
            made.append({"event": "sched_switch", "tid": before, "cpu": cpu,
                         "now": max(last[cpu], event["arrival"]), "numbers": {"prev_pid": before, "next_pid": tid},
                         "rest": f"prev_pid={before} prev_state=R ==> next_pid={tid}"})
        made.append(event)
        running[cpu] = event["numbers"].get("next_pid", tid)
        last[cpu] = event["now"]
    return sorted(made, key=lambda event: event["now"]), dropped
