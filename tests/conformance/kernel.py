# SPDX-License-Identifier: GPL-2.0-or-later
"""kernel.py FORKTAX SAMPLES WITNESS [OPTION]... [NAME]...: real programs beside the kernel's own
events and accounting. Without a name: all of them, each that is installed; `chosen`: those that
tests/run watches.
"""
import argparse
import contextlib
import os
import shutil
import socket
import sys
import traceback

import balance
import hunted_applications
import hunted_daemons
import hunted_everyday
import hunted_kernel
import hunted_languages
import hunted_races
import hunted_runtimes
import hunted_servers
import hunted_small
import hunted_supervised
import hunted_tools
import hunted_wrappers
import kernel_classes
import kernel_witness
import rules
from cgroup import Cgroup
from check import SKIPPED, Check, skip
from load import Load
from runs import Tools

PROGRAMS = (hunted_servers.PROGRAMS | hunted_runtimes.PROGRAMS | hunted_kernel.PROGRAMS |
            hunted_races.PROGRAMS | hunted_tools.PROGRAMS | hunted_applications.PROGRAMS |
            hunted_supervised.PROGRAMS | hunted_everyday.PROGRAMS | hunted_languages.PROGRAMS |
            hunted_wrappers.PROGRAMS | hunted_daemons.PROGRAMS | hunted_small.PROGRAMS)

# Before each script: wait for a condition, at most ten seconds; a process is gone, or a zombie.
PRELUDE = """\
until_ok() {
	local n
	for n in $(seq 200); do "$@" >/dev/null 2>&1 && return; sleep 0.05; done
	echo "$* failed"
	exit 9
}
gone() { ! [ -e /proc/$1 ] || grep -q '^State:.Z' /proc/$1/status; }
"""


def chosen():
    path = os.path.join(os.path.dirname(__file__), "kernel-programs.txt")
    with open(path, encoding="ascii") as file:
        return [line.split()[0] for line in file if not line.startswith("#")]


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


def missing(needs):
    return [name for name in needs if not shutil.which(name)]


def prepare(tools):
    """A new directory for the program, and what its script finds in its environment."""
    directory = tools.path("work")
    shutil.rmtree(directory, ignore_errors=True)
    os.mkdir(directory)
    os.chmod(tools.scratch, 0o755)  # for programs that give up being root
    tools.environment.update(PORT=str(free_port()), PWD=directory, FORKTAX=tools.forktax)
    return directory


def watch(tools, text, given):
    """One run of a script: see kernel_witness.Watch.result()."""
    directory = prepare(tools)
    shell = [shutil.which("bash"), "-c"]
    if not (given.attach or given.cgroup):
        command = tools.under_witness([*shell, PRELUDE + text])
        return kernel_witness.watch(tools, command, "--follow-daemons=5", *given.more,
                                    directory=directory)
    go = tools.path("go")
    with contextlib.suppress(FileNotFoundError):
        os.unlink(go)
    command = [*shell, f"until [ -e {go} ]; do sleep 0.05; done\n{PRELUDE}{text}"]
    with Cgroup() if given.cgroup else contextlib.nullcontext() as cgroup:
        return kernel_witness.watch_attached(tools, command, *given.more, directory=directory, go=go,
                                             cgroup=cgroup)


def hunt(check, tools, name, given):
    """The reason if the program was left out."""
    needs, text = PROGRAMS[name]
    if missing(needs):
        return f"not installed: {' '.join(missing(needs))}"
    for _ in range(rules.EXACT_TRIES):
        status, said, run, seen = watch(tools, text, given)
        if not rules.inexact_by_preemption(run.saved["integrity"]):
            break
        print(f"again: {name}: not exact, because of recursion misses")
    if status == SKIPPED:
        return said.strip()
    check.equal(f"exit status ({said[-500:]})", status, 0)
    if not run.saved["integrity"]["exact"]:
        print(f"not exact: {name}: {run.saved['integrity']}")
    if given.attach or given.cgroup:
        kernel_witness.compare_born(check, run, seen)
        return None
    if run.saved["origins"]["fault_classes"] == "counted":
        balance.check_balance(check, run)
    kernel_witness.compare(check, run, seen, tools.witnessed())
    return None


def options():
    parser = argparse.ArgumentParser(usage=__doc__)
    for name in ("forktax", "samples", "witness"):
        parser.add_argument(name)
    parser.add_argument("--load", action="store_true", help="keep every CPU busy meanwhile")
    parser.add_argument("--rounds", type=int, default=1, help="run each that often")
    parser.add_argument("--attach", action="store_true", help="forktax run -p")
    parser.add_argument("--cgroup", action="store_true", help="forktax run --cgroup")
    parser.add_argument("--with", dest="more", action="append", default=[], metavar="OPTION",
                        help="of forktax run: --with=--anatomy")
    parser.add_argument("name", nargs="*", help=f"of {' '.join(PROGRAMS)}; or chosen")
    given = parser.parse_intermixed_args()
    names = [each for name in given.name for each in (chosen() if name == "chosen" else [name])]
    for name in names:
        if name not in PROGRAMS:
            parser.error(f"{name}: there is no such program; see --help")
    given.name = names or list(PROGRAMS)
    return given


def main():
    given = options()
    tools = Tools(given.forktax, given.samples, given.witness)
    check, reason = Check(), None
    if not kernel_classes.TELLS_EACH_FAULT:
        print("left out: classes of faults: before Linux 6.2 rss_stat does not tell of each fault")
    with Load() if given.load else contextlib.nullcontext():
        for name in given.name * given.rounds:
            check.context = name
            done, failures, reason = check.done, check.failures, None
            try:
                reason = hunt(check, tools, name, given)
            except Exception as error:  # one that cannot be compared shall not end a long hunt
                check.fail(f"{type(error).__name__}: {error}")
                traceback.print_exc(file=sys.stdout)
            if reason:
                print(f"left out: {name}: {reason}")
            else:
                print(f"{name}: {check.done - done} checks, {check.failures - failures} failures",
                      flush=True)
    if not check.done and not check.failures:
        skip(reason)
    check.finish()


if __name__ == "__main__":
    main()
