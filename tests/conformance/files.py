# SPDX-License-Identifier: GPL-2.0-or-later
"""What is done with which file: a program with known answers, and real ones beside `strace -y`."""
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections import Counter

from check import Check, skip
from runs import Tools

ENOENT, EBADF, EFAULT, ENAMETOOLONG = 2, 9, 14, 36


class Files:
    """The files of a saved run, by path, summed up over groups."""

    def __init__(self, saved):
        self.files = saved["files"]
        self.rows = self.files["rows"]

    def of(self, path, use, figure="calls"):
        return sum(row["uses"].get(use, {}).get(figure, 0)
                   for row in self.rows if row["path"] == path and row["kind"] == "path")

    def errors(self, path=None, kind="path"):
        total = Counter()
        for row in self.rows:
            if row["kind"] == kind and (path is None or row["path"] == path):
                for error in row["errors"]:
                    total[error["errno"]] += error["calls"]
        return dict(total)


def trace(tools, check, command, directory=None, options=()):
    result, run = tools.trace(command, "--files", *options, directory=directory)
    check.that(run.saved["integrity"]["exact"], "the run is not exact")
    check.equal("missed calls", run.saved["files"]["missed"], 0)
    again = subprocess.run([tools.forktax, "report", tools.path("run.json")], capture_output=True)
    check.equal("exit status of `report`", (again.returncode, again.stderr), (0, b""))
    return result, run


def known_answers(tools, check, program):
    here = tools.path("cases")
    os.mkdir(here)
    check.context = "filecases"
    result, run = trace(tools, check, [program], directory=here)
    check.equal("exit status", result.returncode, 0)
    files = Files(run.saved)

    def at(name):
        return f"{here}/{name}"

    # Opened once to be made, then by three ways to say its name.
    check.equal("by-name opened", files.of(at("inner/by-name"), "opened"), 3)
    check.equal("by-name read", files.of(at("inner/by-name"), "read", "bytes"), 40)
    check.equal("by-name written", files.of(at("inner/by-name"), "written", "bytes"), 100)
    check.equal("inner/missing", files.errors(at("inner/missing")), {ENOENT: 1})
    check.equal("duplicated read", files.of(at("duplicated"), "read", "bytes"), 1507)
    check.equal("duplicated reads", files.of(at("duplicated"), "read"), 3)
    check.equal("shared read", files.of(at("shared"), "read", "bytes"), 300)
    check.equal("kept read", files.of(at("kept"), "read", "bytes"), 50)
    closed = [row for row in files.rows if row["kind"] == "descriptor" and row["path"] == "61"]
    check.equal("descriptor 61", [row["errors"] for row in closed], [[{"errno": EBADF, "calls": 1}]])
    check.equal("before changed", files.of(at("before"), "changed"), 1)
    check.equal("after changed", files.of(at("after"), "changed"), 2)
    check.equal("never-there", files.errors(at("never-there")), {ENOENT: 1})
    for name in ("esc\033[31mred", "line\nbreak", 'tab\there,"quoted"'):
        check.equal(f"{name!r} written", files.of(at(name), "written", "bytes"), 1)
    check.equal("mapped", files.of(at("mapped"), "mapped"), 1)
    check.equal("bytes mapped", files.of(at("mapped"), "mapped", "bytes"), 4096)
    check.equal("long way", files.errors(at("long-way")), {ENOENT: 1})
    too_long = [row for row in files.rows
                if any(error["errno"] == ENAMETOOLONG for error in row["errors"])]
    check.equal("too long", [set(row["path"][len(here) + 1:]) for row in too_long], [{"x"}])
    check.equal("unreadable", files.errors(kind="unreadable"), {EFAULT: 2})
    check.equal("empty path", files.errors(""), {ENOENT: 1})
    check.equal("no directory", files.errors("no-directory"), {EBADF: 1})
    check.equal("stat-missing", files.errors(at("stat-missing")), {ENOENT: 1})
    check.equal("pipe read", files.of("pipe:", "read", "bytes"), 123)
    searches = {(one["name"], one["failures"], one["times"], one["found"])
                for one in files.files["searches"] if one["name"] in ("wanted", "polled", "nowhere")}
    check.equal("searches", searches, {("wanted", 3, 1, at("d/wanted")), ("nowhere", 2, 1, None)})
    prints_safely(tools, check)
    by_32_bit_calls(tools, check, program, here)


RACERS, ROUNDS = 4, 1000  # of filecases.c


def of_races(check, files):
    """Numbers of descriptors go from thread to thread, some before their close returns."""
    for racer in range(RACERS):
        name = next(row["path"] for row in files.rows if (row["path"] or "").endswith(f"race-{racer}"))
        check.equal(f"race-{racer}", (files.of(name, "read"), files.of(name, "read", "bytes")),
                    (3 * ROUNDS, (12 + racer) * ROUNDS))
    check.equal("unknown", [row["path"] for row in files.rows if row["kind"] != "path"], [])


