# SPDX-License-Identifier: GPL-2.0-or-later
"""anatomy_forks.py FORKTAX SAMPLES WITNESS LINKAGE [brief]: the anatomy of a loop of forks.

How many faults a child takes depends on the linkage, the libc, and where its memory happens to lie;
so no number stands here. The rows must add up to what the counts say, the counts to what
wait4 says, and what is bound in the children must be what this linkage leaves to them. Of a longer
loop, only some children are recorded: the sample must be those that forktax says it takes.
"""
import os
import sys

import anatomy_cross_check
import balance
import rules
import witnesses
from check import Check
from runs import Tools

CHILDREN = 40

# More than are recorded without a gap.
MANY = 600


def check_bound(check, run, group, path, linkage):
    """forkloop's children call nothing but _exit that their parent has not called before."""
    symbols = [one for one in run.saved["symbols"] if one["group"] == group]
    if linkage not in rules.LAZY:
        of_linker = [row for row in anatomy_cross_check.rows(run, group, "child")
                     if row["actor"] == "ld.so"]
        check.equal("symbols bound in children", symbols, [])
        check.that(not of_linker or linkage in rules.LINKER_IS_LIBC,
                   f"faults of ld.so in children: {of_linker}")
        return
    leave = [one for one in symbols if one["symbol"] == "_exit" and one["object"] == path]
    writes = [row for row in anatomy_cross_check.rows(run, group, "child")
              if row["object"] == path and row["actor"] == "ld.so"]
    check.that([one["children"] for one in leave] == [CHILDREN],
               f"_exit is bound in {leave}, not in {CHILDREN}; ld.so wrote {writes}")
    check.equal("by", [one["method"] for one in leave], ["got_difference"])
    provider = anatomy_cross_check.provider_of(run, leave[0]) if leave else None
    check.that(not provider or os.path.basename(provider).startswith("libc.so"),
               f"provider: {provider}")


def check_witness(check, run, witnessed, group):
    """wait4 of the loop and its children, less the loop itself, is what the children took."""
    minflt, majflt, _ = witnessed
    loop = run.processes[0]["id"]
    loop = next(one for one in run.processes if one["parent"] == loop)
    sample = next(one for one in run.saved["sampling"]["samples"] if one["group"] == group)
    check.equal("faults of recorded children, by wait4", sample["faults"],
                minflt + majflt - loop["minflt"] - loop["majflt"])
    check.equal("children recorded", sample["children"], CHILDREN)
    cost = next(one for one in run.saved["fork_cost"] if one["group"] == group)
    check.equal("forks all of whose parts are known", cost["complete"], CHILDREN)
    check_durations(check, [one for one in run.processes if one["parent"] == loop["id"]], cost)


def check_durations(check, children, cost):
    """A fork begins before its child lives, and ends after it: by the list of processes."""
    lives = [one["end_ns"] - one["start_ns"] for one in children]
    check.that(cost["whole_ns"]["total"] > sum(lives), f"forks take longer than the children live: {cost}")
    check.that(cost["whole_ns"]["max"] > max(lives), "the slowest fork takes longer than the longest life")
    parts = sum(cost["part_ns"][part] for part in ("start", "run", "execd", "exit"))
    check.that(sum(sorted(lives)[:cost["typical"]]) <= parts <= sum(sorted(lives)[-cost["typical"]:]),
               f"the typical forks are lives of children: {parts}")


def check_sampling(check, run):
    """Of the children in the order of birth: the first `full`, and every `every`-th of the others."""
    sampling = run.saved["sampling"]
    full, every = sampling["full"], sampling["every"]
    children = sorted(run.children(), key=lambda one: one["id"])
    taken = children[:full] + children[full::every]
    check.equal("children", len(children), MANY)
    check.that(len(taken) < MANY, f"all of {MANY} are recorded: {sampling}")
    group = children[0]["group"]
    sample = next(one for one in sampling["samples"] if one["group"] == group)
    check.equal("children recorded", sample["children"], len(taken))
    check.equal("faults of recorded children", sample["faults"],
                sum(one["minflt"] + one["majflt"] for one in taken))
    check.equal("missed", sample["missed"], 0)
    rows = anatomy_cross_check.rows(run, group, "child")
    check.equal("rows + unattributed", anatomy_cross_check.faults(rows) + sample["child_unattributed"],
                sample["child_faults"])
    check.that(all(row["timed"] <= row["faults"] for row in rows), "more timed than there are")
    check.that(all(row["children"] <= len(taken) for row in rows), "more children than recorded")
    for one in run.saved["symbols"]:
        check.equal(f"children that bind {one['symbol']}", one["children"], len(taken))


def test_sampling(check, tools, path):
    check.context = f"forkloop -n {MANY}"
    _, run = anatomy_cross_check.trace_named(tools, [path, "-n", str(MANY)])
    balance.check_balance(check, run)
    check_sampling(check, run)


def main():
    tools = Tools(*sys.argv[1:4])
    linkage, *brief = sys.argv[4:]
    path = os.path.realpath(tools.sample("forkloop", linkage))
    rules.stay_on_one_cpu()
    check = Check()
    check.context = f"{linkage} forkloop"
    command = tools.under_witness([path, "-n", str(CHILDREN)])
    result, run = anatomy_cross_check.trace(check, tools, command)
    check.equal("exit status", result.returncode, 0)
    witnesses.check_wait4(check, run, tools.witnessed())
    group = next(one["group"] for one in run.processes if one["birth"] == "fork")
    check_witness(check, run, tools.witnessed(), group)
    check_bound(check, run, group, path, linkage)
    if linkage in rules.LAZY and not brief:
        test_sampling(check, tools, path)
    check.finish()


main()
