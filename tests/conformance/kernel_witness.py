# SPDX-License-Identifier: GPL-2.0-or-later
"""One run of forktax beside the kernel's own events and accounting of the very same processes."""
import contextlib
import json
import os
import signal
import subprocess
import time
from collections import Counter, defaultdict

import kernel_classes
import kernel_probes
import kernel_rules
import runs
from check import PATIENCE_S
from kernel_history import History
from taskstats import Listener
from tracefs import EVENTS, Instance

FOLLOWS_S = 5  # what the command has left behind, as --follow-daemons=5
ATTACHES_S = 0.5  # once its programs are on their hooks


class Seen:
    """What the kernel said of a run."""

    def __init__(self, history, records):
        self.history, self.records = history, records

    def by_pid(self):
        """The root and its descendants, by pid, each in the order of birth."""
        followed, found = set(), defaultdict(list)
        for one in self.history.processes:
            is_root = (one.pid == self.history.root and one.execs and not followed
                       and one.creator is self.history.processes[0])
            if is_root or one.creator in followed:
                followed.add(one)
                found[one.pid].append(one)
        return found

    def account(self, process):
        """The records of the process's threads; None if they are not all certain. A thread id may
        have been used again; and how a worker of io_uring was called at its end is not known."""
        found = []
        for task in process.tasks:
            fitting = [one for one in self.records[task.tid] if one.ac_tgid == process.pid and
                       (task.is_worker or one.ac_comm == task.comm)]
            if len(fitting) != 1:
                return None
            found += fitting
        return found


def start(command, environment, directory, instance, log):
    """A process that waits until it is traced, and then executes the command: so its pid is known
    before it has any child. In a session of its own: some servers signal their process group."""
    gate, release = os.pipe()
    pid = os.fork()
    if not pid:
        try:
            os.close(release)
            os.read(gate, 1)
            os.setsid()
            os.chdir(directory)
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            os.dup2(log, 1)
            os.dup2(log, 2)
            for number in (signal.SIGPIPE, signal.SIGXFSZ):  # which python ignores
                signal.signal(number, signal.SIG_DFL)
            os.execvpe(command[0], command, environment)
        finally:
            os._exit(127)
    os.close(gate)
    instance.start(pid, kernel_classes.FILTERS)
    os.close(release)
    return pid


def wait(pid):
    """The status of a process; one that takes too long is ended."""
    end = time.monotonic() + PATIENCE_S
    done = 0
    while not done and time.monotonic() < end:
        done, status = os.waitpid(pid, os.WNOHANG)
        time.sleep(0.005)
    if not done:
        for _ in range(2):  # the first signal goes to the command, the second ends forktax
            os.kill(pid, signal.SIGTERM)
            time.sleep(0.5)
        status = os.waitpid(pid, 0)[1]
    return os.waitstatus_to_exitcode(status)


def kill_left(run):
    """What the command left behind."""
    for one in run.processes:
        if not one["finished"]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(one["pid"], signal.SIGKILL)


def has_links(pid):
    """Whether the process has attached any of its programs."""
    directory = f"/proc/{pid}/fd"
    with contextlib.suppress(FileNotFoundError):  # closed meanwhile
        return any("bpf_link" in os.readlink(f"{directory}/{name}")
                   for name in os.listdir(directory))
    return False


class Watch:
    """Both witnesses while a run lasts, and where forktax and the command leave what they say."""

    def __init__(self, tools):
        self.saved, self.output = tools.path("run.json"), tools.path("output")
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self.saved)
        self.forktax = [tools.forktax, "run", "--json", "-o", self.saved, "--show=processes"]
        self.closing = contextlib.ExitStack()
        self.log = self.closing.enter_context(open(self.output, "wb"))
        events, self.history = EVENTS | kernel_classes.EVENTS, History
        if kernel_probes.are_needed():
            self.closing.enter_context(contextlib.closing(kernel_probes.Probes()))
            events = kernel_probes.instead_of_exceptions(events)
            self.history = kernel_probes.ProbedHistory
        self.instance = self.closing.enter_context(Instance(events))
        self.listener = self.closing.enter_context(Listener())

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        self.closing.close()

    def start(self, command, environment, directory):
        return start(command, environment, directory, self.instance, self.log.fileno())

    def result(self, launcher, status, is_attached=False):
        """Status, output, the saved run, and what was Seen."""
        self.instance.stop()
        with open(self.output, encoding="utf-8", errors="replace") as file:
            said = file.read()
        if not os.path.exists(self.saved):
            raise RuntimeError(f"forktax saved nothing, exit status {status}: {said[-2000:]}")
        with open(self.saved, encoding="utf-8") as file:
            run = runs.Run(json.load(file))
        kill_left(run)
        self.listener.read()
        root = None if is_attached else run.root()["pid"]
        history = self.history(launcher, root).take(self.instance.events())
        return status, said, run, Seen(history, self.listener.records)


