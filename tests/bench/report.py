# SPDX-License-Identifier: GPL-2.0-or-later
"""The result as Markdown: the goals of forktax with what was measured."""
from statistics import median

from goals import GOALS, PEERS
from machine import QUIET
from stats import Ratio, interval, of_tool

LABELS = {"totals": "forktax --faults=totals", "classes": "forktax", "timed": "forktax -T",
          "anatomy": "forktax --anatomy",
          "floor-enter": "an empty program at entry",
          "floor-both": "empty programs at entry and exit",
          "floor-totals": "empty programs on the hooks for totals",
          "floor-classes": "empty programs on the hooks for classes",
          "untraced-shared": "untraced, as for strace and perf",
          "untraced-again": "untraced, again: the noise", **PEERS}


def table(headers, rows):
    lines = ["| " + " | ".join(row) + " |" for row in [headers, *rows]]
    lines.insert(1, "|" + "---|" * len(headers))
    return "\n".join(lines)


def goal_rows(result):
    for goal in GOALS:
        row = goal.row(result)
        if row:
            yield row


def ratio_rows(result):
    for name, experiment in result["experiments"].items():
        if name == "startup":
            continue
        samples = experiment["samples"]
        tools = list(dict.fromkeys(sample["tool"] for sample in samples))
        for tool in tools[1:]:
            # CPU time: of the traced processes. While a tracer holds them they use none.
            base = "untraced-shared" if tool in PEERS else "untraced"
            cpu = Ratio(samples, tool, base, "cpu_op_ns").text() if tool not in PEERS else "–"
            # Tools too slow for the same number of calls made fewer of them.
            same = name != "getppid" or tool not in PEERS
            yield [experiment["what"], LABELS[tool],
                   Ratio(samples, tool, base, "loop_op_ns").text(), cpu,
                   Ratio(samples, tool, base, "wall_ns").text() if same else "–"]


def nanoseconds(samples, tool):
    values = of_tool(samples, tool, "loop_op_ns")
    low, high = interval(values)
    unit, scale = ("ns", 1) if high < 1e4 else ("µs", 1e3) if high < 1e7 else ("ms", 1e6)
    return f"{median(values) / scale:.1f} {unit} ({low / scale:.1f}–{high / scale:.1f})"


def base_rows(result):
    for name, experiment in result["experiments"].items():
        if name != "startup":
            rounds = len(of_tool(experiment["samples"], "untraced", "loop_op_ns"))
            disturbed = len(of_tool(experiment["disturbed_samples"], "untraced", "loop_op_ns"))
            others = median(of_tool(experiment["samples"], "untraced", "others_cpus"))
            yield [experiment["what"], nanoseconds(experiment["samples"], "untraced"),
                   f"{others:.2f}",
                   str(rounds), str(disturbed), "yes" if experiment["quiet"] else "**no**"]


def megabytes(values):
    values = [value for value in values if value is not None]
    return f"{median(values) / 1e6:.1f} MB" if values else "–"


def startup_rows(result):
    samples = result["experiments"]["startup"]["samples"]
    for tool in dict.fromkeys(sample["tool"] for sample in samples):
        walls = of_tool(samples, tool, "wall_ns")
        low, high = interval(walls)
        yield [LABELS.get(tool, tool), f"{median(walls) / 1e6:.1f} ms ({low / 1e6:.1f}–{high / 1e6:.1f})",
               megabytes(of_tool(samples, tool, "maxrss_bytes"))]


def children_rows(result):
    for name, experiment in result["experiments"].items():
        if not name.startswith("children-"):
            continue
        count = int(name.split("-")[1])
        for sample in experiment["samples"]:
            seen = sample.get("children", sample.get("forks"))
            memory = "–" if sample["tool"] == "untraced" else megabytes([sample["maxrss_bytes"]])
            yield [f"{count:,}", LABELS.get(sample["tool"], sample["tool"]),
                   f"{sample['loop_ns'] / 1e9:.2f} s",
                   f"{sample['wall_ns'] / 1e9:.2f} s", memory,
                   megabytes([sample["maps_bytes"]]) if sample["maps_bytes"] else "–",
                   "–" if seen is None else
                   f"{seen:,}" if seen == count else f"**{seen:,}**"]


def conditions(result):
    machine = result["machine"]
    lines = [f"Measured {result['date']}" + (", **--quick: sizes too small for a verdict**"
                                             if result["quick"] else "") + ".", ""]
    lines += [f"- {key}: {machine[key]}" for key in
              ("kernel", "cpu", "cpus", "virtual machine", "governor", "BPF JIT", "mitigations")]
    lines.append(f"- tools: {'; '.join(machine['versions'])}")
    lines.append("- how: all at nice -10; the loops pinned to one CPU with real-time priority "
                 "(`chrt -f 10 taskset -c N`), the tracer free to use the others; strace and "
                 "perf on one CPU together with the loop; `make` and `/bin/true` on all")
    lines.append("- load average before and after: " + ", ".join(
        f"{value:.2f}" for value in result["load"]) + " and " + ", ".join(
        f"{value:.2f}" for value in result["load_after"]))
    return "\n".join(lines)


def text(result):
    experiments = result["experiments"]
    parts = [conditions(result)]
    parts.append(table(["", "goal", "forktax", "", *PEERS.values()], goal_rows(result)))
    parts.append("*undecided*: --quick, or other programs used more than "
                 f"{QUIET:.0%} of a CPU, or had BPF programs attached, in more than half of the rounds.")
    parts.append("Time of the loop and of the whole command, both against the untraced one of the "
                 "same round: median (95 % interval of the median, the extremes if there are "
                 "less than six rounds).")
    parts.append(table(["what", "tool", "loop", "its CPU time", "whole command"], ratio_rows(result)))
    parts.append("The untraced command, per operation:")
    parts.append(table(["what", "time", "CPUs that others used", "rounds", "disturbed, repeated", "quiet"],
                       base_rows(result)))
    if "startup" in experiments:
        parts.append("Tracing `/bin/true`:")
        parts.append(table(["tool", "whole command", "memory"], startup_rows(result)))
    if any(name.startswith("children-") for name in experiments):
        parts.append("Many children (musl, static; for perf, the children that its report lists):")
        parts.append(table(["children", "tool", "loop", "whole command", "memory",
                            "kernel memory of maps", "children counted"],
                           children_rows(result)))
    return "\n\n".join(parts)


def incomplete(result):
    """What a whole benchmark must contain, and this one does not."""
    return [f"no result for: {row[0]}" for row in goal_rows(result) if row[2] == "–" and row[1] != "–"]
