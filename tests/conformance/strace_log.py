# SPDX-License-Identifier: GPL-2.0-or-later
"""What strace saw: the log of `strace -f -o FILE`, as calls per task.

The log and not `strace -c`, because only the log has calls that never return (exit_group, the
last call of a killed task) and calls whose number is in no table.
"""
import os
import re
from collections import Counter

OPTIONS = ["-f", "--quiet=attach", "-s", "8"]

LINE = re.compile(r"^(\d+)\s+(.*)$")
CALL = re.compile(r"^(\w+|\?\?\?\??)\(")
RESUMED = re.compile(r"^<\.\.\. (\w+|\?\?\?\??) resumed>")
MODE = re.compile(r"^(?:strace: )?\[ Process PID=(\d+) runs in (.*) mode\. \]$")
RETURNED = re.compile(r"\) += (-?\d+|0x[0-9a-f]+|\?)(?: (E[A-Z0-9_]+|\(errno))?")
UNNAMED = re.compile(r"^syscall_0x([0-9a-f]+)$")
ABI = os.uname().machine # of programs of this machine: x86_64, aarch64
ABIS = {"64 bit": ABI, "32 bit": "arm" if ABI == "aarch64" else "i386", "x32": "x32"}


UNFINISHED = "<unfinished ...>"

MAKE_TASKS = ("fork", "vfork", "clone", "clone3")

# Outcomes of a call besides the name of an error.
RETURNED_WELL = "returned"
NO_RETURN = "no return"

# The name of a call whose task was killed before it entered.
KILLED = "????"


def call_name(name):
    """strace writes syscall_0x258 where forktax writes unknown(600); and ???? or ??? for a call
    whose number it could not get any more, depending on when the task was killed."""
    if name.startswith("???"):
        return KILLED
    unnamed = UNNAMED.match(name)
    if not unnamed:
        return name
    number = int(unnamed.group(1), 16) & 0xFFFFFFFF
    return f"unknown({number - (1 << 32) if number >> 31 else number})"


class Task:
    """One thread."""

    def __init__(self, tid):
        self.tid = tid
        self.calls = []  # [abi, name, outcome] in order
        self.cut_off = False  # it was killed at or in its last call

    def count(self):
        return Counter((abi, name) for abi, name, _ in self.calls)


class Log:
    def __init__(self, path):
        self.tasks = {}  # by thread id, in order of appearance
        self.thread_of = {}  # thread id -> thread id of its creator
        self.abi = {}  # as far as the log says
        self.created_by = {}  # thread id -> the call that made it
        self.pending = {}
        self.took_over = {}  # leader -> the thread whose execve made it the leader
        self.ended = set()
        self.reused = 0  # ids that a later process got, too: both are one task here
        with open(path, errors="replace") as lines:
            for line in lines:
                self.take(line.rstrip("\n"))
        for task in self.tasks.values():
            for call in task.calls:
                call[0] = call[0] or self.first_abi(task.tid)

    def first_abi(self, tid):
        """strace says nothing of a new task that runs in the mode of its creator."""
        while tid in self.created_by:
            creator, call = self.created_by[tid]
            if call[0]:
                return call[0]
            tid = creator
        return ABI

    def take(self, line):
        mode = MODE.match(line)
        if mode:
            self.abi[int(mode.group(1))] = ABIS[mode.group(2)]
            return
        tid, event = LINE.match(line).groups()
        tid = int(tid)
        mode = MODE.match(event)
        if mode:
            self.abi[tid] = ABIS[mode.group(2)]
            return
        task = self.tasks.setdefault(tid, Task(tid))
        if tid in self.ended:
            self.ended.remove(tid)
            self.reused += 1
        if event.startswith("+++"):
            executing = re.match(r"\+\+\+ superseded by execve in pid (\d+)", event)
            if executing:
                self.took_over[tid] = int(executing.group(1))
                # The call that made the thread may never have returned: its execve killed the maker.
                self.thread_of.setdefault(self.took_over[tid], tid)
            else:
                self.ended.add(tid)
        elif not event.startswith("---"):
            self.take_call(task, event)

    def take_call(self, task, event):
        resumed = RESUMED.match(event)
        if resumed:
            # An execve by another thread than the leader ends under the leader's id.
            task = self.tasks[self.took_over.pop(task.tid, task.tid)]
            text = self.pending.pop(task.tid, "") + event
        else:
            name = CALL.match(event)
            if not name:
                raise ValueError(f"strace log: not understood: {event}")
            task.calls.append([self.abi.get(task.tid), call_name(name.group(1)), NO_RETURN])
            text = event
            if event.endswith(UNFINISHED):
                task.cut_off = True
                self.pending[task.tid] = event
                return
        task.cut_off = UNFINISHED in event
        self.take_return(task, text)

    def take_return(self, task, text):
        returned = RETURNED.findall(text)
        if not returned or not task.calls:
            return
        value, error = returned[-1]  # the same may stand in a string among the arguments
        if value != "?" or error:
            task.calls[-1][2] = error or RETURNED_WELL
        if task.calls[-1][1] in MAKE_TASKS and not error and value.isdigit():
            self.created_by[int(value)] = task.tid, task.calls[-1]
        if "CLONE_THREAD" in text and not error and value.isdigit() and text.startswith("clone"):
            self.thread_of[int(value)] = task.tid

    def process_of(self, tid):
        """The id of the thread's process: threads are known by the call that made them."""
        while tid in self.thread_of:
            tid = self.thread_of[tid]
        return tid


def sum_calls(tasks):
    total = Counter()
    for task in tasks:
        total += task.count()
    return total
