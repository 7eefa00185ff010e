# SPDX-License-Identifier: GPL-2.0-or-later
"""faults.py FORKTAX SAMPLES WITNESS LINKAGE [brief]: each class of faults on a known number of pages.

Two runs of one case that differ only in the pages touched, without address randomisation: the
difference of every class is exactly what the sample expects, and of every other class 0.
"""
import json
import sys
from collections import Counter

import balance
import rules
from check import SKIPPED, Check
from runs import Tools

CASES = ["cow_copy", "cow_reuse", "killed", "kernel_copy", "file_write", "file_read_write", "zero_fill",
         "zero_page", "dev_zero", "access_flag", "wipe_on_fork", "shared_write", "replaced", "shared_anonymous",
         "memfd", "populate", "userfault", "exec_strings", "huge_pool", "huge_file"]
PAGES = 64
PAGES_OF = {"huge_pool": 4, "huge_file": 1}

# Left out with `brief` (emulated guests are slow); sample faultclasses has them all the same.
LONG_ONLY = ["file_write", "file_read_write", "wipe_on_fork", "shared_anonymous", "memfd",
             "populate", "huge_file"]

# Copies by the kernel's own count (delay accounting): write faults on a present page that ended
# with a new page, the break of the zero page included. All in the child, or all in the root.
WPCOPY_OF_CHILD = {"cow_copy": PAGES, "killed": PAGES, "kernel_copy": PAGES, "cow_reuse": 0, "access_flag": 0,
                   "wipe_on_fork": 0, "replaced": 0, "userfault": 0}
WPCOPY_OF_ROOT = {"file_read_write": PAGES, "zero_page": PAGES}

# The kernel counts writes to huge pages of a pool as copies, too; and here those of an image after exec.
OTHER_COPIES = ["huge_pool", "exec_strings"]

# Switched for the test: delay accounting, and how many huge pages the kernel may add to its pool.
SWITCHES = {"/proc/sys/kernel/task_delayacct": "1", "/proc/sys/vm/nr_overcommit_hugepages": "16"}


def switch(path, value):
    """The old value, or None where this kernel does not have it."""
    try:
        with open(path, "r+") as file:
            old = file.read()
            file.seek(0)
            file.write(value)
        return old
    except OSError:
        return None


def counted(run):
    faults = run.totals["faults"]
    in_kernel = faults["by_actor"].get("kernel", {})
    stable = [key for key in balance.CLASSES if key not in rules.DEPENDS_ON_PAGE_CACHE]
    counts = Counter({key: faults[key] for key in [*stable, "unattributed"]})
    counts["kernel_mode"] = sum(in_kernel.get(key, 0) for key in stable)
    return counts


def check_copies(check, run, case):
    """Exact for a forked child, which starts with nothing but what it shares with its parent."""
    root = run.root()["wpcopy"]
    if root is None:
        print(f"left out: {check.context}: no wpcopy count")
        return
    if rules.short_copies_take_no_time():
        for child in run.children():
            faults = balance.sum_faults([image["faults"] for image in child["images"]])
            check.that(child["wpcopy"] <= faults["cow_copy"], f"wpcopy: {child['wpcopy']}")
        return
    check.that(root >= WPCOPY_OF_ROOT.get(case, 0), f"wpcopy of the root: {root}")
    for child in run.children():
        faults = balance.sum_faults([image["faults"] for image in child["images"]])
        check.equal("wpcopy of the child", child["wpcopy"], faults["cow_copy"])
        check.that(child["wpcopy"] >= WPCOPY_OF_CHILD[case], f"wpcopy: {child['wpcopy']}")


def difference(check, tools, command, most, case):
    """What so many pages add to the counts, and the run with these pages; None: not possible here."""
    results = []
    for pages in (0, most):
        result, run = tools.trace([*command, "-t", str(pages)], "--no-aslr")
        if result.returncode == SKIPPED:
            print(f"left out: {check.context}: {result.stderr.decode().strip()}")
            return None, run
        check.equal("exit status", result.returncode, 0)
        balance.check_balance(check, run)
        for one in run.processes if case not in OTHER_COPIES else []:
            balance.check_copies(check, one)
        results.append(counted(run))
    before, after = results
    added = {key: after[key] - before[key] for key in after}
    return Counter({key: count for key, count in added.items() if count}), run


def expected(tools, command, pages):
    printed = tools.execute([command[0], "--expect", *command[1:], "-t", str(pages)])
    return Counter({key: row["min"] for key, row in json.loads(printed.stdout)["faults"].items()})


def test(check, tools, command, case):
    """What is wrong every time is wrong."""
    pages = PAGES_OF.get(case, PAGES)
    wanted = expected(tools, command, pages)
    by_choice, left = rules.TRIES_OF_CHOICE, rules.TRIES
    while True:
        added, run = difference(check, tools, command, pages, case)
        if added is None:
            return
        if added != wanted and rules.differ_by_choice(added, wanted):
            by_choice -= 1
        else:
            left -= 1
        if added == wanted or not by_choice or not left:
            break
        print(f"again: {check.context}: {dict(added)}")
    check.equal_counts("faults added", added, wanted)
    if case not in OTHER_COPIES:
        check_copies(check, run, case)


def main():
    tools = Tools(*sys.argv[1:4])
    linkage, *brief = sys.argv[4:]
    path = tools.sample("faultclasses", linkage)
    tools.environment.update(rules.WITHOUT_RSEQ)
    rules.stay_on_one_cpu()
    check = Check()
    cases = [case for case in CASES if not (brief and case in LONG_ONLY)]
    if rules.rss_is_cached():
        cases.remove("exec_strings")
        print("left out: exec_strings: this kernel caches the RSS counters of a thread")
    before = {path: switch(path, value) for path, value in SWITCHES.items()}
    try:
        for case in cases:
            check.context = f"{linkage} faultclasses -c {case}"
            test(check, tools, [path, "-c", case], case)
    finally:
        for path, value in before.items():
            if value is not None:
                switch(path, value)
    check.finish()


if __name__ == "__main__":
    main()
