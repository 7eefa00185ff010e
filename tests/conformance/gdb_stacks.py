# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs inside gdb: stops at addresses of code, and says which of the wanted stacks are there.

FORKTAX_STACKS names a JSON file, {"wanted": [[[file, offset], ...], ...]}, each the innermost frames of a stack.
Written to it are, for each: "seen", "never" (the code was not reached), "other" (only other stacks were there, of
which one is given), or "often" (there were too many to look at all).
"""
import json
import os

import gdb  # pylint: disable=import-error

HITS = 1500
NO_FRAMES = (gdb.INLINE_FRAME, gdb.TAILCALL_FRAME)  # which gdb makes up, of what debug information says


class Code:
    """Addresses of files, as they are mapped now."""

    def __init__(self):
        self.maps = []

    def read(self):
        self.maps = []
        with open(f"/proc/{gdb.selected_inferior().pid}/maps", encoding="utf-8") as file:
            for line in file:
                part = line.split(None, 5)
                start, end = (int(word, 16) for word in part[0].split("-"))
                if len(part) == 6 and "x" in part[1]:
                    self.maps.append((start, end, int(part[2], 16), part[5].strip()))

    def find(self, address):
        for start, end, offset, name in self.maps:
            if start <= address < end:
                return name, address - start + offset
        return None

    def address(self, name, offset):
        for start, end, first, path in self.maps:
            if path == name and first <= offset < first + end - start:
                return start + offset - first
        return None


class Stop(gdb.Breakpoint):
    def __init__(self, address, wanted, code):
        super().__init__(f"*{address:#x}", internal=True)
        self.wanted, self.code, self.hits, self.other = wanted, code, 0, {}

    def stop(self):
        self.hits += 1
        frame, chain = gdb.newest_frame(), []
        while frame and len(chain) < max(len(key) for key in self.wanted):
            if frame.type() not in NO_FRAMES:
                chain.append(self.code.find(frame.pc()))
            frame = frame.older()
        for key in [key for key in self.wanted if tuple(chain[:len(key)]) == key]:
            answers[key] = ["seen"]
            self.wanted.remove(key)
        for key in self.wanted:
            self.other[key] = chain
        self.enabled = bool(self.wanted) and self.hits < HITS
        return False


def place(by_ip, stops, code):
    code.read()
    for ip in [ip for ip in by_ip if code.address(*ip)]:
        stops.append(Stop(code.address(*ip), by_ip.pop(ip), code))


def main():
    with open(os.environ["FORKTAX_STACKS"], encoding="utf-8") as file:
        wanted = [tuple(map(tuple, chain)) for chain in json.load(file)["wanted"]]
    by_ip, stops, code = {}, [], Code()
    for chain in wanted:
        answers[chain] = ["never"]
        by_ip.setdefault(chain[0], []).append(chain)
    for command in ("set pagination off", "set confirm off", "set debuginfod enabled off",
                    "handle all nostop noprint pass", "set print thread-events off",
                    "set backtrace past-main on", "starti"):
        gdb.execute(command, to_string=True)
    place(by_ip, stops, code)
    gdb.execute("catch syscall mmap", to_string=True)  # as soon as code is there, before it first runs
    while gdb.selected_inferior().pid:
        gdb.execute("continue", to_string=True)
        if gdb.selected_inferior().pid:
            place(by_ip, stops, code)
    for stop in stops:
        for key in stop.wanted:
            if stop.hits:
                answers[key] = ["often" if stop.hits >= HITS else "other", stop.other[key]]
    with open(os.environ["FORKTAX_STACKS"], "w", encoding="utf-8") as file:
        json.dump([answers[chain] for chain in wanted], file)


answers = {}
main()
