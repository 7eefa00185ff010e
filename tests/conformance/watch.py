# SPDX-License-Identifier: GPL-2.0-or-later
"""watch.py FORKTAX SAMPLES WITNESS CASE: what `forktax watch` counts by cgroup, beside what programs know of themselves.

watchmember.c moves from one cgroup to another and says what each has to count, by wait4(2) and its own count.
"""
import contextlib
import json
import os
import subprocess
import sys
import time

import rules
from cgroup import Cgroup
from check import Check, skip
from runs import Tools

FIELDS = ("calls", "faults", "forks", "ends", "copies")


class Watch:
    """forktax while it watches: begins when it counts, ends with stop()."""

    def __init__(self, tools, *options, before=()):
        self.output = open(tools.path("watch.jsonl"), "w+", encoding="utf-8")
        ready, said = os.pipe()
        self.process = subprocess.Popen([*before, tools.forktax, "watch", *options,
                                         f"--ready-fd={said}"], pass_fds=[said], stdout=self.output)
        os.close(said)
        with os.fdopen(ready, "rb") as stream:
            if stream.read() != b"ready\n":
                raise RuntimeError("forktax does not count")

    def stop(self):
        """All samples: by unit."""
        self.process.terminate()
        if self.process.wait():
            raise RuntimeError(f"forktax: exit status {self.process.returncode}")
        self.output.seek(0)
        samples = [json.loads(line) for line in self.output]
        self.output.close()
        return samples


def units(sample):
    return {unit["name"]: unit for unit in sample["units"]}


def children(unit, **wanted):
    return sum(group["children"] for group in unit["groups"]
               if all(group[name] == value for name, value in wanted.items()))


def copies(unit):
    return sum(classes.get("cow_copy", 0) for classes in (unit["by_birth"]).values())


def members(tools, program, cgroup, *options):
    """What a process says of itself in two cgroups, and what forktax says."""
    watch = Watch(tools, *options)
    said = subprocess.run([program, f"{cgroup.directory}/a", f"{cgroup.directory}/b"], stdout=subprocess.PIPE, text=True,
                          check=True).stdout
    ledger = {name: dict(zip(FIELDS, map(int, numbers))) for name, *numbers in map(str.split, said.splitlines())}
    return ledger, watch.stop()


def check_growth(check, samples):
    """No count ever goes down, whatever ends, moves or is looked at meanwhile."""
    for before, after in zip(samples, samples[1:]):
        now = units(after)
        for name, unit in units(before).items():
            for count in ("forks", "execs", "ends", "calls", "faults", "fork_ns"):
                check.that(now[name][count] >= unit[count],
                           f"{name}: {count} went from {unit[count]} to {now[name][count]}")


def moves(check, tools, program):
    with Cgroup("a", "b") as cgroup:
        for level in ("totals", "classes"):
            for options in (["-a"], ["--cgroup", f"{cgroup.path}/a,{cgroup.path}/b"]):
                check.context = f"{level} {' '.join(options)}"
                ledger, samples = members(tools, program, cgroup, f"--level={level}", "--every=0.1", *options)
                last = units(samples[-1])
                if not samples[-1]["is_exact"]:
                    print(f"left out: {check.context}: not exact: {samples[-1]['lost_events']} events lost")
                    continue
                check_growth(check, samples)
                for name, expected in ledger.items():
                    compare(check, name, level, last[f"{cgroup.path}/{name}"], expected)


def compare(check, name, level, unit, expected):
    for count in ("forks", "ends"):
        check.equal(f"{name}: {count}", unit[count], expected[count])
    check.equal(f"{name}: children", children(unit, parent="conformance-wat", birth="fork", fate="no_exec"),
                expected["forks"])
    check.equal(f"{name}: fork calls", sum(unit["fork_calls"].values()), expected["forks"])
    for count in ("calls", "faults"):
        check.equal(f"{name}: {count}", unit[count], expected[count])
    if level == "classes":
        classified = sum(sum(classes.values()) for classes in unit["by_birth"].values())
        # The fault before a move is counted by class after it.
        check.that(abs(classified - expected["faults"]) <= 1, f"{name}: {classified} faults by class of {expected['faults']}")
        check.that(copies(unit) >= expected["copies"], f"{name}: {copies(unit)} copies of {expected['copies']} at least")
        check.equal(f"{name}: bytes", unit["copied_bytes"], 4096 * copies(unit))


