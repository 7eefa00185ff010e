# SPDX-License-Identifier: GPL-2.0-or-later
# ctest: needs:zsh
"""paths.py FORKTAX SAMPLES WITNESS CASE: the calls that access a path (-P), as strace -P counts them.

Each case runs once under `strace -f -c -P`, once under forktax by eBPF, once by --source=strace, and once under
`strace -f -y`, whose log `forktax report -P` reads: four runs in a fresh directory each, whose calls, errors and
names have to be the same.
"""
import json
import os
import shutil
import subprocess
import sys

from check import PATIENCE_S, Check, skip
from runs import Tools

PYTHON = ("import mmap, os\n"
          "f = open('{d}/data', 'r+b'); os.fsync(f.fileno()); f.seek(0, 2); f.write(b'x' * 5000); f.flush()\n"
          "m = mmap.mmap(f.fileno(), 4096); m.close(); g = os.dup(f.fileno()); f.close(); os.lseek(g, 0, 0)\n"
          "os.truncate('{d}/data', 7); os.close(g); os.stat('{d}/data'); os.utime('{d}/data')\n")
SHELL = ("exec 5<{d}/data; read line <&5; (read line <&5; cat <&5); exec 6>&5 5<&-; cat <&6; "
         "echo more >>{d}/data; [ -r {d}/data ]; : <{d}/data")
SENDS = ("import os\n"
         "a = os.open('{d}/data', 0); b = os.open('{d}/out', 65, 420)\n"
         "os.sendfile(b, a, 0, 5); os.copy_file_range(a, b, 5, 0, 5); os.link('{d}/out', '{d}/link2')\n"
         "os.fchmod(b, 384); os.dup2(a, 50); os.read(50, 1); os.closerange(a, 60)\n")
NUMBERS = "exec 3<{d}/data; cat /proc/self/fd/3 /dev/fd/3; head -c3 /dev/stdin <&3; cat <{d}/data /proc/thread-self/fd/0"
DATABASE = "pragma journal_mode=wal; create table t(a); insert into t values(1); select * from t"
PERL = ("open(F, '+<', '{d}/data'); flock(F, 2); print <F>; truncate(F, 3); if (!fork) { print F 'x'; exit } wait; "
        "close F; unlink '{d}/data'")
NODE = ("const fs = require('fs'); fs.readFileSync('{d}/data'); const f = fs.openSync('{d}/data', 'a');"
        "require('child_process').spawnSync('cat', [], { stdio: [f, 'ignore', 'ignore'] }); fs.closeSync(f)")
AWK = "{print > \"{d}/out\"; while ((\"cat {d}/data\" | getline x) > 0) y++; close(\"cat {d}/data\")}"
ZSH = "read x <{d}/data; cat <{d}/data >{d}/out; (cat <{d}/out) 2>>{d}/out; exec 4<>{d}/out; echo a >&4"
# strace compares relative paths as they are written: it is asked for these, too.
RELATIVE = {
    "git-status": [".git/index", ".git/index.lock"],
    "git-directory": [".git"],
    "tar": ["some"],
}
GIT = "cd {d}/repository && git status --porcelain && git add new && git status --porcelain"