def races(tools, check, program):
    here = tools.path("races")
    os.mkdir(here)
    check.context = "races by eBPF"
    _, run = trace(tools, check, [program, "race"], directory=here)
    of_races(check, Files(run.saved))
    for options in (["-f"], ["-f", "-y"]):
        check.context = f"races by strace {' '.join(options)}"
        log = tools.path("races.log")
        subprocess.run(["strace", *options, "-o", log, program, "race"], cwd=here, check=True)
        saved = subprocess.run([tools.forktax, "report", "--files", "--json", log],
                               stdout=subprocess.PIPE, check=True).stdout
        saved = json.loads(saved)
        check.that(saved["integrity"]["exact"], "the log is not exact")
        of_races(check, Files(saved))


def by_32_bit_calls(tools, check, program, here):
    check.context = "filecases int80"
    result, run = trace(tools, check, [program, "int80"], directory=here)
    if result.returncode == -signal.SIGSEGV:
        print("left out: 32-bit calls, which this kernel does not have")
        return
    check.equal("exit status", result.returncode, 0)
    files = Files(run.saved)
    check.equal("by-int80 written", files.of(f"{here}/by-int80", "written", "bytes"), 9)
    check.equal("missing-int80", files.errors(f"{here}/missing-int80"), {ENOENT: 1})


def prints_safely(tools, check):
    """Whatever a path holds: no control character reaches the reader, and CSV has its rows."""
    for options in ([], ["--csv"]):
        printed = subprocess.run([tools.forktax, "report", "--files=all", "-q", *options,
                                  tools.path("run.json")], capture_output=True).stdout.replace(b"\r\n", b"\n")
        check.that(b"red" in printed and b"break" in printed, f"{options}: names are missing")
        check.that(not re.search(rb"[\x00-\x09\x0b-\x1f\x7f\xff]", printed),
                   f"{options}: control characters are printed")


# Real programs beside strace. What differs by nature:
# - a path is what was given, behind its directory: links are resolved here before comparing;
# - strace shows descriptors by the kernel's present name of the file.

STRING = r'"((?:[^"\\]|\\.)*)"(\.\.\.)?'
OPEN = re.compile(r'^(?:openat\((?:AT_FDCWD|\d+)(?:<(.*?)>)?, |open\(|creat\()' + STRING +
                  r'.*\) += (-?\d+)(?: (E\w+))?')
READ = re.compile(r"^(?:p?read(?:v|64)?|getdents(?:64)?)\(\d+<(.*?)>,.*\) += (\d+)$")


def unescape(text):
    return text.encode().decode("unicode_escape").encode("latin-1").decode(errors="replace")


def plain(path):
    """One name for one file, whichever way it is said."""
    path = re.sub(r" ?\(deleted\)$", "", path)
    path = re.sub(r"^(pipe:|socket:).*", r"\1", path)
    # Numbers of processes stand for what they were.
    return os.path.realpath(path) if path.startswith("/") else path


def merged_lines(path):
    """The calls of a log with unfinished and resumed lines put together, with their thread."""
    pending = {}
    with open(path, errors="replace") as log:
        for line in log:
            tid, event = line.rstrip("\n").split(None, 1)
            resumed = re.match(r"<\.\.\. \w+ resumed>(.*)$", event)
            if event.endswith("<unfinished ...>"):
                pending[tid] = event[:-len("<unfinished ...>")].rstrip()
                continue
            if resumed:
                event = pending.pop(tid, "") + resumed.group(1)
            yield tid, event


class Strace:
    """Opens and reads of the command in the log of strace -f -y around forktax."""

    def __init__(self, path, command_tids):
        self.opens, self.reads, self.reads_of = Counter(), Counter(), Counter()
        started = set()
        for tid, event in merged_lines(path):
            if tid not in command_tids:
                continue
            if event.startswith("execve(") and event.endswith("= 0"):
                started.add(tid)
            if tid == command_tids[0] and tid not in started:
                continue  # forktax, before its execve
            self.take(tid, event)

    def take(self, tid, event):
        opened, read = OPEN.match(event), READ.match(event)
        if opened:
            directory, path, _, _, error = opened.groups()
            path = unescape(path)
            if not path.startswith("/"):
                path = f"{directory}/{path}" if path else path
            self.opens[plain(path), error or ""] += 1
        elif read:
            path = plain(unescape(read.group(1)))
            self.reads[path] += int(read.group(2))
            self.reads_of[tid, path] += int(read.group(2))


