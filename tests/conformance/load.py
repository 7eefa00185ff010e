# SPDX-License-Identifier: GPL-2.0-or-later
"""Work for every CPU beside a test: on each a loop that computes and one that forks; or shells that start a program."""
import contextlib
import os
import signal
import subprocess
import sys

PR_SET_NAME, PR_SET_PDEATHSIG = 15, 1


def compute():
    while True:
        sum(range(1000))


def fork():
    pages = bytearray(1 << 20)
    while True:
        pid = os.fork()
        if not pid:
            pages[::4096] = bytes(len(pages) // 4096)
            os._exit(0)
        os.waitpid(pid, 0)


class Load:
    """Runs while the context is open; its processes end with it, whatever happens to us."""

    def __init__(self):
        self.processes = [subprocess.Popen([sys.executable, "-B", __file__, kind, str(cpu), str(os.getpid())])
                          for cpu in sorted(os.sched_getaffinity(0))
                          for kind in ("compute", "fork")]

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        for one in self.processes:
            one.kill()
        for one in self.processes:
            one.wait()


@contextlib.contextmanager
def starting():
    """Meanwhile as many shells as there are CPUs start a program again and again, and the tasks of a test are preempted."""
    shells = [subprocess.Popen(["sh", "-c", "while :; do /bin/true; done"]) for _ in range(os.cpu_count() or 1)]
    try:
        yield
    finally:
        for shell in shells:
            shell.kill()
            shell.wait()


def main():
    import ctypes  # what the guests of tests/vm lack, who make no load

    kind, cpu, parent = sys.argv[1:]
    libc = ctypes.CDLL(None)
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != int(parent):  # it ended before we asked
        return
    libc.prctl(PR_SET_NAME, b"forktax-load")
    os.sched_setaffinity(0, {int(cpu)})
    {"compute": compute, "fork": fork}[kind]()


if __name__ == "__main__":
    main()
