# SPDX-License-Identifier: GPL-2.0-or-later
"""stack_exports.py FORKTAX SAMPLES WITNESS PROGRAM: every export names the function that took a fault.

PROGRAM (faultwriters.c) says which of its functions copies how many pages, and who calls it. The functions lie on one
page of code, so the row of the anatomy is the same.
"""
import html
import os
import re
import sys
from collections import Counter

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../faults"))
import profiles
from check import Check
from runs import Tools

COPY = "COW copy"


def expected(tools, program):
    """{(function, its callers, the innermost first): copies}"""
    lines = tools.execute([program, "list"]).stdout.decode().splitlines()
    return Counter({tuple([name, *callers]): int(count)
                    for name, count, *callers in (line.split() for line in lines)})


def chain_of(names, functions):
    """The frames of `names` that are functions of the program, without offset and object."""
    bare = [re.split(r"[+ ]", name.removeprefix("program <- "))[0] for name in names]
    return tuple(name for name in bare if name in functions)


def by_chain(stacks, functions):
    """{chain: weight} of (names, the innermost first; weight)."""
    found = Counter()
    for names, weight in stacks:
        chain = chain_of(names, functions)
        if chain and chain != ("main",):
            found[chain] += weight
    return found


def of_text(text, children):
    """The table of call stacks: numbers stand in the first line of a stack, callers below it. Per child."""
    table = text.split("Call stacks of faults in the child", 1)[1].split("\n\n", 1)[0]
    stacks = []
    for line in table.splitlines():
        numbers = re.match(r"\s*[\d.]+\s+[\d.]+\s+([\d.]+)\s+(\S.*)", line)
        if numbers:
            stacks.append(([numbers[2]], round(float(numbers[1]) * children)))
        elif stacks and re.match(r" +\S+ \(", line):
            stacks[-1][0].append(line.strip())
    return stacks


def of_collapsed(text):
    for line in text.splitlines():
        names, _, count = line.rpartition(" ")
        if COPY in names:
            yield names.split(";"), int(count)


def of_flame(text):
    """Copies of each function's own frame, in the first picture (of faults): {function: copies}."""
    found = Counter()
    picture = text.split('class="flame"', 1)[1].split("</svg>", 1)[0]
    for name, count in re.findall(r"<title>program &lt;- (\w+)[^\n]*\n(\d+) faults", picture):
        found[html.unescape(name)] += int(count)
    return found


def main():
    tools, check = Tools(*sys.argv[1:4]), Check()
    program = os.path.abspath(sys.argv[4])
    want = expected(tools, program)
    functions = {name for chain in want for name in chain}
    _, run = tools.trace([program], "--stack-trace", "--no-aslr")
    saved, [group] = tools.path("run.json"), run.saved["groups"]

    def report(*options):
        result = tools.execute([tools.forktax, "report", *options, saved])
        check.equal(f"exit status of {options}", (result.returncode, result.stderr), (0, b""))
        return result.stdout.decode()

    check.equal_counts("text", by_chain(of_text(report("-v", "--top=100"), group["children"]), functions), want)
    check.equal_counts("collapsed", by_chain(of_collapsed(report("--collapsed")), functions), want)
    report("--pprof", "-o", tools.path("profile"))
    samples = profiles.read(tools.path("profile")).samples
    check.equal_counts("pprof", by_chain(((sample.stack, sample.values["copies"]) for sample in samples
                                          if sample.values["copies"]), functions), want)
    flame = of_flame(report("--html"))
    for chain, copies in want.items():
        check.equal(f"flame graph, {chain[0]}", flame[chain[0]], copies)
    check.finish()


main()
