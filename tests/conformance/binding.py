# SPDX-License-Identifier: GPL-2.0-or-later
"""binding.py FORKTAX SAMPLES WITNESS CASE: what LD_BIND_NOW changes, as people have asked it, and what `forktax bindnow` says.

The truth is elsewhere: faults of the whole by wait4(2), of runs in swapped order, without address randomisation and with
environments of one size; functions by `readelf`, by LD_DEBUG=statistics and by LD_DEBUG=bindings of ld.so."""
import collections
import ctypes
import json
import os
import re
import statistics
import sys

from check import Check, skip
from runs import Tools

PAIRS = 8
ADDR_NO_RANDOMIZE = 0x0040000

# N children call some functions of libc, and what the program has opened.
SOURCE = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int count, char **words)
{
	int children = atoi(words[1]);
	void (*called[16])(void) = { 0 };

	for (int i = 2; i < count; i++)
		called[i - 2] = (void (*)(void))dlsym(dlopen(words[i], RTLD_MODE), "called");
	while (children--) {
		if (!fork()) {
			for (int i = 0; called[i]; i++)
				called[i]();
			_exit(getppid() == abs(getuid()) + strlen(words[0]) + atol("-9"));
		}
		wait(0);
	}
	return 0;
}
"""
LIBRARY = "#include <stdlib.h>\n#include <unistd.h>\nvoid called(void) { srandom(getpid() + random()); nice(0); getpgid(0); }\n"


def figures_of(saved):
    """faults: of the whole, by pairs of runs; left: functions that the start leaves to a first call; again: functions that a
    recorded child binds, in the first group."""
    lazy, now = saved["runs"]
    sampled = {row["group"]: row["children"] for row in lazy[0]["sampling"]["samples"]}
    return {
        "faults": statistics.median(after["totals"]["faults"]["total"] - before["totals"]["faults"]["total"]
                                    for before, after in zip(lazy, now)),
        "left": sum(file["functions"] for file in saved["columns"][0]["bound"]["files"]
                    if file["at_start"] and file["way"] == "lazy"),
        "again": sum(symbol["children"] for symbol in lazy[0]["symbols"] if symbol["group"] == 0) / (sampled.get(0) or 1),
    }


class Case:
    def __init__(self, tools, check):
        self.tools, self.check, self.given = tools, check, {}

    def build(self, name, source, *options):
        with open(self.tools.path(f"{name}.c"), "w", encoding="ascii") as file:
            file.write(source)
        made = self.tools.execute(["cc", "-w", "-O1", "-o", name, f"{name}.c", *options])
        if made.returncode:
            skip(made.stderr.decode())
        return self.tools.path(name)

    def program(self, *options, mode="RTLD_LAZY"):
        return self.build("program", SOURCE, f"-DRTLD_MODE={mode}", "-fPIE", "-pie", *options)

    def true_faults(self, command):
        """LD_BIND_NOW=1 minus without: median of the pairs. Another name of that length makes environments of one size."""
        def faults(name):
            pid = os.posix_spawn(command[0], command, {**self.tools.environment, name: "1"})
            return os.wait4(pid, 0)[2].ru_minflt

        differences = []
        for pair in range(PAIRS):
            values = {name: faults(name) for name in sorted(("LD_BIND_NOW", "XX_BIND_NOW"), reverse=pair % 2)}
            differences.append(values["LD_BIND_NOW"] - values["XX_BIND_NOW"])
        return statistics.median(differences)

    def bindnow(self, *command):
        """(what it says, the same on one line, its figures)"""
        environment = self.tools.environment
        self.tools.environment = {**environment, **self.given}
        result = self.tools.execute([self.tools.forktax, "bindnow", "--no-aslr", "-n6", "--traced-runs=6", "--json", "-o",
                                     "saved", "--", *command])
        self.tools.environment = environment
        self.check.equal("status", (result.returncode, result.stderr), (0, b""))
        text = self.tools.execute([self.tools.forktax, "report", "saved"]).stdout.decode()
        with open(self.tools.path("saved"), encoding="utf-8") as file:
            return text, " ".join(text.split()), figures_of(json.load(file))

    def hold(self, *command):
        """Faults of the whole against wait4; what is said."""
        text, words, figures = self.bindnow(*command)
        said, true = figures["faults"], self.true_faults(list(command))
        print(f"{self.check.context}: faults {said:+.0f} said, {true:+.0f} by wait4")
        self.check.that(abs(said - true) <= max(2, abs(true) / 50), f"faults {said}, by wait4 {true}")
        return text, words, figures

    def readelf(self, option, path):
        return self.tools.execute(["readelf", "-W", option, path]).stdout.decode()

    def slots(self, path):
        return len(re.findall("JUMP_?SLO", self.readelf("-r", path)))

    def by_ld_so(self, what, *command, **setting):
        environment = self.tools.environment
        self.tools.environment = {**environment, **setting, "LD_DEBUG": what}
        text = self.tools.execute(command).stderr.decode()
        self.tools.environment = environment
        return text

    def relocations_at_start(self, *command, **setting):
        return int(re.search(r"number of relocations: (\d+)", self.by_ld_so("statistics", *command, **setting))[1])


def fork_loop(case):
    """A thousand forks without exec: each child binds _exit again."""
    command = [case.tools.sample("forkloop", "dynamic"), "-n", "1000"]
    _, words, figures = case.hold(*command)
    true = case.relocations_at_start(*command, LD_BIND_NOW="1") - case.relocations_at_start(*command)
    case.check.that(abs(figures["left"] - true) <= 1, f"functions left: {figures}, by ld.so {true}")
    bound = collections.Counter(re.findall(r"symbol `(\w+)'", case.by_ld_so("bindings", *command)))
    case.check.that(bound["_exit"] >= 1000 and figures["again"] == 1, "functions bound again")
    case.check.that("link with -z now" in words or "do not show" in words, words)


def bound_already(case):
    """Full RELRO: never the advice to link with what it is linked with."""
    program = case.tools.sample("forkloop", "now")
    case.check.that("BIND_NOW" in case.readelf("-d", program) or "NOW" in case.readelf("-d", program), "linked with -z now")
    _, words, _ = case.hold(program, "-n", "100")
    left = case.relocations_at_start(program, "-n", "1", LD_BIND_NOW="1") - case.relocations_at_start(program, "-n", "1")
    said = int(re.search(r"is linked with -z now already: only (\d+) functions of libc.so.6", words)[1])
    case.check.that(abs(said - left) <= 1, f"{said} functions, by ld.so {left}")
    case.check.that(", link with -z now" not in words, words)


def no_plt(case):
    program = case.program("-fno-plt", "-Wl,-z,lazy")
    case.check.equal("slots by readelf", case.slots(program), 0)
    _, words, _ = case.hold(program, "50")
    case.check.that("has no function left to a first call (-fno-plt)" in words, words)
    case.check.that("-z now, or" not in words, words)


def static(case, linkage="static"):
    program = case.tools.sample("forkloop", linkage)
    case.check.that("INTERP" not in case.readelf("-l", program), "no dynamic linker")
    _, words, _ = case.hold(program, "-n", "50")
    case.check.that("nothing to bind, the command is static" in words, words)


def static_pie(case):
    static(case, "static-pie")


def relr(case):
    """Packed relative relocations are none of what is bound: the start costs the same."""
    program = case.program("-Wl,-z,lazy", "-Wl,-z,pack-relative-relocs")
    if "RELR" not in case.readelf("-d", program):
        skip("this linker makes no DT_RELR")
    _, _, figures = case.hold(program, "50")
    case.check.that(figures["left"] >= case.slots(program), "its slots are left to a first call")


def musl(case):
    _, words, _ = case.hold(case.tools.sample("forkloop", "musl-dyn"), "-n", "50")
    case.check.that("musl binds everything at start anyway" in words, words)


def opened(case, mode="RTLD_LAZY"):
    """Libraries that dlopen loads: the advice is for these."""
    libraries = [case.build(f"lib{number}.so", LIBRARY, "-shared", "-fPIC", "-Wl,-z,lazy") for number in range(3)]
    program = case.program("-Wl,-z,now", mode=mode)
    _, words, _ = case.hold(program, "50", *libraries)
    functions = sum(map(case.slots, libraries))
    case.check.that(f"{functions} functions of 3 libraries that it opens (dlopen), unless with RTLD_NOW" in words, words)
    case.check.that(", link with -z now" not in words, words)


def opened_now(case):
    opened(case, "RTLD_NOW")


def set_before(case):
    """As fuzzers do: the first column is without it."""
    case.given = {"LD_BIND_NOW": "1"}
    text, words, _ = case.hold(case.tools.sample("forkloop", "dynamic"), "-n", "100")
    case.check.that("was set already: the first column is without it" in words, text)


def short_programs(case):
    """A script of short programs: each of them binds more at its start."""
    script = "for i in 1 2 3 4 5 6 7 8 9 10; do %s; done" % case.tools.sample("true", "dynamic")
    case.hold("/bin/sh", "-c", script)


def fork_server(case):
    """One start, many children that each call several functions first."""
    program = case.program("-Wl,-z,lazy")
    _, _, figures = case.hold(program, "200")
    log = case.by_ld_so("bindings", program, "200")
    mine = collections.Counter(re.findall(r"^ *(\d+):.*binding file \S*program \[0\].*normal symbol", log, re.M))
    # All but the parent; some of their records are of the start.
    case.check.equal("functions bound again", figures["again"], statistics.median(mine.values()))


def never_forks(case):
    _, words, _ = case.hold(case.tools.sample("true", "dynamic"))
    case.check.that("it never forks" in words, words)


CASES = {name.replace("_", "-"): function for name, function in list(globals().items())
         if name in ("fork_loop", "bound_already", "no_plt", "static", "static_pie", "relr", "musl", "opened", "opened_now",
                     "set_before", "short_programs", "fork_server", "never_forks")}


def main():
    tools, check = Tools(*sys.argv[1:4]), Check()
    check.context = sys.argv[4]
    ctypes.CDLL(None).personality(ADDR_NO_RANDOMIZE)
    CASES[sys.argv[4]](Case(tools, check))
    check.finish()


if __name__ == "__main__":
    main()
