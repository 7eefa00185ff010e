# SPDX-License-Identifier: GPL-2.0-or-later
"""Pairs of programs: the same one without and with a remedy that a rule of advice names."""
import collections
import os

HERE = os.path.dirname(os.path.abspath(__file__))

# A command: which births-NAME (or python, bash), and its options (births.c). TRUE is a program to
# execute. `births`: how many are timed.
Pair = collections.namedtuple("Pair", "name rule births without with_ environment")


class Programs:
    """Names of programs, and where they are."""

    def __init__(self, build):
        # A child that is over as soon as it can be: what it does itself is noise to us.
        self.true = next(path for path in (f"{build}/samples/diet/true", f"{build}/samples/static/true")
                         if os.path.exists(path))
        self.build = build

    def reason_against(self, pair):
        """Why a pair cannot run here; None: it can."""
        for text in (pair.without, pair.with_):
            program = self.argv(text)[0]
            if not os.path.exists(program):
                return f"{program} is not there"
        return None

    def argv(self, text):
        words = text.split()
        if words[0] == "python":
            argv = ["/usr/bin/python3", "-S", f"{HERE}/births.py"]
        elif words[0] == "bash":
            argv = ["/bin/bash", f"{HERE}/births.sh"]
        else:
            argv = [f"{self.build}/tests/bench/births-{words[0]}"]
        words = [self.true if word == "TRUE" else word for word in words[1:]]
        return argv + words


def pair(name, rule, births, without, with_, environment=None):
    return Pair(name, rule, births, without, with_, environment or {})


NOW = {"LD_BIND_NOW": "1"}
NO_RSEQ = {"GLIBC_TUNABLES": "glibc.pthread.rseq=0"}
HUGE = {"GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"}

