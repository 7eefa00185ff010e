# SPDX-License-Identifier: GPL-2.0-or-later
"""two_at_once.py FORKTAX SAMPLES WITNESS PROGRAM: two forktax on one machine, and both know the class of each fault.

PROGRAM (manymappings.c) takes faults that only a look at the mapping tells apart, while another forktax counts the whole
machine and looks at the same moments. The kernel lets one of the two look.
"""
import os
import re
import signal
import subprocess
import sys

import rules
from check import PATIENCE_S, Check
from runs import Tools

COUNT = 1500
# What is taken beside the faults that are meant: by ld.so, and because the fork shared the other pages, too.
BESIDE = 100
BUSY = re.compile(r"CLASSES NOT EXACT: (\d+) of \d+ page faults")


class Neighbour:
    """Another forktax, which counts all processes until the end of the block."""

    def __init__(self, tools, saved):
        self.saved = saved
        self.process = subprocess.Popen([tools.forktax, "run", "-a", "--json", "-o", saved], stderr=subprocess.PIPE,
                                        env=tools.environment, text=True)

    def __enter__(self):
        for line in self.process.stderr:
            if "counting all processes" in line:
                return self
        raise RuntimeError("the other forktax does not count")

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGINT)
        self.process.communicate(timeout=PATIENCE_S)


def classes_of(faults):
    """{class: faults}, of those that have one."""
    names = ("cow_copy", "cow_reuse", "file_cow", "zero_fill", "zero_page", "file_map", "shared_write", "shmem", "swap_in",
             "pfn_map", "access_flag", "other", "unattributed")
    return {name: faults[name] for name in names}


def check_sentence(check, tools, saved, busy):
    """What has no class for this reason is said before everything else, with its number."""
    text = tools.execute([tools.forktax, "report", saved]).stdout.decode()
    found = BUSY.match(text)
    check.equal("faults without a class, by the first line", int(found[1]) if found else 0, busy)


def main():
    tools, check = Tools(*sys.argv[1:4]), Check()
    program = os.path.abspath(sys.argv[4])
    with Neighbour(tools, tools.path("all.json")):
        _, run = tools.trace(tools.under_witness([program, str(COUNT)]))
    minor, major, _ = tools.witnessed()
    busy = run.saved["integrity"]["vma_busy"]
    faults = run.totals["faults"]
    print(f"{busy} faults without a class beside another forktax: {classes_of(faults)}")
    check.equal("classes, other and unattributed together", sum(classes_of(faults).values()), faults["total"])
    check.that(minor + major >= 3 * COUNT, f"{minor + major} faults by wait4")
    check.equal("faults by wait4", sum(
        image["faults"]["total"] for one in run.children() for image in one["images"]), minor + major)
    check.that(faults["other"] <= busy, f"{faults['other']} in class other, {busy} for want of a look")
    # The kernel may copy a page for its only owner (rules.MAY_BE_INSTEAD).
    for name, got in (("written", faults["cow_reuse"] + faults["cow_copy"]), ("zero_page", faults["zero_page"])):
        check.that(COUNT - busy <= got <= COUNT + BESIDE, f"{name}: {got}")
    if rules.can_look_without_lock():
        check.equal("faults without a class", busy, 0)
    check_sentence(check, tools, tools.path("run.json"), busy)
    check_sentence(check, tools, tools.path("all.json"), tools.read(tools.path("all.json")).saved["integrity"]["vma_busy"])
    check.finish()


main()
