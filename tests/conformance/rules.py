# SPDX-License-Identifier: GPL-2.0-or-later
"""Every difference between forktax and another witness that is allowed, with its reason.

A rule is exact: it changes the other witness's numbers to what forktax must then show. Nothing
here is a tolerance; what no rule explains is a failure.
"""
import functools
import os
from collections import Counter

from strace_log import ABI, KILLED, NO_RETURN, RETURNED_WELL

# strace -c counts calls when they return, so calls that never return are not in it.
NEVER_RETURN = ("exit_group", "exit")

# Tasks that strace cannot follow, with the calls that they make: (sample, calls of those tasks).
# CLONE_UNTRACED: the kernel attaches no tracer to such a child.
UNTRACED = {
    "cloneuntraced": Counter({(ABI, "getpgid"): 20, (ABI, "exit_group"): 1}),
}

# Samples whose calls are denied by seccomp: strace is stopped before, and sees every one of them.
# A call denied anywhere else was that of a task killed just before its entry (or its entry-stop
# under strace): the kernel skips the call but shows its exit, and strace may not have seen it.
SECCOMP = ("seccomp", "seccompsync")

# Calls whose number depends on timing, so that two runs differ; within one run they must agree.
VARIES_BETWEEN_RUNS = {
    "threads": {"futex": "pthread_join and the locks of malloc wait only when there is a need to",
                "munmap": "glibc unmaps stacks of ended threads when its cache of them is full",
                "mmap": "a thread that starts after another has ended takes over its stack",
                "mprotect": "as mmap: a new stack gets a guard page",
                "madvise": "as mmap: an ended thread gives back the memory of its stack"},
    "leaderexit": {"futex": "as in threads", "munmap": "as in threads", "mmap": "as in threads",
                   "mprotect": "as in threads",
                   "madvise": "the last thread ends the process, and others amid their own end",
                   "exit": "as madvise",
                   "rt_sigprocmask": "as madvise: an ending thread blocks signals before that"},
    "manyerrors": {"sched_yield": "waits until its threads have made their calls",
                   "exit": "the process may end before its threads do"},
    "pidreuse": {"clone3": "tries pids until it finds a free one"},
    "script": {"getrandom": "mkstemp tries names until it finds a free one",
               "openat": "as getrandom", "open": "as getrandom", "clock_gettime": "as getrandom"},
    "faultclasses": {"getrandom": "as in script", "openat": "as in script", "open": "as in script",
                     "clock_gettime": "as in script"},
    "faultplaces": {"getrandom": "as in script", "openat": "as in script", "open": "as in script",
                    "clock_gettime": "as in script"},
    "signals": {"open": "looks at its children until they sleep", "openat": "as open", "read": "as open",
                "close": "as open", "sched_yield": "as open"},
    "seccompsync": {"open": "looks at its thread until it sleeps", "openat": "as open", "read": "as open",
                    "close": "as open", "sched_yield": "as open"},
    "threadexec": {"pause": "the leader may be killed before it gets that far", "ppoll": "as pause"},
    "vforkkilled": {"nanosleep": "strace stops the process that is to be killed on its way to vfork",
                    "restart_syscall": "as nanosleep",
                    "exit_group": "as nanosleep: it may come back from vfork before it is killed"},
    "daemon": {"nanosleep": "the command may end before the daemon goes to sleep"},
}

# How many pages of a file one fault maps depends on which are in the page cache and not locked at
# that moment, so the start of a program takes a few more or less. All other classes repeat.
DEPENDS_ON_PAGE_CACHE = ("file_map",)

# Whenever a thread comes back from another CPU or a preemption the kernel writes the number of
# the CPU to the thread's rseq area: a write to a page shared with a child, at a random moment.
WITHOUT_RSEQ = {"GLIBC_TUNABLES": "glibc.pthread.rseq=0"}



# arm64's programs are aligned to 64 KiB, so ld.so maps room for that, and unmaps what lies before and behind; nothing lies before
# if the kernel's random address was aligned, one time in 16.
if ABI == "aarch64":
    VARIES_IN_EVERY_PROGRAM = ("munmap",)
else:
    VARIES_IN_EVERY_PROGRAM = ()


def stay_on_one_cpu():
    """A page that waits in another CPU's batch for the LRU lists has one reference more, so that
    its sole owner copies it instead of keeping it. On one CPU the kernel empties the batch first."""
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


