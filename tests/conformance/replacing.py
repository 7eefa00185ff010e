# SPDX-License-Identifier: GPL-2.0-or-later
"""replacing.py FORKTAX SAMPLES WITNESS REPLACING: faults whose mapping another thread has replaced since.

What it was replaced by says nothing of them: each is `other`, and none a `cow_reuse`.
"""
import sys

from check import Check
from runs import Tools

ROUNDS, PAGES = 100, 8


def main():
    tools, check = Tools(*sys.argv[1:4]), Check()
    check.context, counts = "replacing", []
    for rounds in (0, ROUNDS):
        result, run = tools.trace([sys.argv[4], str(rounds)])
        check.equal("exit status", result.returncode, 0)
        counts.append(run.totals["faults"])
    for key, least in (("other", ROUNDS * PAGES), ("cow_reuse", 0)):
        check.equal(f"{key} added", counts[1][key] - counts[0][key], least)
    check.finish()


main()
