# SPDX-License-Identifier: GPL-2.0-or-later
"""loaded.py FORKTAX SAMPLES WITNESS [brief | --update]: what each mode gives the kernel before counting begins.

loaded.txt has a table for each kernel, machine, compiler and number of CPUs that the figures are known of. There one that
is higher fails: who raises it changes the table, and says why. (--update writes that of this machine; a guest prints its
own.) Elsewhere all modes must load. brief: the default, and fault totals alone, for guests, which are slow.
"""
import glob
import os
import re
import signal
import subprocess
import sys

from check import Check, skip
from runs import Tools

TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "loaded.txt")
FIGURES = ("programs", "given", "verified", "maps", "KiB")
TOLERANCE = dict.fromkeys(FIGURES, 1.01) # addresses decide on an instruction here and there, ...
TOLERANCE["KiB"] = 1.05 # ... and a map has room for what the machine has: units, for watch

BRIEF = {
    "totals": ["run", "--faults=totals"],
    "classes": ["run"],
}
COMMANDS = {
    **BRIEF,
    "times": ["run", "-T"],
    "anatomy": ["run", "--anatomy"],
    "stacks": ["run", "-k"],
    "files": ["run", "--files"],
    "lines": ["run", "--lines"],
    "tree-times": ["run", "--tree-times"],
    "explain": ["explain", "--no-try"],
}
RUNNING = {"attach": ["run", "-p"], "watch": ["watch"]}


def made_by(forktax):
    """What the figures depend on. The compiler is named in the kernel half, which is in the program."""
    with open(forktax, "rb") as program:
        version = re.search(rb"clang version (\d+)", program.read())
    return f"Linux {'.'.join(os.uname().release.split('.')[:2])} {os.uname().machine}, " \
           f"clang {version[1].decode() if version else '?'}, {os.cpu_count()} CPUs"


def objects(text, key):
    """Of the fdinfo files of a process, one after the other: those of such objects, by their numbers."""
    found = {}
    for part in text.split("pos:")[1:]:
        fields = dict(line.split(":", 1) for line in part.splitlines() if ":" in line)
        if key in fields and "link_type" not in fields:
            found[fields[key]] = fields
    return found


def figures(looks, log):
    """`looks`: at the process, one for each of its runs; the largest counts. `log`: of all that it gave to the kernel."""
    loads = map(int, re.findall(r"BPF_PROG_LOAD, \{prog_type=\w+, insn_cnt=(\d+)", log))
    most = dict.fromkeys(FIGURES, 0)
    for look in looks:
        programs, maps = objects(look, "prog_id"), objects(look, "map_id")
        seen = {"programs": len(programs),
                "verified": sum(int(one["verified_insns"]) for one in programs.values()),
                "maps": len(maps),
                "KiB": -(-sum(int(one["memlock"]) for one in maps.values()) // 1024)}
        most.update((name, max(most[name], value)) for name, value in seen.items())
    most["given"] = sum(count for count in loads if count > 20) # the others try what the kernel can do
    return most


def traced(tools, *command):
    log = tools.path("log")
    return log, ["strace", "-f", "-qq", "-s0", "-e", "trace=bpf", "-o", log, tools.forktax, *command]


def of_command(tools, options):
    looks = tools.path("look")
    log, command = traced(tools, *options, "-o", "/dev/null", "--", "/bin/sh", "-c",
                          f"cat /proc/$PPID/fdinfo/* >{looks}.$$ 2>/dev/null; :")
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    paths = glob.glob(looks + ".*")
    texts = [open(path, encoding="utf-8").read() for path in paths]
    for path in paths:
        os.remove(path)
    return figures(texts, open(log, encoding="utf-8").read())


def of_running(tools, options):
    """Of a mode that counts until a signal ends it."""
    ready, said = os.pipe()
    sleeper = subprocess.Popen(["sleep", "1000"])
    log, command = traced(tools, *options, *([str(sleeper.pid)] if "-p" in options else []), f"--ready-fd={said}")
    tracer = subprocess.Popen(command, pass_fds=[said], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(said)
    with os.fdopen(ready, "rb") as stream:
        stream.readline() # strace has the other end open, too
    pid = open(f"/proc/{tracer.pid}/task/{tracer.pid}/children", encoding="utf-8").read().split()[0]
    look = subprocess.run(f"cat /proc/{pid}/fdinfo/*", shell=True, check=False, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True).stdout # a descriptor may be closed meanwhile
    os.kill(int(pid), signal.SIGTERM)
    tracer.wait()
    sleeper.kill()
    sleeper.wait()
    return figures([look], open(log, encoding="utf-8").read())


def measured(tools, brief):
    modes = {name: of_command(tools, options) for name, options in (BRIEF if brief else COMMANDS).items()}
    if not brief:
        modes.update((name, of_running(tools, options)) for name, options in RUNNING.items())
    return modes


def text_of(made, modes):
    names = [figure for figure in FIGURES if all(figure in row for row in modes.values())] # a guest may lack strace
    lines = [f"# {made}", " ".join(["mode", *names])]
    lines += [" ".join([name, *(str(row[figure]) for figure in names)]) for name, row in modes.items()]
    return "\n".join(lines) + "\n"


def read_tables():
    """By what the figures depend on: the figures of each mode."""
    tables = {}
    with open(TABLE, encoding="utf-8") as file:
        for line in file:
            words = line.split()
            if words[0] == "#":
                table = tables[line[2:].strip()] = {}
            elif words[0] == "mode":
                names = words[1:]
            else:
                table[words[0]] = dict(zip(names, map(int, words[1:])))
    return tables


def main():
    tools, check = Tools(*sys.argv[1:4]), Check()
    made, tables = made_by(tools.forktax), read_tables()
    modes = measured(tools, "brief" in sys.argv[4:])
    print(text_of(made, modes), end="")
    if "--update" in sys.argv[4:]:
        tables[made] = modes
        with open(TABLE, "w", encoding="utf-8") as file:
            file.writelines(text_of(*table) for table in tables.items())
        return
    for name, row in modes.items():
        check.context = name
        check.that(row["programs"] and row["verified"], "no programs of it were seen")
        for figure, known in tables.get(made, {}).get(name, {}).items():
            check.that(row[figure] <= TOLERANCE[figure] * known, f"{figure}: {row[figure]}, and {known} in {TABLE}")
    if made not in tables and not check.failures:
        skip(f"the table has no figures of {made}")
    check.finish()


main()
