# SPDX-License-Identifier: GPL-2.0-or-later
"""What forktax must reach, and whether it did."""
from statistics import median

from stats import Ratio, interval, of_tool

PEERS = {"strace": "strace -c -f", "perf": "perf trace -s"}


def verdict(value, limit, experiment, result):
    if result["quick"] or not experiment["quiet"]:
        return "undecided"
    return "reached" if value <= limit else "**not reached**"


class RatioGoal:
    def __init__(self, what, experiment, tool, limit):
        self.what, self.experiment, self.tool, self.limit = what, experiment, tool, limit

    def row(self, result):
        if self.experiment not in result["experiments"]:
            return None
        experiment = result["experiments"][self.experiment]
        samples = experiment["samples"]

        measured = Ratio(samples, self.tool, "untraced", "loop_op_ns")
        judged = ""
        if self.limit and measured.values:
            judged = verdict(measured.median(), self.limit, experiment, result)
        goal = f"≤ {self.limit:.2f}" if self.limit else "–"
        return [self.what, goal, measured.text(), judged,
                *(Ratio(samples, peer, "untraced-shared", "loop_op_ns").text() for peer in PEERS)]


class FloorRow:
    """Not a goal: below this no eBPF tool can come."""

    def __init__(self, what, experiment, tool):
        self.what, self.experiment, self.tool = what, experiment, tool

    def row(self, result):
        if self.experiment not in result["experiments"]:
            return None
        samples = result["experiments"][self.experiment]["samples"]
        return [self.what, "–", Ratio(samples, self.tool, "untraced", "loop_op_ns").text(), "", "", ""]


class AgainstGoal:
    """Wall time of tracing /bin/true, against that of another tool in the same round."""

    def __init__(self, what, tool, base, limit):
        self.what, self.tool, self.base, self.limit = what, tool, base, limit

    def row(self, result):
        if "startup" not in result["experiments"]:
            return None
        experiment = result["experiments"]["startup"]
        measured = Ratio(experiment["samples"], self.tool, self.base, "wall_ns")
        if not measured.values:
            return None
        return [self.what, f"≤ {self.limit:.2f}", measured.text(),
                verdict(measured.median(), self.limit, experiment, result), "", ""]


class StartupGoal:
    def __init__(self, what, key, scale, unit, limit):
        self.what, self.key, self.scale, self.unit, self.limit = what, key, scale, unit, limit

    def cell(self, samples, tool):
        values = [value / self.scale for value in of_tool(samples, tool, self.key)]
        if not values:
            return "–"
        low, high = interval(values)
        return f"{median(values):.1f} {self.unit} ({low:.1f}–{high:.1f})"

    def row(self, result):
        if "startup" not in result["experiments"]:
            return None
        experiment = result["experiments"]["startup"]
        samples = experiment["samples"]
        value = median(of_tool(samples, "classes", self.key)) / self.scale
        return [self.what, f"≤ {self.limit} {self.unit}", self.cell(samples, "classes"),
                verdict(value, self.limit, experiment, result),
                *(self.cell(samples, peer) for peer in PEERS)]


class ChildrenGoal:
    """`judge`: sample of forktax, number of children → text, reached or not."""

    def __init__(self, what, goal, judge, peer):
        self.what, self.goal, self.judge, self.peer = what, goal, judge, peer

    def row(self, result):
        names = [name for name in result["experiments"] if name.startswith("children-")]
        if not names:
            return None
        count = max(int(name.split("-")[1]) for name in names)
        by_tool = {}
        for name in names: # peers may have had the smaller number only
            for sample in result["experiments"][name]["samples"]:
                by_tool[sample["tool"]] = (sample, int(name.split("-")[1]))
        measured, reached = self.judge(*by_tool["classes"])
        peers = [self.peer(*by_tool[peer]) if peer in by_tool else "–" for peer in PEERS]
        return [f"{count:,} children: {self.what}", self.goal, measured,
                "reached" if reached else "**not reached**", *peers]


def exactness(sample, count):
    exact = sample["forks"] == sample["children"] == count and sample["exact"]
    return f"{sample['children']:,} of {count:,}, {sample['lost']} lost", \
        exact and sample["lost"] == 0


def peer_exactness(sample, count):
    return f"{sample.get('children', sample.get('forks')):,} of {count:,}"


def memory(sample, count):
    return f"{sample['maxrss_bytes'] / 1e6:.1f} MB", sample["maxrss_bytes"] <= 32e6


def after(sample, count):
    seconds = (sample["wall_ns"] - sample["run_ns"]) / 1e9
    return f"{seconds:.2f} s", seconds < 2


def peer_after(sample, count):
    return f"{(sample['wall_ns'] - sample['loop_ns']) / 1e9:.2f} s"


GOALS = [
    RatioGoal("fork loop, calls and fault totals", "fork", "totals", 1.05),
    RatioGoal("fork loop, every fault classed (the default)", "fork", "classes", 1.10),
    FloorRow("fork loop, empty programs on the hooks for totals", "fork", "floor-totals"),
    FloorRow("fork loop, empty programs on the hooks for classes", "fork", "floor-classes"),
    RatioGoal("fork loop, anatomy", "anatomy-long", "anatomy", 1.15),
    RatioGoal("fork loop, anatomy, every child recorded", "anatomy-short", "anatomy", None),
    RatioGoal("getppid loop, calls", "getppid", "classes", 1.12),
    RatioGoal("getppid loop, with times (`-T`)", "getppid", "timed", 1.30),
    FloorRow("getppid loop, an empty program at entry", "getppid", "floor-enter"),
    FloorRow("getppid loop, empty programs at entry and exit", "getppid", "floor-both"),
    RatioGoal("`make -j2`, every fault classed", "make", "classes", None),
    StartupGoal("tracing `/bin/true`, time", "wall_ns", 1e6, "ms", 60),
    AgainstGoal("that, against `perf trace -s`", "classes", "perf", 0.35),
    AgainstGoal("with the anatomy, against the default", "anatomy", "classes", 2),
    StartupGoal("tracing `/bin/true`, memory", "maxrss_bytes", 1e6, "MB", 24),
    ChildrenGoal("counts", "exact, 0 lost", exactness, peer_exactness),
    ChildrenGoal("memory", "≤ 32 MB", memory,
                 lambda sample, count: f"{sample['maxrss_bytes'] / 1e6:.1f} MB"),
    ChildrenGoal("start and report beside the run", "< 2 s", after, peer_after),
]
