# SPDX-License-Identifier: GPL-2.0-or-later
"""script_lines_make.py FORKTAX SAMPLES WITNESS: forks by line of makefiles that are made at random.

Each command has the place of its line among its arguments, so strace sees which line each child of make is from.
make --trace says which recipe begins where.
"""
import os
import random
import re
import shutil
import subprocess
import sys
from collections import Counter

import balance
from check import Check, skip
from make_versions import OTHERS, version_of
from runs import Tools

TREES = 4
PLACE = re.compile(r"L:([\w./]+):(\d+):")
FROM_MAKE = ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")  # of a make that has started this test
MAKE = ["make"]

# Of a recipe. <here> is the place of its first line, which counts for all lines that a backslash continues.
COMMANDS = [
    "/bin/true <here>",
    "@/bin/true <here>",
    "-/bin/false <here>",
    "+/bin/true <here>",
    "/bin/true <here>; /bin/true",
    "/bin/true <here> && \\\n\t/bin/true && \\\n\t/bin/true",
    "/bin/echo <here> \\\\",
    "/bin/echo <here> \\\\\\\n\tx",
    "/bin/echo <here> $(shell /bin/echo <here>)",
    "/bin/echo <here> $(shell /bin/echo <here>) \\\n\t$(shell /bin/echo <here>; /bin/true)",
    "/bin/echo <here> $(call late,<here>)",
    "# <here>",
    "@:",
    "$(EMPTY)",
    "for i in <here> 2 3; do /bin/true $$i; done",
    "$(call canned,<here>)",
]

# Of a makefile, outside of recipes. <next> is the place of the next line.
STATEMENTS = [
    "V := $(shell /bin/echo <here>)",
    "V := $(shell /bin/echo <here>) \\\n     $(shell /bin/true <here>)",
    "V != /bin/echo <here>; /bin/true",
    "ifneq ($(shell /bin/echo <here>),)\nV := $(call late,<next>)\nendif",
    "$(eval V := $(shell /bin/echo <here>))",
    "$(eval V := $$(shell /bin/echo <here>))",
    "# none",
    "",
]

HEAD = [".PHONY: all", "all:", "late = $(shell /bin/echo $(1))", "define canned", "/bin/true $(1)",
        "/bin/echo $(1) $(shell /bin/echo $(1))", "endef"]


class Makefile:
    """Its lines, and which target's recipe begins where. `one_shell`: a recipe is one command."""
    def __init__(self, name, lines=(), one_shell=False):
        self.name = name
        self.one_shell = one_shell
        self.lines = [".ONESHELL:"] * one_shell + list(lines)
        self.recipes = set()

    def add(self, text, prefix="", at=0):
        at = at or len(self.lines) + 1
        text = text.replace("<here>", f"L:{self.name}:{at}:").replace("<next>", f"L:{self.name}:{at + 1}:")
        self.lines += (prefix + text).split("\n")

    def add_rule(self, rule, target, commands, is_inline=False):
        if not is_inline:
            self.lines.append(rule)
        begin = len(self.lines) + 1
        self.recipes.add((begin, target))
        for number, command in enumerate(commands):
            self.add(command, f"{rule} ; " if is_inline and not number else "\t", begin if self.one_shell else 0)

    def add_random(self, rng, prefix, more=()):
        """Statements and rules; returns the targets."""
        targets = []
        for number in range(rng.randint(4, 8)):
            for _ in range(rng.randint(0, 3)):
                self.add(rng.choice(STATEMENTS))
            commands = [rng.choice(COMMANDS) for _ in range(rng.randint(1, 6))] + ["/bin/true <here> last"]
            if self.one_shell:
                commands.insert(0, "/bin/true <here>")
            is_inline = rng.random() < .3 and commands[0][0] not in "#$" and not self.one_shell
            targets.append(f"{prefix}{number}")
            self.add_rule(targets[-1] + rng.choice([":", "::"]), targets[-1], commands, is_inline)
        for command in more:
            targets.append(f"{prefix}more{len(targets)}")
            self.add_rule(f"{targets[-1]}:", targets[-1], ["/bin/true <here>", command])
        self.lines.append(f".PHONY: {' '.join(targets)}")
        return targets

    def write(self, directory):
        path = os.path.join(directory, self.name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(self.lines) + "\n")


