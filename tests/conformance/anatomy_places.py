# SPDX-License-Identifier: GPL-2.0-or-later
"""anatomy_places.py FORKTAX SAMPLES WITNESS LINKAGE [brief]: faults at places that are known beforehand.

Two runs of faultplaces that differ only in the pages touched, without address randomisation: what
the second one has more is exactly what the sample expects, place by place and page by page.
"""
import json
import os
import sys
import tempfile
from collections import Counter

import anatomy_cross_check
import rules
from check import SKIPPED, Check, skip
from runs import Tools

PAGE = os.sysconf("SC_PAGE_SIZE")
PAGES = 16


def object_key(row, path):
    """The objects of the sample's expectation, by name; others by their path."""
    name = row["object"]
    if name is None or "(deleted)" not in name:
        return "self" if name == path else name
    return "memfd" if name.startswith("/memfd:forktax-sample") else "file"


def key(row, of):
    fault_class = row["class"]
    if row["place"] in rules.RACED_FOR:
        fault_class = rules.MAY_BE_INSTEAD.get(fault_class, fault_class)
    return (row["phase"], row["actor"], fault_class, row["place"], of or "-", row["call"] or "-")


def counted(run, path):
    total = Counter()
    for row in run.saved["anatomy"]:
        of = object_key(row, path)
        if row["class"] in rules.DEPENDS_ON_PAGE_CACHE and of != "file":
            continue
        total[key(row, of)] += row["faults"]
    return total


def expected(expectation):
    total = Counter()
    for one in expectation["places"]:
        total[key(one, one["object"])] += one["count"]
    return total


def run_once(check, tools, command, pages):
    result, run = anatomy_cross_check.trace(check, tools, [*command, "-t", f"{pages:02d}"], "--no-aslr")
    if result.returncode == SKIPPED:
        skip(result.stderr.decode().strip())
    check.equal("exit status", result.returncode, 0)
    return run


def join(counts):
    """Without what the kernel or the order of two processes decides."""
    total = Counter()
    for (phase, actor, fault_class, place, *rest), count in counts.items():
        fault_class = rules.MAY_BE_INSTEAD.get(fault_class, fault_class)
        if phase == "exec" and place == "tls":  # of arm64, from when the program first gave up the CPU (docs/reference/fault-classes.md)
            place = "anon"
        total[(phase, actor, fault_class, place, *rest)] += count
    return {key: count for key, count in total.items() if count}


def difference(check, tools, command, path, wanted):
    """What PAGES pages add, and the run with them; again where only a choice of the kernel differs."""
    for left in reversed(range(rules.TRIES_OF_CHOICE)):
        before, run = (run_once(check, tools, command, pages) for pages in (0, PAGES))
        added = counted(run, path)
        added.subtract(counted(before, path))
        added = Counter({key: count for key, count in added.items() if count})
        if added == wanted or not left or join(added) != join(wanted):
            return added, run
        print(f"again: {check.context}: {dict(added - wanted)}")


def check_pages(check, run, path, one):
    """A row for each page, in the file's own numbers, and the variable's name."""
    def fits(row):
        return (object_key(row, path) == one["object"] and row["phase"] == one["phase"] and
                all(row[key] == one[key] for key in ("actor", "class", "place", "call")))
    what = f"{one['phase']} {one['class']} {one['place']} {one['object']}"
    found = {row["offset"] // PAGE: row for row in run.saved["anatomy"] if fits(row)}
    if one["offset"] is None:
        return
    if one["place"] == "anon":
        check.that(any(row["offset"] == one["offset"] for row in found.values()),
                   f"{what}: no row begins at {one['offset']}")
        return
    for i in range(one["count"]):
        row = found.get(one["offset"] // PAGE + i)
        check.that(row and row["faults"] == 1 and row["offset"] == one["offset"] + i * PAGE,
                   f"{what}: page {i} at offset {one['offset'] + i * PAGE}: {row}")
        if row and one["symbol"]:
            check.equal(f"{what}: page {i}: symbol", (row["symbol"], row["symbol_offset"]),
                        (one["symbol"], i * PAGE))
            check.equal(f"{what}: page {i}: section", row["section"],
                        ".bss" if one["place"] == "bss" else ".data")


def check_code(check, run, path):
    """All code of the children that is not the kernel's is the sample's own: its raw calls."""
    for row in anatomy_cross_check.rows(run, phase="child"):
        if row["actor"] != "kernel":
            check.equal(f"{row['class']} {row['place']}: code",
                        (row["ip_place"], row["ip_object"], row["ip_section"]), ("file", path, ".text"))


def main():
    tools = Tools(*sys.argv[1:4])
    linkage = sys.argv[4]
    path = os.path.realpath(tools.sample("faultplaces", linkage))
    tools.environment.update(rules.WITHOUT_RSEQ)
    rules.stay_on_one_cpu()
    check = Check()
    check.context = f"{linkage} faultplaces"
    with tempfile.TemporaryDirectory(dir="/var/tmp") as directory:
        on_file = rules.file_system(directory) not in rules.OF_SHARED_MEMORY
        command = [path, *(["-d", directory] if on_file else ["-m"])]
        if not on_file:
            print(f"left out: {check.context}: its file: /var/tmp is no disk")
        printed = tools.execute([path, "--expect", *command[1:], "-t", str(PAGES)])
        expectation = json.loads(printed.stdout)
        wanted = expected(expectation)
        added, run = difference(check, tools, command, path, wanted)
    check.equal_counts("faults added", added, wanted)
    for one in expectation["places"]:
        check_pages(check, run, path, one)
    check_code(check, run, path)
    check.finish()


main()