def of_forktax(saved):
    import errno
    opens, reads = Counter(), Counter()
    for row in saved["files"]["rows"]:
        if row["kind"] != "path":
            continue
        opened = row["uses"].get("opened", {"calls": 0, "errors": 0})
        opens[plain(row["path"]), ""] += opened["calls"] - opened["errors"]
        reads[plain(row["path"])] += row["uses"].get("read", {}).get("bytes", 0)
        # A row has errors of all uses together: only where it was opened and nothing else failed.
        failed = sum(use["errors"] for use in row["uses"].values())
        if opened["errors"] == failed:
            for error in row["errors"]:
                opens[plain(row["path"]), errno.errorcode[error["errno"]]] += error["calls"]
        else:
            opens[plain(row["path"]), "?"] += opened["errors"]
    return +opens, +reads


def reads_of_processes(run):
    """Bytes by pid and path."""
    pids, reads = {one["id"]: str(one["pid"]) for one in run.processes}, Counter()
    for row in run.saved["files"]["rows"]:
        if row["kind"] == "path":
            reads[pids[row["process"]], plain(row["path"])] += row["uses"].get("read", {}).get("bytes", 0)
    return +reads


def without_mixed_errors(counts, mixed):
    """Where a row's errors are of several uses, errors of opening are compared by their number."""
    result = Counter()
    for (path, error), calls in counts.items():
        result[path, "?" if error and path in mixed else error] += calls
    return result


PROGRAMS = {
    "git-status": ["git", "-C", "REPOSITORY", "status"],
    "python-json": ["python3", "-I", "-c", "import json"],
    "find": ["find", "/usr/share/doc/bash", "/etc/ld.so.conf.d", "-type", "f"],
    "tar": ["tar", "-C", "/etc", "-cf", "OUT", "ld.so.conf.d", "hostname"],
    "make": ["make", "-C", "MAKE", "-j2"],
    "sh-path": ["sh", "-c", "PATH=/nonexistent:/usr/lib:$PATH; ls /etc >/dev/null; cat /etc/hostname | wc -l"],
    "perl": ["perl", "-MPOSIX", "-e", "open(F, '/etc/passwd'); my @l = <F>; print scalar @l"],
    "gcc": ["gcc", "-c", "MAKE/a.c", "-o", "OUT"],
    "sort": ["sort", "/etc/group", "/etc/passwd"],
    "env-chain": ["env", "sh", "-c", "exec env cat /etc/hostname"],
}


def prepare(tools):
    """A repository and a directory to build in."""
    repository, build = tools.path("repository"), tools.path("make")
    os.makedirs(build)
    for name in ("a", "b"):
        with open(f"{build}/{name}.c", "w") as source:
            source.write(f"#include <stdio.h>\nint {name}(void) {{ return puts(\"{name}\"); }}\n")
    with open(f"{build}/Makefile", "w") as rules:
        rules.write("all: a.o b.o\n")
    for command in (["git", "init", "-q", repository],
                    ["git", "-C", repository, "-c", "user.name=a", "-c", "user.email=a@b",
                     "commit", "-q", "--allow-empty", "-m", "one"]):
        tools.execute(command)
    return {"REPOSITORY": repository, "MAKE": build, "OUT": tools.path("out")}


def beside_strace(tools, check, name):
    check.context = name
    places = prepare(tools)
    command = [re.sub("REPOSITORY|MAKE|OUT", lambda m: places[m.group()], word)
               for word in PROGRAMS[name]]
    if not shutil.which(command[0]):
        skip(f"{command[0]} is not installed")
    log = tools.path("strace.log")
    _, run = tools.trace(command, "--files", "--show=processes", "--follow-daemons=5",
                         before=["strace", "-f", "-y", "-s", "0", "--quiet=attach", "-o", log])
    check.that(run.saved["integrity"]["exact"], "the run is not exact")
    check.equal("missed calls", run.saved["files"]["missed"], 0)
    # Threads of processes have lines of their own; these programs have none but processes.
    tids = [str(one["pid"]) for one in sorted(run.processes, key=lambda one: one["id"])]
    seen = Strace(log, tids)
    opens, reads = of_forktax(run.saved)
    mixed = {path for path, error in opens if error == "?"}
    check.that(sum(opens.values()) > 2 and sum(reads.values()) > 500, "hardly anything was seen")
    check.equal_counts("opens", without_mixed_errors(opens, mixed),
                       without_mixed_errors(seen.opens, mixed), ("forktax", "strace"))
    check.equal_counts("bytes read", reads, +seen.reads, ("forktax", "strace"))
    check.equal_counts("bytes read by each process", reads_of_processes(run), +seen.reads_of,
                       ("forktax", "strace"))


def main():
    tools, case = Tools(*sys.argv[1:4]), sys.argv[4]
    check = Check()
    if case in PROGRAMS:
        beside_strace(tools, check, case)
    else:
        known_answers(tools, check, case)
        races(tools, check, case)
    check.finish()


main()