def make_tree(directory, rng):
    """The makefiles, by their names."""
    top, included = Makefile("Makefile", [*HEAD, "include parts/extra.mk"]), Makefile("parts/extra.mk")
    below, other = Makefile("below/Makefile", HEAD), Makefile("other/build.mk", HEAD, one_shell=True)
    targets = top.add_random(rng, "t", ["$(MAKE) -C below X=<here>", "$(MAKE) -C other -f build.mk X=<here>",
                                        "$(MAKE) -f other/build.mk X=<here>", "cd below && $(MAKE) X=<here>"])
    targets += included.add_random(rng, "i")
    top.lines.append("%.p:")
    for command in ("/bin/true <here> $*", "/bin/echo <here> $* \\\n\tx",
                    "/bin/echo <here> $(shell /bin/echo <here>) $*"):
        top.add(command, "\t")
    top.lines.append(f"all: {' '.join(targets)} a.p b.p c.p")
    for makefile in (below, other):
        makefile.lines.append(f"all: {' '.join(makefile.add_random(rng, 'x'))}")
    for makefile in (top, included, below, other):
        makefile.write(directory)
    return {makefile.name: makefile for makefile in (top, included, below, other)}


class Traced:
    """What strace saw: all forks, and children of make by the place among their first arguments."""
    def __init__(self, tools, command, directory):
        log = tools.path("forks.log")
        subprocess.run(["strace", "-f", "-q", "-s", "4096", "-e", "trace=fork,vfork,clone,clone3,execve",
                        "-e", "signal=none", "-o", log, *command], cwd=directory, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, check=False)
        self.forks, self.places, self.strangers = 0, Counter(), 0
        self.executed, self.parents, self.begun = {}, {}, {}
        with open(log, encoding="utf-8", errors="replace") as file:
            calls = list(map(self.whole_call, file))
        for pid, call in filter(None, calls):
            if call.startswith("execve("):
                self.executed.setdefault(pid, []).append(call)
        for pid, call in filter(None, calls):
            if not call.startswith("execve("):
                self.add_fork(pid, int(call.rsplit("= ", 1)[1].split()[0]))

    def whole_call(self, line):
        """A call that other threads interrupt has two lines. Only calls that succeeded."""
        pid, call = line.rstrip("\n").split(None, 1)
        if call.endswith("<unfinished ...>"):
            self.begun[pid] = call[:-len("<unfinished ...>")]
            return None
        if call.startswith("<..."):
            call = self.begun.pop(pid, "") + call.split("resumed>", 1)[1]
        result = call.rsplit("= ", 1)[-1].split()[0]
        return (pid, call) if result.isdigit() else None

    def is_make(self, pid):
        return any(re.match(r'execve\("[^"]*/make"', call) for call in self.executed.get(pid, []))

    def add_fork(self, parent, child):
        self.forks += 1
        if not self.is_make(parent):
            return
        first = self.executed.get(str(child), [""])[0]
        place = PLACE.search(first)
        if place:
            self.places[place[1], int(place[2])] += 1
        else:
            self.strangers += 1


def recipes_of_trace(command, directory):
    """What make --trace says of the makefiles in the directory where it is started."""
    result = subprocess.run([*command, "--trace"], cwd=directory, stdin=subprocess.DEVNULL, capture_output=True,
                            check=False)
    found, directories = set(), [""]
    for line in result.stdout.decode(errors="replace").split("\n"):
        entering = re.match(r"make\[\d+\]: (Entering|Leaving) directory '(.*)'", line)
        if entering and entering[1] == "Entering":
            directories.append(os.path.relpath(entering[2], directory))
        elif entering:
            directories.pop()
        recipe = re.match(r"([\w./]+):(\d+): (?:update )?target '([^']*)'", line)
        if recipe:
            found.add((os.path.normpath(os.path.join(directories[-1], recipe[1])), int(recipe[2]), recipe[3]))
    return found


def is_of_make(run, row):
    exe = run.saved["exes"][row["parent_exe"]]
    return os.path.basename(exe["path"] or "") in ("make", "gmake")


