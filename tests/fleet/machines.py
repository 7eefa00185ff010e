# SPDX-License-Identifier: GPL-2.0-or-later
"""Hosts that are namespaces: network, processes, mounts and cgroups of their own, on the kernel of all."""
import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
import unittest

from common import ROOT, run, wait_until

sys.path.insert(0, f"{ROOT}/tests/conformance")
import cgroup  # pylint: disable=wrong-import-position,import-error

CLONE_NEWNET = 0x40000000
PR_SET_PDEATHSIG = 1
LIBC = ctypes.CDLL(None, use_errno=True)

# The first process of a host: it mounts what a host of its own has.
INIT = """
mount -t proc proc /proc && umount -l "$1" && mount -t cgroup2 cgroup2 "$1" && ip link set lo up && echo ready && exec sleep infinity
"""


def die_with_the_test():
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def leave_the_network():
    """This process and all that it starts have a network of their own, in which nobody else is."""
    if os.geteuid() != 0:
        raise unittest.SkipTest("needs root")
    if LIBC.unshare(CLONE_NEWNET):
        raise unittest.SkipTest(f"no network namespace: {os.strerror(ctypes.get_errno())}")
    must("ip", "link", "set", "lo", "up")


def must(*words):
    result = run(*words)
    if result.returncode:
        raise AssertionError(f"{' '.join(words)}: {result.stdout}")


class Host:
    """Number 1 to 3. Its cgroups are below a directory that is the root of what it sees."""

    def __init__(self, number):
        self.number = number
        self.address = f"10.77.{number}.2"
        self.cgroup = f"{cgroup.root()}/forktax-fleet-p{os.getpid()}-{number}"
        self.units = []
        self.init = self.pid = None

    def __enter__(self):
        os.mkdir(self.cgroup)
        try:
            self.begin()
        except BaseException:
            self.__exit__()
            raise
        return self

    def begin(self):
        self.init = subprocess.Popen(
            ["sh", "-c", 'echo $$ >"$1/cgroup.procs" && exec unshare --net --pid --fork --kill-child --mount --cgroup '
             'sh -c "$2" sh "$3"', "sh", self.cgroup, INIT, cgroup.root()],
            stdout=subprocess.PIPE, text=True, preexec_fn=die_with_the_test)
        if self.init.stdout.readline() != "ready\n":
            raise unittest.SkipTest("no namespaces and mounts of its own for a host")
        self.pid = child_of(self.init.pid)
        name = f"fleet{self.number}"
        must("ip", "link", "add", name, "type", "veth", "peer", "name", "eth0", "netns", str(self.pid))
        must("ip", "address", "add", f"10.77.{self.number}.1/30", "dev", name)
        must("ip", "link", "set", name, "up")
        must("nsenter", "--target", str(self.pid), "--net", "sh", "-c",
             f"ip address add {self.address}/30 dev eth0 && ip link set eth0 up")

    def __exit__(self, *failure):
        self.init.kill()
        self.init.wait()
        self.init.stdout.close()
        for directory in [*self.units, self.cgroup]:
            for _ in range(100):  # a process that has ended leaves a moment later
                with contextlib.suppress(OSError):
                    os.rmdir(directory)
                    break
                time.sleep(0.05)

    def start(self, unit, *words, **options):
        """A process of the unit; what is returned waits for it, and its `host_pid` is its pid, as the test sees it."""
        directory = f"{self.cgroup}/{unit}"
        if directory not in self.units:
            os.mkdir(directory)
            self.units.append(directory)
        process = subprocess.Popen(
            ["sh", "-c", 'echo $$ >"$1/cgroup.procs" && shift && exec "$@"', "sh", directory, "nsenter", "--target",
             str(self.pid), "--net", "--pid", "--mount", "--cgroup", "--", *words],
            preexec_fn=die_with_the_test, **options)
        process.host_pid = wait_until(lambda: child_of(process.pid), f"{words[0]} begins")
        return process


def child_of(pid):
    """The first one; None: it has none yet."""
    with contextlib.suppress(OSError), open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
        pids = file.read().split()
        return int(pids[0]) if pids else None
    return None


