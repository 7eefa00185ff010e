# SPDX-License-Identifier: GPL-2.0-or-later
"""narrow.py FORKTAX SAMPLES WITNESS SOURCE: a 32-bit program, its children, and what one of them executes.

strace and wait4 on the same processes; and with the anatomy, the places that the source names: its
thread pointer is the base of a segment.
"""
import os
import shutil
import subprocess
import sys
from collections import Counter

import anatomy_cross_check
import balance
import rules
import witnesses
from check import Check, skip
from runs import Tools

PAGES, CHILDREN = 4, 3
BUILD = ["-m32", "-O1", "-static", "-nostdlib", "-ffreestanding", "-fno-pie", "-no-pie",
         "-fno-stack-protector", "-fcf-protection=none"]


def build(tools, source):
    compiler = shutil.which("cc")
    if not compiler:
        skip("cc is not installed")
    program = tools.path("narrow")
    built = subprocess.run([compiler, *BUILD, "-o", program, source], capture_output=True)
    if built.returncode:
        skip(f"the compiler makes no 32-bit programs: {built.stderr.decode().splitlines()[0]}")
    try:
        subprocess.run([program], check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        skip(f"this kernel runs no 32-bit programs: {error}")
    return os.path.realpath(program)


def check_calls(check, run):
    calls = run.calls()
    for name, count in (("getppid", CHILDREN + 1), ("clone", CHILDREN), ("wait4", CHILDREN),
                        ("execve", 1), ("exit_group", CHILDREN), ("set_thread_area", 1)):
        check.equal(f"i386 {name}", calls[("i386", name)], count)


def check_denied(check, tools, command):
    """An execve that changes the ABI ends with another number than it began with. Where all exits are
    looked at, that is no other call, which has been denied."""
    for option in ("--time", "--anatomy"):
        _, run = tools.trace(command, option)
        check.equal_counts(f"denied with {option}", run.calls("denied"), Counter())


def check_places(check, run, program):
    """Pages that a child of the program itself writes to, by place and symbol."""
    pages = Counter()
    for row in anatomy_cross_check.rows(run, phase="child"):
        if row["actor"] == "program" and row["class"] in ("cow_copy", *rules.MAY_BE_INSTEAD):
            of = row["symbol"] if row["object"] == program else row["object"]
            pages[(row["place"], of)] += row["faults"]
    wanted = {("file", "data_pages"): PAGES * CHILDREN, ("bss", "bss_pages"): PAGES * CHILDREN,
              ("tls", None): CHILDREN}
    for key, count in wanted.items():
        check.equal(f"pages of children at {key}", pages[key], count)
    check.equal("at unknown or anonymous places",
                sum(count for (place, _), count in pages.items() if place in ("unknown", "anon")), 0)


def main():
    tools = Tools(*sys.argv[1:4])
    program = build(tools, sys.argv[4])
    command = tools.under_witness([program, shutil.which("true")])
    check = Check()
    check.context = "narrow"
    result, run, log = tools.trace_with_strace(command)
    check.equal("exit status", result.returncode, 0)
    balance.check_balance(check, run)
    witnesses.check_strace(check, run, log)
    witnesses.check_wait4(check, run, tools.witnessed())
    check_calls(check, run)
    check_denied(check, tools, command)
    _, run = anatomy_cross_check.trace(check, tools, command)
    witnesses.check_wait4(check, run, tools.witnessed())
    check_places(check, run, program)
    check.finish()


main()
