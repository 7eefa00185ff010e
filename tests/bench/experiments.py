# SPDX-License-Identifier: GPL-2.0-or-later
"""What is measured: for each experiment its tools, its target and what must be counted."""
import os

from command import target_file
from tools import Floor, Forktax, PerfTrace, Strace, Untraced


class Experiment:
    """`target`: tool → command and the number of operations in it."""

    watch_maps = False
    pin = () # of the whole, for tools that share the CPU of the command
    beside = () # of the whole, for those that do not: the command then goes to its own CPU

    def __init__(self, name, what, tools, target, key, rounds):
        self.name, self.what, self.tools, self.rounds = name, what, tools, rounds
        self.target, self.key = target, key

    def around(self, tool):
        return self.pin if tool.shares_cpu else self.beside

    def stay_on(self, setup):
        """A tracer that last ran on the CPU of a real-time loop would wait there for its end."""
        self.pin, self.beside = setup.pin, setup.beside
        return self

    def misses_records(self, tool, sample):
        """It is not exact because of single events alone, which it says."""
        return isinstance(tool, Forktax) and not sample["exact"] and \
            set(sample["losses"]) <= {"unrecorded", "notes"}

    def problems(self, tool, sample):
        """What forktax or strace counted wrongly; that perf misses children is a finding."""
        command, operations = self.target(tool)
        wanted = {self.key: operations} if self.key else {}
        if isinstance(tool, Forktax):
            wanted["exact"] = True
            wanted["lost"] = 0
            if self.key == "forks":
                wanted["children"] = operations
        elif not isinstance(tool, Strace):
            return []
        why = f" (losses: {sample['losses']})" if sample.get("losses") else ""
        return [f"{self.name}: {tool.name} counted {key} {sample[key]}, not {value}{why}"
                for key, value in wanted.items() if sample[key] != value]


class Setup:
    """What every experiment shares: the build, the peers that are installed, the sizes."""

    def __init__(self, build, runner, strace, perf, quick, smoke=False):
        self.build, self.runner = build, runner
        self.quick, self.smoke = quick, smoke
        self.peers = [Untraced("untraced-shared", shares_cpu=True)]
        self.peers += [Strace(strace)] if strace else []
        self.peers += [PerfTrace(perf)] if perf else []
        # A loop stays on one CPU, so that where its children run is no matter of luck, and with
        # real-time priority, so that no other program runs there. The tracer uses the others: if
        # there are none, it must get its share of this one.
        *others, last = sorted(os.sched_getaffinity(0))
        self.pin = ["/usr/bin/taskset", "-c", str(last)]
        self.beside = ["/usr/bin/taskset", "-c", ",".join(map(str, others))] if others else []
        self.alone = ["/usr/bin/chrt", "-f", "10", *self.pin] if others else self.pin

    def sample(self, linkage, name, operations):
        path = target_file(f"{self.build}/samples/{linkage}/{name}")
        command = [path, "-T", "-n", str(operations)]
        return lambda tool: (command if tool.shares_cpu else [*self.alone, *command],
                             operations)

    def forktax(self, name, *options):
        return Forktax(self.build, name, *options)


def fork(setup):
    count = 200 if setup.quick else 1500
    tools = [Untraced(), Floor(setup.build, "totals"), setup.forktax("totals", "--faults=totals"),
             Floor(setup.build, "classes"), setup.forktax("classes"), *setup.peers, Untraced("untraced-again")]
    return Experiment("fork", f"fork loop, dynamic, {count} children", tools,
                      setup.sample("dynamic", "forkloop", count), "forks", 15).stay_on(setup)


def anatomy(setup, name, count, rounds):
    """Of a long loop every 16th child is recorded after the first ones, of a short one every child."""
    tools = [Untraced(), setup.forktax("classes"), setup.forktax("anatomy", "--anatomy"),
             Untraced("untraced-again")]
    return Experiment(f"anatomy-{name}", f"fork loop, dynamic, {count} children", tools,
                      setup.sample("dynamic", "forkloop", count), "forks", rounds).stay_on(setup)


def getppid(setup):
    sizes = {None: 1000000, "strace": 10000, "perf": 100000}
    if setup.quick:
        sizes = {None: 200000, "strace": 2000, "perf": 20000}
    tools = [Untraced(), Floor(setup.build, "enter"), Floor(setup.build, "both"),
             setup.forktax("classes"), setup.forktax("timed", "-T"), *setup.peers,
             Untraced("untraced-again")]

    def target(tool):
        count = sizes.get(tool.name, sizes[None])
        return setup.sample("dynamic", "getppidloop", count)(tool)
    return Experiment("getppid", f"getppid loop, {sizes[None]} calls", tools, target,
                      "getppid", 15).stay_on(setup)


def make_project(directory, files):
    """A small program of `files` C files, each with some headers and functions."""
    os.makedirs(directory)
    with open(f"{directory}/Makefile", "w") as makefile:
        names = " ".join(f"part{i}.o" for i in range(files))
        makefile.write(f"CFLAGS = -O1\nprogram: {names}\n\t$(CC) -o $@ $^\n")
    for i in range(files):
        body = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
        for j in range(20):
            body += (f"int part{i}_{j}(const char *text)\n{{\n\tchar copy[64];\n\n"
                     f"\tsnprintf(copy, sizeof(copy), \"%s {j}\", text);\n"
                     f"\treturn atoi(copy) + (int)strlen(text);\n}}\n\n")
        if i == 0:
            body += "int main(int argc, char **argv)\n{\n\treturn part0_0(argv[0]);\n}\n"
        with open(f"{directory}/part{i}.c", "w") as source:
            source.write(body)


def make(setup):
    files = 2 if setup.quick else 20
    directory = setup.runner.path("project")
    make_project(directory, files)
    command = setup.runner.inner_clock(["/usr/bin/make", "-s", "-B", "-j2", "-C", directory])
    tools = [Untraced(), setup.forktax("totals", "--faults=totals"), setup.forktax("classes"),
             *setup.peers, Untraced("untraced-again")]
    return Experiment("make", f"make -j2, {files} C files", tools, lambda tool: (command, 1), None, 5)


def startup(setup):
    tools = [Untraced(), setup.forktax("classes"), setup.forktax("anatomy", "--anatomy"),
             *setup.peers[1:]]
    return Experiment("startup", "tracing /bin/true, whole command", tools,
                      lambda tool: (["/bin/true"], 1), None, 15)


def children(setup, count, with_peers):
    tools = [Untraced(), setup.forktax("classes"), *(setup.peers if with_peers else [])]
    experiment = Experiment(f"children-{count}", f"{count} children, musl static", tools,
                            setup.sample("musl", "forkloop", count), "forks", 1)
    experiment.watch_maps = True
    return experiment.stay_on(setup)


def all_of(setup, million):
    yield fork(setup)
    yield anatomy(setup, "long", 2000 if setup.quick else 20000, 9)
    yield anatomy(setup, "short", 200, 15)
    yield getppid(setup)
    yield make(setup)
    yield startup(setup)
    yield children(setup, 10 ** 3 if setup.smoke else 10 ** 4 if setup.quick else 10 ** 5, True)
    if million:
        yield children(setup, 10 ** 6, False)
