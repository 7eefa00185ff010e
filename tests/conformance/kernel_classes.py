# SPDX-License-Identifier: GPL-2.0-or-later
"""Classes of faults, from the events between the begin of a fault and the thread's next event.

The kernel's allocations and changes of a process's sizes are read in their order, when everything is over;
forktax has decided each in passing. Faults in kernel mode have no class here: between them the kernel asks for
pages without an event.
"""
import os
import re
from collections import Counter

# Before, a thread kept its changes of these sizes back, and rss_stat came once for 64 faults (Linux commit
# f1a7941243c1).
TELLS_EACH_FAULT = tuple(map(int, re.findall(r"\d+", os.uname().release)[:2])) >= (6, 2)

PRESENT, WRITE = 1, 2  # of the error code of a fault
ZEROED, HUGE = 0x100, 1  # __GFP_ZERO; an order from which pages are cleared by their caller
FILE, ANON, SWAP, SHMEM = range(4)  # include/linux/mm_types_task.h

# Decided by what has changed; of the others only the mapping can tell, which no event has.
CERTAIN = ("swap_in", "file_cow", "zero_fill", "shmem", "file_map", "cow_copy")
# The others, by what the processor said: those that it may be.
WRITE_TO_PRESENT, READ_OF_MISSING, ANY_OTHER = "write to present", "read of missing", "any other"
POSSIBLE = {WRITE_TO_PRESENT: ("cow_reuse", "shared_write"), READ_OF_MISSING: ("zero_page",)}
UNCERTAIN = ("cow_reuse", "shared_write", "zero_page", "pfn_map", "access_flag", "other")

# Names of events, and which of them: changes of the thread's own process, and pages for user space.
EVENTS = {"kmem/rss_stat": ["curr", "member"], "kmem/mm_page_alloc": ["order", "gfp_flags"]}
FILTERS = {"kmem/rss_stat": "curr == 1",
           "kmem/mm_page_alloc": "gfp_flags & 2 && gfp_flags & 8"}  # __GFP_HIGHMEM, __GFP_MOVABLE


class Fault:
    """One that has begun in user mode."""

    def __init__(self, code):
        self.code = code
        self.is_broken_off = False  # perhaps: a signal came, or the same fault again
        self.changed = set()
        self.zeroed = None  # the first page that was taken: whether it was cleared

    def allocate(self, order, flags):
        if self.zeroed is None:
            self.zeroed = bool(order >= HUGE or flags & ZEROED)

    def class_name(self):
        present, write = self.code & PRESENT, self.code & WRITE
        if SWAP in self.changed:
            return "swap_in"
        if present and not write:
            return ANY_OTHER
        if ANON in self.changed:
            if self.changed & {FILE, SHMEM} or self.zeroed is False:
                return "file_cow"
            return "zero_fill" if self.zeroed else ANY_OTHER
        if self.changed & {FILE, SHMEM}:
            if present:
                return WRITE_TO_PRESENT
            return "shmem" if SHMEM in self.changed else "file_map"
        if present:
            return "cow_copy" if self.zeroed is False else WRITE_TO_PRESENT
        return ANY_OTHER if write else READ_OF_MISSING


def in_user_mode(images):
    """The classes of forktax."""
    total = Counter()
    for image in images:
        for actor, classes in image["faults"]["by_actor"].items():
            if actor != "kernel":
                total.update(classes)
    return total


def compare(check, what, images, seen, broken_off):
    """seen: of each class so many, of which some may not have completed, and then are no faults"""
    got = in_user_mode(images)
    for name in CERTAIN:
        check.that(seen[name] - broken_off[name] <= got[name] <= seen[name],
                   f"{what}: {name} in user mode {got[name]}, not {seen[name]} "
                   f"(broken off {broken_off[name]})")
    for key, names in POSSIBLE.items():
        check.that(sum(got[name] for name in names) <= seen[key],
                   f"{what}: {' and '.join(names)}: {[got[name] for name in names]}, of {seen[key]}")
    others = (WRITE_TO_PRESENT, READ_OF_MISSING, ANY_OTHER)
    most = sum(seen[key] for key in others)
    least = most - sum(broken_off[key] for key in others)
    rest = sum(got[name] for name in UNCERTAIN)
    check.that(least <= rest <= most, f"{what}: {rest} other faults in user mode, not {least} to {most}")
