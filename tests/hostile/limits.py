# SPDX-License-Identifier: GPL-2.0-or-later
"""One call of forktax with limits: whoever chose its input may not make it cost more than this.

CPU time and memory are those of wait4(2), of forktax and of the children that it waited for. The clock on the wall only
finds what waits for ever: on a busy machine it says nothing else."""
import os
import signal
import tempfile
import time
from contextlib import contextmanager

from support import Case, Result, descendants

CPU_S = 10
WALL_S = 90
RESIDENT_MIB = 100
KILLED_KIB = 400 << 10  # before it takes the machine's memory
SHOWN = 600  # bytes of output in a message


class Cost:
    """What a call has cost, and why it was killed, if it was."""

    def __init__(self):
        self.cpu_s = self.resident_kib = 0
        self.killed = None

    def problem(self, resident_mib):
        if self.killed:
            return self.killed
        if self.cpu_s > CPU_S:
            return f"takes {self.cpu_s:.1f} s of CPU time, more than {CPU_S}"
        if self.resident_kib > resident_mib << 10:
            return f"takes {self.resident_kib >> 10} MiB of memory, more than {resident_mib}"
        return None


def resident_kib(pid):
    """What a process has in memory now; 0: it is gone."""
    try:
        with open(f"/proc/{pid}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE") >> 10
    except OSError:
        return 0


def forget_peak():
    """What this process once had in memory would count for its children, until they execute something."""
    with open("/proc/self/clear_refs", "w", encoding="ascii") as file:
        file.write("5")


def wait_limited(pid):
    """(exit status, Cost) of a child, which is killed when it goes far beyond the limits."""
    cost, end = Cost(), time.monotonic() + WALL_S
    while True:
        found, status, usage = os.wait4(pid, os.WNOHANG)
        if found:
            break
        if time.monotonic() > end:
            cost.killed = f"does not end within {WALL_S} s"
        elif resident_kib(pid) > KILLED_KIB:
            cost.killed = f"takes more than {KILLED_KIB >> 10} MiB of memory"
        if cost.killed:
            os.kill(pid, signal.SIGKILL)
            _, status, usage = os.wait4(pid, 0)
            break
        time.sleep(0.005)
    cost.cpu_s = usage.ru_utime + usage.ru_stime
    cost.resident_kib = usage.ru_maxrss
    return os.waitstatus_to_exitcode(status), cost


class HostileCase(Case):
    """Tables of calls made to harm. Each call has a name, which its failure begins with."""

    @contextmanager
    def call(self, name):
        """One row of a table: others go on when it fails."""
        with self.subTest(name):
            yield

    def limited(self, *arguments, data=None, statuses=(0, 125), resident_mib=RESIDENT_MIB, **popen):
        """Runs forktax within the limits. It ends by itself, with one of these statuses: never by a signal or a sanitizer.
        Some have a larger baseline of memory, as `explain` has: their measurements of what a fork costs."""
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err, tempfile.TemporaryFile() as given:
            if data is not None:
                given.write(data)
                given.seek(0)
                popen["stdin"] = given
            forget_peak()
            process = self.start(*arguments, stdout=out, stderr=err, **popen)
            process.returncode, cost = wait_limited(process.pid)
            if cost.killed:
                for pid in list(descendants(os.getpid())):
                    os.kill(pid, signal.SIGKILL)
            texts = []
            for file in (out, err):
                file.seek(0)
                texts.append(file.read())
        result = Result(process.returncode, *texts)
        said = f"stdout {result.out[:SHOWN]!r}, stderr {result.err[:SHOWN]!r}"
        problem = cost.problem(resident_mib)
        self.assertIsNone(problem, said)
        self.assertIn(result.status, statuses, said)
        return result

    @staticmethod
    def sparse(path, size, *pieces):
        """A file of that size, with (offset, bytes) in it, that uses no more of the disk than these."""
        with open(path, "wb") as file:
            file.truncate(size)
            for offset, content in pieces:
                file.seek(offset)
                file.write(content)
        return path
