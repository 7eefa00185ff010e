# SPDX-License-Identifier: GPL-2.0-or-later
"""Faults by probes of our own, where the kernel has no exceptions:page_fault_* (arm64).

handle_mm_fault() is entered once for each attempt at a fault, with the address and whether it is a write in user mode, and it
returns how the attempt ended. do_wp_page() is entered for writes to a page that is there. Nothing here asks for a
register of the fault or for an instruction, by which forktax finds the same out.
"""
import os

from kernel_classes import PRESENT, WRITE
from kernel_history import History
from tracefs import TRACEFS, mount

GROUP = f"forktax_conformance_{os.getpid()}"

# How many threads may wait inside the call at once; beyond, a return has no event, and the test fails.
AT_ONCE = 1000
PROBES = [f"p:{GROUP}/fault_begin handle_mm_fault address=%x1:x64 flags=%x2:x32 registers=%x3:x64",
          f"r{AT_ONCE}:{GROUP}/fault_end handle_mm_fault result=$retval:x32",
          f"p:{GROUP}/fault_protected do_wp_page", f"p:{GROUP}/huge_fault_protected do_huge_pmd_wp_page"]
EVENTS = {f"{GROUP}/fault_begin": ["address", "flags", "registers"], f"{GROUP}/fault_end": ["result"],
          f"{GROUP}/fault_protected": [], f"{GROUP}/huge_fault_protected": []}

# include/linux/mm_types.h
FLAG_WRITE, FLAG_USER = 0x1, 0x40
RESULT_ERROR, RESULT_RETRY = 0x1 | 0x2 | 0x10 | 0x20 | 0x40 | 0x800, 0x400


def are_needed():
    mount()
    return not os.path.isdir(os.path.join(TRACEFS, "events/exceptions"))


def instead_of_exceptions(events):
    return {name: fields for name, fields in events.items() if not name.startswith("exceptions/")} | EVENTS


def change(lines):
    file = os.open(os.path.join(TRACEFS, "kprobe_events"), os.O_WRONLY | os.O_APPEND)
    try:
        for line in lines:
            os.write(file, f"{line}\n".encode("ascii"))
    finally:
        os.close(file)


class Probes:
    """They are there from its making on, until close()."""

    def __init__(self):
        change(PROBES)

    @staticmethod
    def close():
        change(f"-:{event}" for event in EVENTS)


class ProbedHistory(History):
    """The same, but that faults which did not complete are known."""

    def __init__(self, launcher, root):
        super().__init__(launcher, root)
        self.again = {}  # thread: the page that its fault shall be tried for once more
        self.inside = {}  # thread: its fault is one of the CPU, in kernel mode or not

    def fault_begin(self, task, address, flags, registers):
        """A page that the kernel asks for by itself (get_user_pages) has no registers, and is no exception."""
        self.inside[task] = None
        if not registers:
            return
        in_kernel = not flags & FLAG_USER
        self.inside[task] = in_kernel
        if task.comm is not None and not in_kernel:
            self.give_up(task)
            return
        page = address & -os.sysconf("SC_PAGESIZE")
        if self.again.pop(task, None) == page and (in_kernel or task.open):
            if task.open:
                task.open.is_broken_off = False
            return
        code = WRITE if flags & FLAG_WRITE else 0
        task.fault = None  # none is tried again without a word: see fault_end()
        if in_kernel:
            self.page_fault_kernel(task, page, code | PRESENT)
        else:
            self.page_fault_user(task, page, code)
        task.page = page

    def fault_protected(self, task):
        if self.inside.get(task) is False and task.open:
            task.open.code |= PRESENT

    huge_fault_protected = fault_protected

    def fault_end(self, task, result):
        in_kernel = self.inside.pop(task, None)
        if in_kernel is None:
            return
        if result & RESULT_ERROR:
            task.process.failed_faults["error", in_kernel] += 1
            if not in_kernel:
                task.open = None
        elif result & RESULT_RETRY:
            self.again[task] = task.page
            if task.open:
                task.open.is_broken_off = True  # unless it is tried again

    def signal_generate(self, task, *_):
        """What fails for want of a mapping never gets to handle_mm_fault()."""
