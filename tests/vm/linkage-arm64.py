# SPDX-License-Identifier: GPL-2.0-or-later
"""linkage-arm64.py CONFORMANCE FORKTAX SAMPLES WITNESS DIRECTORY: how processes of a made program end, by forktax and by strace.

The last part of DIRECTORY says what its linkage tables have (make-programs-arm64). A CPU that has BTI guards the code of bti
and both. A CPU that signs addresses kills pac and both at their first call: the C library does not sign what it binds.
"""
import os
import re
import signal
import subprocess
import sys
from collections import Counter

CONFORMANCE, *TOOLS, MADE = sys.argv[1:]
sys.path.insert(0, CONFORMANCE)

from check import Check # noqa: E402
from runs import Tools # noqa: E402

GUARDED, SIGNED = ("bti", "both"), ("pac", "both")
BEFORE_MAIN = 2 # objects that are mapped then: the program and the library that it is linked with; a third one it opens
CHILDREN = 8
GUARD = re.compile(r"PROT_EXEC\|(PROT_BTI|0x10)\b") # strace of Debian 12 does not know its name
END = re.compile(r"\d+ +\+\+\+ (?:exited with (\d+)|killed by (\w+)).* \+\+\+$")


def features():
    with open("/proc/cpuinfo", encoding="ascii") as file:
        return set(re.search(r"^Features\s*:(.*)$", file.read(), re.M)[1].split())


def by_strace(tools, command):
    """(status, signal) of each process, and how many mappings are guarded."""
    log = tools.path("strace.log")
    subprocess.run(["strace", "-f", "-e", "trace=mmap,mprotect", "-o", log, *command], check=False,
                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with open(log, encoding="utf-8", errors="replace") as file:
        lines = file.read().splitlines()
    ends = [match.groups() for match in map(END.match, lines) if match]
    return (Counter((int(status) if status else None, getattr(signal, name).value if name else None)
                    for status, name in ends), sum(bool(GUARD.search(line)) for line in lines))


def main():
    tools, check = Tools(*TOOLS), Check()
    way, cpu = os.path.basename(MADE), features()
    check.context = way
    command = [os.path.join(MADE, "binder"), os.path.join(MADE, "libopened.so")]
    ends, guarded = by_strace(tools, command)
    _, run = tools.trace(command)
    check.equal_counts("ends (status, signal)", Counter((one["exit"]["status"], one["exit"]["signal"])
                                                        for one in run.processes), ends, ("forktax", "strace"))
    dies = way in SIGNED and "paca" in cpu
    if dies:
        check.that(sum(ends.values()) == 1 and not ends[(0, None)], f"it dies before it has a child: {ends}")
    else:
        check.equal("ends", ends, Counter({(0, None): 1 + CHILDREN}))
    check.equal("guarded mappings", guarded, (BEFORE_MAIN + (not dies)) * (way in GUARDED and "bti" in cpu))
    print(f"{way}: {guarded} guarded mappings, {sum(ends.values())} processes")
    check.finish()


main()
