# SPDX-License-Identifier: GPL-2.0-or-later
"""The tracers that are compared: how each is started, and what its report says was counted."""
import json
import re


class Untraced:
    """`shares_cpu`: runs on the same CPU as the command. Where each event stops or wakes somebody,
    the way to another CPU and back would be most of what is measured."""
    is_peer = False

    def __init__(self, name="untraced", shares_cpu=False):
        self.name, self.shares_cpu = name, shares_cpu

    def command(self, target, output):
        return target

    def counted(self, output):
        return {}


class Floor(Untraced):
    """Empty programs at the entry, or at entry and exit, of every system call, or on all hooks of forktax."""

    def __init__(self, build, where):
        super().__init__(f"floor-{where}")
        self.start = [f"{build}/tests/bench/bench-floor",
                      f"{build}/tests/bench/floor.bpf.o", where]

    def command(self, target, output):
        return [*self.start, *target]


class Forktax:
    shares_cpu = is_peer = False

    def __init__(self, build, name, *options):
        self.name = name
        self.start = [f"{build}/user/forktax", "run", *options, "--json"]

    def command(self, target, output):
        return [*self.start, "-o", output, "--", *target]

    def counted(self, output):
        with open(output) as file:
            run = json.load(file)
        calls = {}
        for row in run["syscalls"]:
            calls[row["name"]] = calls.get(row["name"], 0) + row["calls"]
        return {"forks": run["totals"]["forks"], "getppid": calls.get("getppid", 0),
                "children": sum(group["children"] for group in run["groups"]),
                "exact": run["integrity"]["exact"],
                "losses": {key: value for key, value in run["integrity"].items()
                           if value and key != "exact"},
                "lost": sum(run["integrity"][key] for key in
                            ("lost_events", "storage_failures", "map_full", "recursion_misses")),
                "run_ns": run["wall_ns"]}


class Strace:
    name, shares_cpu, is_peer = "strace", True, True

    def __init__(self, path):
        self.path = path

    def command(self, target, output):
        return [self.path, "-c", "-f", "-o", output, *target]

    def counted(self, output):
        calls = {}
        with open(output) as file:
            for line in file:
                words = line.split()
                if len(words) >= 5 and words[3].isdigit():
                    calls[words[-1]] = int(words[3])
        forks = sum(calls.get(name, 0) for name in ("fork", "vfork", "clone", "clone3"))
        return {"forks": forks, "getppid": calls.get("getppid", 0)}


class PerfTrace:
    name, shares_cpu, is_peer = "perf", True, True

    def __init__(self, path):
        self.path = path

    def command(self, target, output):
        return [self.path, "trace", "-s", "-o", output, *target]

    def counted(self, output):
        """`children` are the tasks that the report lists, besides the command itself."""
        tasks = getppid = 0
        with open(output, errors="replace") as file:
            for line in file:
                if re.match(r" .+ \(\d+\), \d+ events", line):
                    tasks += 1
                    continue
                words = line.split()
                if len(words) > 2 and words[0] == "getppid" and words[1].isdigit():
                    getppid += int(words[1])
        return {"getppid": getppid, "children": max(0, tasks - 1)}