PAIRS = [
    pair("_exit, -z now", "A1", 1000, "dynamic", "now"),
    pair("_exit, LD_BIND_NOW", "A1", 1000, "dynamic", "dynamic", NOW),
    pair("exit(), -z now", "A1", 1000, "dynamic -x", "now -x"),
    pair("exit(), LD_BIND_NOW", "A1", 1000, "dynamic -x", "dynamic -x", NOW),
    pair("16 functions bound", "A1", 1000, "dynamic -b 16", "now -b 16"),
    pair("48 functions bound", "A1", 1000, "dynamic -b 48", "dynamic -b 48", NOW),
    pair("4 MB, 8 threads", "A1", 500, "dynamic -r 4096 -j 8 -b 8", "now -r 4096 -j 8 -b 8"),
    pair("16 libraries, exit()", "A1", 500, "16-libraries -x", "16-libraries -x", NOW),
    pair("C++, _exit", "A1", 1000, "cxx -w 20", "cxx-now -w 20"),
    pair("C++, exit()", "A1", 1000, "cxx -x", "cxx -x", NOW),
    pair("C++, 16 libraries, exit()", "A1", 500, "cxx-16-libraries -x", "cxx-16-libraries -x", NOW),
    pair("before exec", "A1", 500, "dynamic -e TRUE", "now -e TRUE"),
    pair("_exit, static", "A2", 1000, "dynamic", "static"),
    pair("_exit, static-pie", "A2", 1000, "dynamic", "static-pie"),
    pair("exit(), static", "A2", 1000, "dynamic -x", "static -x"),
    pair("16 functions, static", "A2", 1000, "dynamic -b 16", "static -b 16"),
    pair("bound at start, static", "A2", 1000, "now -b 16", "static -b 16"),
    pair("C++, static", "A2", 500, "cxx", "cxx-static"),
    pair("_exit for exit()", "A3", 1000, "dynamic -x", "dynamic"),
    pair("_exit for exit(), -z now", "A3", 1000, "now -x", "now"),
    pair("_exit for exit(), static", "A3", 1000, "static -x", "static"),
    pair("_exit for exit(), 16 libraries", "A3", 500, "16-libraries -x", "16-libraries"),
    pair("_exit for exit(), C++", "A3", 500, "cxx-now -x", "cxx-now"),
    pair("_exit for exit(), C++, 16 libraries", "A3", 500, "cxx-16-libraries -x",
         "cxx-16-libraries"),
    pair("_exit for exit(), Python", "A3", 200, "python -x", "python"),
    pair("1 MB, posix_spawn", "A4", 500, "dynamic -r 1024 -e TRUE",
         "dynamic -r 1024 -e TRUE -m spawn"),
    pair("1 MB, vfork", "A4", 500, "dynamic -r 1024 -e TRUE", "dynamic -r 1024 -e TRUE -m vfork"),
    pair("16 MB, posix_spawn", "A4", 500, "now -r 16384 -e TRUE", "now -r 16384 -e TRUE -m spawn"),
    pair("64 MB, posix_spawn", "A4", 300, "dynamic -r 65536 -e TRUE",
         "dynamic -r 65536 -e TRUE -m spawn"),
    pair("64 MB, vfork, static", "A4", 300, "static -r 65536 -e TRUE",
         "static -r 65536 -e TRUE -m vfork"),
    pair("256 MB, posix_spawn", "A4", 100, "dynamic -r 262144 -e TRUE",
         "dynamic -r 262144 -e TRUE -m spawn"),
    pair("1 GB, posix_spawn", "A4", 50, "dynamic -r 1048576 -e TRUE",
         "dynamic -r 1048576 -e TRUE -m spawn"),
    pair("1 GB, huge pages", "A4", 200, "dynamic -r 1048576 -H -e TRUE",
         "dynamic -r 1048576 -H -e TRUE -m spawn"),
    pair("64 MB, 8 threads", "A4", 300, "dynamic -r 65536 -j 8 -e TRUE",
         "dynamic -r 65536 -j 8 -e TRUE -m spawn"),
    pair("256 MB, 64 threads", "A4", 100, "dynamic -r 262144 -j 64 -e TRUE",
         "dynamic -r 262144 -j 64 -e TRUE -m spawn"),
    pair("64 MB, MADV_DONTFORK", "A4", 500, "dynamic -r 65536 -D -e TRUE",
         "dynamic -r 65536 -D -e TRUE -m spawn"),
    pair("64 MB, MADV_WIPEONFORK", "A4", 500, "dynamic -r 65536 -W -e TRUE",
         "dynamic -r 65536 -W -e TRUE -m spawn"),
    pair("64 MB shared", "A4", 500, "dynamic -r 65536 -M -e TRUE",
         "dynamic -r 65536 -M -e TRUE -m spawn"),
    pair("256 MB, each 16th page written", "A4", 300, "dynamic -r 262144 -g 16 -e TRUE",
         "dynamic -r 262144 -g 16 -e TRUE -m spawn"),
    pair("64 MB from malloc", "A4", 300, "dynamic -a 64000 -e TRUE",
         "dynamic -a 64000 -e TRUE -m spawn"),
    pair("200 mappings", "A4", 300, "dynamic -v 200 -e TRUE", "dynamic -v 200 -e TRUE -m spawn"),
    pair("2,000 mappings", "A4", 100, "dynamic -v 2000 -e TRUE",
         "dynamic -v 2000 -e TRUE -m spawn"),
    pair("5,000 mappings", "A4", 50, "dynamic -v 5000 -e TRUE",
         "dynamic -v 5000 -e TRUE -m spawn"),
    pair("16 libraries", "A4", 300, "16-libraries -e TRUE", "16-libraries -e TRUE -m spawn"),
    pair("64 MB, child writes 256 pages", "A4", 300, "dynamic -r 65536 -w 256 -e TRUE",
         "dynamic -r 65536 -w 256 -e TRUE -m vfork"),
    pair("64 MB, parent writes 256 pages", "A4", 300, "dynamic -r 65536 -p 256 -e TRUE",
         "dynamic -r 65536 -p 256 -e TRUE -m spawn"),
    pair("64 MB, parent writes 2,000 pages later", "A4", 300, "dynamic -r 65536 -q 2000 -e TRUE",
         "dynamic -r 65536 -q 2000 -e TRUE -m spawn"),
    pair("64 MB huge, parent writes 256 pages", "A4", 300, "dynamic -r 65536 -H -p 256 -e TRUE",
         "dynamic -r 65536 -H -p 256 -e TRUE -m spawn"),
    pair("Python, 64 MB", "A4", 200, "python -m exec -r 64 -e TRUE",
         "python -m spawn -r 64 -e TRUE"),
    pair("Python, subprocess", "A4", 200, "python -m subprocess --vfork 0 -r 64 -e TRUE",
         "python -m subprocess --vfork 1 -r 64 -e TRUE"),
    pair("vfork for posix_spawn", "A5", 500, "dynamic -m spawn -e TRUE",
         "dynamic -m vfork -e TRUE"),
    pair("256 MB in huge pages", "A7", 100, "dynamic -r 262144", "dynamic -r 262144 -H"),
    pair("1 GB in huge pages", "A7", 50, "static -r 1048576", "static -r 1048576 -H"),
    pair("4 unused libraries", "A8", 500, "4-libraries", "dynamic"),
    pair("16 unused libraries", "A8", 500, "16-libraries", "dynamic"),
    pair("no rseq", "A9", 1000, "dynamic", "dynamic", NO_RSEQ),
    pair("no rseq, -z now, 16 functions", "A9", 1000, "now -b 16", "now -b 16", NO_RSEQ),
    pair("no rseq, 2 threads", "A9", 1000, "dynamic -j 2", "dynamic -j 2", NO_RSEQ),
    pair("no rseq, bash", "A9", 1000, "bash", "bash", NO_RSEQ),
    pair("a child for each connection", "A10", 500, "dynamic -A", "dynamic -A -m none"),
    pair("Python collects, 200,000 objects frozen", "A11", 100, "python -o 200000 -w",
         "python -o 200000 -w -z"),
    pair("children free 1,000 blocks", "A12", 300, "now -a 10000 -f 1000", "now -a 10000"),
    pair("functions side by side", "A14", 1000, "dynamic -c 8", "near -c 8"),
    pair("pages side by side", "A15", 1000, "dynamic -s 16", "dynamic -s 16 -S"),
]

# A few that take little time, of the rules whose faults are exact.
# Not "no rseq": what it saves is near the 2 % of a fork below which a rule keeps silent.
SHORT = ("_exit, LD_BIND_NOW", "exit(), -z now", "_exit for exit(), -z now", "64 MB, posix_spawn",
         "64 MB huge, parent writes 256 pages", "64 MB kept out")
