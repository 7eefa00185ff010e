# SPDX-License-Identifier: GPL-2.0-or-later
"""Where forktax spends its time: runs and nanoseconds of each of its programs, by the kernel's own
bpf_stats."""
import json
import os
import re

from tools import Floor

SWITCH = "/proc/sys/kernel/bpf_stats_enabled"


class Statistics:
    """The kernel counts while this is open. Its two clock readings per run are in the time."""

    def __enter__(self):
        with open(SWITCH) as file:
            self.before = file.read()
        self.write("1")

    def __exit__(self, *_):
        self.write(self.before)

    def write(self, value):
        with open(SWITCH, "w") as file:
            file.write(value)


# The tracer's own programs are those whose descriptors it holds; the empty ones are held by the
# command itself. bpftool fails if a program of somebody else goes away while it lists them.
SCRIPT = """shown=$1; held=$2; shift 2
"$@" 2>/dev/null || exit
for try in 1 2 3 4 5; do bpftool -j prog show >"$shown" && break; done
cat /proc/$PPID/fdinfo/* /proc/$$/fdinfo/* >"$held" 2>/dev/null || :
"""


def run(setup, tool, target):
    """The programs as they stand when the target has ended, but the tracer has not."""
    shown, held = setup.runner.path("programs"), setup.runner.path("held")
    setup.runner.run(tool, ["/bin/sh", "-c", SCRIPT, "sh", shown, held, *target])
    with open(held) as file:
        ours = {int(number) for number in re.findall(r"^prog_id:\s*(\d+)", file.read(), re.M)}
    with open(shown) as file:
        programs = json.load(file)
    return [{"program": program["name"], "runs": program["run_cnt"], "ns": program["run_time_ns"]}
            for program in programs if program["id"] in ours and program.get("run_cnt")]


def measure(setup):
    forks, calls = (200, 20000) if setup.quick else (3000, 300000)
    loop = setup.sample("dynamic", "forkloop", forks)
    getppid = setup.sample("dynamic", "getppidloop", calls)
    cases = [("fork", setup.forktax("classes"), loop, forks),
             ("fork, anatomy", setup.forktax("anatomy", "--anatomy"), loop, forks),
             ("getppid", setup.forktax("classes"), getppid, calls),
             ("getppid, timed", setup.forktax("timed", "-T"), getppid, calls),
             ("getppid, empty programs", Floor(setup.build, "both"), getppid, calls)]
    if not os.access(SWITCH, os.W_OK):
        return {}
    with Statistics():
        return {name: {"operations": operations, "programs": run(setup, tool, target(tool)[0])}
                for name, tool, target, operations in cases}
