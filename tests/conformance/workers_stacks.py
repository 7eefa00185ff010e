# SPDX-License-Identifier: GPL-2.0-or-later
"""workers_stacks.py FORKTAX SAMPLES WITNESS: call stacks of copies in a pool that knows its callers.

The pool (workerstacks.c, beside WITNESS) copies EACH pages in each of WORKERS workers in three ways.
"""
import json
import os
import sys

import rules
from check import Check
from runs import Tools

EACH, WORKERS = 40, 3
OUTER = ["serve", "main"]
WAYS = {
    # the innermost frame: its callers in the program, and whether they are proven
    "touch": (["renew", *OUTER], True),
    "memset": (["clear", *OUTER], True),
    "made here": (["by_made", *OUTER], False), # no table says where code of no file has its frame
}


def way_of(writer):
    """Without symbols of libc, memset is known by its caller."""
    symbol = writer["symbol"] or ""
    called_by = [stack["frames"][1]["symbol"] for stack in writer["stacks"] if stack["frames"][1:]]
    return "memset" if "memset" in symbol or called_by == ["clear"] else symbol


def check_writer(check, writer, callers, proven):
    check.equal("copies", writer["copies"], EACH * WORKERS)
    check.equal("members", writer["members"], WORKERS)
    check.equal("stacks", len(writer["stacks"]), 1)
    stack = writer["stacks"][0]
    check.equal("copies of the stack", stack["copies"], EACH * WORKERS)
    if stack["frames"][-1]["symbol"]: # else nobody knows that libc begins there
        check.equal("stop", stack["stop"], "whole")
    own = [frame for frame in stack["frames"][1:] if frame["symbol"] in (*callers, *WAYS)]
    check.equal("callers", [frame["symbol"] for frame in own], callers)
    check.equal("proven", {frame["proven"] for frame in own}, {proven})


def main():
    tools, check = Tools(*sys.argv[1:4]), Check()
    pool = os.path.join(os.path.dirname(tools.witness), "conformance-workerstacks")
    for options in ([], ["--stack-trace"]):
        result, saved = watch(tools, pool, options)
        check.context = " ".join(options) or "without stacks"
        check.equal("exit status", result.returncode, 0)
        writers = {way_of(writer): writer for writer in saved["flow"]["writers"]}
        missing = set(WAYS) - set(writers)
        check.that(not missing or (not options and missing == {"memset"}), f"no copies by {missing}")
        for way, (callers, proven) in WAYS.items():
            if way in missing:
                continue
            check.context = f"{' '.join(options)} {way}"
            if options:
                check_writer(check, writers[way], callers, proven)
            else:
                check.equal("copies", writers[way]["copies"], EACH * WORKERS)
                check.equal("stacks", writers[way]["stacks"], [])
    check.finish()


def watch(tools, pool, options):
    for _ in range(rules.EXACT_TRIES):
        result, saved = watch_once(tools, pool, options)
        if not rules.flow_inexact_by_preemption(saved["flow"]["integrity"]):
            break
        print("again: not exact, because of recursion misses")
    return result, saved


def watch_once(tools, pool, options):
    path = tools.path("pool.json")
    result = tools.execute([tools.forktax, "workers", "-q", "--json", "-o", path, *options, "--", pool])
    with open(path, encoding="utf-8") as file:
        saved = json.load(file)
    for member in saved["flow"]["members"]:
        if os.path.exists(f"/tmp/perf-{member['pid']}.map"):
            os.unlink(f"/tmp/perf-{member['pid']}.map")
    return result, saved


main()
