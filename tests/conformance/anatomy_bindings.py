# SPDX-License-Identifier: GPL-2.0-or-later
# ctest: needs:g++ needs:lld needs:mold
"""anatomy_bindings.py FORKTAX SAMPLES WITNESS CASE [brief]: what is bound in children, by name.

CASE gotslots: in every linkage, against what the sample itself says. CASE short: a program that ends
at once after its only fork, twenty times. Any other case: a program
under forktax whose dynamic linker tells at the same time of every symbol that it binds
(LD_DEBUG=bindings), in the very same processes. CASE linked-LINKER: binder.c and its libraries,
linked by that linker in many ways; CASE made-DIRECTORY: one of them, for guests without a compiler. CASE
generations: by children and by grandchildren.
"""
import json
import os
import re
import shutil
import sys
from collections import Counter

import anatomy_cross_check
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
    "gotslots-counted": ["{gotslots}", "-n", "12", "-c", "20"],
    "perl": ["perl", "-e", PERL],
}


# Compiler, what program and libraries are linked with, and the program alone.
LINKED = [
    ("gcc", "-Wl,-z,lazy", "-fPIE -pie"),
    ("gcc", "-Wl,-z,lazy", "-fno-pie -no-pie"),
    ("gcc", "-Wl,-z,lazy -Wl,--no-rosegment", "-fPIE -pie"),
    ("gcc", "-Wl,-z,lazy -Wl,-z,separate-code", "-fPIE -pie"),
    ("gcc", "-Wl,-z,lazy -Wl,-z,noseparate-code", "-fPIE -pie"),
    ("gcc", "-Wl,-z,lazy -Wl,-z,norelro", "-fPIE -pie"),
    ("gcc", "-Wl,-z,lazy -Wl,-z,pack-relative-relocs", "-fPIE -pie"),
    ("gcc", "-Wl,-z,lazy -fno-plt", "-fPIE -pie"),
    ("gcc", "-Wl,-z,now", "-fPIE -pie"),
    ("clang", "-Wl,-z,lazy", ""),
    ("g++", "-Wl,-z,lazy", "-fno-pie -no-pie"),
]


def symbols_of_forks(run):
    """What children that never exec bind, by all groups."""
    groups = {i for i, group in enumerate(run.groups) if group["fate"] is None}
    return [one for one in run.saved["symbols"] if one["group"] in groups]


def test_gotslots(check, tools, linkage, arguments):
    path = os.path.realpath(os.path.join(tools.samples, linkage, "gotslots"))
    expectation = json.loads(tools.execute([path, "--expect", *arguments]).stdout)
    result, run = anatomy_cross_check.trace(check, tools, [path, *arguments])
    check.equal("exit status", result.returncode, 0)
    wanted = expectation["bound"] if linkage in rules.LAZY else []
    check.equal("bound", sorted(str(one["symbol"]) for one in run.saved["symbols"]), sorted(wanted))
    for one in run.saved["symbols"]:
        check.equal(f"{one['symbol']}: children, method, object",
                    (one["children"], one["method"], one["object"]),
                    (expectation["children"][0]["count"], "got_difference", path))
        provider = anatomy_cross_check.provider_of(run, one)
        check.that(not provider or os.path.basename(provider).startswith("libc.so"),
                   f"{one['symbol']}: provider {provider}")


def test_short(check, tools, path):
    """A program that ends at once after its only fork: it is seldom there to be looked at, and what
    its child has bound must be known from the records of its mappings."""
    ways = Counter()
    for number in range(20):
        check.context = f"short, run {number}"
        _, run = anatomy_cross_check.trace(check, tools, [path, "-n", "1"])
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
    reported = set()
    for name in os.listdir(tools.scratch):
        if name.startswith("bindings."):
            with open(tools.path(name), encoding="utf-8", errors="replace") as log:
                reported |= {one.groups() for one in map(line.match, log) if one and int(one[1]) in pids}
    return Counter((os.path.realpath(of), symbol, os.path.realpath(to))
                   for _, of, to, symbol in reported)


def without_provider(counts):
    total = Counter()
    for (of, symbol, _), count in counts.items():
        total[(of, symbol)] += count
    return total


def unseen_pages(run):
    groups = {i for i, group in enumerate(run.groups) if group["fate"] is None}
    return sum(one["unseen_pages"] for one in run.saved["sampling"]["samples"] if one["group"] in groups)


