# SPDX-License-Identifier: GPL-2.0-or-later
"""stacks.py FORKTAX SAMPLES WITNESS VARIANT [SOURCE]: call stacks of a program that knows who calls what.

SOURCE (stackcases.c) is built in one of VARIANTS; "built" is the one beside WITNESS, for guests without a
compiler; "built-partly": not all of its functions keep frame pointers. What forktax proves must be the callers, without a gap,
from the innermost on; what it only claims must at least be callers, in their order. With frame pointers all are
there.
"""
import os
import shutil
import subprocess
import sys
from collections import Counter, defaultdict

import rules
from check import Check, skip
from runs import Tools

PAGE, CHILDREN, FRAMES = 4096, 4, 64
HAS_LINK_REGISTER = os.uname().machine == "aarch64"
COMMON = ["-pthread", "-fno-optimize-sibling-calls", "-fno-stack-protector"]
POINTERS = ["-fno-omit-frame-pointer"]
TABLES = ["-fasynchronous-unwind-tables"]
# name: compiler, its options, whether all frames are to be found
VARIANTS = {
    "gcc": (["gcc", "-O0", *POINTERS, *TABLES], True),
    "optimized": (["gcc", "-O2", *POINTERS, *TABLES], True),
    "static": (["gcc", "-O2", "-static", *POINTERS, *TABLES], True),
    "without": (["gcc", "-O2", "-fomit-frame-pointer"], False),
    "clang": (["clang", "-O1", *POINTERS, *TABLES], True),
    "no-tables": (["clang", "-O1", *POINTERS, "-fno-asynchronous-unwind-tables",
                   "-fno-unwind-tables"], False),
    "musl": (["musl-gcc", "-O1", "-static", *POINTERS, *TABLES], True),
    "i386": (["gcc", "-m32", "-O0", *POINTERS, *TABLES], False),
}


def build(tools, source, variant):
    if variant.startswith("built"):
        return os.path.join(os.path.dirname(tools.witness), "conformance-stackcases"), variant == "built"
    (compiler, *options), complete = VARIANTS[variant]
    if not shutil.which(compiler):
        skip(f"{compiler} is not installed")
    program = tools.path("stackcases")
    built = subprocess.run([compiler, *options, *COMMON, "-o", program, source], capture_output=True,
                           check=False)
    if built.returncode:
        skip(f"{compiler} {' '.join(options)}: {built.stderr.decode().splitlines()[0]}")
    return program, complete


def expected(program):
    """{page: (kind of chain, its functions, the innermost first)}"""
    chains = {}
    for line in subprocess.run([program, "list"], check=True, capture_output=True,
                               text=True).stdout.splitlines():
        page, kind, *names = line.split()
        chains[int(page)] = kind, [name for part in names
                                   for name in [part.split("*")[0]] * int((part + "*1").split("*")[1])]
    return chains


def own_frames(saved, program, stack, names):
    """(functions of the program that are proven, those that are claimed); a static one has others, too"""
    proven, claimed = [], []
    for depth, number in enumerate(stack["frames"]):
        frame = saved["stacks"]["frames"][number]
        object_index = frame["object_index"]
        if object_index is not None and saved["objects"][object_index]["path"] == program and \
                frame["symbol"] in names:
            (proven if depth < stack["proven"] else claimed).append(frame["symbol"])
    return proven, claimed


def is_subsequence(part, whole):
    rest = iter(whole)
    return all(name in rest for name in part)


def check_made(check, chain, saved, stack, claimed, complete):
    """Code of no file has the name that the parent's map gives it, and claimed callers."""
    innermost = saved["stacks"]["frames"][stack["frames"][0]]
    check.equal("name", (innermost["symbol"], innermost["place"]), ("made here", "anon"))
    check.that(innermost["pid"] > 0, "whose code it is")
    check.equal("proven", stack["proven"], 1)
    check.that(is_subsequence(claimed, chain), f"? {claimed} in {chain}")
    if complete:
        check.equal("callers", claimed, chain)


def has_end(saved, stack):
    """Is the outermost frame known by name? Without symbols of libc nobody knows that it begins there."""
    return saved["stacks"]["frames"][stack["frames"][-1]]["symbol"]