# What each runs, and the paths of -P; {d} is a directory of its own.
CASES = {
    "cat": (["cat", "{d}/data"], ["{d}/data"]),
    "ls": (["ls", "-l", "{d}/some", "{d}/data"], ["{d}/some"]),
    "cp": (["cp", "-a", "{d}/data", "{d}/copy"], ["{d}/data", "{d}/copy"]),
    "mv": (["mv", "{d}/data", "{d}/moved"], ["{d}/moved"]),
    "ln": (["ln", "{d}/data", "{d}/hard"], ["{d}/data"]),
    "rm": (["rm", "-r", "{d}/some"], ["{d}/some", "{d}/some/two"]),
    "python3": (["python3", "-I", "-S", "-c", PYTHON], ["{d}/data"]),
    "git-status": (["sh", "-c", GIT], ["{d}/repository/.git/index", "{d}/repository/.git/index.lock"]),
    "git-directory": (["sh", "-c", GIT], ["{d}/repository/.git"]),
    "find": (["find", "{d}/some", "-type", "f", "-exec", "cat", "{}", ";"], ["{d}/some"]),
    "tar": (["tar", "-cf", "{d}/all.tar", "-C", "{d}", "some", "data"], ["{d}/all.tar", "{d}/some"]),
    "sort": (["sort", "-o", "{d}/sorted", "{d}/data"], ["{d}/sorted", "{d}/data"]),
    "sh-redirections": (["sh", "-c", SHELL], ["{d}/data"]),
    "sh-inherited": (["sh", "-c", "exec <{d}/data; cat; sh -c 'cat; head -c1' 3<&0"], ["{d}/data"]),
    "dup": (["bash", "-c", "exec 7>{d}/out 8>&7 9>&8 7>&-; echo a >&8; ls {d} >&9; exec 8>&-"], ["{d}/out"]),
    "rename": (["sh", "-c", "mv {d}/data {d}/b; mv {d}/b {d}/c; cat {d}/c; mv {d}/c {d}/data; cat {d}/data"],
               ["{d}/data"]),
    "pipeline": (["sh", "-c", "cat {d}/data | sort | tee {d}/out | wc -l >{d}/count"],
                 ["{d}/data", "{d}/out", "{d}/count"]),
    "sed": (["sed", "-n", "1p", "{d}/data"], ["{d}/data"]),
    "library": (["env", "true"], ["/lib/x86_64-linux-gnu/libc.so.6"]),
    "cache": (["sh", "-c", "ls {d}; cat {d}/data"], ["/etc/ld.so.cache"]),
    "executed": (["sh", "-c", "/bin/true; env /bin/true"], ["/bin/true"]),
    "unknown": (["sh", "-c", "cat {d}/none; ls {d}/none; stat {d}/none; :"], ["{d}/none"]),
    "unused": (["cat", "{d}/data"], ["{d}/some/one"]),
    "spaces": (["sh", "-c", "cat '{d}/with  two spaces'; wc '{d}/with  two spaces'"], ["{d}/with  two spaces"]),
    "directory": (["ls", "-lR", "{d}/some"], ["{d}/some"]),
    "symlink": (["sh", "-c", "cat {d}/link; cat {d}/data; readlink {d}/link"], ["{d}/link"]),
    "symlink-target": (["sh", "-c", "cat {d}/link; cat {d}/data"], ["{d}/data"]),
    "device": (["sh", "-c", "ls >/dev/null; head -c 100 /dev/zero >/dev/null"], ["/dev/null"]),
    "relative": (["cat", "data"], ["data"]),
    "sendfile": (["python3", "-I", "-S", "-c", SENDS], ["{d}/data", "{d}/out"]),
    "descriptor-names": (["sh", "-c", NUMBERS], ["{d}/data"]),
    "sqlite": (["sqlite3", "{d}/a.db", DATABASE], ["{d}/a.db", "{d}/a.db-wal", "{d}/a.db-shm"]),
    "zsh": (["zsh", "-f", "-c", ZSH], ["{d}/data", "{d}/out"]),
    "node": (["node", "-e", NODE], ["{d}/data"]),
    "perl": (["perl", "-e", PERL], ["{d}/data"]),
    "awk": (["awk", AWK, "{d}/data"], ["{d}/data", "{d}/out"]),
    "xargs": (["sh", "-c", "seq 6 | xargs -P3 -I@ cat {d}/data"], ["{d}/data"]),
}


def prepare(tools):
    """The directory in which a case runs: always the same one, and always new."""
    here = tools.path("paths")
    shutil.rmtree(here, ignore_errors=True)
    os.makedirs(f"{here}/some/inner")
    for name in ("data", "some/one", "some/two", "some/inner/three", "with  two spaces"):
        with open(f"{here}/{name}", "w", encoding="utf-8") as file:
            file.write("line 2\nline 1\n")
    os.symlink("data", f"{here}/link")
    repository = f"{here}/repository"
    if shutil.which("git"):
        subprocess.run(["git", "init", "-q", repository], check=True, env=tools.environment)
        with open(f"{repository}/new", "w", encoding="utf-8") as file:
            file.write("new\n")
        os.utime(f"{repository}/new", (1e9, 1e9)) # older than the index: git reads it no second time
    return here


