# SPDX-License-Identifier: GPL-2.0-or-later
"""times-arm64.py CONFORMANCE FORKTAX SAMPLES WITNESS: the critical path, the times of a tree and its files, once each.

The path is known by construction; CPU time by getrusage(2); what is read by strace.
"""
import json
import os
import re
import subprocess
import sys
from collections import Counter

CONFORMANCE, *TOOLS = sys.argv[1:]
sys.path.insert(0, CONFORMANCE)

from check import Check # noqa: E402
from runs import Tools # noqa: E402

SHORT_S, LONG_S = 0.3, 2
PATH = f"sleep {SHORT_S} & sleep {LONG_S}; wait; :"
TREE = """
import resource, subprocess
subprocess.run(["bash", "-c", "for i in 1 2 3; do x=$(:); done; :"])
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_utime + used.ru_stime)
"""
COPIES = 3


def check_path(check, tools):
    check.context = "critical path"
    report = tools.path("explained.json")
    tools.execute([tools.forktax, "explain", "--no-try", "--json", "-o", report, "bash", "-c", PATH])
    with open(report, encoding="utf-8") as file:
        saved = json.load(file)
    path = saved.get("critical_path")
    check.that(path, f"no path: {saved['integrity']}")
    if not path:
        return
    steps = path["steps"]
    check.equal("sum of its parts", sum(sum(step["ns"].values()) for step in steps), path["wall_ns"])
    check.equal("end of each step is the begin of the next", [step["end_ns"] for step in steps[:-1]],
                [step["begin_ns"] for step in steps[1:]])
    sleeps = Counter()
    for step in steps:
        sleeps[step["pid"]] += step["ns"]["device"]
    waited = {pid: ns for pid, ns in sleeps.items() if ns > SHORT_S * 1e9 / 2}
    check.equal("sleepers on the path", len(waited), 1)
    check.that(LONG_S * 1e9 <= sum(waited.values()) < 2 * LONG_S * 1e9, f"the longer one sleeps on the path: {waited}")


def check_tree(check, tools):
    check.context = "times of the tree"
    result, run = tools.trace([sys.executable, "-S", "-c", TREE], "--tree-times")
    exes, times = run.saved["exes"], run.saved["tree_times"]
    own = {key: [row for row in times["rows"] if exes[row["exe"]]["path"].endswith("bash") and row["executed"] == key]
           for key in (True, False)}
    check.equal("starts and copies of bash", [sum(row["images"] for row in own[key]) for key in (True, False)],
                [1, COPIES])
    cpu_ns = sum(sum(row["cpu_ns"].values()) for rows in own.values() for row in rows)
    used_ns = float(result.stdout) * 1e9
    check.that(abs(cpu_ns - used_ns) < 0.1 * used_ns + 5e6, f"CPU time: {cpu_ns / 1e6} ms, by getrusage {used_ns / 1e6}")


def read_by_strace(tools, command, path):
    log = tools.path("files.log")
    subprocess.run(["strace", "-f", "-y", "-e", "trace=read,sendfile", "-o", log, *command], check=True,
                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    with open(log, encoding="utf-8", errors="replace") as file:
        sizes = [int(line.rsplit("= ", 1)[1]) for line in file if re.search(rf"<{re.escape(path)}>.* = \d+$", line)]
    return len(sizes), sum(sizes)


def check_files(check, tools):
    check.context = "files"
    path = tools.path("data")
    with open(path, "w", encoding="ascii") as file:
        file.write("x" * 999 + "\n")
    command = ["bash", "-c", f"read -r x <{path}; read -r y <{path}; :"]
    _, run = tools.trace(command, "--files")
    rows = [row["uses"] for row in run.saved["files"]["rows"] if row["path"] == path]
    check.equal("opened", sum(row["opened"]["calls"] for row in rows), 2)
    check.equal("reads, and bytes", tuple(sum(row["read"][key] for row in rows) for key in ("calls", "bytes")),
                read_by_strace(tools, command, path))
    check.equal("bytes", sum(row["read"]["bytes"] for row in rows), 2 * os.path.getsize(path))


def main():
    tools, check = Tools(*TOOLS), Check()
    check_path(check, tools)
    check_tree(check, tools)
    check_files(check, tools)
    check.finish()


main()
