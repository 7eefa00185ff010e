# SPDX-License-Identifier: GPL-2.0-or-later
# ctest: needs:curl
"""tree_times.py FORKTAX SAMPLES WITNESS SOURCE: what the time of a tree of processes is spent on.

Witnesses: the kernel's own count of CPU time (getrusage, wait4, the clock of a thread), in the program of SOURCE,
which spends known times in known parts; and the marks of a start (explain --startup), of the same run.
"""
import os
import shutil
import subprocess
import sys
import json

import balance
from check import PATIENCE_S, Check, is_near, skip
from runs import Tools

MS = 1e6
PROGRAMS = [["true"], ["ls", "/"], ["sed", "p", "/dev/null"], ["cat", "/dev/null"], ["awk", "1", "/dev/null"],
            ["bash", "-c", ":"], ["sh", "-c", ":"], ["python3", "-c", "pass"], ["perl", "-e", "1"],
            ["git", "--version"], ["find", "/dev/null"], ["tar", "--version"], ["gcc", "--version"],
            ["make", "--version"], ["id"], ["date"], ["xz", "--version"], ["sort", "/dev/null"],
            ["openssl", "version"], ["curl", "--version"], ["gdb", "--version"]]
SAMPLES = ["clone3", "clonevm", "execchain", "forkchain", "forkloop", "iouring", "leaderexit", "seccomp", "signals",
           "spawn", "threadexec", "threadsexit", "pidns", "ptraced", "script"]
SCRIPT = """
for i in 1 2 3 4 5 6 7 8 9 10; do
  x=$(sed -n 1p /etc/passwd | cat)
  y=$(echo "$x")
  ls -l /usr/bin >/dev/null
  python3 -c 'import json, threading; [threading.Thread(target=sum, args=[range(200000)]).start() for i in range(3)]'
done
"""


def build(tools, source):
    compiler = shutil.which("cc")
    if not compiler:
        skip("cc is not installed")
    program, library = tools.path("treetimes"), tools.path("libtreetimes.so")
    subprocess.run([compiler, "-O1", "-DLIBRARY", "-shared", "-fPIC", "-o", library, source], check=True)
    subprocess.run([compiler, "-O1", "-o", program, source, library, "-lpthread", f"-Wl,-rpath,{tools.scratch}"],
                   check=True)
    return program


def rows_of(run):
    saved = run.saved
    return {(saved["exes"][row["exe"]]["path"], row["executed"]): row for row in saved["tree_times"]["rows"]}


def cpu_of(rows):
    return sum(sum(row["cpu_ns"].values()) for row in rows)


def stolen_ns():
    """What a hypervisor has taken from all CPUs so far, in whole ticks of the clock."""
    with open("/proc/stat", encoding="ascii") as stat:
        return int(stat.readline().split()[8]) * 10**9 // os.sysconf("SC_CLK_TCK")


def trace(check, tools, command):
    """
    The run, and how much more than the kernel's sum its parts may be: what a hypervisor takes away in a fork call, whose
    time is the child's by then, can be taken from nothing else in a process that only forks (bpf/tree_accounts.h).
    """
    before = stolen_ns()
    result, run = tools.trace(command, "--tree-times")
    stolen = stolen_ns() - before
    stolen += 10 * MS if stolen else 0  # of a tick begun
    balance.check_balance(check, run)
    times = run.saved["tree_times"]
    check.equal("unfinished threads", times["unfinished"], 0)
    check.equal("left out", times["left_out"], 0)
    totals = run.saved["totals"]
    check.equal("starts", sum(row["images"] for row in times["rows"] if row["executed"]), totals["execs"])
    check.near("sum of the parts", cpu_of(times["rows"]), times["cpu_ns"], 0.03, 1 * MS + stolen)
    return result, run, stolen


def near_all(check, tools, command, times_of):
    """
    Times of a run, as times_of(result, run) has them with what is expected. A hypervisor may take the CPU away: forktax
    takes that from all parts of a slice, the expected times do not have it. That does not happen in each of three runs.
    """
    for _ in range(3):
        result, run, _ = trace(check, tools, command)
        times = times_of(result, run)
        if all(is_near(*time) for _, *time in times):
            break
    for time in times:
        check.near(*time)
    return result, run


def check_parts(check, tools, program):
    def part(what, part, executed, ms, more, path=program):
        return lambda result, run: [(what, rows_of(run)[path, executed]["cpu_ns"][part], ms * MS, 0.03, more * MS)]

    check.context = "work"
    _, run = near_all(check, tools, [program, "work"], lambda *both: [
        *part("constructor", "init", True, 40, 3)(*both), *part("main()", "work", True, 60, 3)(*both)])
    row = rows_of(run)[program, True]
    check.equal("first instructions not seen", row["no_entry"], 0)
    check.that(row["cpu_ns"]["ldso"] < 20 * MS, "the constructor counts as ld.so")
    check.context = "threads"
    near_all(check, tools, [program, "threads"], part("three threads", "work", True, 90, 4))
    check.context = "before exec"
    _, run = near_all(check, tools, [program, "before"], part("before exec", "before_exec", True, 30, 3, "/bin/true"))
    check.equal("reaped", rows_of(run)["/bin/true", True]["reaped"], 1)
    check.context = "late"
    result, run = near_all(check, tools, [program, "late"], part("work of a copy", "work", False, 20, 3))
    row = rows_of(run)[program, False]
    check.equal("reaped", row["reaped"], 1)
    # It is known to end some time before its last turn on a CPU, for which it may have to wait.
    most = float(result.stdout) * 1e9 - 20 * MS
    check.that(100 * MS < row["wall_ns"]["reap"] < most,
               f"{row['wall_ns']['reap'] / MS} ms until reaped, of {most / MS} at most")


