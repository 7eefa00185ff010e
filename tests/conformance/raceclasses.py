# SPDX-License-Identifier: GPL-2.0-or-later
"""raceclasses.py FORKTAX SAMPLES WITNESS RACECLASSES [ROUNDS [CASE]...]: classes of faults that threads and
processes take at once.

Each run has three witnesses: the kernel's events of the same processes (kernel_witness.py), its count of copies
(delay accounting), and what the program knows: which classes its memory cannot have, whoever wins.
"""
import os
import subprocess
import sys

import balance
import kernel_witness
import rules
from check import Check
from faults import SWITCHES, switch
from runs import Tools

ROUNDS = 2
# Cases by what their memory is. Of all others: private memory, first written to, or read.
SHARED = ("file_shared", "file_shared_write", "file_read", "file_cold_shared", "shmem_shared",
          "shmem_huge", "dropped_of_file", "pool_shared", "forgotten")
READS_UNTOUCHED = ("fill_mixed", "zero_read", "zero_write", "zero_written", "dropped", "dropped_in_child",
                   "huge_fill", "huge_split", "huge_drop", "huge_fork", "userfault")
POOLS = ("pool_private", "pool_shared")
PAGES = 64
# A thread that writes while another one copies the page may find its entry empty, and copies the page of the file,
# in vain: a cow_copy that is no copy of wp_page_copy(), nor in wpcopy (docs/reference/fault-classes.md). Only in private
# mappings of files: of the cases, and of the libraries, whose data threads share.
THROWN_AWAY_OF_LIBRARIES = 1
THROWN_AWAY = {"of_data": PAGES, "of_data_behind": PAGES}


def cases(program):
    listed = subprocess.run([program], capture_output=True, text=True, check=True)
    return listed.stdout.split()


def forked(run):
    """Without the program itself, which reads its .bss as it starts."""
    return [one for one in run.children() if len(one["images"]) == 1]


def check_known(check, case, run):
    """Classes that this memory cannot have."""
    for one in forked(run):
        faults = balance.sum_faults([image["faults"] for image in one["images"]])
        what = f"process {one['id']}"
        check.equal(f"{what}: swap_in", faults["swap_in"], 0)
        if case not in SHARED:
            check.equal(f"{what}: shared_write", faults["shared_write"], 0)
        if case not in READS_UNTOUCHED:
            check.equal(f"{what}: zero_page", faults["zero_page"], 0)
        if case == "zero_written":
            check.equal(f"{what}: zero_page", faults["zero_page"], PAGES)


def check_copies(check, case, run):
    """Delay accounting counts each copy, one that is thrown away, too; and those of huge pages of a pool."""
    if rules.short_copies_take_no_time() or case in POOLS:
        return
    for one in forked(run):
        faults = balance.sum_faults([image["faults"] for image in one["images"]])
        least, more = faults["cow_copy"], faults["file_cow"] + faults["zero_fill"]
        if case in READS_UNTOUCHED:  # a copy of the zero page that is thrown away has no class of copies
            more += faults["cow_reuse"]
        if case == "userfault":  # there the class of such a fault is `other`, as if it had waited
            more += faults["other"]
        if one["wpcopy"] is not None:
            short = THROWN_AWAY.get(case, THROWN_AWAY_OF_LIBRARIES) if one["threads"] > 1 else 0
            if one["wpcopy"] < least:
                print(f"{case}: process {one['id']}: {least - one['wpcopy']} copies of a file's page thrown away")
            check.that(least - short <= one["wpcopy"] <= least + more,
                       f"process {one['id']}: wpcopy {one['wpcopy']}, but {least} COW copies, "
                       f"and {more} faults that may be one")


def test(check, tools, program, case, rounds):
    command = tools.under_witness([program, case, str(rounds)])
    status, said, run, seen = kernel_witness.watch(tools, command, directory=tools.scratch)
    check.equal(f"exit status ({said[-500:]})", status, 0)
    if rules.inexact_by_preemption(run.saved["integrity"]):
        print(f"left out: {case}: not exact, because of recursion misses")
        return
    if not run.saved["integrity"]["exact"]:
        print(f"not exact: {case}: {run.saved['integrity']}")
    balance.check_balance(check, run)
    kernel_witness.compare(check, run, seen, tools.witnessed())
    check_known(check, case, run)
    check_copies(check, case, run)


def main():
    tools, check = Tools(*sys.argv[1:4]), Check()
    program, rounds = os.path.abspath(sys.argv[4]), int(sys.argv[5]) if len(sys.argv) > 5 else ROUNDS
    tools.environment.update(rules.WITHOUT_RSEQ)
    before = {path: switch(path, value) for path, value in SWITCHES.items()}
    try:
        for case in sys.argv[6:] or cases(program):
            check.context = case
            done, failures = check.done, check.failures
            test(check, tools, program, case, rounds)
            print(f"{case}: {check.done - done} checks, {check.failures - failures} failures",
                  flush=True)
    finally:
        for path, value in before.items():
            if value is not None:
                switch(path, value)
    check.finish()


main()
