# SPDX-License-Identifier: GPL-2.0-or-later
"""start_reasons.py FORKTAX SAMPLES WITNESS SOURCE CASE: reasons of calls whose shape misleads. The program
(misleading.c) says by marks what it is about to do; who made a call is known from its source."""
import os
import shutil
import subprocess
import sys

from check import Check, skip
from runs import Tools
from start import explain

FSTAT = "fstat newfstatat"
# The case, the call, its reason; of what the C library does itself also without whose code it was.
OWN = [
    ("constructor-read-only", "mprotect", {"memory_rights", "protect", "unknown"}),
    ("own-fopen", "open openat", {"file"}),
    ("own-fopen", "read readv", {"file"}),
    ("own-fopen", "close", {"file"}),
    ("own-random", "getrandom", {"random"}),
    ("own-random-later", "getrandom", {"random"}),
    ("own-heap", "brk", {"heap_end", "break"}),
    ("own-wake", "futex", {"thread_wait"}),
    ("barrier", "futex", {"thread_wait"}),
    ("own-fstat", FSTAT, {"file"}),
    ("own-terminal", "ioctl", {"terminal"}),
    ("raw-terminal", "ioctl", {"terminal"}),
    ("not-open", "close", {"is_open"}),
    ("range", "close_range", {"close_all"}),
    ("own-stack", "mmap", {"memory"}),
    ("own-advice", "madvise", {"advice"}),
    ("own-move", "mremap", {"resize"}),
    ("own-grows", "mprotect", {"memory_rights", "protect", "unknown"}),
    ("own-read-only", "mprotect", {"memory_rights", "protect", "unknown"}),
    ("own-preload", "access", {"file"}),
    ("own-cache", "open openat", {"file"}),
    ("own-cache", "mmap", {"file"}),
    ("own-cache", "munmap", {"unmap", "cache_gone"}),
    ("own-cache", "close", {"file"}),
    ("own-library", "open openat", {"file"}),
    ("own-library", "read", {"file"}),
    ("own-library", "pread64", {"file"}),
    ("own-library", "mmap", {"file"}),
    ("own-library", "munmap", {"unmap"}),
    ("own-library", "close", {"file"}),
]
MAY_MAKE_NONE = {"own-heap", "barrier"} # those of musl do not
# Nothing but the path speaks for it.
LOOKS = [
    ("own-terminfo", "access", "terminfo"),
]
LIBRARY = [
    ("malloc", "getrandom", "heap_key"),
    ("malloc-heap", "brk", "heap"),
    ("isatty", "ioctl", "is_terminal"),
    ("stdio", FSTAT, "stdio_buffer"),
    ("thread", "mmap", "thread_stack"),
]

def by_mark(start):
    """The calls behind each mark."""
    cases, current = {}, None
    for call in start["calls"]:
        if (call["path"] or "").startswith("/mark/"):
            current = cases.setdefault(os.path.basename(call["path"]), [])
        elif current is not None:
            current.append(call)
    return cases


def reported(call):
    return call["reason"], "by shape" if call["by_shape"] else "by its code"


def check_own(check, cases, code_is_known):
    for case, name, reasons in OWN:
        calls = [call for call in cases.get(case, []) if call["name"] in name.split()]
        check.that(bool(calls) or case in MAY_MAKE_NONE, f"{case}: {name} is there")
        for call in calls:
            said_to_be_unknown = not code_is_known and call["by_shape"]
            check.that(said_to_be_unknown or call["reason"] in reasons and not call["by_shape"],
                       f"{case}: {name} is the program's own: {reported(call)}")

    for case, name, reason in LOOKS:
        check.equal(f"{case}: {name}", {reported(call) for call in cases[case] if call["name"] in name.split()},
                    {(reason, "by shape")})


def check_terminal_library(check, tools):
    """Of libtinfo it is known."""
    start = explain(tools, ["tput", "-T", "xterm", "sgr0"])["start"]
    check.equal("tput", {reported(call) for call in start["calls"] if call["reason"] == "terminfo"},
                {("terminfo", "by its code")})


def check_library(check, cases, linkage, code_is_known):
    for case, name, reason in LIBRARY:
        if case == "malloc" and "static" in linkage:
            continue # it had been called before main()
        calls = [call for call in cases.get(case, []) if call["name"] in name.split()]
        check.that((reason, not code_is_known) in [(call["reason"], call["by_shape"]) for call in calls],
                   f"{case}: {name} is the C library's: {[reported(call) for call in calls]}")


def check_once(check, cases, symbols_are_known):
    """One wake is the program's, which it makes while it does what is done once; the other says that it is."""
    wakes = [reported(call) for call in cases["once"] if call["name"] == "futex"]
    check.equal("once", wakes, [("thread_wait", "by its code"),
                                ("once", "by its code" if symbols_are_known else "by shape")])


def build(tools, compiler, source, *options):
    path = tools.path("misleading")
    done = subprocess.run([compiler, "-O1", "-o", path, source, "-pthread", *options], capture_output=True, check=False)
    if done.returncode:
        skip(f"{compiler} {' '.join(options)}: {done.stderr.decode()}")
    return [path]


def without_debug_files(tools):
    """A forktax that finds none."""
    wrapper = tools.path("without-debug-files")
    with open(wrapper, "w") as file:
        file.write('#!/bin/sh\nunset DEBUGINFOD_URLS\n[ ! -d /usr/lib/debug ] || mount -t tmpfs none /usr/lib/debug\n'
                   f'exec {tools.forktax} "$@"\n')
    os.chmod(wrapper, 0o755)
    tools.forktax = tools.path("unshared")
    with open(tools.forktax, "w") as file:
        file.write(f'#!/bin/sh\nexec unshare -m {wrapper} "$@"\n')
    os.chmod(tools.forktax, 0o755)


def main():
    tools, source, case = Tools(*sys.argv[1:4]), sys.argv[4], sys.argv[5]
    check = Check()
    check.context = case
    compiler = "musl-gcc" if "musl" in case else "cc"
    if not shutil.which(compiler):
        skip(f"{compiler} is not installed")
    options = {"static": ["-static"], "static-stripped": ["-static", "-s"], "stripped": ["-s"],
               "musl-static": ["-static"]}.get(case, [])
    command = build(tools, compiler, source, *options)
    if case == "stripped":
        without_debug_files(tools)
    # musl has neither symbols (a stripped one) nor tables to find callers by; its functions have other names.
    code_is_known = case not in ("static-stripped", "musl", "musl-static")
    cases = by_mark(explain(tools, command)["start"])
    check_own(check, cases, code_is_known)
    if case == "dynamic" and shutil.which("tput"):
        check_terminal_library(check, tools)
    if "musl" not in case:
        check_library(check, cases, case, code_is_known)
    if case in ("static", "stripped"):
        check_once(check, cases, case == "static")
    check.finish()


main()