def watch(tools, command, *options, directory):
    """`forktax run ... -- command`: see Watch.result()."""
    with Watch(tools) as watch:
        pid = watch.start([*watch.forktax, *options, "--", *command], tools.environment, directory)
        return watch.result(pid, wait(pid))


def watch_attached(tools, command, *options, directory, go, cgroup=None):
    """`forktax run -p` with the pid of the command, which waits for the file `go`, or `--cgroup` of the Cgroup
    that it is in: see Watch.result()."""
    with Watch(tools) as watch:
        pid = watch.start(command, tools.environment, directory)
        if cgroup:
            cgroup.add(pid)
        which = ["--cgroup", cgroup.path] if cgroup else ["-p", str(pid)]
        forktax = subprocess.Popen([*watch.forktax, *which, *options], stderr=subprocess.DEVNULL)
        # Whoever is born before counting begins is attached, too, and not compared.
        while not has_links(forktax.pid) and forktax.poll() is None:
            time.sleep(0.01)
        time.sleep(ATTACHES_S)
        with open(go, "w", encoding="ascii"):
            pass
        status = wait(pid)
        if cgroup:
            cgroup.wait_until_empty(FOLLOWS_S)
        try:
            forktax.wait(0 if cgroup else FOLLOWS_S)
        except subprocess.TimeoutExpired:
            forktax.send_signal(signal.SIGINT)
            forktax.wait(PATIENCE_S)
        return watch.result(pid, status, is_attached=True)


def match(check, run, seen):
    """[(process of forktax, the same of the events, or None if they did not follow it)]"""
    by_pid = seen.by_pid()
    pairs, lost = [], set()  # by forktax's ids
    for one in run.processes:
        same = by_pid.get(one["pid"])
        other = same.pop(0) if same else None
        if other is None and one["parent"] not in lost:
            check.fail(f"process {one['id']} (pid {one['pid']}): the events have none")
        if other is None or other.left:
            lost.add(one["id"])
        pairs.append((one, other))
    for pid, left in by_pid.items():
        for other in left:
            check.fail(f"pid {pid}, {other.birth} of {other.creator.pid}: forktax has none")
    return pairs


def comparable(one, other):
    """None, or why the process cannot be compared."""
    if other is None or other.left:
        return kernel_rules.NOT_FOLLOWED
    return None if one["finished"] else kernel_rules.UNFINISHED


def check_life(check, what, one, seen):
    check.equal(f"{what}: threads", one["threads"], seen.threads)
    check.equal(f"{what}: children", one["children"], seen.children)
    check.equal(f"{what}: calls of its images", [image["syscalls"] for image in one["images"]],
                seen.images)
    check.equal(f"{what}: denied", sum(image["denied"] for image in one["images"]),
                seen.denied.total())
    if one["birth"] != "root":
        check.equal(f"{what}: birth", one["birth"], seen.birth)
        check.equal(f"{what}: parent", one["ppid"], seen.parent.pid)


def check_classified(check, what, one, seen):
    faults = [image["faults"] for image in one["images"]]
    if any(each["kernel_mode"] is None for each in faults):
        return  # --faults=totals
    kernel_mode = sum(each["kernel_mode"] for each in faults)
    least, most = kernel_rules.kernel_mode(seen)
    check.that(least <= kernel_mode <= most, f"{what}: kernel mode {kernel_mode}, not {least} to "
               f"{most}; failed {dict(seen.failed_faults)}; {seen.trail}")
    classified = sum(each["total"] - each["unattributed"] for each in faults)
    check.that(classified <= most + seen.user_faults,
               f"{what}: {classified} faults with a class, of {most} + {seen.user_faults}")
    if kernel_classes.TELLS_EACH_FAULT:
        kernel_classes.compare(check, what, one["images"], seen.classes, seen.broken_off)


def check_account(check, what, one, seen, account):
    if account is None:
        print(f"left out: {check.context}: {what}: no certain account of its threads")
        return
    least, most = kernel_rules.late(seen)
    before = sum(each.ac_minflt for each in account)
    check.that(before + least <= one["minflt"] <= before + most,
               f"{what}: minor faults {one['minflt']}, not {before} + {least} to {most}")
    check.equal(f"{what}: major faults", one["majflt"], sum(each.ac_majflt for each in account))
    exit_said = kernel_rules.exit_of(one, seen, account)
    check.that(exit_said in (None, one["exit"]), f"{what}: exit {one['exit']}, not {exit_said}")


