# SPDX-License-Identifier: GPL-2.0-or-later
# ctest: needs:linux-perf
"""anatomy_perf.py FORKTAX SAMPLES WITNESS CASE: the faults of forked children, beside perf record.

Both tools watch the same processes at once. perf gives address and instruction pointer of each
fault as numbers, and what was mapped when; from these follow file and page. The two must agree on every
fault of every child: none more, none less, none elsewhere.
"""
import os
import shutil
import sys
from collections import Counter

import anatomy_cross_check
import perf_faults
import rules
from check import Check, skip
from runs import Tools

SHELL = "n=0; while [ $n -lt 10 ]; do (:); n=$((n + 1)); done"

# {LINKAGE/SAMPLE} or a program.
CASES = {
    "dynamic": ["{dynamic/forkloop}", "-n", "20", "-t", "8"],
    "now": ["{now/forkloop}", "-n", "20", "-x"],
    "static": ["{static/forkloop}", "-n", "20"],
    "musl-dyn": ["{musl-dyn/forkloop}", "-n", "20"],
    "places": ["{dynamic/faultplaces}"],
    "bash": ["bash", "-c", SHELL],
}


def of_file(row, prefix):
    """(file, page in it) of a place, as perf can know it: memory has neither."""
    if row[prefix + "place"] != "file":
        return None, None
    return row[prefix + "object"], row[prefix + "offset"] // perf_faults.PAGE


def of_forktax(run):
    total = Counter()
    for row in anatomy_cross_check.rows(run, phase="child"):
        code = ("kernel", None) if row["actor"] == "kernel" else of_file(row, "ip_")
        total[(*of_file(row, ""), *code)] += row["faults"]
    return total


def named(counts):
    return Counter({tuple(str(part) for part in key): count for key, count in counts.items()})


def command_of(tools, case):
    program, *arguments = CASES[case]
    if program.startswith("{"):
        path = os.path.join(tools.samples, program[1:-1])
        path = path if os.path.exists(path) else None
    else:
        path = shutil.which(program)
    if not path:
        skip(f"{program} is not there")
    return [os.path.realpath(path), *arguments]


def main():
    tools = Tools(*sys.argv[1:4])
    case = sys.argv[4]
    perf = shutil.which("perf")
    if not perf:
        skip("perf is not installed")
    command = command_of(tools, case)
    rules.stay_on_one_cpu()
    check = Check()
    check.context = case
    log = tools.path("perf.data")
    tried = tools.execute([perf, *perf_faults.OPTIONS, "-o", log, "--", "true"])
    if tried.returncode:
        skip(f"perf record does not work here: {tried.stderr.decode().strip()}")
    before = [perf, *perf_faults.OPTIONS, "-o", log, "--"]
    _, run = anatomy_cross_check.trace(check, tools, command, before=before)
    seen = perf_faults.PerfLog(perf, log)
    children = [one for one in run.children() if len(one["images"]) == 1]
    check.equal("perf has lost events", seen.lost, False)
    total = Counter()
    for one in children:
        check.equal(f"faults of pid {one['pid']}, by perf", sum(seen.faults[one["pid"]].values()),
                    one["minflt"] + one["majflt"])
        total += seen.faults[one["pid"]]
    got = of_forktax(run)
    print(f"{case}: {len(children)} children, {sum(total.values())} faults, {len(total)} different")
    check.that(total, "perf saw no fault")
    check.equal_counts("file, page, file and page of the code:", named(got), named(total),
                       ("forktax", "perf"))
    check.finish()


main()