# Where the kernel chooses what a fault is, only the sum is certain. It copies a page for its sole
# owner if anybody else has a reference, and its own batches have some:
# - A process that moves to another CPU before its writes leaves up to 31 of its pages in the batch
#   of the old CPU (stay_on_one_cpu).
# - The page of the stack that execve fills with arguments is marked as accessed several times. If
#   it was the one that filled the batch for the LRU lists, it is on them by then and goes into the
#   batch of pages to be activated, which nobody empties for it: wp_can_reuse_anon_folio() in
#   mm/memory.c does that only for pages that are not on the lists. One or two exec'd images in
#   a hundred begin like this (seen with the events mm_lru_insertion and mm_lru_activate: the page
#   was activated long after it had been copied).
# - pfn_map: since Linux 7.x the data of the vDSO is made of pages, which the kernel counts as pages of
#   a file.
MAY_BE_INSTEAD = {"cow_reuse": "cow_copy"}
WITH_PAGES_IN_VDSO = {"pfn_map": "file_map"}

# How often an anatomy is tried until all its objects have names. These come from the kernel's records
# of every mmap on the machine: other programs may fill that ring before it is read, and what is
# lost then is a path, and nothing else.
NAMES_TRIES = 3

# Places that a parent and its child write to both, while both live: whoever comes first copies the
# page, and the other one keeps it.
RACED_FOR = ("stack",)

# Linkages in which symbols wait for their first call. The dynamic linker of musl binds all at start.
LAZY = ("dynamic",)

# Linkages in which libc is the dynamic linker, one file: whatever libc does, ld.so does.
LINKER_IS_LIBC = ("musl-dyn",)

# How often two runs are repeated that differ in nothing but MAY_BE_INSTEAD; and in anything.
TRIES_OF_CHOICE = 8
TRIES = 3


def differ_by_choice(one, other):
    """Two Counters of faults differ in nothing but what the kernel may choose."""
    def joined(counts):
        total = Counter()
        for key, count in counts.items():
            total[MAY_BE_INSTEAD.get(key, key)] += count
        return {key: count for key, count in total.items() if count}
    return joined(one) == joined(other)


# File systems whose pages are shared memory, or may be: what is below an overlay does not show.
OF_SHARED_MEMORY = ("tmpfs", "overlay")


def file_system(path):
    """The type of the file system that a file or directory is on."""
    path = os.path.realpath(path) + "/"
    longest, kind = "", None
    with open("/proc/self/mountinfo", encoding="utf-8", errors="surrogateescape") as mounts:
        for line in mounts:
            mount, source = line.split(" - ", 1)
            point = mount.split()[4].rstrip("/") + "/"
            if path.startswith(point) and len(point) >= len(longest):
                longest, kind = point, source.split()[0]
    return kind


def certain_faults(expected, program):
    """[(classes, least, exact)]: what of a sample's expectation is certain when it runs once, on
    any CPU, from any file system. tests/conformance/faults.py has the exact number of each class."""
    certain = []
    for key, row in expected.items():
        least, classes = row["min"], [key]
        instead = {**MAY_BE_INSTEAD, **(WITH_PAGES_IN_VDSO if programs_can_be_preempted() else {})}
        if key in instead:
            classes.append(instead[key])
            least += expected.get(classes[1], {"min": 0})["min"]
        # The pages of programs and libraries on tmpfs are shared memory like the sample's own.
        alone = key != "shmem" or not {file_system(program), file_system("/lib")}.intersection(
            OF_SHARED_MEMORY)
        certain.append((classes, least, row["exact"] and alone))
    return certain


BTF = "/sys/kernel/btf/vmlinux"

# How often a run is tried until it is exact, where inexact_by_preemption allows it at all.
EXACT_TRIES = 12

CLOCKSOURCE = "/sys/devices/system/clocksource/clocksource0/current_clocksource"


def short_copies_take_no_time():
    """Delay accounting leaves a delay out that its clock measures as 0 ns (delayacct_end() in
    kernel/delayacct.c). A copy takes longer than a tick of tsc or kvm-clock, but may not take one
    of the coarser clocks of emulated machines: there wpcopy is a lower bound."""
    with open(CLOCKSOURCE, encoding="ascii") as file:
        return file.read().strip() not in ("tsc", "kvm-clock")


@functools.lru_cache(maxsize=None)
def programs_can_be_preempted():
    """Linux 7.0 and later; the sign is that of user/source/ebpf/load.c."""
    with open(BTF, "rb") as file:
        return b"class_srcu_fast_notrace_t\0" in file.read()


def rss_is_cached():
    """Linux before 6.2: the last fault of an execve in the old image may be `other`, one way or the other
    (docs/reference/fault-classes.md)."""
    with open(BTF, "rb") as file:
        return b"\0task_rss_stat\0" in file.read()


def can_look_without_lock():
    """Linux 6.4 and later: where another BPF program has just looked a mapping up, forktax finds one without the lock
    (bpf/vma.h)."""
    with open(BTF, "rb") as file:
        names = file.read()
    return b"\0mm_lock_seq\0" in names and b"\0bpf_rdonly_cast\0" in names