def check_kernel(check, tools, program):
    """The kernel's count of what ends a process, and of a whole tree."""
    check.context = "memory"
    result, _ = near_all(check, tools, [program, "memory"], lambda result, run: [
        ("ending", rows_of(run)[program, False]["cpu_ns"]["end"], float(result.stdout) * 1e9, 0.1, 1 * MS)])
    ending = float(result.stdout) * 1e9
    check.that(ending > 4 * MS, f"freeing 200 MiB takes {ending / MS:.3f} ms, too little to compare")
    script = tools.path("script.sh")
    with open(script, "w", encoding="utf-8") as file:
        file.write(SCRIPT)
    check.context = "script"
    result, run, _ = trace(check, tools, [program, "command", "bash", script])
    rows = rows_of(run)
    below = [row for key, row in rows.items() if key[0] != program]
    check.near("CPU time of the tree", cpu_of(below), float(result.stdout) * 1e9, 0.03, 2 * MS)
    for name, count in (("sed", 10), ("cat", 10), ("ls", 10), ("python3", 10)):
        path = next(key for key in rows if key[1] and os.path.basename(key[0]) == name)
        check.equal(f"starts of {name}", rows[path]["images"], count)
    bash = next(key[0] for key in rows if os.path.basename(key[0]) == "bash")
    totals = run.saved["totals"]
    check.equal("copies of bash", rows[bash, False]["images"], totals["forks"] - (totals["execs"] - 1))


def check_samples(check, tools):
    """Threads that execute programs, first threads that end first, deaths by signals, other namespaces: nothing is
    counted twice or not at all."""
    for linkage in ("dynamic", "static", "musl-dyn"):
        for name in SAMPLES:
            path = os.path.join(tools.samples, linkage, name)
            if not os.path.exists(path):
                continue
            check.context = f"{linkage}/{name}"
            _, run, stolen = trace(check, tools, [path])
            times = run.saved["tree_times"]
            check.near("sum of the parts", cpu_of(times["rows"]), times["cpu_ns"], 0.01, 0.1 * MS + stolen)


def start_of(tools, command):
    """Of one run: the command's row, the time of its phases (ns), and that until ld.so ends. None: no marks."""
    result = subprocess.run([tools.forktax, "explain", "--startup", "--no-try", "--json", "-q", "--", *command],
                            env=tools.environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE_S)
    saved = json.loads(result.stdout)
    exe = saved["processes"][0]["images"][0]["exe"]
    row = next(row for row in saved["tree_times"]["rows"] if row["executed"] and row["exe"] == exe)
    marks = {name: phase["ns"] or 0 for name, phase in saved["start"]["phases"].items()}
    linker = sum(marks[name] for name in ("setup", "search", "map", "relocate"))
    return (row, marks, linker) if row["images"] == 1 and linker and marks["init"] else None


def sums_of(row, marks, linker):
    """Until the program begins, or until ld.so ends where its first instruction was not seen."""
    walls = row["wall_ns"]["exec"] + row["wall_ns"]["ldso"] + row["wall_ns"]["init"]
    return walls, marks["exec"] + linker + (0 if row["no_entry"] else marks["init"])


def check_marks(check, tools):
    """Where ld.so ends, and where the program begins, beside breakpoints in the same run."""
    seen = alike = 0
    for command in PROGRAMS:
        if not shutil.which(command[0]):
            continue
        check.context = command[0]
        # A thread may lose its CPU between a breakpoint and the page fault of the same instruction, but not each time.
        for _ in range(3):
            start = start_of(tools, command)
            if not start:
                break
            row, marks, linker = start
            walls, want = sums_of(*start)
            print(f"{command[0]}: ld.so {row['wall_ns']['ldso'] / 1e3:.0f} us, by marks {linker / 1e3:.0f}; "
                  f"init {row['wall_ns']['init'] / 1e3:.0f} us, by marks {marks['init'] / 1e3:.0f}"
                  f"{', not seen' if row['no_entry'] else ''}")
            # The page fault of ld.so's own first instruction comes before its mark.
            check.that(row["wall_ns"]["ldso"] >= linker, "ld.so takes less time than between its marks")
            if abs(walls - want) <= 0.05 * want + 0.4 * MS:
                break
        if not start:
            continue
        seen += 1
        check.near("exec, ld.so and init", walls, want, 0.05, 0.4 * MS)
        if row["no_entry"]:
            check.equal("init of what is not known", row["wall_ns"]["init"], 0)
        # The border between them is a call of ld.so by marks, and the next code of a library here.
        alike += row["no_entry"] or abs(row["wall_ns"]["init"] - marks["init"]) < 0.05 * marks["init"] + 0.03 * MS
    check.that(seen > 0, "no program had marks")
    check.that(alike >= 0.8 * seen, f"init of {alike} of {seen} programs is as by marks")


def main():
    tools = Tools(*sys.argv[1:4])
    check = Check()
    program = build(tools, sys.argv[4])
    check_parts(check, tools, program)
    check_kernel(check, tools, program)
    check_samples(check, tools)
    check_marks(check, tools)
    check.finish()


main()
