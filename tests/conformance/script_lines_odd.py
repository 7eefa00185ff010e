# SPDX-License-Identifier: GPL-2.0-or-later
# ctest: needs:busybox-static
"""script_lines_odd.py FORKTAX SAMPLES WITNESS CASE: shells and scripts whose lines are hard to know.

Which lines fork is known, as each script is made for it. Where forktax cannot know it, it has to say so.
"""
import json
import os
import shutil
import struct
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

from check import Check, skip
from runs import Tools

FORKS = ["x=$(:)", "", "f() { x=$(:); }", "f", "(:)"]
LINES = {1: 1, 3: 1, 5: 1}
ROOM = 65536  # docs/reference/support.md
MANY = ROOM + 500


def write(tools, name, lines):
    path = tools.path(name)
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    return path


def copy_of_bash(tools):
    path = tools.path("bash")
    shutil.copy(shutil.which("bash"), path)
    return path


def rows_of(tools, command, *options):
    _, run = tools.trace(command, "--lines", *options)
    return run.saved["lines"]


def lines_of(lines):
    """Forks by line; those whose line is not known are of line None."""
    found = Counter()
    for row in lines["rows"]:
        found[None if row["source"] == "unknown" else row["line"]] += row["children"]
    return dict(found)


def check_known(check, tools, command):
    lines = rows_of(tools, command)
    check.equal("forks by line", lines_of(lines), LINES)
    check.equal("texts", {row["line"]: row["text"] for row in lines["rows"]}, {line: FORKS[line - 1] for line in LINES})


def check_stripped(check, tools):
    """bash exports the variables for builtins that are loaded, so they stay."""
    bash = copy_of_bash(tools)
    subprocess.run(["strip", "--strip-all", bash], check=True)
    check_known(check, tools, [bash, write(tools, "script", FORKS)])


def check_sectionless(check, tools):
    """What sstrip leaves has no section headers; the program headers lead to the symbols."""
    bash = copy_of_bash(tools)
    with open(bash, "r+b") as file:
        file.seek(0x28)
        file.write(struct.pack("<Q", 0))  # e_shoff
        file.seek(0x3a)
        file.write(struct.pack("<HHH", 0, 0, 0))  # e_shentsize, e_shnum, e_shstrndx
    check_known(check, tools, [bash, write(tools, "script", FORKS)])


def check_setuid(check, tools):
    bash = copy_of_bash(tools)
    os.chown(bash, 65534, 65534)
    os.chmod(bash, 0o4755)
    os.chmod(tools.scratch, 0o755)
    script = write(tools, "script", FORKS)
    check_known(check, tools, [bash, "-p", script])


def check_interpreter(check, tools):
    """A bash that only the first line of the script names is known from its first fork on."""
    script = write(tools, "script", [f"#! {copy_of_bash(tools)} -e", *FORKS])
    os.chmod(script, 0o755)
    check.equal("forks by line", lines_of(rows_of(tools, [script])), {line + 1: 1 for line in LINES})


def check_late(check, tools):
    """A bash in an unusual place, which another shell executes after two children of its own: forktax has to be woken to
    read it, though it has not read yet that the second child ended. How long that takes is not known, so the script waits
    longer each time."""
    bash = copy_of_bash(tools)
    for seconds in (0.2, 1, 5, 25):
        script = write(tools, "script", [f"sleep {seconds}", *FORKS])
        # Without --show=processes, with which forktax looks often.
        result = tools.execute([tools.forktax, "run", "--lines", "--json", "-o", tools.path("saved"),
                                "sh", "-c", f"sleep 0.5; sleep 0.5; exec {bash} {script}"])
        check.equal("exit status", result.returncode, 0)
        with open(tools.path("saved"), encoding="utf-8") as file:
            found = lines_of(json.load(file)["lines"])
        known = {line - 1: forks for line, forks in found.items() if line not in (None, 1)}
        if known == LINES:
            break
    check.equal("forks by line", known, LINES)
    check.equal("forks", sum(found.values()), sum(LINES.values()) + 3)


def check_other_shells(check, tools):
    """Their forks are counted, and the line is not known; nor is that of a static bash, which has no symbols."""
    shells = [shell.split() for shell in ("dash", "busybox sh", "ksh", "bash-static")
              if shutil.which(shell.split()[0])]
    if not shells:
        skip("no other shell is installed")
    for shell in shells:
        check.context = " ".join(shell)
        # ksh makes $(:) without a fork.
        lines = lines_of(rows_of(tools, [*shell, write(tools, "script", ["/bin/true", "( /bin/true; : )", "/bin/true", ":"])]))
        check.equal("lines", set(lines), {None})


def check_high_lines(check, tools):
    lines = [""] * 70000 + ["x=$(:)"]
    found = rows_of(tools, ["bash", write(tools, "script", lines)])
    check.equal("forks by line", lines_of(found), {70001: 1})
    check.equal("text", [row["text"] for row in found["rows"]], ["x=$(:)"])


