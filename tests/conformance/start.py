# SPDX-License-Identifier: GPL-2.0-or-later
"""start.py FORKTAX SAMPLES WITNESS CASE: the start of a program, call by call, beside strace's log
of another run of it, and beside what ld.so says that it searched (LD_DEBUG=libs). A CASE "A-against-B" is
two of these: what differs between them must be what differs between two of strace's logs."""
import errno
import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter

import strace_log
from check import Check, skip
from runs import Tools

PROGRAMS = {
    "git": ["git", "--version"],
    "python3": [sys.executable, "-I", "-c", "pass"],
    "bash": ["bash", "-c", ":"],
    "perl": ["perl", "-e", "1"],
    "sh-script": ["./script"],
    "env": ["env", "true"],
    "cmake": ["cmake", "--version"],
}
LINKAGES = ["dynamic", "now", "static", "static-pie", "diet", "musl", "musl-dyn"]

MAIN = "int far(void); int main(void) { return far(); }\n"
FAR = "int far(void) { return 0; }\n"
THREADS = """#include <pthread.h>
#include <stddef.h>
#include <unistd.h>
static void *one(void *x) { getppid(); return x; }
int main(void)
{
	pthread_t threads[4];
	for (int i = 0; i < 4; i++)
		if (pthread_create(&threads[i], NULL, one, NULL) || pthread_join(threads[i], NULL))
			return 1;
	return 0;
}
"""


def compile_c(tools, name, source, *options):
    if not shutil.which("cc"):
        skip("no C compiler")
    with open(tools.path(name + ".c"), "w") as file:
        file.write(source)
    subprocess.run(["cc", "-o", tools.path(name), tools.path(name + ".c"), *options], check=True,
                   cwd=tools.scratch)
    return [tools.path(name)]


def long_runpath(tools):
    """A library in the last of 20 directories."""
    directories = [tools.path(f"directory{i}") for i in range(20)]
    for directory in directories:
        os.mkdir(directory)
    compile_c(tools, "libfar.so", FAR, "-shared", "-fPIC")
    os.rename(tools.path("libfar.so"), os.path.join(directories[-1], "libfar.so"))
    return compile_c(tools, "runpath", MAIN, "-L" + directories[-1], "-lfar",
                     "-Wl,--enable-new-dtags,-rpath," + ":".join(directories))


def command_of(tools, case):
    if case in LINKAGES:
        path = os.path.join(tools.samples, case, "true")
        if not os.path.exists(path):
            skip(f"linkage {case} was not built")
        return [path]
    if case == "runpath":
        return long_runpath(tools)
    if case == "threads":
        return compile_c(tools, "threads", THREADS, "-pthread")
    if case == "sh-script":
        with open(tools.path("script"), "w") as file:
            file.write("#!/bin/sh\nexit 0\n")
        os.chmod(tools.path("script"), 0o755)
        return [tools.path("script")]
    if not shutil.which(PROGRAMS[case][0]):
        skip(f"{case} is not installed")
    return PROGRAMS[case]


def outcome(call):
    if not call["returned"]:
        return strace_log.NO_RETURN
    failed = -4096 < call["result"] < 0
    return errno.errorcode.get(-call["result"], "?") if failed else strace_log.RETURNED_WELL


def explain(tools, command, *options):
    saved = tools.path("start.json")
    result = tools.execute([tools.forktax, "explain", "--startup", "--no-try", "--no-time",
                            "--traced-runs", "0", "--json", "-o", saved, *options, "--", *command])
    if result.returncode:
        raise RuntimeError(result.stderr.decode())
    with open(saved) as file:
        return json.load(file)


def strace(tools, command):
    """The calls of its first image, by task: until its second execve that succeeded."""
    log = tools.path("strace.log")
    # Its input and output are /dev/null, as under `forktax explain`: some ask what they are.
    subprocess.run(["strace", *strace_log.OPTIONS, "-o", log, *command], cwd=tools.scratch,
                   env=tools.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, timeout=120)
    tasks = list(strace_log.Log(log).tasks.values())
    calls = tasks[0].calls
    ends = [i for i, (_, name, how) in enumerate(calls)
            if name == "execve" and how == strace_log.RETURNED_WELL]
    if len(ends) > 1:
        tasks[0].calls = calls[:ends[1] + 1]
    return [[(name, how) for _, name, how in task.calls] for task in tasks]


def check_calls(check, start, tasks):
    tids = list(dict.fromkeys(call["tid"] for call in start["calls"]))
    check.equal("threads", len(tids), len(tasks))
    for number, (tid, theirs) in enumerate(zip(tids, tasks)):
        ours = [(call["name"], outcome(call)) for call in start["calls"] if call["tid"] == tid]
        # Whether a thread has to wait for another depends on which is faster.
        ours, theirs = ([call for call in calls if len(tids) == 1 or call[0] != "futex"]
                        for calls in (ours, theirs))
        differ = next((i for i, pair in enumerate(zip(ours, theirs)) if pair[0] != pair[1]),
                      min(len(ours), len(theirs)))
        check.that(ours == theirs, f"thread {number}: {len(ours)} calls, strace {len(theirs)}; "
                   f"the first that differs: {ours[differ:differ + 3]}, {theirs[differ:differ + 3]}")


