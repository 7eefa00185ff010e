# SPDX-License-Identifier: GPL-2.0-or-later
"""anatomy_changes.py FORKTAX SAMPLES WITNESS: rows of an anatomy and totals by class are of the same look at a mapping,
also while another thread changes it (mapchanges.c)."""
import os
import sys
from collections import Counter

import balance
from anatomy_cross_check import by_class
from check import Check
from runs import Tools

RUNS = 5


def main():
    check, tools = Check(), Tools(*sys.argv[1:4])
    program = os.path.join(os.path.dirname(tools.witness), "conformance-mapchanges")
    for _ in range(RUNS):
        _, run = tools.trace([program], "--anatomy")
        faults = run.totals["faults"]
        check.that(faults["zero_page"] + faults["other"] > 19000, f"no such pages: {faults}")
        check.equal_counts("class", by_class(run.saved["anatomy"]), Counter({key: faults[key] for key in balance.CLASSES}),
                           ("rows", "totals"))
    check.finish()


main()