def check_pipe(check, tools):
    """Standard input is no file."""
    script = write(tools, "script", FORKS)
    found = rows_of(tools, ["sh", "-c", f"cat {script} | bash"])
    commands = [row for row in found["rows"] if row["source"] == "commands"]
    # bash calls the file of a function that is of no file "main"; it is none.
    check.equal("forks by line", {row["line"]: row["children"] for row in commands}, LINES)
    check.equal("line of the function", [row["line"] for row in commands if row["function"] == "f"], [3])
    check.equal("texts", {row["text"] for row in found["rows"]}, {None})


def check_namespace(check, tools):
    """The file is in a file system that forktax does not see; another one is at its place."""
    os.mkdir(tools.path("hidden"))
    script = write(tools, "hidden/script", ["# another one"] * 10)
    copy = write(tools, "copy", FORKS)
    found = rows_of(tools, ["unshare", "-m", "sh", "-c", f"mount -t tmpfs none {tools.path('hidden')} && cp {copy} {script} "
                            f"&& exec bash {script}"])
    known = [row for row in found["rows"] if row["source"] == "file"]
    check.equal("forks by line", dict(Counter({row["line"]: row["children"] for row in known})), LINES)
    check.equal("texts", {row["text"] for row in known}, {None})
    check.equal("states", [file["text"] for file in found["files"]], ["changed"])


def run_neighbour():
    """Before the script reads its file of that name."""
    with open("go", "rb") as go:
        go.read()
    status = subprocess.run(["bash", "./library"], cwd="other", check=False).returncode
    with open("done", "wb") as done:
        done.write(b"\n")
    return status


def check_neighbour(check, tools):
    """A shell that is not counted opens another file by the same name meanwhile."""
    os.chdir(tools.scratch)
    os.mkdir("other")
    write(tools, "other/library", ["(:)"])
    write(tools, "library", FORKS)
    write(tools, "script", ["echo >go; read x <done", ". ./library"])
    os.mkfifo("go")
    os.mkfifo("done")
    with ThreadPoolExecutor() as threads:
        neighbour = threads.submit(run_neighbour)
        check_known(check, tools, ["bash", "script"])
    check.equal("its exit status", neighbour.result(), 0)


def check_many(check, tools):
    """More different lines than there is room for: all forks are counted, and how many have no line is said."""
    result, run = tools.trace(["bash", write(tools, "script", ["(:)"] * MANY)], "--lines")
    lines = run.saved["lines"]
    check.equal("forks", run.saved["totals"]["forks"], MANY)
    check.equal("lines", len(lines["rows"]), ROOM)
    check.equal("left out", lines["left_out"], MANY - ROOM)
    check.equal("forks of rows", sum(row["children"] for row in lines["rows"]), ROOM)
    check.equal("texts", {row["text"] for row in lines["rows"]}, {"(:)"})


def explain(tools, *command):
    """The report of forktax explain, and the lines in what it saves."""
    result = tools.execute([tools.forktax, "explain", "--no-try", "-q", "--json", "-o", tools.path("saved"), *command])
    if result.returncode:
        raise RuntimeError(result.stderr.decode())
    with open(tools.path("saved"), encoding="utf-8") as file:
        saved = json.load(file)
    return tools.execute([tools.forktax, "report", tools.path("saved")]).stdout.decode(), saved.get("lines")


def check_explained(check, tools):
    """explain has the lines of scripts without being asked, and shows them if there are several."""
    title = "Forks by line of the script"
    report, lines = explain(tools, "bash", write(tools, "script", FORKS))
    check.equal("forks by line", lines_of(lines), LINES)
    check.equal("texts not shown", [line for line in LINES if f" {FORKS[line - 1]}\n" not in report], [])
    check.equal("title", report.count(title), 1)
    report, lines = explain(tools, "bash", "-c", "for i in 1 2 3; do (:); done")
    check.equal("forks of the only line", lines_of(lines), {1: 3})
    check.equal("title", report.count(title), 0)
    report, lines = explain(tools, "sh", "-c", "/bin/true; /bin/true; :")
    check.equal("lines of another shell", lines, None)


CASES = {
    "explained": check_explained,
    "stripped": check_stripped, "sectionless": check_sectionless, "setuid": check_setuid, "interpreter": check_interpreter,
    "other-shells": check_other_shells, "high-lines": check_high_lines, "pipe": check_pipe,
    "namespace": check_namespace, "neighbour": check_neighbour, "many": check_many, "late": check_late,
}


def main():
    tools = Tools(*sys.argv[1:4])
    if not shutil.which("bash"):
        skip("bash is not installed")
    check = Check()
    check.context = sys.argv[4]
    CASES[sys.argv[4]](check, tools)
    check.finish()


main()
