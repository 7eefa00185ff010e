# SPDX-License-Identifier: GPL-2.0-or-later
"""What perf records of page faults: address and instruction of each, and what was mapped there."""
import re
import subprocess
from collections import Counter, defaultdict

from check import PATIENCE_S

PAGE = 4096
OPTIONS = ["record", "-q", "-c", "1", "-d", "-m", "1024", "-e", "minor-faults,major-faults"]
FIELDS = ["-F", "pid,tid,ip,addr,event", "--show-mmap-events", "--show-task-events",
          "--show-lost-events"]

FAULT = re.compile(r"\s*(\d+)/\d+\s+(?:minor|major)-faults:\s+([0-9a-f]+)\s+([0-9a-f]+)\s*$")
MMAP = re.compile(r"\s*(\d+)/\d+\s+PERF_RECORD_MMAP2? \d+/\d+: \[0x([0-9a-f]+)\(0x([0-9a-f]+)\) @ "
                  r"(?:0x)?([0-9a-f]+)[^\]]*\]: \S+ (.*)$")
FORK = re.compile(r".*PERF_RECORD_FORK\((\d+):(\d+)\):\((\d+):(\d+)\)")
EXEC = re.compile(r"\s*(\d+)/\d+\s+PERF_RECORD_COMM exec: ")


class Space:
    """An address space: what each page was mapped to, as far as mmap tells."""

    def __init__(self, other=None):
        self.pages = list(other.pages) if other else []

    def map(self, start, size, offset, name):
        self.pages.append((start, start + size, offset, name))

    def find(self, address):
        """(file, page in it), or (None, None): of no file. What was mapped last counts."""
        for start, end, offset, name in reversed(self.pages):
            if start <= address < end:
                if not name.startswith("/") or name.startswith("//"):
                    break
                return name, (offset + address - start) // PAGE
        return None, None


def is_kernel(address):
    return address >> 63 == 1


class PerfLog:
    """faults: {pid: Counter of (file, page, file of the code, page of the code)}. Faults of kernel
    code have "kernel" there. lost: perf says that it lost events."""

    def __init__(self, perf, path):
        script = subprocess.run([perf, "script", "-i", path, *FIELDS], capture_output=True, text=True,
                                errors="replace", timeout=PATIENCE_S)
        self.spaces = defaultdict(Space)
        self.faults = defaultdict(Counter)
        self.lost = "PERF_RECORD_LOST" in script.stdout
        for line in script.stdout.splitlines():
            self.read(line)

    def read(self, line):
        found = FAULT.match(line)
        if found:
            pid, address, ip = int(found[1]), int(found[2], 16), int(found[3], 16)
            space = self.spaces[pid]
            code = ("kernel", None) if is_kernel(ip) else space.find(ip)
            self.faults[pid][(*space.find(address), *code)] += 1
        elif found := MMAP.match(line):
            self.spaces[int(found[1])].map(int(found[2], 16), int(found[3], 16), int(found[4], 16),
                                           found[5])
        elif found := FORK.match(line):
            pid, tid, parent, _ = map(int, found.groups())
            if pid == tid and pid != parent:
                self.spaces[pid] = Space(self.spaces[parent])
        elif found := EXEC.match(line):
            self.spaces[int(found[1])] = Space()
