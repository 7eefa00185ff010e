# SPDX-License-Identifier: GPL-2.0-or-later
"""What every fault test needs: a scratch directory, forktax, and a look at what it left behind."""
import contextlib
import ctypes
import errno
import fcntl
import json
import os
import pty
import re
import select
import shlex
import shutil
import signal
import struct
import subprocess
import tempfile
import termios
import threading
import time
import unittest
from collections import namedtuple

FORKTAX = SAMPLES = None  # set by run.py
NOBODY = 65534
PAUSE = "34"  # x86_64
BPF, BPF_PROG_GET_FD_BY_ID = 321, 13
PR_SET_CHILD_SUBREAPER = 36
Result = namedtuple("Result", "status out err")

needs_root = unittest.skipUnless(os.geteuid() == 0, "needs root")


def needs(*programs):
    missing = [program for program in programs if not shutil.which(program)]
    return unittest.skipIf(missing, f"not installed: {' '.join(missing)}")


# How long anything may take that is certain to happen: machines may be busy, and only failures wait.
PATIENCE_S = 200


def wait_until(condition, seconds=PATIENCE_S):
    """The first true value of condition(), or its last false one when the time is over."""
    end = time.monotonic() + seconds
    while not (value := condition()) and time.monotonic() < end:
        time.sleep(0.01)
    return value


def stat(pid):
    """(state, parent) of a process, None when it is gone."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            fields = file.read().rpartition(b")")[2].split()
    except OSError:
        return None
    return fields[0].decode(), int(fields[1])


def children(parent):
    pids = [int(name) for name in os.listdir("/proc") if name.isdigit()]
    return [pid for pid in pids if (found := stat(pid)) and found[1] == parent]


def descendants(parent):
    for child in children(parent):
        yield child
        yield from descendants(child)


def ignore_children():
    """For a process that is about to be executed: ends of its children are nobody's affair, as
    some supervisors leave it."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)


def is_alive(pid):
    """It runs: neither gone nor a zombie, nor left stopped."""
    found = stat(pid)
    return found is not None and found[0] in "RSD"


def sleeps_in(pid, call):
    """It sleeps in the system call of that number."""
    try:
        with open(f"/proc/{pid}/syscall", encoding="utf-8") as file:
            return file.read().split()[0] == call
    except OSError:
        return False


def has_pending(pid, number):
    """A signal waits for the process: another one of that number would be lost."""
    try:
        with open(f"/proc/{pid}/status", encoding="utf-8") as file:
            pending = re.search(r"^ShdPnd:\s*(\w+)$", file.read(), re.M)
    except OSError:
        return False
    return bool(int(pending.group(1), 16) >> (number - 1) & 1)


def programs_of(pid):
    """Ids of the eBPF programs that a process holds."""
    ids = set()
    try:
        for name in os.listdir(f"/proc/{pid}/fdinfo"):
            with open(f"/proc/{pid}/fdinfo/{name}", encoding="utf-8") as file:
                ids |= {int(found) for found in re.findall(r"^prog_id:\s+(\d+)", file.read(), re.M)}
    except OSError:
        pass
    return ids


def is_loaded(program):
    """By the kernel alone: while programs of others come and go, bpftool may fail to list them."""
    attributes = struct.pack("=III", program, 0, 0)
    libc = ctypes.CDLL(None, use_errno=True)
    fd = libc.syscall(BPF, BPF_PROG_GET_FD_BY_ID, attributes, len(attributes))
    if fd < 0 and ctypes.get_errno() != errno.ENOENT:
        raise OSError(ctypes.get_errno(), "bpf")
    if fd >= 0:
        os.close(fd)
    return fd >= 0


@contextlib.contextmanager
def busy_loops(count, cpus=None, nice=0):
    """Meanwhile so many processes want a CPU all the time, each on one of these (None: any)."""
    def stay():
        os.nice(nice)
        if cpus:
            os.sched_setaffinity(0, cpus)
    loops = [subprocess.Popen(["sh", "-c", "while :; do :; done"], preexec_fn=stay) for _ in range(count)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


class Terminal:
    """A terminal of that size, and forktax, which it is the terminal of; `command` stands for its path."""

    def __init__(self, *arguments, rows=24, columns=80, streams=("stdout",), command=None, **variables):
        self.master, slave = pty.openpty()
        self.resize(rows, columns)
        inherited = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
        output = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, **{name: slave for name in streams}}
        self.process = subprocess.Popen([*(command or [FORKTAX]), *arguments], stdin=slave, start_new_session=True,
                                        env={**inherited, "TERM": "xterm", **variables},
                                        preexec_fn=lambda: fcntl.ioctl(slave, termios.TIOCSCTTY, 0), **output)
        os.close(slave)

    def resize(self, rows, columns):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def type(self, keys):
        os.write(self.master, keys)

    def read(self):
        """What came since, at least a byte; nothing: nobody has the terminal open any more."""
        if not select.select([self.master], [], [], PATIENCE_S)[0]:
            raise AssertionError("nothing more is shown")
        try:
            return os.read(self.master, 65536)
        except OSError:  # EIO
            return b""

    def rest(self):
        """(exit status, all that is shown up to the end)"""
        shown = b"".join(iter(self.read, b""))
        os.close(self.master)
        return self.process.wait(timeout=PATIENCE_S), shown


