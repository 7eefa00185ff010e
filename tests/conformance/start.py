# SPDX-License-Identifier: GPL-2.0-or-later
"""start.py FORKTAX SAMPLES WITNESS CASE: the start of a program, call by call, beside strace's log
of another run of it, and beside what ld.so says that it searched and bound (LD_DEBUG)."""
import errno
import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter

import strace_log
from check import PATIENCE_S, Check, skip
from runs import Tools

PROGRAMS = {
    "git": ["git", "--version"],
    "python3": [sys.executable, "-s", "-c", "pass"],
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
        return [tools.sample("true", case)]
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
    # Its layout is fixed, too: Python's arenas have a pool more where the address is a multiple of its size.
    subprocess.run(["setarch", "-R", "strace", *strace_log.OPTIONS, "-o", log, *command],
                   cwd=tools.scratch, env=tools.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, timeout=PATIENCE_S)
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


BINDING = re.compile(r"binding file (\S+) \[\d+\] to (\S+) \[\d+\]: \S+ symbol `(\S+)'(?: \[(\S+)\])?")
# Looked up by ld.so for itself, in the name of the program.
OWN = {"malloc", "calloc", "realloc", "free"}


def dynamic_symbols(path):
    if not shutil.which("readelf"): # a guest's programs have none of OWN
        return set()
    said = subprocess.run(["readelf", "-W", "--dyn-syms", path], check=True, capture_output=True).stdout
    return {line.split()[7].split("@")[0] for line in said.decode(errors="replace").splitlines()
            if len(line.split()) > 7}


def check_bindings(check, tools, command, objects):
    """What ld.so binds before it enters the program, if it has to bind all."""
    program = objects[0]["path"]
    tools.environment.update(LD_DEBUG="bindings", LD_BIND_NOW="1")
    said = tools.execute(command).stderr.decode(errors="replace")
    del tools.environment["LD_DEBUG"], tools.environment["LD_BIND_NOW"]
    own, bound = OWN - dynamic_symbols(program), set()
    for line in said.split("transferring control")[0].splitlines():
        match = BINDING.search(line)
        if match and not (match[1] == command[0] and match[3] in own):
            bound.add(match.groups())
    names = {command[0]: os.path.basename(program)}
    theirs = Counter(names.get(to, os.path.basename(to)) for by, to, _, _ in bound if by != to)
    ours = Counter({os.path.basename(each["path"]): each["bound_to"] for each in objects
                    if each["bound_to"]})
    check.that(bool(theirs), "LD_DEBUG=bindings says what is bound")
    check.equal_counts("symbols bound", ours, theirs, ("forktax", "LD_DEBUG"))


def check_relocations(check, objects):
    """readelf counts entries of tables, of RELR the words."""
    if not shutil.which("readelf"):
        print("left out: no readelf to count relocations")
        return
    for each in objects:
        said = subprocess.run(["readelf", "-rW", each["path"]], check=True, capture_output=True).stdout
        kinds = Counter(re.findall(r"R_(?:X86_64|AARCH64)_(\w+)", said.decode(errors="replace")))
        for key, names in (("relative", ["RELATIVE"]), ("glob_dat", ["GLOB_DAT"]), ("copy", ["COPY"]),
                           ("jump_slot", ["JUMP_SLO", "JUMP_SLOT"]),
                           ("irelative", ["IRELATIV", "IRELATIVE"])):
            check.equal(f"{key} of {each['path']}", each["relocations"][key],
                        sum(kinds[name] for name in names))


UNUSED = 20


# What saves less than this share of the start is not said.
WORTH_SAYING = 0.02


def explain_unwaited(check, tools, command, concerned):
    """Until the calls for the libraries of those names are, as traced, well worth saying: on a busy machine one
    start may wait for the CPU for a hundred times as long as it runs."""
    for _ in range(10):
        run = explain(tools, command)
        calls_ns = sum(each["ns"] for each in run["start"]["linked"] if os.path.basename(each["path"]) in concerned)
        if calls_ns > WORTH_SAYING * run["start"]["marks"]["end_ns"]:
            return run
    check.that(False, f"each of ten starts waited: of {run['start']['marks']} the calls take {calls_ns} ns")
    return run


def check_unused(check, tools):
    """Many libraries that are not bound to; each brings another, which it alone calls."""
    for i in range(UNUSED):
        compile_c(tools, f"libbelow{i}.so", f"int below{i}(void) {{ return 0; }}\n", "-shared", "-fPIC")
        compile_c(tools, f"libunused{i}.so", f"int below{i}(void); int unused{i}(void) "
                  f"{{ return below{i}(); }}\n", "-shared", "-fPIC", "-L" + tools.scratch,
                  f"-lbelow{i}")
    compile_c(tools, "libfar.so", FAR, "-shared", "-fPIC")
    options = ["-L" + tools.scratch, *(f"-lunused{i}" for i in range(UNUSED)), "-lfar",
               "-Wl,--disable-new-dtags,-rpath," + tools.scratch]
    command = compile_c(tools, "loose", MAIN, "-Wl,--no-as-needed", *options)
    remedied = compile_c(tools, "strict", MAIN, "-Wl,--as-needed", *options)
    concerned = {f"lib{kind}{i}.so" for kind in ("unused", "below") for i in range(UNUSED)}
    loose, strict = explain_unwaited(check, tools, command, concerned), explain(tools, remedied)
    said = subprocess.run(["ldd", "-u", command[0]], capture_output=True, check=False).stdout.decode()
    check.equal("ldd -u", {os.path.basename(line.strip()) for line in said.splitlines()[1:] if line},
                {f"libunused{i}.so" for i in range(UNUSED)})
    listed = loose["start"]["linked"]
    objects = {os.path.basename(each["path"]): each for each in listed}
    calls = 0
    for i in range(UNUSED):
        unused, below = objects[f"libunused{i}.so"], objects[f"libbelow{i}.so"]
        check.equal(f"bound to {i}", (unused["bound_to"], below["bound_to"]), (0, 1))
        check.equal(f"libbelow{i} comes through it", listed[below["through"]], unused)
        check.equal(f"libunused{i} comes by itself", unused["through"], None)
        calls += unused["calls"] + below["calls"]
    check.equal("libfar comes by itself", objects["libfar.so"]["through"], None)
    advice = {each["rule"]: each for each in loose["start"]["advice"]}
    check.that("S9" in advice, f"S9 of what takes longer than all else: {list(advice)}")
    check.that("S9" not in {each["rule"] for each in strict["start"]["advice"]}, "S9 of the remedied")
    if "S9" not in advice:
        return
    check.that(f"called or not: {UNUSED} (" in advice["S9"]["evidence"] and
               f"only these load: {UNUSED}." in advice["S9"]["evidence"], advice["S9"]["evidence"])
    # What was predicted is what went, by the kernel's counts of both programs; some faults less, as
    # ld.so has more of its own memory to fill for many libraries.
    less = loose["start"]["image_faults"] - strict["start"]["image_faults"]
    predicted = advice["S9"]["predicted"]["faults"]["value"]
    check.that(0.8 * less <= predicted <= less, f"faults: predicted {predicted}, gone {less}")
    all_calls = [sum(phase["calls"] for phase in run["start"]["phases"].values())
                 for run in (loose, strict)]
    check.that(0 <= all_calls[0] - all_calls[1] - calls <= UNUSED,
               f"calls: of these libraries {calls}, gone {all_calls[0] - all_calls[1]}")


# What a log cannot tell: where the kernel has mapped the program and ld.so.
UNPLACED = {"the program", "ld.so"}
PAGE = 4096


def reported(call, by_shape):
    """What the call is, for what, and with which arguments that are no addresses. By its shape alone (as a
    log has it) the reason is not certain."""
    subject = "the program or ld.so" if call["subject"] in UNPLACED else call["subject"]
    why = ("looks like", None) if by_shape else (call["reason"], subject)
    return call["name"], outcome(call), *why, call["path"] or None


def check_log(check, tools, command, start):
    """The same from a log: what each call is for, and its arguments."""
    log = tools.path("story.log")
    subprocess.run(["strace", "-f", "-ttt", "-T", "-v", "-s", "256", "-y", "-o", log, *command],
                   cwd=tools.scratch, env=tools.environment, stdin=subprocess.DEVNULL,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=PATIENCE_S, check=False)
    result = tools.execute([tools.forktax, "report", "--show=start-calls", "--json", log])
    run = json.loads(result.stdout)
    check.that(run["integrity"]["exact"], "the log is exact")
    read = run["start"]
    for phase in read["phases"].values():
        check.equal("faults of a log", phase["faults_by_actor"], None)
    check.equal("time", sum(p["ns"] or 0 for p in read["phases"].values()), read["marks"]["end_ns"])
    # What pthread_once() does takes symbols that are not exported; what the C library does for itself may be called
    # from further up than the part of the stack that is recorded.
    unsure = {call["reason"] for call in start["calls"] if call["by_shape"]}
    check.that(unsure <= {"once", "nss", "locale", "gconv"}, f"eBPF knows whose code made the calls: {unsure}")
    shapes = [call["by_shape"] for call in read["calls"]]
    ours, theirs = ([reported(*pair) for pair in zip(one["calls"], shapes)] for one in (read, start))
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


def main():
    tools, case = Tools(*sys.argv[1:4]), sys.argv[4]
    check = Check()
    check.context = case
    if case == "unused-library":
        check_unused(check, tools)
        check.finish()
        return
    # When Python asks for memory depends on its hashes, which are of its own choice else.
    tools.environment["PYTHONHASHSEED"] = "0"
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
    if case in ("dynamic", "now", "git", "static-pie", "musl-dyn"):
        check_relocations(check, start["linked"])
    if case in ("dynamic", "now", "runpath", "git", "perl", "bash", "cmake"):
        check_bindings(check, tools, command, start["linked"])
    print({name: phase["ns"] for name, phase in start["phases"].items() if phase["ns"]})
    check.finish()


if __name__ == "__main__":
    main()
