# SPDX-License-Identifier: GPL-2.0-or-later
"""histogram.py FORKTAX SAMPLES WITNESS: histograms of call times.

- The calls in the buckets of a call are those that returned: no more, no fewer.
- Sleeps of known lengths: no bucket below that of the length has one, and none stands above that of the time
  which the program itself has seen pass. This holds however busy the machine is.
- A log of strace -T gives each of its times to the bucket that holds it: the times in the log are the witness, read
  here by a pattern of our own. Of the sleeps only the upper bound holds: strace 6.1 on a busy machine shows times
  of 30 us for sleeps of 200 us.
"""
import bisect
import json
import re
import sys
from collections import Counter

from check import Check, skip
from runs import Tools, Run

LENGTHS_NS = [int(ms * 1e6) for ms in (0.2, 0.2, 0.7, 1.5, 1.5, 1.5, 3, 6, 6, 12, 25, 50, 100)]
SLEEPS = """
import sys, time
for ns in map(int, sys.argv[2:]):
    begin = time.monotonic_ns()
    time.sleep(ns / 1e9)
    print(time.monotonic_ns() - begin, file=open(sys.argv[1], "a"))
"""
SLEEP = "clock_nanosleep" if sys.version_info >= (3, 11) else "select" # of time.sleep()
TIME = re.compile(r"(?:\d+ +)?(\w+)\(.* <(\d+)\.(\d+)>$")
RESUMED = re.compile(r"(?:\d+ +)?<\.\.\. (\w+) resumed.* <(\d+)\.(\d+)>$")


def row_of(run, name):
    return next(row for row in run.saved["syscalls"] if row["name"] == name)


def below(buckets, bound):
    """Calls in the buckets that end at `bound` or before."""
    return sum(bucket["calls"] for bucket in buckets if bucket["high_ns"] and bucket["high_ns"] <= bound)


def check_shape(check, name, row):
    buckets = row["histogram"]
    check.equal(f"{name}: calls in buckets", sum(bucket["calls"] for bucket in buckets),
                row["calls"] - row["unfinished"])
    for bucket in buckets:
        low, high = bucket["low_ns"], bucket["high_ns"]
        check.equal(f"{name}: a bucket doubles", high in (2 * low, None) or low == 0, True)
    for before, after in zip(buckets, buckets[1:]):
        check.equal(f"{name}: in order", before["high_ns"] <= after["low_ns"], True)
    low, high = buckets[0], buckets[-1]
    check.equal(f"{name}: the shortest is in the first", low["low_ns"] <= row["min_ns"] < low["high_ns"], True)
    check.equal(f"{name}: the longest is in the last",
                high["low_ns"] <= row["max_ns"] and (high["high_ns"] is None or row["max_ns"] < high["high_ns"]), True)


def check_sleeps(check, row, passed, by_strace):
    """Each boundary by itself: who has surely slept longer stands above it, and who surely has not below."""
    at_least, at_most = sorted(LENGTHS_NS), sorted(passed)
    check.equal("sleeps", (row["calls"], len(passed)), (len(LENGTHS_NS), len(LENGTHS_NS)))
    for bound in sorted({bucket["high_ns"] for bucket in row["histogram"]} |
                        {bucket["low_ns"] for bucket in row["histogram"]}):
        count = below(row["histogram"], bound)
        surely = bisect.bisect_left(at_most, bound)
        perhaps = len(passed) if by_strace else bisect.bisect_left(at_least, bound)
        check.equal(f"sleeps shorter than {bound} ns: {surely} <= {count} <= {perhaps}",
                    surely <= count <= perhaps, True)


def sleep_command(tools):
    passed = tools.path("passed")
    open(passed, "w").close()
    return passed, [sys.executable, "-c", SLEEPS, passed, *map(str, LENGTHS_NS)]


def read_times(passed):
    with open(passed, encoding="ascii") as file:
        return [int(line) for line in file]


def check_live(check, tools, *options):
    """A program that starts others has calls in many buckets, and some that never return."""
    passed, command = sleep_command(tools)
    _, run = tools.trace(command, "--time", *options)
    check_sleeps(check, row_of(run, SLEEP), read_times(passed), bool(options))
    shell = ["sh", "-c", "for i in 1 2 3; do true; (exit 3); done; ls / >/dev/null; sleep 0.01 & wait"]
    for traced in (run, tools.trace(shell, "--time", *options)[1]):
        for row in traced.saved["syscalls"]:
            if row["calls"] > row["unfinished"]:
                check_shape(check, row["name"], row)
            else:
                check.equal(f"{row['name']} never returned: buckets", "histogram" in row, False)
        for part in (traced.saved["roots"]["calls"], *(group["calls"] for group in traced.groups)):
            check.equal("parts have none", [row["name"] for row in part if "histogram" in row], [])


def times_in(log):
    """name -> (value, unit in ns) of each time."""
    times = {}
    with open(log, encoding="utf-8", errors="replace") as file:
        for line in file:
            found = TIME.match(line.rstrip()) or RESUMED.match(line.rstrip())
            if found:
                unit = 10 ** (9 - len(found[3]))
                times.setdefault(found[1], []).append(
                    ((int(found[2]) * 10 ** 9 + int(found[3].ljust(9, "0"))) // unit, unit))
    return {name: in_microseconds(of_call) for name, of_call in times.items()}


def in_microseconds(times):
    """Nanoseconds that are all whole microseconds say no more than these."""
    if all(unit == 1 and value % 1000 == 0 for value, unit in times):
        return [(value // 1000, 1000) for value, _ in times]
    return times


def bucket_of(value, unit):
    low = 1 << value.bit_length() - 1 if value else 0
    return low * unit, (2 * low or 1) * unit


def check_log(check, tools, *options):
    passed, command = sleep_command(tools)
    log, saved = tools.path("log"), tools.path("log.json")
    result = tools.execute(["strace", "-f", "-T", *options, "-o", log, *command])
    if result.returncode:
        skip(f"this strace does not take {options}: {result.stderr.decode()}")
    result = tools.execute([tools.forktax, "report", "--json", "-o", saved, log])
    check.equal("report of the log", (result.returncode, result.stderr), (0, b""))
    with open(saved, encoding="utf-8") as file:
        run = Run(json.load(file))
    times = times_in(log)
    for row in run.saved["syscalls"]:
        expected = Counter(bucket_of(*time) for time in times.get(row["name"], []))
        check.equal(f"{row['name']}: buckets of the log", Counter(
            {(bucket["low_ns"], bucket["high_ns"]): bucket["calls"] for bucket in row.get("histogram", [])}), expected)
    check.equal("sleeps in the log", len(times.get(SLEEP, [])), len(LENGTHS_NS))
    # What strace prints is cut to its unit.
    row = row_of(run, SLEEP)
    unit = times[SLEEP][0][1]
    check_sleeps(check, row, [time + unit for time in read_times(passed)], True)


def main():
    tools = Tools(*sys.argv[1:4])
    check = Check()
    for name, part in (("live", lambda: check_live(check, tools)),
                       ("by strace", lambda: check_live(check, tools, "--source=strace")),
                       ("log in microseconds", lambda: check_log(check, tools)),
                       ("log in nanoseconds", lambda: check_log(check, tools, "--syscall-times=ns"))):
        check.context = name
        part()
    check.finish()


main()
