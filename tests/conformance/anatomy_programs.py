# SPDX-License-Identifier: GPL-2.0-or-later
"""anatomy_programs.py FORKTAX SAMPLES WITNESS NAME [brief]: the anatomy of a real program.

What it does is its own affair: the totals must match, and wait4 must have counted the same.
"""
import shutil
import sys

import anatomy_cross_check
import witnesses
from check import Check, skip
from runs import Tools

SUBSHELLS = "n=0; while [ $n -lt 100 ]; do (:); n=$((n + 1)); done"

PIPES = "for n in 1 2 3 4 5; do echo $n | (read -r line; /bin/echo $line) | cat; done"

PYTHON = """\
import os
for n in range(20):
    pid = os.fork()
    if not pid:
        os._exit(0)
    os.waitpid(pid, 0)
"""

# Children that have children, and that exec.
TREE = """\
import os, subprocess
for n in range(5):
    pid = os.fork()
    if not pid:
        grandchild = os.fork()
        if not grandchild:
            os.execv("/bin/true", ["true"])
        os.waitpid(grandchild, 0)
        os._exit(0)
    os.waitpid(pid, 0)
subprocess.run(["/bin/true"], check=True)
"""

THREADS = """\
import os, threading
def work():
    data = [bytearray(1 << 16) for n in range(20)]
for n in range(5):
    threads = [threading.Thread(target=work) for m in range(3)]
    for thread in threads: thread.start()
    pid = os.fork()
    if not pid:
        os._exit(0)
    os.waitpid(pid, 0)
    for thread in threads: thread.join()
"""

PERL = """\
for my $n (1 .. 30) {
    my $pid = fork();
    exit 0 if !$pid;
    waitpid($pid, 0);
}
"""

# Thousands of faults without a system call in between: more than wait for their places.
HEAP = """\
import os
heap = [bytes(1000) for n in range(10000)]
for n in range(3):
    pid = os.fork()
    if not pid:
        total = sum(map(len, heap))
        os._exit(0)
    os.waitpid(pid, 0)
"""

# A program that forks and executes itself, with threads.
GIT = """\
git init -q . && for n in 1 2 3; do
    echo $n > file$n && git add file$n || exit
    git -c user.name=a -c user.email=a@localhost commit -qm $n || exit
done
git gc -q
"""

# make creates its jobs by vfork.
MAKE = """\
printf 'all: a b c d\\na b c d:\\n\\t@(echo $@) | cat; /bin/true\\n' > Makefile
make -j2
"""

PROGRAMS = {
    "bash-subshells": ["bash", "-c", SUBSHELLS],
    "sh-pipes": ["sh", "-c", PIPES],
    "python-fork": ["/usr/bin/python3", "-c", PYTHON],
    "python-tree": ["/usr/bin/python3", "-c", TREE],
    "python-threads": ["/usr/bin/python3", "-c", THREADS],
    "perl-fork": ["perl", "-e", PERL],
    "python-heap": ["/usr/bin/python3", "-c", HEAP],
    "git-gc": ["sh", "-c", GIT],
    "make-j2": ["sh", "-c", MAKE],
}


def main():
    tools = Tools(*sys.argv[1:4])
    name = sys.argv[4]
    program, *arguments = PROGRAMS[name]
    path = shutil.which(program)
    if not path:
        skip(f"{program} is not installed")
    check = Check()
    check.context = name
    _, run = anatomy_cross_check.trace(check, tools, tools.under_witness([path, *arguments]))
    witnesses.check_wait4(check, run, tools.witnessed())
    children = sum(sample["children"] for sample in run.saved["sampling"]["samples"])
    print(f"{name}: {children} processes, {anatomy_cross_check.faults(run.saved['anatomy'])} faults in "
          f"{len(run.saved['anatomy'])} rows")
    check.finish()


main()
