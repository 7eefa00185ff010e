# SPDX-License-Identifier: GPL-2.0-or-later
"""summary.py FORKTAX SAMPLES WITNESS LINKAGE: forktax against `strace -c -f`, as people use it, and
against the lines of `strace -f` with the same choice by status (strace -c heeds none).

Separate runs of programs that do the same in every run; the calls that never return are not in
`strace -c` (rules.NEVER_RETURN).
"""
import csv
import os
import re
import sys
from collections import Counter

import balance
import rules
from check import Check
from runs import Tools

COMMANDS = [["true"], ["forkloop", "-n", "20"], ["forkloop", "-n", "5", "-e", "/bin/true"],
            ["vforkexec", "-f"], ["getppidloop", "-n", "1000"]]

ROW = re.compile(r"^ *[\d.]+ +[\d.]+ +\d+ +(\d+) +(\d+)? +(\w+)$")


def summary(tools, command):
    """Calls and errors per name, from the table of strace -c."""
    path = tools.path("summary")
    tools.execute(["strace", "-c", "-f", "-o", path, *command])
    calls, errors = Counter(), Counter()
    with open(path) as lines:
        for line in lines:
            row = ROW.match(line)
            if row and row.group(3) != "total":
                calls[row.group(3)] = int(row.group(1))
                errors[row.group(3)] = int(row.group(2) or 0)
    return calls, errors


STATUSES = (["-e", "status=successful"], ["-e", "status=failed"], ["-e", "status=unfinished"],
            ["-e", "status=!failed", "-e", "trace=%file"])

LINE = re.compile(r"^\d+ +(\w+)\(")


def lines_of_strace(tools, status, command):
    """Calls per name that strace prints of that status."""
    path = tools.path("lines")
    tools.execute(["strace", "-f", *status, "-o", path, *command])
    with open(path, encoding="ascii", errors="replace") as lines:
        return Counter(match.group(1) for match in map(LINE.match, lines) if match)


def shown(tools, options):
    """Calls per name in the table of the last run, with these options."""
    report = tools.execute([tools.forktax, "report", "--csv", *options, tools.path("run.json")])
    lines = report.stdout.decode().splitlines()
    begin = next(i for i, line in enumerate(lines) if line.startswith("# System calls"))
    end = next(i for i, line in enumerate(lines) if i > begin and line.startswith("#"))
    rows = csv.DictReader(lines[begin + 1:end])
    return Counter({row["syscall"]: int(row["calls"]) for row in rows if row["syscall"] != "total"})


def returning(counts):
    return Counter({name: count for (_, name), count in counts.items()
                    if name not in rules.NEVER_RETURN})


def main():
    tools = Tools(*sys.argv[1:4])
    directory = os.path.dirname(tools.sample("true", sys.argv[4]))
    check = Check()
    for name, *arguments in COMMANDS:
        check.context = " ".join([sys.argv[4], name, *arguments])
        command = [os.path.join(directory, name), *arguments]
        _, run = tools.trace(command)
        balance.check_balance(check, run)
        calls, errors = summary(tools, command)
        check.equal_counts("calls", returning(run.calls()), calls, ("forktax", "strace -c"))
        check.equal_counts("errors", returning(run.calls("errors")), errors,
                           ("forktax", "strace -c"))
        for status in STATUSES:
            check.equal_counts(f"calls with {' '.join(status)}", shown(tools, status),
                               lines_of_strace(tools, status, command), ("forktax", "strace"))
        leave = sum(run.calls()[(rules.ABI, leaving)] for leaving in rules.NEVER_RETURN)
        check.equal("calls that never return, one per process", leave, run.totals["processes"])
    check.finish()


main()
