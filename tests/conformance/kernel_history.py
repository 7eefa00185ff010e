# SPDX-License-Identifier: GPL-2.0-or-later
"""Processes and threads as the kernel's trace events tell them.

raw_syscalls has the number of a call and not its ABI, so calls are counted by number alone.
"""
from collections import Counter

from kernel_classes import Fault
from strace_log import ABI

CLONE_VM, CLONE_VFORK, CLONE_PARENT, CLONE_THREAD = 0x100, 0x4000, 0x8000, 0x10000
IN_INTERRUPT = 0x08 | 0x10 | 0x40  # TRACE_FLAG_HARDIRQ, _SOFTIRQ, _NMI
PRESENT, WRITE = 1, 2  # of the error code of a fault
PAGE = 4096
END_OF_USER_SPACE = 1 << (56 if ABI == "aarch64" else 47)
SIGBUS, SIGSEGV = 7, 11
ERRORS = range(-4095, 0)
EFAULT = 14
# As x86-64 and i386 number them. arm64: 32-bit ARM's are those of other calls there.
WAIT4, WAITID = ((260,), (95,)) if ABI == "aarch64" else ((61, 114), (247, 284))

# Events that no thread has after its end.
OF_THE_LIVING = {"sys_enter", "sys_exit", "page_fault_user", "task_newtask", "sched_process_fork", "sched_process_exec",
                 "sched_process_exit"}


class Process:
    def __init__(self, pid, creator, birth):
        self.pid, self.creator, self.parent, self.birth = pid, creator, creator, birth
        self.children, self.execs, self.threads = 0, 0, 1
        self.images = [0]  # calls of each
        self.calls, self.errors, self.denied = Counter(), Counter(), Counter()  # by number
        self.returned, self.errnos = Counter(), Counter()  # by number; as "number errno N"
        self.user_faults = self.kernel_faults = 0
        self.failed_faults = Counter()  # (why, in kernel mode): see kernel_rules.kernel_mode()
        self.late_faults = Counter()  # after the end was reported
        # Classes of the faults in user mode, and of those among them that may not have completed.
        self.classes, self.broken_off = Counter(), Counter()
        self.trail = []  # faults in kernel mode, for whoever has to find out why a number differs
        # What wait4 returned of processes that had ended; None: successes of waitid, which tell no pid.
        self.reaped = Counter()
        self.ended = 0  # of its children
        self.tasks = []
        self.left = False  # see kernel_rules.NOT_FOLLOWED

    def begin(self):
        """From the execve that it is in, as forktax counts its command."""
        self.calls = Counter(task.call for task in self.tasks if task.call is not None)
        self.errors, self.denied, self.images = Counter(), Counter(), [self.calls.total()]
        self.returned, self.errnos = Counter(), Counter()
        self.execs, self.user_faults, self.kernel_faults = 1, 0, 0
        self.classes, self.broken_off = Counter(), Counter()

    def unfinished(self):
        """Calls that were entered and never left."""
        return self.calls - self.returned

    def has_ended(self):
        return all(task.comm is not None for task in self.tasks)

    def shares_memory(self):
        return len(self.tasks) > 1 or self.birth in ("vfork", "clone")


class Task:
    def __init__(self, tid, process, is_new=True):
        self.tid, self.process, self.is_new = tid, process, is_new
        self.is_worker = True  # of io_uring, until a fork is reported
        self.call = None  # number of the call that it is in
        self.kernel_faults = 0  # in this call
        self.trail = []
        self.fault = None  # the last event: (page, what was found and wanted, in kernel mode)
        self.open = None  # the Fault under way, or the last one
        self.comm = None  # of its end
        self.late = False  # it had faults after its end was reported
        self.late_faults = Counter()
        process.tasks.append(self)

    def close_fault(self):
        if self.open:
            self.process.classes[self.open.class_name()] += 1
            self.process.broken_off[self.open.class_name()] += self.open.is_broken_off
        self.open = None

    def note_fault(self, address, code, in_kernel):
        """The same page again, and nothing better found: the fault before has changed nothing."""
        now = address // PAGE, code & (PRESENT | WRITE)
        if self.fault and self.fault[:2] == now:
            self.process.failed_faults["again", self.fault[2]] += 1
            if self.open:
                self.open.is_broken_off = True
        self.fault = (*now, in_kernel)