def check_stack(check, kind, chain, saved, stack, frames, complete):
    proven, claimed = frames
    if kind == "made":
        check_made(check, chain, saved, stack, claimed, complete)
        return
    check.that(proven == chain[:len(proven)], f"{proven} are the innermost of {chain}")
    check.that(is_subsequence(proven + claimed, chain), f"{proven} ? {claimed} in {chain}")
    check.that(bool(proven) or stack["proven"] == 1, "the innermost is there")
    if not complete or (kind == "call" and not proven):
        return # the call itself may be code of which no table tells where its frame is
    if kind in ("plain", "call"):
        check.equal("callers", proven, chain)
        if has_end(saved, stack):
            check.equal("stop", stack["stop"], "whole")
    elif kind == "thread":
        check.equal("callers", proven, chain)
    elif kind == "deep":
        check.that(FRAMES <= len(proven) <= FRAMES + 1, f"{len(proven)} frames are kept")
        check.equal("stop", stack["stop"], "cut")
    elif kind == "library": # of these, the frames this side of libc
        check.that(proven[:2] == chain[:2], "callers up to the library")
        # Where calls need a register, the library keeps frame pointers, too.
        check.equal("stop", stack["stop"], "whole" if HAS_LINK_REGISTER else "astray")
    elif kind == "misuse":
        # Where a register has the address to return to, the frame pointer is not needed for one more.
        check.equal("callers", proven, chain[:2 if HAS_LINK_REGISTER and len(proven) == 2 else 1])
        check.equal("stop", stack["stop"], "astray")


def check_totals(check, saved):
    """No row has more stacks than faults."""
    left = [row["faults"] for row in saved["anatomy"]]
    for share in saved["stacks"]["shares"]:
        left[share["row"]] -= share["faults"]
    check.that(min(left) >= 0, "a row has as many stacks as faults, at most")
    check.equal("faults whose stack found no room", saved["stacks"]["lost"], 0)


def check_calls(check, run, program, names, complete):
    """Every call of every process is there, as all are recorded; and read(2) knows who called it."""
    counted, reads = Counter(), []
    for call in run.saved["stacks"]["calls"]:
        counted[call["call"].split(" ")[0]] += call["calls"]
        if call["call"].split(" ")[0] == "read" and call["stack"] is not None:
            stack = run.saved["stacks"]["list"][call["stack"]]
            proven, claimed = own_frames(run.saved, program, stack, names)
            if "work" in proven + claimed:
                reads.append((call["calls"], proven))
    check.equal_counts("calls", counted, Counter(
        {name: count for (_, name), count in run.calls().items()}))
    check.equal("calls left out", run.saved["stacks"]["calls_left_out"], 0)
    if complete and reads and reads[0][1]: # the call itself may be code without a table
        check.equal("read", reads, [(CHILDREN, ["receive", "work", "main"])])


def main():
    tools, check = Tools(*sys.argv[1:4]), Check()
    variant, source = sys.argv[4:6]
    program, complete = build(tools, source, variant)
    chains = expected(program)
    names = {name for _, chain in chains.values() for name in chain} | {"far_caller", "own_return"}
    result, run = tools.trace([program], "--stack-trace", "--no-aslr")
    integrity = run.saved["integrity"]
    for process in run.saved["processes"]:
        if os.path.exists(f"/tmp/perf-{process['pid']}.map"):
            os.unlink(f"/tmp/perf-{process['pid']}.map")
    check.context = variant
    check.equal("exit status", result.returncode, 0)
    if not rules.programs_can_be_preempted():
        check.that(integrity["exact"], f"taking stacks costs no event: {integrity}")
    check_totals(check, run.saved)
    check_calls(check, run, program, names, complete)
    faults = defaultdict(int)
    for share in run.saved["stacks"]["shares"]:
        row = run.saved["anatomy"][share["row"]]
        if row["phase"] != "child" or row["symbol"] != "arena":
            continue
        page = row["symbol_offset"] // PAGE
        check.context = f"{variant}, page {page}"
        faults[page] += share["faults"]
        stack = run.saved["stacks"]["list"][share["stack"]]
        check_stack(check, *chains[page], run.saved, stack,
                    own_frames(run.saved, program, stack, names), complete)
    check.context = variant
    check.equal("faults with a stack, by page", dict(sorted(faults.items())),
                {page: CHILDREN for page in chains})
    check.finish()


main()
