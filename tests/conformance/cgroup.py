# SPDX-License-Identifier: GPL-2.0-or-later
"""A cgroup of version 2 for a test, with others below it."""
import contextlib
import os
import time

from check import skip


def root():
    """Where the hierarchy is mounted."""
    with open("/proc/self/mounts", encoding="utf-8") as file:
        for _, directory, kind, *_ in map(str.split, file):
            if kind == "cgroup2":
                return directory
    skip("no cgroup file system of version 2 is mounted")


class Cgroup:
    """directory: as a path of files; path: below the root."""

    def __init__(self, *below):
        self.directory = f"{root()}/forktax-test-p{os.getpid()}"
        self.path = self.directory.removeprefix(root())
        self.below = [f"{self.directory}/{name}" for name in below]

    def __enter__(self):
        try:
            for directory in (self.directory, *self.below):
                os.mkdir(directory)
        except OSError as error:
            skip(f"no cgroup can be made: {error}")
        return self

    def __exit__(self, *failure):
        for directory in (*reversed(self.below), self.directory):
            for _ in range(100):  # a process that has ended leaves a moment later
                with contextlib.suppress(OSError):
                    os.rmdir(directory)
                    break
                time.sleep(0.05)

    def wait_until_empty(self, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            with open(f"{self.directory}/cgroup.events", encoding="ascii") as file:
                if "populated 0" in file.read():
                    return
            time.sleep(0.01)

    def add(self, pid):
        with open(f"{self.directory}/cgroup.procs", "w", encoding="ascii") as file:
            file.write(str(pid))