class History:
    """Who made what call, and what became of whom, from the events of a tracefs.Instance."""

    def __init__(self, launcher, root):
        self.root = root
        self.flags = 0  # of the event under way
        self.processes = []
        self.tasks = {}  # by thread id; of several the last one
        self.add(launcher, None, "launcher", is_new=False)

    def add(self, pid, creator, birth, is_new=True):
        process = Process(pid, creator, birth)
        self.processes.append(process)
        self.tasks[pid] = Task(pid, process, is_new)
        return process

    def take(self, events):
        """Each event goes to the method of its name; then all faults are over."""
        handlers = {}
        for _, name, self.flags, tid, *fields in events:
            task = self.tasks.get(tid)
            if task and task.comm is not None and name in OF_THE_LIVING:
                self.give_up(task)
            elif task:
                if name not in handlers:
                    handlers[name] = getattr(self, name)
                handlers[name](task, *fields)
        for process in self.processes:
            for task in process.tasks:
                task.close_fault()
        return self

    def give_up(self, task):
        """Its number is somebody else's, who is none of ours: tracefs drops a number when the task is freed, after
        others may have it. (Where numbers come again within seconds.) Whose the late faults were is not known."""
        del self.tasks[task.tid]
        certain = task.late_faults["certain"]
        task.process.late_faults.update({"certain": -certain, "maybe": certain})

    def sys_enter(self, task, number):
        task.close_fault()
        task.is_new, task.call, task.fault, task.kernel_faults = False, number, None, 0
        task.process.calls[number] += 1
        task.process.images[-1] += 1

    def sys_exit(self, task, number, result):
        """A new child comes back from a call that it never entered; any other exit without an entry
        is a call that was answered instead of made."""
        if task.call is not None:
            self.returned(task, task.process, result)
        elif not task.is_new:
            task.process.denied[number] += 1
        task.is_new, task.call = False, None

    def returned(self, task, process, result):
        process.returned[task.call] += 1
        if result in ERRORS:
            process.errors[task.call] += 1
            process.errnos[f"{task.call} errno {-result}"] += 1
        elif task.call in WAIT4 and result and not self.is_alive(result):
            process.reaped[result] += 1
        elif task.call in WAITID and process.ended > process.reaped.total():
            process.reaped[None] += 1
        if result == -EFAULT:
            process.failed_faults["EFAULT", True] += task.kernel_faults
        process.trail += [(*fault, result) for fault in task.trail]
        task.trail = []

    def is_alive(self, pid):
        """Then it has only stopped. In a pid namespace of its own it has another number: not known."""
        task = self.tasks.get(pid)
        return task and not task.process.has_ended()

    def page_fault_user(self, task, address, code):
        task.note_fault(address, code, False)
        task.close_fault()
        task.process.user_faults += 1
        if address < END_OF_USER_SPACE:  # that of the vsyscall page is answered without a fault
            task.open = Fault(code)

    def page_fault_kernel(self, task, address, code):
        """In an interrupt, or on an address of the kernel itself, it is no fault of the process:
        perf has such, which reads stacks in interrupts, and goes without what is not there."""
        if self.flags & IN_INTERRUPT or address >= END_OF_USER_SPACE:
            return
        task.close_fault()
        process = task.process
        if task.comm is not None:
            task.late = True
            kind = "certain" if code & PRESENT else "maybe"
            process.late_faults[kind] += 1
            task.late_faults[kind] += 1
        elif not address % PAGE and not code & (PRESENT | WRITE):
            process.failed_faults["next page", True] += 1
        process.kernel_faults += 1
        task.kernel_faults += 1
        trail = process.trail if task.call is None else task.trail
        trail.append((task.tid, task.call, hex(address), code))
        task.note_fault(address, code, True)

    @staticmethod
    def signal_generate(task, sig, code, pid):
        """A fault that the kernel answers with a signal."""
        if sig in (SIGSEGV, SIGBUS) and code > 0 and pid == task.tid and task.fault:
            task.process.failed_faults["signal", task.fault[2]] += 1
            task.fault = task.open = None

    @staticmethod
    def signal_deliver(task, _):
        """A fault that waits for its page is broken off by a signal, and begun again after its handler."""
        if task.open:
            task.open.is_broken_off = True
        task.close_fault()

    @staticmethod
    def rss_stat(task, _, member):
        if task.open:
            task.open.changed.add(member)

    @staticmethod
    def mm_page_alloc(task, order, flags):
        if task.open:
            task.open.allocate(order, flags)

    def task_newtask(self, task, pid, flags):
        if flags & CLONE_THREAD:
            self.tasks[pid] = Task(pid, task.process)
            return
        birth = "fork"
        if flags & CLONE_VM:
            birth = "vfork" if flags & CLONE_VFORK else "clone"
        task.process.children += 1
        child = self.add(pid, task.process, birth)
        if flags & CLONE_PARENT:
            child.parent = task.process.parent

    def sched_process_fork(self, _, pid):
        """Workers of io_uring are threads without this event, and tracefs does not follow them."""
        made = self.tasks[pid]
        made.is_worker = False
        made.process.threads += made.tid != made.process.pid

    def sched_process_exec(self, task, pid, old_pid):
        process = task.process
        if pid != old_pid:
            task = self.tasks.pop(old_pid)
            self.tasks[pid], task.tid = task, pid
            process.left = True
        if process.pid == self.root and not process.execs and process.creator is self.processes[0]:
            process.begin()
            return
        process.execs += 1
        process.images.append(0)

    @staticmethod
    def sched_process_exit(task, comm):
        process = task.process
        if task.open:  # killed, perhaps while the kernel waited for the page
            task.open.is_broken_off = True
        task.close_fault()
        task.comm = comm.split(b"\0")[0]
        if process.parent and process.has_ended():
            process.parent.ended += 1
