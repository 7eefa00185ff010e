# SPDX-License-Identifier: GPL-2.0-or-later
"""Commands that ask their parent to trace them (PTRACE_TRACEME), or that someone stops: the parent is forktax, which
does not wait for ever, and counts as it would have counted otherwise."""
import os
import signal
import sys
import threading

from limits import HostileCase
from support import NOBODY, children, needs_root, stat, wait_until

# The first word is the request: 0 is PTRACE_TRACEME, and -1 is none, so it fails.
PROGRAM = """
import ctypes, os, signal, sys, threading
libc = ctypes.CDLL(None)
def ask():
    libc.ptrace(int(sys.argv[1]), 0, 0, 0)
def end_a_child():
    pid = os.fork()
    if not pid:
        os._exit(0)
    os.waitpid(pid, 0)
def receive():
    signal.pthread_kill(threading.get_ident(), signal.SIGUSR1)
"""
WAYS = {
    "a child ends": "ask(); end_a_child()",
    "execve": "ask(); os.execl('/bin/true', 'true')",
    "a signal with a handler": "signal.signal(signal.SIGUSR1, lambda *_: None); ask(); receive()",
    "again and again": "signal.signal(signal.SIGUSR1, lambda *_: None)\nfor _ in range(200): ask(); receive()",
    "another thread": "signal.signal(signal.SIGUSR1, lambda *_: None)\n"
                      "thread = threading.Thread(target=lambda: (ask(), receive())); thread.start(); thread.join()",
    "a child with forktax for a parent": "signal.signal(signal.SIGUSR1, lambda *_: None)\n"
                                         "clone = {'x86_64': 56, 'aarch64': 220}[os.uname().machine]\n"
                                         "CLONE_PARENT = 0x8000\n"
                                         "if not libc.syscall(clone, CLONE_PARENT | signal.SIGCHLD, 0, 0, 0, 0):\n"
                                         "    ask(); receive(); os._exit(0)\n",
}
# Of the allocator of Python, and of its threads: they depend on where the stack lies and on who waits for whom.
BY_CHANCE = ("brk", "mmap", "munmap", "futex")
# join() of Python returns before the thread's own last calls: the program may end before these.
BY_CHANCE_AT_END = {"another thread": ("rt_sigprocmask", "madvise", "exit")}
# Each starts a command in other ways: timed, traced, its parts timed.
ONCE = {
    "compare": ("-n1", "--traced-runs=0"),
    "explain": ("--startup", "-n1", "--traced-runs=1"),
    "bindnow": ("-n2", "--traced-runs=0"),
}


def command(way, request=0):
    return [sys.executable, "-S", "-c", PROGRAM + way, str(request)]


@needs_root
class Asked(HostileCase):
    maxDiff = None

    def calls_of(self, way, request, by_chance=BY_CHANCE):
        result = self.limited("run", "--json", "-o", "run.json", "--", *command(way, request))
        self.assertEqual((result.status, result.err), (0, b""))
        run = self.saved()
        self.assertTrue(run["integrity"]["exact"], run["integrity"])
        return {row["name"]: row["calls"] for row in run["syscalls"] if row["name"] not in by_chance}

    def test_run(self):
        """The same calls as of a program that asks for something else."""
        for name, way in WAYS.items():
            with self.call(name):
                by_chance = BY_CHANCE + BY_CHANCE_AT_END.get(name, ())
                self.assertEqual(*(self.calls_of(way, request, by_chance) for request in (0, -1)))

    def test_killed(self):
        """The signal arrives that it stopped for."""
        result = self.limited("run", "--", *command("ask(); os.kill(os.getpid(), signal.SIGTERM)"),
                              statuses=[-signal.SIGTERM])
        self.assertIn(b": SIGTERM, ", result.err)

    def test_repeated(self):
        with open("program.py", "w", encoding="utf-8") as file:
            file.write(PROGRAM + WAYS["a child ends"])
        words = [sys.executable, "-S", "program.py", "0"]
        for subcommand, options in ONCE.items():
            with self.call(subcommand):
                command_line = [" ".join(words)] if subcommand == "compare" else words
                self.limited(subcommand, *options, *command_line, statuses=[0])


@needs_root
class Stopped(HostileCase):
    """One signal ends a command that is stopped."""

    def test_by_itself(self):
        process = self.start("run", "--", *command("os.kill(os.getpid(), signal.SIGSTOP)"))
        self.assertTrue(wait_until(lambda: [pid for pid in children(process.pid) if stat(pid)[0] == "T"]))
        process.send_signal(signal.SIGINT)
        result = self.finish(process)
        self.assertEqual(result.status, -signal.SIGINT, result)

    def test_before_its_execve(self):
        """By another process of its user, while it waits for forktax: the first signal lets it go on, and ends it."""
        process = self.start("run", "-u", "nobody", "true")
        stopped = threading.Event()

        def stop():
            for pid in children(process.pid):
                if os.stat(f"/proc/{pid}").st_uid == NOBODY:
                    os.kill(pid, signal.SIGSTOP)
                    stopped.set()
            return stopped.is_set()

        self.assertTrue(wait_until(stop))
        self.assertFalse(wait_until(lambda: process.poll() is not None, 2), "it was not stopped in time")
        process.send_signal(signal.SIGINT)
        result = self.finish(process)
        self.assertEqual(result.status, -signal.SIGINT, result)
