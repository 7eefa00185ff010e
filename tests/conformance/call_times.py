# SPDX-License-Identifier: GPL-2.0-or-later
"""call_times.py FORKTAX SAMPLES WITNESS: how long calls take: in all, the shortest, the longest, the 99th percentile.

Sleeps of known lengths: each figure is at least that of the lengths, and at most that of the times which the program
itself has seen pass. This holds however busy the machine is. (By strace only the upper bounds hold: strace 6.1 on a
busy machine shows times of 30 us for sleeps of 200 us.)
"""
import json
import sys

from check import Check
from runs import Tools, Run

LENGTHS_NS = sorted(int(ms * 1e6) for ms in [0.2] * 191 + [0.7, 1.5, 3, 6, 12, 25, 50, 75, 100])
SLEEPS = """
import sys, time
for ns in map(int, sys.argv[2:]):
    begin = time.monotonic_ns()
    time.sleep(ns / 1e9)
    print(time.monotonic_ns() - begin, file=open(sys.argv[1], "a"))
"""
SLEEP = "clock_nanosleep" if sys.version_info >= (3, 11) else "select" # of time.sleep()
RANK = len(LENGTHS_NS) * 99 // 100 - 1
ABOVE = 17 / 16  # how much a percentile may be too high


def check_sleeps(check, run, passed, unit, has_least):
    with open(passed, encoding="ascii") as file:
        at_most = sorted(int(line) + unit for line in file)
    row, = [row for row in run.saved["syscalls"] if row["name"] == SLEEP]
    check.equal("sleeps", (row["calls"], len(at_most)), (len(LENGTHS_NS), len(LENGTHS_NS)))
    for key, of in (("time_ns", sum), ("min_ns", min), ("max_ns", max), ("p99_ns", lambda times: times[RANK])):
        least, most = of(LENGTHS_NS) if has_least else 0, of(at_most) * (ABOVE if key == "p99_ns" else 1)
        check.that(least <= row[key] <= most, f"{key}: {least} <= {row[key]} <= {most}")


def main():
    tools, check = Tools(*sys.argv[1:4]), Check()
    passed, log, saved = tools.path("passed"), tools.path("log"), tools.path("log.json")
    command = [sys.executable, "-c", SLEEPS, passed, *map(str, LENGTHS_NS)]
    for options in ([], ["--source=strace"]):
        open(passed, "w").close()
        check.context = f"live {options}"
        check_sleeps(check, tools.trace(command, "--time", *options)[1], passed, 0, not options)
    check.context = "log"
    open(passed, "w").close()
    tools.execute(["strace", "-f", "-T", "-o", log, *command])
    tools.execute([tools.forktax, "report", "--json", "-o", saved, log])
    with open(saved, encoding="utf-8") as file:
        check_sleeps(check, Run(json.load(file)), passed, 1000, False)
    check.finish()


main()