def inexact_by_preemption(integrity):
    """Where tracepoint programs can be preempted the kernel skips a program, and its understudies
    too, when preempted tasks are inside all of them on that CPU (bpf/drift.h). A run that says of
    itself that this may have happened, and nothing else, is repeated. An exact run never is: it
    must agree fully. On other kernels an inexact run fails at once."""
    return (not integrity["exact"] and integrity["recursion_misses"] > 0 and
            not integrity["storage_failures"] and not integrity["map_full"] and
            programs_can_be_preempted())


def flow_inexact_by_preemption(integrity):
    """The same of a pool that was watched (key `flow`), which does not save how many events were missed."""
    return (not integrity["events_exact"] and programs_can_be_preempted() and
            not any(integrity[loss] for loss in ("lost", "beyond", "unattributed", "stacks_lost")))


def key_of(abi, name):
    """A number that is in no table has no ABI: strace goes by bit 30, of negative ones too."""
    return ("", name) if name.startswith("unknown(") else (abi, name)


def drop_abi_of_unknown(calls):
    """The same for (abi, name), or (abi, name, errno), of a Counter."""
    total = Counter()
    for (abi, name, *more), count in calls.items():
        total[(*key_of(abi, name), *more)] += count
    return total


def killed_before_entry(tasks):
    """The number is not known yet when a task is killed at its entry: no call, for the kernel."""
    return Counter((abi, name) for task in tasks for abi, name, _ in task.calls if name == KILLED)


def maybe_misnamed(log):
    """strace stops a task at the entry of a call and then asks for the number; if the task was killed
    in between it may show what it knew of another task's call before (seen: exit_group and read
    for madvise and exit, denied). So the name of a last call that is cut off is not certain; that it
    was a call is, and it is counted by process."""
    return drop_abi_of_unknown(Counter(tuple(task.calls[-1][:2]) for task in log.tasks
                                       if task.cut_off and task.calls))


def strace_calls(log, sample=None):
    """The attempts that strace saw, and those of tasks that it cannot follow."""
    total = Counter()
    for task in log.tasks:
        total += task.count()
    total += UNTRACED.get(sample, Counter())
    total -= killed_before_entry(log.tasks)
    return drop_abi_of_unknown(total)


def strace_calls_by_process(log):
    """The same per process, of those that strace followed."""
    total = log.calls_by_process()
    for task in log.tasks:
        total[log.process_of(task.tid)] -= sum(killed_before_entry([task]).values())
    return total


def strace_errnos(log, denied):
    """(abi, name, errno) of entered calls that failed. Denied calls have no errors for forktax;
    strace cannot tell them apart."""
    return Counter((*key_of(abi, name), outcome) for task in log.tasks
                   for abi, name, outcome in task.calls
                   if outcome not in (RETURNED_WELL, NO_RETURN) and not denied[abi, name])


def outcome_unknown_to_strace(log):
    """A task that is killed inside a call still leaves it, most often with an error (ERESTARTSYS
    and the like), and forktax sees that; strace has no stop there, and shows `= ?`."""
    total = Counter((abi, name) for task in log.tasks for abi, name, outcome in task.calls
                    if outcome == NO_RETURN and name not in (*NEVER_RETURN, KILLED))
    return drop_abi_of_unknown(total)


def restarted_waits(log):
    """A traced task gets signals that it ignores, SIGCHLD too: its wait may be interrupted and
    start again, one call more than without strace."""
    return Counter((abi, name) for task in log.tasks for abi, name, outcome in task.calls
                   if name in ("wait4", "waitid") and outcome == "ERESTARTSYS")


def same_in_every_run(calls, sample):
    varying = VARIES_BETWEEN_RUNS.get(sample, {})
    return Counter({(abi, name): count for (abi, name), count in calls.items()
                    if name not in varying and name not in VARIES_IN_EVERY_PROGRAM})


def known_to_wait4(run, process):
    """wait4 counts a descendant if its parent waited for it: not one that outlived its parent,
    or whose parent's own end nobody waited for."""
    by_id = {one["id"]: one for one in run.processes}
    while process["birth"] != "root":
        parent = by_id[process["parent"]]
        if process["reparented"]:
            parent = by_id[parent["parent"]]
        if not process["finished"]:
            return False
        if parent["finished"] and parent["end_ns"] < process["end_ns"]:
            return False
        process = parent
    return True


# strace takes these apart, and files what is asked for by name: socketcall(SYS_SEND, ...) is a send. forktax
# sees only the call itself, so it has to be in the classes of whatever it may ask for.
DECODED_CALLS = ("socketcall",)