def inside(cgroup, *command):
    return ["sh", "-c", f'echo $$ >{cgroup}/cgroup.procs && exec "$@"', "sh", *command]


def storm(check, tools, _):
    """Thousands of processes that end while they are looked at, in ten cgroups that go and come again."""
    count, rounds = 100, 3
    names = [f"storm{i}" for i in range(10)]
    loop = os.path.join(tools.samples, "dynamic", "forkloop")
    truth = os.path.join(tools.samples, "dynamic", "true")
    with Cgroup() as cgroup:
        watch = Watch(tools, "-a", "--every=0.1")
        for _ in range(rounds):
            for name in names:
                os.mkdir(f"{cgroup.directory}/{name}")
            running = [subprocess.Popen(inside(f"{cgroup.directory}/{name}", loop, "-n", str(count), "-e", truth))
                       for name in names]
            for process in running:
                process.wait()
            for name in names:
                remove(f"{cgroup.directory}/{name}")
        samples = watch.stop()
        check.context = "storm"
        check_growth(check, samples)
        if not samples[-1]["is_exact"]:
            skip(f"not exact: {samples[-1]['lost_events']} events lost")
        last = units(samples[-1])
        for name in names:
            unit = last[f"{cgroup.path}/{name}"]
            check.equal(f"{name}: forks", unit["forks"], count * rounds)
            check.equal(f"{name}: execs", unit["execs"], (count + 1) * rounds)
            check.equal(f"{name}: ends", unit["ends"], (count + 1) * rounds)
            check.equal(f"{name}: children", children(unit, parent="forkloop", fate="exec"), count * rounds)
            check.equal(f"{name}: fork calls", sum(unit["fork_calls"].values()), count * rounds)
            check.that(unit["fork_ns"] > 0, f"{name}: the fork calls took no time")


def remove(directory):
    for _ in range(200):
        with contextlib.suppress(OSError):
            os.rmdir(directory)
            return
        time.sleep(0.01)
    raise OSError(f"{directory} cannot be removed")


def calls(check, tools, _):
    """Of a program that runs on: what it has done until then is in each sample."""
    more, samples_dir = 100000, os.path.join(tools.samples, "dynamic")
    counted = []
    with Cgroup("a") as cgroup:
        for number in (1000, 1000 + more):
            watch = Watch(tools, "--cgroup", f"{cgroup.path}/a")
            subprocess.run(inside(f"{cgroup.directory}/a", f"{samples_dir}/getppidloop", "-n", str(number)), check=True)
            counted.append(units(watch.stop()[-1])[f"{cgroup.path}/a"])
        check.equal("calls", counted[1]["calls"] - counted[0]["calls"], more)
        watch = Watch(tools, "-a", "--every=0.1")
        with subprocess.Popen(inside(f"{cgroup.directory}/a", f"{samples_dir}/getppidloop", "-n", "1000000000")) as process:
            time.sleep(1)
            process.kill()
        seen = [units(sample)[f"{cgroup.path}/a"]["calls"] for sample in watch.stop()
                if f"{cgroup.path}/a" in units(sample)]
        check.that(len(set(seen)) > 3, f"the calls of a program that runs on are not seen: {seen}")


def own(check, tools, _):
    """What forktax starts itself, to measure what counting costs, no unit counts."""
    with Cgroup() as cgroup:
        for level in ("classes", "totals"):
            check.context = level
            watch = Watch(tools, "-a", f"--level={level}", before=inside(cgroup.directory))
            unit = units(watch.stop()[-1]).get(cgroup.path)
            for count in ("forks", "ends", "calls", "faults"):
                check.that(not unit or not unit[count], f"{count} of forktax itself: {unit and unit[count]}")


def main():
    forktax, samples, witness, case = sys.argv[1:]
    check = Check()
    program = os.path.join(os.path.dirname(witness), "conformance-watchmember")
    {"moves": moves, "storm": storm, "calls": calls, "own": own}[case](check, Tools(forktax, samples, witness), program)
    if not check.done and not check.failures:
        skip("nothing was exact")
    check.finish()


main()