def test_told(check, tools, command, has_data_beside=False):
    """`has_data_beside`: a library's own code writes to a page of slots, which hides what is bound there."""
    log = [shutil.which("env"), "LD_DEBUG=bindings", f"LD_DEBUG_OUTPUT={tools.path('bindings')}"]
    _, run = anatomy_cross_check.trace(check, tools, [*log, *command])
    children = {one["pid"] for one in run.children() if len(one["images"]) == 1}
    check.that(children, "no child")
    reported = told_by_linker(tools, children)
    print(f"{check.context}: {len(reported)} symbols, bound {sum(reported.values())} times")
    if not reported:
        print(f"left out: {check.context}: its children bind nothing here")
    got, bound = Counter(), symbols_of_forks(run)
    with_provider = all(anatomy_cross_check.provider_of(run, one) for one in bound)
    for one in bound:
        got[(one["object"], one["symbol"] or "-", one["provider"] or "-")] += one["children"]
    if not with_provider:
        print(f"left out: {check.context}: providers: the command ended before its mappings were read")
        got, reported = without_provider(got), without_provider(reported)
    hidden = reported.keys() - got.keys()
    if has_data_beside and hidden:
        check.that(unseen_pages(run), f"{len(hidden)} symbols are missing, and no page is")
        print(f"left out: {check.context}: {len(hidden)} symbols on {unseen_pages(run)} pages not compared")
        reported = Counter({key: count for key, count in reported.items() if key in got})
    check.equal_counts("children that bind", got, reported, ("forktax", "the dynamic linker"))


def build(tools, linker, compiler, everywhere, program):
    """Paths of the program and of the library that it opens; None: the tools refuse."""
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "binder.c")
    language = "c++" if compiler.endswith("++") else "c"
    words = [shutil.which(compiler), "-x", language, "-w", "-O1", f"-fuse-ld={linker}", *everywhere.split()]
    parts = {name: tools.path(f"lib{name}.so") for name in ("linked", "opened")}
    binder = tools.path("binder")
    lines = [[*words, "-fPIC", "-shared", f"-DPART={name}", "-o", path, source]
             for name, path in parts.items()]
    lines.append([*words, *program.split(), "-o", binder, source, "-x", "none", parts["linked"], "-ldl"])
    for line in lines:
        if tools.execute(line).returncode:
            return None
    # Some linkers write what this libc does not load: DT_RELR without its version.
    return None if tools.execute([binder, parts["opened"]]).returncode else (binder, parts["opened"])


def test_linked(check, tools, linker):
    if not shutil.which(f"ld.{linker}"):
        skip(f"no ld.{linker}")
    # Those of binutils begin every segment on a page of the file of its own, or nearly so.
    for compiler, everywhere, program in LINKED if linker in ("lld", "mold") else LINKED[::4]:
        check.context = f"{compiler} -fuse-ld={linker} {everywhere} {program}"
        if not shutil.which(compiler):
            print(f"left out: {check.context}: no {compiler}")
            continue
        built = build(tools, linker, compiler, everywhere, program)
        if built:
            test_told(check, tools, list(built), compiler == "g++")
        else:
            print(f"left out: {check.context}: this linker or libc does not have it")


GENERATIONS = """
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
	waitpid(-1, NULL, 0);
	for (int i = 0; i < 8; i++) {
		if (!fork()) {
			if (!fork()) {
				getuid();
				_exit(0);
			}
			waitpid(-1, NULL, 0);
			getgid();
			_exit(0);
		}
		waitpid(-1, NULL, 0);
	}
	return 0;
}
"""


def generation_of(run, child):
    """How many forks ago the image was executed; processes never exec here but the roots."""
    parent = run.by_id[child["parent"]]
    return 1 if any(image["kind"] == "exec" for image in parent["images"]) else 1 + generation_of(run, parent)


def test_generations(check, tools):
    with open(tools.path("family.c"), "w", encoding="ascii") as source:
        source.write(GENERATIONS)
    if tools.execute(["gcc", "-Wl,-z,lazy", "-o", tools.path("family"), tools.path("family.c")]).returncode:
        skip("no gcc")
    check.context = "family"
    log = [shutil.which("env"), "LD_DEBUG=bindings", f"LD_DEBUG_OUTPUT={tools.path('bindings')}"]
    _, run = anatomy_cross_check.trace(check, tools, [*log, tools.path("family")])
    run.by_id = {one["id"]: one for one in run.processes}
    names = {1: "children", 2: "grandchildren"}
    pids = {name: {one["pid"] for one in run.children() if names[generation_of(run, one)] == name}
            for name in names.values()}
    check.equal("groups", len(run.groups), 1)
    for name, members in pids.items():
        sample = [one for one in run.saved["sampling"]["samples"] if one["group"] == 0][0]
        check.equal(f"{name} of the sample", sample["generations"][name], len(members))
        reported = {symbol: count for (_, symbol, _), count in told_by_linker(tools, members).items()}
        got = {one["symbol"]: one["generations"][name] for one in run.saved["symbols"]
               if one["generations"][name]}
        check.equal(f"functions that {name} bind", sorted(got.items()), sorted(reported.items()))


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
    if case == "generations":
        test_generations(check, tools)
        check.finish()
    if case.startswith("made-"):
        made = case.removeprefix("made-")
        check.context = made
        test_told(check, tools, [os.path.join(made, "binder"), os.path.join(made, "libopened.so")])
        check.finish()
    if case.startswith("linked-"):
        test_linked(check, tools, case.removeprefix("linked-"))
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
