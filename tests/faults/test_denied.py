# SPDX-License-Identifier: GPL-2.0-or-later
"""Calls that a filter of another thread denies: where they cannot be distinguished from the end of a call before,
the run says so."""
import contextlib
import os
import re
import subprocess
import sys

from support import Case, TargetCase, needs, needs_root, stat, wait_until

DENIED, CHILDREN = 20, 8


@needs_root
class Denied(Case):
    def trace(self, *options, status=0):
        result = self.forktax("run", "-q", "--json", "-o", "run.json", *options, "--",
                              self.sample("seccompsync", "static"), "-s")
        self.assertEqual(result.status, status, result)
        run = self.saved()
        row, = [row for row in run["syscalls"] if row["name"] == "getpgid"]
        return run["integrity"], row

    def test_same_call(self):
        for _ in range(5):
            integrity, row = self.trace()
            self.assertEqual((row["calls"], row["denied"] + integrity["unsure_denials"]), (1, DENIED))
            self.assertEqual(integrity["exact"], not integrity["unsure_denials"])

    def test_strict(self):
        """The thread runs all the time: that it has left its call nobody can have seen."""
        integrity, _ = self.trace("--strict", status=3)
        self.assertEqual(integrity["unsure_denials"], 1)

    def test_told_apart_by_time(self):
        integrity, row = self.trace("--time", "--strict")
        self.assertTrue(integrity["exact"])
        self.assertEqual((row["calls"], row["errors"], row["denied"]), (1, 0, DENIED))

    def test_said_to_people(self):
        result = self.forktax("run", "--", self.sample("seccompsync", "static"), "-s")
        first = result.err.splitlines()[0]
        self.assertRegex(first, rb"^NOT EXACT: up to 1 denied call may be counted as the end of another")
        self.assertIn(b"--time", first)


# Denies getpgid to itself. Then it waits, in user mode or asleep in a call, and makes denied calls only.
FILTERED = """
import ctypes, mmap, os, struct, sys, time
libc = ctypes.CDLL(None, use_errno=True)
code = struct.pack("HBBI" * 4, 0x20, 0, 0, 0, 0x15, 0, 1, 121, 0x06, 0, 0, 0x50001, 0x06, 0, 0, 0x7fff0000)
text = ctypes.create_string_buffer(code)
program = ctypes.create_string_buffer(struct.pack("HxxxxxxQ", 4, ctypes.addressof(text)))
libc.prctl(38, 1, 0, 0, 0)
assert libc.prctl(22, 2, program, 0, 0) == 0
go = mmap.mmap(os.open("go", os.O_RDWR), 1)
getpgid = libc.getpgid
open("ready", "w").close()
if sys.argv[1] == "runs":
    while not go[0]:
        pass
else:
    time.sleep(float(sys.argv[1]))
for _ in range({calls}):
    getpgid(0)
os._exit(0)
""".replace("{calls}", str(DENIED))

# Denies getpgid to itself by seccomp(2), then forks children that make such calls only.
FILTERED_MAKER = """
import ctypes, os, struct
libc = ctypes.CDLL(None)
code = struct.pack("HBBI" * 4, 0x20, 0, 0, 0, 0x15, 0, 1, 121, 0x06, 0, 0, 0x50001, 0x06, 0, 0, 0x7fff0000)
text = ctypes.create_string_buffer(code)
program = ctypes.create_string_buffer(struct.pack("HxxxxxxQ", 4, ctypes.addressof(text)))
libc.prctl(38, 1, 0, 0, 0)
assert libc.syscall(317, 1, 0, program) == 0
getpgid = libc.getpgid
for _ in range({children}):
    pid = os.fork()
    if not pid:
        for _ in range({calls}):
            getpgid(0)
        os._exit(0)
    os.waitpid(pid, 0)
""".replace("{calls}", str(DENIED)).replace("{children}", str(CHILDREN))


@needs_root
class Inherited(Case):
    """What a filtered process forks leaves the call that made it first, whatever it is denied then."""

    command = (sys.executable, "-c", FILTERED_MAKER)

    def test_children_of_a_filtered_process(self):
        result = self.forktax("run", "-q", "--json", "-o", "run.json", "--strict", "--", *self.command)
        self.assertEqual(result.status, 0, result)
        run = self.saved()
        self.assertTrue(run["integrity"]["exact"], run["integrity"])
        row, = [row for row in run["syscalls"] if row["name"] == "getpgid"]
        self.assertEqual((row["calls"], row["denied"]), (0, CHILDREN * DENIED))

    @needs("strace")
    def test_as_strace_counts(self):
        subprocess.run(["strace", "-f", "-qq", "-o", "log", "-e", "trace=getpgid", *self.command], check=True)
        with open("log", encoding="utf-8") as log:
            denied = re.findall(r"getpgid\(0\) += -1 EPERM", log.read())
        self.assertEqual(len(denied), CHILDREN * DENIED)


@needs_root
class Attached(TargetCase):
    """The first event of a thread that is attached to is the exit of a denied call."""

    def attach(self, how):
        for name in ("go", "ready"):
            with contextlib.suppress(FileNotFoundError):
                os.unlink(name)
        with open("go", "wb") as file:
            file.write(b"\0")
        target = subprocess.Popen([sys.executable, "-c", FILTERED, how])
        self.addCleanup(target.wait)
        self.addCleanup(target.kill)
        self.assertTrue(wait_until(lambda: os.path.exists("ready")))
        if how != "runs":
            self.assertTrue(wait_until(lambda: stat(target.pid)[0] == "S"))
        process = self.start("run", "--json", "-o", "run.json", "-p", str(target.pid))
        self.next_line(process)  # it counts
        with open("go", "r+b") as file:
            file.write(b"\1")
        self.assertEqual(self.finish(process).status, 0)
        run = self.saved()
        row, = [row for row in run["syscalls"] if row["name"] == "getpgid"]
        return run["integrity"], row

    def test_attached_while_it_runs(self):
        integrity, row = self.attach("runs")
        self.assertEqual((row["calls"], row["denied"] + integrity["unsure_denials"]), (0, DENIED))
        self.assertEqual(integrity["exact"], not integrity["unsure_denials"])

    def test_attached_while_it_sleeps(self):
        """The first exit is that of the call it sleeps in, and it is known to be."""
        integrity, row = self.attach("3")
        self.assertTrue(integrity["exact"], integrity)
        self.assertEqual((row["calls"], row["denied"]), (0, DENIED))
