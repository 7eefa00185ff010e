# SPDX-License-Identifier: GPL-2.0-or-later
"""programs.py FORKTAX SAMPLES WITNESS NAME: a real program, under forktax and strace at once.

What such a program does depends on timing, so the two tracers are compared within one run, on the
same processes, call by name, call by process; and the faults with what wait4 reports.
"""
import os
import shutil
import subprocess
import sys

import balance
import strace_report
import witnesses
from check import Check, skip
from runs import Tools

SOURCE = "#include <stdio.h>\nint main(void)\n{\n\tputs(\"hello\");\n\treturn 0;\n}\n"

MAKEFILE = """\
all: a b c d
a b c d: %: %.c
\tcc -o $@ $<
"""

SUBPROCESS = """\
import subprocess
for n in range(3):
    subprocess.run(["true"], check=True)
print(subprocess.run("echo $((1 + 1)) | cat", shell=True, capture_output=True).stdout)
"""

MULTIPROCESSING = """\
import multiprocessing

def square(n):
    return n * n

if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    with multiprocessing.Pool(3) as pool:
        print(sum(pool.map(square, range(100))))
        pool.close()
        pool.join()
"""

PERL = """\
for my $n (1 .. 5) {
    my $pid = fork();
    if (!$pid) { exec "true" if $n == 5; exit $n; }
    waitpid($pid, 0);
}
print `echo from a shell`;
"""

SHELL = "n=0; while [ $n -lt 1000 ]; do (:); n=$((n + 1)); done"

PIPELINE = """\
set -o pipefail
for n in 1 2 3; do (echo "$n"; (echo "$((n * n))")) | sort -rn | { read -r top; echo "$top"; }; done
list=$(ls / | wc -l)
[ "$list" -gt 0 ] && (cd / && true) || exit 1
cat <(echo one) <(echo two) >/dev/null
wait
"""


CHAIN = '[ $1 = 0 ] || exec sh "$0" $(($1 - 1))\n'


def write(tools, name, text):
    with open(tools.path(name), "w") as file:
        file.write(text)


def git_repository(tools):
    write(tools, "file", "text\n")
    who = ["-c", "user.name=tester", "-c", "user.email=tester@example.org"]
    for arguments in (["init", "-q"], ["add", "file"], [*who, "commit", "-q", "-m", "first"]):
        subprocess.run(["git", *arguments], cwd=tools.scratch, env=tools.environment, check=True)
    write(tools, "file", "changed\n")


def sources(tools):
    for name in "abcd":
        write(tools, f"{name}.c", SOURCE)
    write(tools, "Makefile", MAKEFILE)


def chain(tools):
    write(tools, "chain", CHAIN)


def random_file(tools):
    with open(tools.path("random"), "wb") as file:
        file.write(os.urandom(3 << 20))


def scripts(tools):
    write(tools, "spawner.py", SUBPROCESS)
    write(tools, "pool.py", MULTIPROCESSING)


# Name: what it needs in its directory, and the command.
PROGRAMS = {
    "bash-pipeline": (None, ["bash", "-c", PIPELINE]),
    "shell-1000-forks": (None, ["sh", "-c", SHELL]),
    "git-status": (git_repository, ["git", "status"]),
    "git-log": (git_repository, ["git", "--no-pager", "log", "-p"]),
    "python-subprocess": (scripts, ["/usr/bin/python3", "spawner.py"]),
    "python-multiprocessing": (scripts, ["/usr/bin/python3", "pool.py"]),
    "gcc": (sources, ["gcc", "-O1", "-o", "a", "a.c"]),
    "make-j2": (sources, ["make", "-B", "-j2"]),
    "find-xargs": (sources, ["sh", "-c", "find . -name '*.c' | xargs -P4 -n1 wc"]),
    "perl-fork": (None, ["perl", "-e", PERL]),
    "xz-T2": (random_file, ["xz", "-T2", "-1", "--block-size=1MiB", "-kf", "random"]),
    "env-chain": (None, ["env", "A=1", "env", "B=2", "env", "-u", "A", "nice", "env", "true"]),
    "sh-1100-execs": (chain, ["sh", "chain", "1100"]),
    "setsid-daemon": (None, ["sh", "-c", "setsid -f sleep 0.05; setsid -w true; nohup true"]),
}


def command_of(tools, name):
    """The command of a row, prepared; where its program is not installed, the test is skipped."""
    prepare, (program, *arguments) = PROGRAMS[name]
    path = shutil.which(program)
    if not path:
        skip(f"{program} is not installed")
    if prepare:
        prepare(tools)
    return [path, *arguments]


def main():
    tools = Tools(*sys.argv[1:4])
    name = sys.argv[4]
    command = command_of(tools, name)
    check = Check()
    check.context = name
    result, run, log = tools.trace_with_strace(tools.under_witness(command))
    check.equal(f"exit status ({result.stderr.decode()[-500:]})", result.returncode, 0)
    balance.check_balance(check, run)
    witnesses.check_strace(check, run, log)
    witnesses.check_wait4(check, run, tools.witnessed())
    strace_report.check_report(check, tools, run)
    print(f"{name}: {run.totals['processes']} processes, {run.totals['syscalls']} calls, "
          f"{run.totals['faults']['total']} faults")
    check.finish()


if __name__ == "__main__":
    main()