def run(tools, command, here):
    return subprocess.run(command, cwd=here, env=tools.environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=PATIENCE_S, check=False)


def by_strace(tools, command, paths, relative):
    """The table of strace -c: calls and errors by name."""
    here, table = prepare(tools), tools.path("table")
    options = [word for path in [*paths, *relative] for word in ("-P", path)]
    run(tools, ["strace", "-f", "-c", "-o", table, *options, *command], here)
    counts = {}
    with open(table, encoding="utf-8") as lines:
        for line in lines:
            fields = line.split()
            if len(fields) in (5, 6) and fields[3].isdigit() and fields[-1] != "total":
                counts[fields[-1]] = (int(fields[3]), int(fields[4]) if len(fields) == 6 else 0)
    return counts


def of(saved):
    return {row["name"]: (row["calls"], row["errors"]) for row in saved["syscalls"]}


def read(check, tools, path):
    with open(path, encoding="utf-8") as file:
        saved = json.load(file)
    Check.last_run_is_exact = saved["integrity"]["exact"]
    check.that(saved["integrity"]["exact"], f"not exact: {saved['integrity']}")
    again = subprocess.run([tools.forktax, "report", path], capture_output=True, check=False)
    check.equal("exit status of `report`", (again.returncode, again.stderr), (0, b""))
    return saved


def parts_add_up(check, saved):
    """Calls of the run are those of its groups, and of its processes."""
    whole = sum(row["calls"] for row in saved["syscalls"])
    parts = sum(row["calls"] for row in saved["roots"]["calls"])
    for group in saved["groups"]:
        parts += sum(row["calls"] for row in group["calls"])
        check.equal("total of a group", group["syscalls"]["total"], sum(row["calls"] for row in group["calls"]))
    check.equal("calls of roots and groups", parts, whole)
    images = sum(image["syscalls"] for process in saved["processes"] for image in process["images"])
    check.equal("calls of images", images, whole)


def by_forktax(check, tools, command, paths, *options):
    here, saved = prepare(tools), tools.path("run.json")
    selected = [word for path in paths for word in ("-P", path)]
    run(tools, [tools.forktax, "run", "--json", "-o", saved, "--per-child", "--files", *options, *selected,
                "--", *command], here)
    saved = read(check, tools, saved)
    check.equal("paths", [path["given"] for path in saved["paths"]], paths)
    parts_add_up(check, saved)
    return of(saved)


def by_log(check, tools, command, paths):
    here, log, saved = prepare(tools), tools.path("log"), tools.path("report.json")
    run(tools, ["strace", "-f", "-y", "-o", log, *command], here)
    selected = [word for path in paths for word in ("-P", path)]
    result = run(tools, [tools.forktax, "report", "--json", "--per-child", "-o", saved, *selected, log], here)
    check.equal("exit status of `report LOG`", (result.returncode, result.stderr), (0, b""))
    saved = read(check, tools, saved)
    parts_add_up(check, saved)
    return of(saved)


def main():
    forktax, samples, witness, case = sys.argv[1:]
    tools, check = Tools(forktax, samples, witness), Check()
    command, paths = CASES[case]
    here = tools.path("paths")
    command = [word.replace("{d}", here) for word in command]
    paths = [path.replace("{d}", here) for path in paths]
    for program in [command[0], *(["git"] if case.startswith("git") else [])]:
        if not shutil.which(program):
            skip(f"{program} is not installed")
    check.context = case
    expected = by_strace(tools, command, paths, RELATIVE.get(case, []))
    check.that(bool(expected) == (case not in ("unused",)), f"strace counts {expected}")
    for name, counted in (("eBPF", lambda: by_forktax(check, tools, command, paths, "--source=ebpf")),
                          ("strace", lambda: by_forktax(check, tools, command, paths, "--source=strace")),
                          ("a log", lambda: by_log(check, tools, command, paths))):
        check.context = f"{case} by {name}"
        check.equal("calls and errors", counted(), expected)
    check.finish()


main()