def calls_of(rows, value):
    total = Counter()
    for row in rows:
        if row[value]:
            total[row["nr"]] += row[value]
    return total


def check_outcomes(check, what, rows, members):
    """How the calls of a table ended, by number."""
    unfinished, errnos = Counter(), Counter()
    for one in members:
        unfinished.update(one.unfinished())
        errnos.update(one.errnos)
    check.equal_counts(f"{what}: calls that never returned, of number",
                       calls_of(rows, "unfinished"), unfinished, ("forktax", "events"))
    got = Counter()
    for row in rows:
        for each in row["errnos"]:
            got[f"{row['nr']} errno {kernel_rules.number_of(each['name'])}"] += each["calls"]
    check.equal_counts(f"{what}: errors of number and errno", got, errnos, ("forktax", "events"))


def check_calls(check, what, rows, members):
    for value in ("calls", "errors", "denied"):
        total = Counter()
        for one in members:
            total.update(getattr(one, value))
        check.equal_counts(f"{what}: {value} of number", calls_of(rows, value), total,
                           ("forktax", "events"))
    check_outcomes(check, what, rows, members)


def check_groups(check, run, members):
    """members: of each group, and of the roots (None), the processes of the events."""
    for index, others in members.items():
        rows = run.saved["roots"]["calls"] if index is None else run.groups[index]["calls"]
        if None not in others:
            check_calls(check, "roots" if index is None else f"group {index}", rows, others)
    everybody = [other for others in members.values() for other in others]
    if None in everybody:
        return
    check_calls(check, "all", run.saved["syscalls"], everybody)
    for key, total in (("forks", sum(one.children for one in everybody)),
                       ("execs", sum(one.execs for one in everybody)),
                       ("threads", sum(one.threads - 1 for one in everybody))):
        check.equal(key, run.totals[key], total)


def check_wait4(check, pairs, witnessed):
    """The sum of all that were waited for, and whose parents were: the only account that includes
    the faults of threads after their end has been reported."""
    known, certain = set(), True
    sums = {"minflt": Counter(), "majflt": Counter()}
    for one, other in pairs:
        if one["birth"] == "root":
            known.add(other)
            continue
        certain = certain and not comparable(one, other) and not kernel_rules.in_namespace(one)
        is_reaped = other and kernel_rules.reapers(one, other.parent, known)
        if is_reaped:
            known.add(other)
        for key, total in sums.items():
            total.update({"all": one[key], "reaped": one[key] if is_reaped else 0})
    for (key, total), said in zip(sums.items(), witnessed):
        least, most = total["reaped"], total["reaped"] if certain else total["all"]
        check.that(least <= said <= most, f"{key}: wait4 {said}, not {least} to {most}")


def compare(check, run, seen, witnessed):
    """All of the run, process by process and group by group. witnessed: see runs.Tools; the root is
    that witness, so nobody misses that its faults are not compared: some of its execve are those
    of the launcher."""
    pairs = match(check, run, seen)
    members = defaultdict(list)
    for one, other in pairs:
        what = f"process {one['id']} (pid {one['pid']}, {one['images'][-1]['path']})"
        reason = comparable(one, other)
        members[one["group"]].append(None if reason else other)
        if reason:
            print(f"left out: {check.context}: {what}: {reason}")
            continue
        check_life(check, what, one, other)
        if one["birth"] != "root":
            check_classified(check, what, one, other)
            check_account(check, what, one, other, seen.account(other))
    check_groups(check, run, members)
    check_wait4(check, pairs, witnessed)


def compare_born(check, run, seen):
    """Of a run that attached: whoever was born meanwhile, and ended."""
    by_pid = defaultdict(list)
    for other in seen.history.processes:
        by_pid[other.pid].append(other)
    births, begun = {one["pid"]: one["birth"] for one in run.processes}, False
    for other in seen.history.processes:
        begun = begun or births.get(other.pid, "attached") != "attached"
        check.that(not begun or other.pid in births, f"pid {other.pid}: forktax has none")
    for one in run.processes:
        if one["birth"] == "attached":
            continue
        same = by_pid[one["pid"]]
        what = f"process {one['id']} (pid {one['pid']}, {one['images'][-1]['path']})"
        check.that(same, f"{what}: the events have none")
        reason = "its pid was used again" if len(same) > 1 else comparable(one, same and same[0])
        if reason:
            print(f"left out: {check.context}: {what}: {reason}")
            continue
        check_life(check, what, one, same[0])
        check_classified(check, what, one, same[0])
        check_account(check, what, one, same[0], seen.account(same[0]))
