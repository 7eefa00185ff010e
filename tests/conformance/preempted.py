# SPDX-License-Identifier: GPL-2.0-or-later
"""preempted.py FORKTAX SAMPLES WITNESS calls|copies|forks [brief] [OPTION OF forktax run]...

An observed process causes events while others are preempted inside tracepoint programs on the same CPU
(preempted.c). A run that calls itself exact must have all of them. One that does not must say why, and
miss no more than it says; with one neighbour it must have all of them, too, because one can be inside
one program only. Where programs cannot be preempted (Linux before 7.0) every run must be exact.
"""
import json
import os
import sys
from collections import Counter

import balance
import rules
from check import SKIPPED, Check, skip
from runs import Tools

ROUNDS, ROUNDS_BRIEF = 2000, 800
RUNS = {1: 3, 2: 1, 3: 1}  # by number of neighbours
OBSERVED_STATUS = 10


def by_name(counts):
    return Counter({name: count for (abi, name), count in counts.items() if abi == rules.ABI})


def copies(run):
    """By the program itself: the kernel writes to its rseq area as well."""
    process = next(one for one in run.children() if one["exit"]["status"] == OBSERVED_STATUS)
    return process["images"][0]["faults"]["by_actor"]["program"].get("cow_copy", 0)


def counted(run, ledger):
    """What the run counted of what the ledger lists, by a name for each number."""
    numbers = Counter()
    for value in ("calls", "errors", "denied"):
        got = by_name(run.calls(value))
        numbers.update({f"{value} of {name}": got[name] for name in ledger[value]})
    for (_, name, error), calls in run.errnos().items():
        if name in ledger["errors"]:
            numbers[f"{error} of {name}"] += calls
    numbers["forks"] = run.totals["forks"]
    if ledger["copies"]:
        numbers["copies"] = copies(run)
    return numbers


def expected(ledger):
    wanted = Counter({"forks": ledger["forks"]})
    for value in ("calls", "errors", "denied"):
        wanted.update({f"{value} of {name}": count for name, count in ledger[value].items()})
    wanted.update({"EBADF of dup": ledger["errors"]["dup"], "ESRCH of getsid": ledger["errors"]["getsid"]})
    if ledger["copies"]:
        wanted["copies"] = ledger["copies"]
    return wanted


def one_run(check, tools, command, options, neighbours):
    """Whether the run was exact."""
    result, run = tools.trace_once([*command, str(neighbours)], ["--no-aslr", *options], (), None)
    if result.returncode == SKIPPED:
        skip(result.stderr.decode().strip())
    check.equal("exit status", result.returncode, 0)
    integrity = run.saved["integrity"]
    ledger = json.loads(result.stdout)
    got, wanted = counted(run, ledger), expected(ledger)
    if integrity["exact"] or neighbours == 1:
        check.equal_counts("", got, wanted)
    if integrity["exact"]:
        balance.check_balance(check, run)
        return True
    missing = {key: count - got[key] for key, count in wanted.items() if got[key] != count}
    print(f"{check.context}: at most {integrity['recursion_misses']} missed; missing: {missing}")
    check.that(rules.inexact_by_preemption(integrity), f"not exact: {integrity}")
    check.that(all(0 < count <= integrity["recursion_misses"] for count in missing.values()),
               "more is missing than may be, or there is too much")
    return False


def main():
    tools = Tools(*sys.argv[1:4])
    mode, *options = sys.argv[4:]
    brief = "brief" in options
    program = os.path.join(os.path.dirname(tools.witness), "conformance-preempted")
    command = [program, mode, str(ROUNDS_BRIEF if brief else ROUNDS)]
    check = Check()
    for neighbours, runs in RUNS.items():
        exact = 0
        for number in range(1 if brief else runs):
            check.context = f"{neighbours} neighbours, run {number + 1}"
            exact += one_run(check, tools, command, [each for each in options if each != "brief"],
                             neighbours)
        print(f"{neighbours} neighbours: {exact} of {1 if brief else runs} runs were exact")
    check.finish()


if __name__ == "__main__":
    main()
