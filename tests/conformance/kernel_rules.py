# SPDX-License-Identifier: GPL-2.0-or-later
"""What the kernel's own events and accounting cannot see, by name and with the reason."""
import errno

from strace_log import ABI

# All other threads die in such an execve, the leader too, and the one that is left takes over the
# leader's id. tracefs has just dropped that id from set_event_pid, as its owner has exited; so it
# follows neither this process from here on nor its children.
NOT_FOLLOWED = "executed by another thread than the leader: tracefs gives its id up"

UNFINISHED = "it outlives the run"


def kernel_mode(seen):
    """The least and the greatest number of completed faults in kernel mode. Each has an event (but
    see unseen()), and not each event is a fault that completes:

    again      the same page once more, and no better: the first attempt changed nothing. Copies
               that must not sleep (futex, writes to files) fail on a missing page; then the kernel
               asks for the page, and tries again. Two threads that fault together look the same
    signal     the kernel answered it with SIGSEGV or SIGBUS
    EFAULT     in a call that returned EFAULT; it may have completed other faults before
    next page  a read at the very begin of a page: strings are read by words, and if the last word
               reaches into a page that is not there the kernel goes on by bytes
    late       see late()
    """
    failed = sum(count for (_, in_kernel), count in seen.failed_faults.items() if in_kernel)
    least = seen.kernel_faults - failed - seen.late_faults["maybe"]
    return least, seen.kernel_faults + unseen(seen)


def late(seen):
    """The least and the greatest number of faults that are missing in the account. It is closed at
    the end of a thread, before exit_mm_release() in kernel/fork.c writes to the memory: that it is
    gone (clear_child_tid), and what locks it held. On a page that is there such a fault completes;
    on one that is not it may fail, and nobody learns of it."""
    certain, maybe = seen.late_faults["certain"], seen.late_faults["maybe"]
    return certain, certain + maybe + unseen(seen)


def unseen(seen):
    """Late faults without an event: tracefs drops the id of a thread that exits, at once, but looks
    it up only when the thread comes to a CPU. So one that is preempted between its end and its last
    write is not followed any more. It writes where its id was, once, and only if others share the
    memory. (Robust mutexes are written to as well: a preemption in their midst makes this fail.)
    The sum of all processes is exact all the same: it is held to wait4."""
    if not seen.shares_memory():
        return 0
    return sum(not task.late for task in seen.tasks)


# What the kernel returns to itself where a call will be made again: include/linux/errno.h.
OWN_ERRORS = {"ERESTARTSYS": 512, "ERESTARTNOINTR": 513, "ERESTARTNOHAND": 514, "ENOIOCTLCMD": 515,
              "ERESTART_RESTARTBLOCK": 516, "ENOTSUPP": 524}


def number_of(error):
    """Of an error by name; "errno 600" for one without."""
    if error.startswith("errno "):
        return int(error[6:])
    return OWN_ERRORS.get(error) or getattr(errno, error)


# As x86-64 and as i386 number them; exit(2) ends a thread.
PTRACE, CALLS_OF_EXIT = ((117,), (93,)) if ABI == "aarch64" else ((101, 26), (60, 1))


def exit_of(one, seen, account):
    """How a process ended, by its leader's record; None: the leader left before the others by
    itself, and what they ended with is not known."""
    leader = next(task for task in seen.tasks if task.tid == one["pid"])
    if leader.call in CALLS_OF_EXIT and len(seen.tasks) > 1:
        return None
    code = next(each.ac_exitcode for each in account if each.ac_pid == one["pid"])
    signal = code & 0x7F
    return {"status": None if signal else code >> 8 & 0xFF, "signal": signal or None}


def reapers(one, parent, known):
    """Who has waited for a process, of those that are known. Its faults are in what wait4 says of
    them; not those of a child that was never waited for, because its parent ignored SIGCHLD or
    ended before. wait4 returns the pid that the caller sees (to a tracer also of processes that are
    not its children); waitid succeeds once for a child."""
    found = {each for each in known if each.reaped[one["pid"]] and
             (each is parent or not any(each.calls[number] for number in PTRACE))}
    if parent in known:
        unknown = parent.children - sum(count for pid, count in parent.reaped.items() if pid)
        if parent.reaped[one["ns_pid"]] or 0 < unknown <= parent.reaped[None]:
            found.add(parent)
    return found


def in_namespace(one):
    """Whose parent has ended is taken over by the init of its pid namespace. When that one ends,
    the kernel reaps what is left, without a call: zap_pid_ns_processes()."""
    return one["ns_pid"] != one["pid"]
