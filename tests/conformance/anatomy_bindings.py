# SPDX-License-Identifier: GPL-2.0-or-later
"""anatomy_bindings.py FORKTAX SAMPLES WITNESS CASE [brief]: what is bound in children, by name.

CASE gotslots: in every linkage, against what the sample itself says. CASE short: a program that ends
at once after its only fork, twenty times. Any other case: a program
under forktax whose dynamic linker tells at the same time of every symbol that it binds
(LD_DEBUG=bindings), in the very same processes.
"""
import json
import os
import re
import shutil
import sys
from collections import Counter

import anatomy_books
import rules
from check import Check, skip
from runs import Tools
from samples import LINKAGES

GOTSLOTS = [["-n", "12", "-p", "3", "-c", "20"], ["-n", "0"], [], ["-d"], ["-f"]]

PERL = "for (1 .. 10) { my $pid = fork(); exit 0 if !$pid; waitpid($pid, 0) }"

# A path in {} is that of a sample.
PROGRAMS = {
    "forkloop": ["{forkloop}", "-n", "20"],
    "forkloop-exit": ["{forkloop}", "-n", "20", "-x"],
    "gotslots-told": ["{gotslots}", "-n", "12", "-c", "20"],
    "perl": ["perl", "-e", PERL],
}


def symbols_of_forks(run):
    """What children that never exec bind, by all groups."""
    groups = {i for i, group in enumerate(run.groups) if group["fate"] is None}
    return [one for one in run.saved["symbols"] if one["group"] in groups]


def test_gotslots(check, tools, linkage, arguments):
    path = os.path.realpath(os.path.join(tools.samples, linkage, "gotslots"))
    expectation = json.loads(tools.execute([path, "--expect", *arguments]).stdout)
    result, run = anatomy_books.trace(check, tools, [path, *arguments])
    check.equal("exit status", result.returncode, 0)
    wanted = expectation["bound"] if linkage in rules.LAZY else []
    check.equal("bound", sorted(str(one["symbol"]) for one in run.saved["symbols"]), sorted(wanted))
    for one in run.saved["symbols"]:
        check.equal(f"{one['symbol']}: children, method, object",
                    (one["children"], one["method"], one["object"]),
                    (expectation["children"][0]["count"], "got_difference", path))
        provider = anatomy_books.provider_of(run, one)
        check.that(not provider or os.path.basename(provider).startswith("libc.so"),
                   f"{one['symbol']}: provider {provider}")


def test_short(check, tools, path):
    """A program that ends at once after its only fork: it is seldom there to be looked at, and what
    its child has bound must be told from the records of its mappings."""
    ways = Counter()
    for number in range(20):
        check.context = f"short, run {number}"
        _, run = anatomy_books.trace(check, tools, [path, "-n", "1"])
        check.equal("providers", [(one["symbol"], os.path.basename(one["provider"] or "-"))
                                  for one in run.saved["symbols"]], [("_exit", "libc.so.6")])
        layout, = run.saved["layouts"]
        ways[layout["recorded"]] += 1
        check.equal("notes", len(run.saved["integrity"]["notes"]), int(layout["recorded"]))
        check.equal("mappings with pages", any(vma["pages"] for vma in layout["vmas"]),
                    not layout["recorded"])
    print(f"looked at in time: {ways[False]}, put together from records: {ways[True]}")


def told_by_linker(tools, pids):
    """{(object, symbol, provider): processes}, from the log that all processes share."""
    line = re.compile(r"\s*(\d+):\s+binding file (\S+) \[\d+\] to (\S+) \[\d+\]: normal symbol `([^']+)'")
    told = set()
    for name in os.listdir(tools.scratch):
        if name.startswith("bindings."):
            with open(tools.path(name), encoding="utf-8", errors="replace") as log:
                told |= {one.groups() for one in map(line.match, log) if one and int(one[1]) in pids}
    return Counter((os.path.realpath(of), symbol, os.path.realpath(to))
                   for _, of, to, symbol in told)


def without_provider(counts):
    total = Counter()
    for (of, symbol, _), count in counts.items():
        total[(of, symbol)] += count
    return total


def test_told(check, tools, command):
    log = [shutil.which("env"), "LD_DEBUG=bindings", f"LD_DEBUG_OUTPUT={tools.path('bindings')}"]
    _, run = anatomy_books.trace(check, tools, [*log, *command])
    children = {one["pid"] for one in run.children() if len(one["images"]) == 1}
    check.that(children, "no child")
    told = told_by_linker(tools, children)
    print(f"{check.context}: {len(told)} symbols, bound {sum(told.values())} times")
    if not told:
        print(f"left out: {check.context}: its children bind nothing here")
    got, bound = Counter(), symbols_of_forks(run)
    with_provider = all(anatomy_books.provider_of(run, one) for one in bound)
    for one in bound:
        got[(one["object"], one["symbol"] or "-", one["provider"] or "-")] += one["children"]
    if not with_provider:
        print(f"left out: {check.context}: providers: the command ended before its mappings were read")
        got, told = without_provider(got), without_provider(told)
    check.equal_counts("children that bind", got, told, ("forktax", "the dynamic linker"))


def main():
    tools = Tools(*sys.argv[1:4])
    case, *brief = sys.argv[4:]
    rules.stay_on_one_cpu()
    check = Check()
    if case == "gotslots":
        for linkage in LINKAGES:
            if not os.path.exists(os.path.join(tools.samples, linkage, "gotslots")):
                continue
            for arguments in GOTSLOTS if linkage in rules.LAZY and not brief else GOTSLOTS[:1]:
                check.context = " ".join([linkage, "gotslots", *arguments])
                test_gotslots(check, tools, linkage, arguments)
        check.finish()
    samples = {name: os.path.realpath(os.path.join(tools.samples, "dynamic", name))
               for name in ("forkloop", "gotslots")}
    if case == "short":
        test_short(check, tools, samples["forkloop"])
        check.finish()
    program, *arguments = [word.format(**samples) if word.startswith("{") else word
                           for word in PROGRAMS[case]]
    path = shutil.which(program)
    if not path:
        skip(f"{program} is not there")
    check.context = case
    test_told(check, tools, [os.path.realpath(path), *arguments])
    check.finish()


main()