def check_sums(check, run):
    start = run["start"]
    image = run["processes"][0]["images"][0]
    phases = start["phases"].values()
    faults = sum(count for phase in phases for classes in phase["faults_by_actor"].values()
                 for count in classes.values())
    check.equal("calls of the phases and of the image", sum(p["calls"] for p in phases),
                image["syscalls"])
    check.equal("faults of the phases and of the image", faults + start["unplaced"],
                image["faults"]["total"])
    check.equal("faults in no phase", start["unplaced"], image["faults"]["unattributed"])
    check.equal("time", sum(p["ns"] or 0 for p in phases), start["marks"]["end_ns"])
    if len(run["processes"][0]["images"]) == 1:
        check.equal("end", start["marks"]["end_ns"], run["processes"][0]["end_ns"])
    for name, phase in start["phases"].items():
        listed = [call for call in start["calls"] if call["phase"] == name]
        check.equal(f"calls of phase {name}", phase["calls"], len(listed))
    check.equal("calls that were lost", start["missed"], 0)


def check_marks(check, start, has_ldso):
    marks = [start["marks"][name] for name in ("first_ns", "entry_ns", "main_ns")]
    check.that(None not in marks, f"marks {start['marks']}")
    check.that(marks == sorted(marks), f"marks in the order of time: {marks}")
    check.equal("ld.so has phases", start["phases"]["relocate"]["ns"] is not None, has_ldso)


def check_searches(check, tools, command, start):
    """ld.so writes a line for every file that it tries."""
    tools.environment["LD_DEBUG"] = "libs"
    said = tools.execute(command).stderr.decode(errors="replace")
    del tools.environment["LD_DEBUG"]
    tried = Counter(os.path.basename(path) for path in re.findall(r"trying file=(\S+)", said))
    ours = Counter({search["name"]: search["tries"] for search in start["searches"]})
    check.that(bool(tried), "LD_DEBUG=libs says what was tried")
    # A directory that was found missing is not tried for later names, which ld.so knows as we do.
    check.equal_counts("tries", ours, tried, ("forktax", "LD_DEBUG"))


def check_reasons(check, start):
    unknown = Counter(call["name"] for call in start["calls"] if call["reason"] == "unknown")
    check.equal("calls without a reason", dict(unknown), {})


# What a log cannot tell: where the kernel has mapped the program and ld.so.
UNPLACED = {"the program", "ld.so"}
PAGE = 4096


def told(call):
    """What the call is, for what, and with which arguments that are no addresses."""
    subject = "the program or ld.so" if call["subject"] in UNPLACED else call["subject"]
    return call["name"], outcome(call), call["reason"], subject, call["path"] or None


def check_log(check, tools, command, start):
    """The same from a log: what each call is for, and its arguments."""
    log = tools.path("story.log")
    subprocess.run(["strace", "-f", "-ttt", "-T", "-v", "-s", "256", "-y", "-o", log, *command],
                   cwd=tools.scratch, env=tools.environment, stdin=subprocess.DEVNULL,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=120, check=False)
    result = tools.execute([tools.forktax, "report", "--start-calls", "--json", log])
    run = json.loads(result.stdout)
    check.that(run["integrity"]["exact"], "the log is exact")
    read = run["start"]
    for phase in read["phases"].values():
        check.equal("faults of a log", phase["faults_by_actor"], None)
    check.equal("time", sum(p["ns"] or 0 for p in read["phases"].values()), read["marks"]["end_ns"])
    ours, theirs = ([told(call) for call in one["calls"]] for one in (read, start))
    differ = next((i for i, pair in enumerate(zip(ours, theirs)) if pair[0] != pair[1]),
                  min(len(ours), len(theirs)))
    check.that(ours == theirs, f"the log tells {ours[differ:differ + 2]}, eBPF {theirs[differ:differ + 2]}")
    known = 0
    for mine, other in zip(read["calls"], start["calls"]):
        for argument in (f"a{i}" for i in range(6)):
            if mine[argument] is None or PAGE <= int(mine[argument]) < 1 << 63:
                continue
            known += 1
            check.equal(f"{argument} of {mine['name']}", int(mine[argument]) & 0xffffffff,
                        int(other[argument]) & 0xffffffff)
    check.that(known > len(read["calls"]), "hardly any argument is known")


def check_against(check, tools, command, other):
    against = explain(tools, command, "--against", other[0])["start"]["against"]
    counts = [Counter(name for task in strace(tools, words) for name, _ in task)
              for words in (command, [other[0], *command[1:]])]
    for side, theirs in zip(("here", "there"), counts):
        check.equal_counts(side, Counter({call["name"]: call[side] for call in against["calls"]
                                          if call[side]}), theirs, ("forktax", "strace"))
    for call in against["calls"]:
        more = sum(row["here"] - row["there"] for row in call["differ"])
        check.equal(f"difference of {call['name']}", more,
                    counts[0][call["name"]] - counts[1][call["name"]])
        check.that(all(row["here"] != row["there"] for row in call["differ"]),
                   f"what differs differs: {call['differ']}")
    check.that(any(call["differ"] for call in against["calls"]), "something differs")


def main():
    tools, case = Tools(*sys.argv[1:4]), sys.argv[4]
    check = Check()
    check.context = case
    if "-against-" in case:
        check_against(check, tools, *(command_of(tools, one) for one in case.split("-against-")))
        check.finish()
        return
    command = command_of(tools, case)
    run = explain(tools, command)
    start = run["start"]
    check_sums(check, run)
    check_calls(check, start, strace(tools, command))
    check_marks(check, start, case not in ("static", "static-pie", "diet", "musl"))
    if case in ("dynamic", "now", "git", "bash", "perl", "runpath", "env"):
        check_log(check, tools, command, start)
    if case in LINKAGES or case in ("runpath", "threads", "sh-script", "git"):
        check_reasons(check, start)
    if case in ("dynamic", "runpath", "git"):
        check_searches(check, tools, command, start)
    print({name: phase["ns"] for name, phase in start["phases"].items() if phase["ns"]})
    check.finish()


if __name__ == "__main__":
    main()
