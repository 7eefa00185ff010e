# SPDX-License-Identifier: GPL-2.0-or-later
"""As births.c, of Python.
 -m fork: os.fork(), and the child leaves; exec: os.fork() and os.execv(); spawn:
os.posix_spawn(); subprocess: subprocess.call(), with --vfork 1 by vfork.
"""
import argparse
import gc
import mmap
import os
import resource
import statistics
import subprocess
import sys
import time


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("-n", type=int, default=100)
    parser.add_argument("-m", choices=("fork", "exec", "spawn", "subprocess"), default="fork")
    parser.add_argument("-e", default="/bin/true")
    parser.add_argument("-x", action="store_true", help="children leave by exit()")
    parser.add_argument("-r", type=int, default=0, help="MiB of memory")
    # Not two programs that differ by an option, as then all of the heap would lie otherwise.
    parser.add_argument("--advise", type=int, default=mmap.MADV_NORMAL, help="as to madvise()")
    parser.add_argument("-o", type=int, default=0, help="objects")
    parser.add_argument("-w", action="store_true", help="children collect garbage")
    parser.add_argument("-z", action="store_true", help="freeze objects before")
    parser.add_argument("--vfork", type=int, choices=(0, 1), default=0)
    return parser.parse_args()


def be_child(options):
    if options.m == "exec":
        os.execv(options.e, [options.e])
    if options.w:
        gc.collect()
    if options.x:
        sys.exit(0)
    os._exit(0)


def give_birth(options):
    if options.m == "subprocess":
        subprocess.call([options.e])
        return
    if options.m == "spawn":
        pid = os.posix_spawn(options.e, [options.e], os.environ)
    else:
        pid = os.fork()
        if pid == 0:
            be_child(options)
    os.waitpid(pid, 0)


def faults_so_far():
    """Of this process and of the children that it has waited for."""
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_minflt + usage.ru_majflt for usage in usages)


def main():
    options = parse()
    subprocess._USE_VFORK = bool(options.vfork)
    subprocess._USE_POSIX_SPAWN = False
    objects = [[number] for number in range(options.o)]
    if options.z:
        gc.freeze()
    if options.r:
        memory = mmap.mmap(-1, options.r << 20, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        memory.write(b"x" * (options.r << 20))
        memory.madvise(options.advise)
    times = []
    faults = faults_so_far()
    for _ in range(options.n):
        begin = time.perf_counter_ns()
        give_birth(options)
        times.append(time.perf_counter_ns() - begin)
    faults = faults_so_far() - faults
    print(f"births {options.n} median {statistics.median(times):.0f} mean {statistics.mean(times):.0f} "
          f"faults {faults}", flush=True)
    os._exit(0)


main()
