# SPDX-License-Identifier: GPL-2.0-or-later
"""shortage.py FORKTAX SAMPLES WITNESS SHORTAGE: faults that take pages away to get one, by their class.

The program fills more memory than its cgroup has; the rest goes to swap, and none of it comes back. What
so many pages add is so many zero_fill, and nothing to any class of copies. Second witness of swap_in: the
process's major faults (one that finds its page still in the swap cache is minor, but there is none).
"""
import contextlib
import os
import subprocess
import sys
import tempfile

import rules
from check import Check, skip
from runs import Tools

LIMIT, PAGES, SWAP = 16 << 20, 12 << 10, 64 << 20
CLASSES = ("cow_copy", "file_cow", "zero_fill", "zero_page", "shared_write", "shmem", "pfn_map")


def memory_limits():
    """The file that limits the memory of a cgroup, in each hierarchy that has the controller."""
    for base, name in (("/sys/fs/cgroup/memory", "memory.limit_in_bytes"),
                       ("/sys/fs/cgroup", "memory.max"), ("/sys/fs/cgroup/unified", "memory.max")):
        yield base, name


@contextlib.contextmanager
def small_group():
    """A memory cgroup of LIMIT bytes; its directory."""
    for base, name in memory_limits():
        try:
            group = tempfile.mkdtemp(prefix="forktax-", dir=base)
        except OSError:
            continue
        try:
            with open(os.path.join(group, name), "w", encoding="ascii") as file:
                file.write(str(LIMIT))
            yield group
            return
        except FileNotFoundError:
            continue
        finally:
            os.rmdir(group)
    skip("no memory cgroup can be made here")


@contextlib.contextmanager
def swap():
    """Some swap: what there is, or a file meanwhile."""
    with open("/proc/swaps", encoding="ascii") as file:
        if len(file.readlines()) > 1:
            yield
            return
    with tempfile.NamedTemporaryFile(dir="/var/tmp") as file:
        os.posix_fallocate(file.fileno(), 0, SWAP)
        made = subprocess.run(f"mkswap {file.name} && swapon {file.name}", shell=True,
                              capture_output=True, text=True, check=False)
        if made.returncode:
            skip(f"no swap here: {made.stderr.strip()}")
        try:
            yield
        finally:
            subprocess.run(["swapoff", file.name], check=True)


def swapped_out():
    with open("/proc/vmstat", encoding="ascii") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("pswpout "))


def main():
    tools = Tools(*sys.argv[1:4])
    program, check, counts = sys.argv[4], Check(), []
    check.context = "shortage"
    tools.environment.update(rules.WITHOUT_RSEQ)
    with swap(), small_group() as group:
        for pages in (0, PAGES):
            before = swapped_out()
            result, run = tools.trace([program, os.path.join(group, "cgroup.procs"), str(pages)],
                                      "--no-aslr")
            check.equal("exit status", result.returncode, 0)
            check.that(run.saved["integrity"]["exact"], "not exact")
            counts.append(run.totals["faults"])
    check.that(swapped_out() - before >= PAGES // 2, "memory was not short")
    for key in CLASSES:
        added = counts[1][key] - counts[0][key]
        check.equal(f"{key} added", added, PAGES if key == "zero_fill" else 0)
    check.that(counts[1]["swap_in"] <= counts[1]["major"],
               f"{counts[1]['swap_in']} swap_in, {counts[1]['major']} major")
    check.finish()


main()