def check_tree(check, tools, seed, options):
    check.context = f"tree {seed}, make {' '.join(options)}"
    rng = random.Random(seed)
    directory = tools.path(f"tree{seed}")
    shutil.rmtree(directory, ignore_errors=True)
    makefiles = make_tree(directory, rng)
    command = [*MAKE, *options, "all"]
    _, run = tools.trace(command, "--lines", directory=directory)
    traced = Traced(tools, command, directory)
    balance.check_balance(check, run)
    rows = run.saved["lines"]["rows"]
    found, targets = Counter(), set()
    recipes = recipes_of_trace([*MAKE, "all"], directory)
    check.equal("recipes of --trace that were made", {recipe for recipe in recipes if not recipe[2].endswith(".p")},
                {(name, *recipe) for name, makefile in makefiles.items() for recipe in makefile.recipes})
    for row in rows:
        if row["language"] != "make":
            check.that(not is_of_make(run, row), f"{row['children']} children of make have no line")
            continue
        name = os.path.relpath(row["file"], directory)
        found[name, row["line"]] += row["children"]
        lines = makefiles[name].lines
        check.equal("text", row["text"], lines[row["line"] - 1].strip())
        if row["function"]:
            begins = max(line for line, _ in makefiles[name].recipes if line <= row["line"])
            check.that((name, begins, row["function"]) in recipes, f"{name}:{row['line']} is not of {row['function']}")
            targets.add(row["function"])
    check.equal("children of make without a place, by strace", traced.strangers, 0)
    check.equal_counts("forks by line", found, traced.places)
    check.equal("forks, by strace", sum(row["children"] for row in rows), traced.forks)
    check.that(len(targets) > 5, "few targets are known")


def check_errors(check, tools):
    """Lines that make leaves out of a recipe do not count in its own errors, but here. Built-in rules have no line."""
    check.context = "lines of errors"
    directory = tools.path("errors")
    os.makedirs(directory, exist_ok=True)
    with open(os.path.join(directory, "Makefile"), "w", encoding="utf-8") as file:
        file.write("all: x.out\n\t-/bin/false\n\n# none\n\t-/bin/false\nx.out: x.sh\n")
    with open(os.path.join(directory, "x.sh"), "w", encoding="utf-8") as file:
        file.write(":\n")
    command = [*MAKE, "all", "x"]
    result, run = tools.trace(command, "--lines", directory=directory)
    said = [int(line) for line in re.findall(rb"\[Makefile:(\d+): all\] Error 1", result.stderr)]
    rows = run.saved["lines"]["rows"]
    check.equal("lines that make says", sorted(said), [2, 3])
    check.equal("lines", sorted(row["line"] for row in rows if row["function"]), [2, 5])
    unknown = [row for row in rows if row["language"] == "unknown" and is_of_make(run, row)]
    check.that(unknown, "a built-in rule has a line")


def check_version(check, tools, make):
    """A make that says that it is another version: its structures may be others."""
    check.context = "another version"
    directory = tools.path("version")
    os.makedirs(directory, exist_ok=True)
    with open(os.path.join(directory, "Makefile"), "w", encoding="utf-8") as file:
        file.write("V := $(shell /bin/true)\nall: ; /bin/true\n")
    with open(make, "rb") as file:
        program = file.read()
    own = version_of(make)
    for version in (own, OTHERS[own]):
        copy = os.path.join(directory, "make")
        with open(copy, "wb") as file:
            file.write(program.replace(b"\0" + own + b"\0", b"\0" + version + b"\0"))
        os.chmod(copy, 0o755)
        # It is the command itself: an interpreter that another program executes is known some milliseconds later.
        _, run = tools.trace([copy], "--lines", directory=directory)
        rows = run.saved["lines"]["rows"]
        check.equal(f"forks, {version}", sum(row["children"] for row in rows), 2)
        check.equal(f"languages, {version}", {row["language"] for row in rows},
                    {"make"} if version == own else {"unknown"})


def main():
    tools = Tools(*sys.argv[1:4])
    make = shutil.which("make")
    if not make or version_of(make) not in OTHERS:
        skip("no GNU make 4.3 or 4.4.1 is installed")
    check = Check()
    for variable in FROM_MAKE:
        os.environ.pop(variable, None)
    options = [[], ["-j2"], ["-j4", "-O"], ["-k", "-j3", "-s"]]
    for seed in range(TREES):
        check_tree(check, tools, seed, options[seed % len(options)])
    check_errors(check, tools)
    check_version(check, tools, make)
    check.finish()


main()
