# SPDX-License-Identifier: GPL-2.0-or-later
"""classes.py FORKTAX SAMPLES WITNESS EVERYCALL: which calls are in which class of -e, beside strace.

The program enters every system call there is. strace shows those of a class; forktax has to show the same
ones, as far as this strace has a name for them.
"""
import csv
import io
import itertools
import subprocess
import sys

import rules
import strace_log
from check import SKIPPED, Check, skip
from runs import Tools

CLASSES = ("%file", "%process", "%network", "%net", "%signal", "%ipc", "%desc", "%memory", "%creds",
           "%stat", "%lstat", "%fstat", "%%stat", "%statfs", "%fstatfs", "%%statfs", "%clock",
           "%pure", "file", "!%desc", "/^get", "!/^get", "%file,%clock", "all", "none", "!none", "?nix")


def seen_by_strace(tools, program, expression):
    log = tools.path("strace.log")
    subprocess.run(["strace", *strace_log.OPTIONS, "-e", f"trace={expression}", "-o", log, program],
                   env=tools.environment, check=True, capture_output=True)
    return {(abi, name) for task in strace_log.Log(log).tasks.values() for abi, name, _ in task.calls}


def shown_by_forktax(tools, expression):
    report = tools.execute([tools.forktax, "report", "-q", "--csv", "-e", expression,
                            tools.path("run.json")])
    rows = csv.reader(io.StringIO(report.stdout.decode(), newline=""))
    while not next(rows)[0].startswith("# System calls"):
        pass
    column = next(rows).index("syscall")
    names = {row[column] for row in itertools.takewhile(lambda row: len(row) > column, rows)}
    return {("i386", name.split()[0]) if name.endswith(" (i386)") else ("x86_64", name)
            for name in names}


def main():
    tools = Tools(*sys.argv[1:4])
    program = sys.argv[4]
    check = Check()
    result, _ = tools.trace([program])
    if result.returncode == SKIPPED:
        skip(result.stderr.decode().strip())
    known = {key for key in seen_by_strace(tools, program, "all") if "unknown" not in key[1]}
    check.that(len(known) > 600, f"only {len(known)} calls have a name")
    for expression in CLASSES:
        check.context = f"-e {expression}"
        seen = seen_by_strace(tools, program, expression) & known
        shown = shown_by_forktax(tools, expression) & known
        for abi, name in sorted((shown - seen) | (seen - shown)):
            check.that(name in rules.DECODED_CALLS,
                       f"{name} ({abi}) is shown by {'forktax' if (abi, name) in shown else 'strace'} only")
        check.that(True, "")
    check.finish()


main()