class Case(unittest.TestCase):
    """A test in a directory of its own, all of whose processes must be gone at its end."""

    def setUp(self):
        # Orphans come to us, so that none can hide.
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        self.scratch = tempfile.mkdtemp(prefix="forktax-faults-")
        self.addCleanup(shutil.rmtree, self.scratch, ignore_errors=True)
        self.addCleanup(os.chdir, "/")
        os.chmod(self.scratch, 0o777)
        os.chdir(self.scratch)
        os.environ["PWD"] = self.scratch  # shells try it first, and an ordinary user may not see where we came from

    def tearDown(self):
        left = wait_until(self._everything_ended, 10) or list(descendants(os.getpid()))
        if left is True:
            return
        leftovers = [f"{pid} {stat(pid)}" for pid in left]
        for pid in left:
            os.kill(pid, signal.SIGKILL)
        wait_until(self._everything_ended)
        self.fail(f"left behind: {', '.join(leftovers)}")

    @staticmethod
    def _everything_ended():
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return True
        return False

    # Running forktax

    def start(self, *arguments, prefix=(), **popen):
        popen.setdefault("stdin", subprocess.DEVNULL)
        popen.setdefault("stdout", subprocess.PIPE)
        popen.setdefault("stderr", subprocess.PIPE)
        return subprocess.Popen([*prefix, FORKTAX, *arguments], **popen)

    def finish(self, process, data=None, timeout=PATIENCE_S):
        try:
            out, err = process.communicate(data, timeout=timeout)
        except subprocess.TimeoutExpired:
            for pid in list(descendants(os.getpid())):
                os.kill(pid, signal.SIGKILL)  # whoever else holds the pipes
            out, err = process.communicate()
            self.fail(f"does not end: {process.args}; stderr: {err!r}")
        return Result(process.returncode, out, err)

    @staticmethod
    def wait_alone(process):
        """Its status, without waiting for others that hold its pipes."""
        process.stdout.close()
        process.stderr.close()
        return process.wait(timeout=PATIENCE_S)

    @staticmethod
    def next_line(process, output=os.devnull):
        """The next line that it writes to stderr. b"": it ended; or it was killed after PATIENCE_S, and what it did then
        is shown, with the end of the file that it writes its output to."""
        def give_up():
            for thread in os.listdir(f"/proc/{process.pid}/task"):
                with open(f"/proc/{process.pid}/task/{thread}/stack", encoding="ascii") as stack:
                    print(f"no line; thread {thread} is in\n{stack.read()}", flush=True)
            with open(output, encoding="utf-8") as lines:
                print(*lines.readlines()[-3:], flush=True)
            process.kill()

        timer = threading.Timer(PATIENCE_S, give_up)
        timer.start()
        try:
            return process.stderr.readline()
        finally:
            timer.cancel()

    def forktax(self, *arguments, data=None, **popen):
        if data is not None:
            popen["stdin"] = subprocess.PIPE
        return self.finish(self.start(*arguments, **popen), data)

    def shell(self, script, **popen):
        """Runs a script of sh to which $FORKTAX and $SAMPLES are known."""
        environment = {**os.environ, "FORKTAX": FORKTAX, "SAMPLES": SAMPLES, **popen.pop("env", {})}
        process = subprocess.Popen(["sh", "-c", script], stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   env=environment, **popen)
        return self.finish(process)

    def sample(self, name, linkage="dynamic"):
        path = f"{SAMPLES}/{linkage}/{name}"
        if not os.path.exists(path):
            self.skipTest(f"{linkage}/{name} is not built")
        return path

    def saved(self, path="run.json"):
        with open(path, encoding="utf-8", errors="strict") as file:
            return json.load(file)

    def trace(self, *command, options=(), status=0, **popen):
        """Traces a command that ends with that status; the saved run, which must be exact."""
        result = self.forktax("run", "--json", "-o", "run.json", *options, "--", *command, **popen)
        self.assertEqual((result.status, result.err), (status, b""))
        run = self.saved()
        self.assertTrue(run["integrity"]["exact"], run["integrity"])
        return run

    # Judging it

    def assert_one_line(self, text, *words):
        """One line for people: it names forktax, nothing in it moves the cursor."""
        self.assertRegex(text, rb"\Aforktax[^\n]*\n\Z")
        self.assertNotRegex(text[:-1], rb"[\x00-\x1f\x7f]")
        for word in words:
            self.assertIn(word.encode() if isinstance(word, str) else word, text)

    def assert_fails(self, result, status, *words):
        self.assertEqual(result.status, status, result)
        self.assert_one_line(result.err, *words)

    def assert_stanzas(self, stanzas, status=2, before=()):
        """One stanza a line: words of a command line, and what forktax says instead of running it."""
        for stanza in filter(None, map(str.strip, stanzas.splitlines())):
            words, message = stanza.split(" => ")
            with self.subTest(stanza):
                result = self.forktax(*before, *shlex.split(words))
                self.assert_fails(result, status, message.strip())
                self.assertEqual(result.out, b"")
                self.assert_not_run()

    def assert_not_run(self, path="ran"):
        """The command, which would have made that file, has not run."""
        self.assertFalse(os.path.exists(path), "the command has run")

    def assert_unloaded(self, programs):
        self.assertTrue(programs, "no programs were seen while it ran")
        left = not wait_until(lambda: not any(map(is_loaded, programs)))
        self.assertFalse(left, "programs remain loaded")

    def calls(self, run, name):
        return sum(row["calls"] for row in run["syscalls"] if row["name"] == name)


class TargetCase(Case):
    """forktax looks at processes of the test's own: these end before it is asked what forktax has left behind."""

    def tearDown(self):
        self.doCleanups()
        super().tearDown()
