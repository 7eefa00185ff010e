#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
# ctest: needs:bash-completion needs:zsh needs:fish needs:shellcheck
"""run.py FORKTAX SHELL: does the script of a shell offer what it should? SHELL: bash, bash-alone (without the package
bash-completion), zsh, fish."""
import os
import shutil
import subprocess
import sys
import tempfile

import shells

SCRIPTS = {"bash": "forktax.bash", "zsh": "_forktax", "fish": "forktax.fish"}

# What is typed, and what is offered for the last word, behind "="; "...": at least that.
CASES = [
    ("forktax ", ["run", "compare", "explain", "bench", "report", "doctor", "help", "..."]),
    ("forktax re", ["report"]),
    ("forktax --v", ["--version"]),
    ("forktax bench sp", ["spawn"]),
    ("forktax help bench sp", ["spawn"]),
    ("forktax doctor x", []),
    ("forktax report ", ["saved.json", "saved.d", "..."]),
    ("forktax report sav", ["saved.json", "saved.d"]),
    ("forktax report lo", ["log.strace"]),  # for want of something better
    ("forktax compare ft-tr", ["ft-traced-tool"]),
    ("forktax compare log", ["log.strace", "..."]),
    ("forktax run ft-tr", ["ft-traced-tool"]),
]
TRACED = [("forktax run ft-traced-tool ap", ["apple"]), ("forktax run -- ft-traced-tool ban", ["banana"])]


def options(forktax):
    said = subprocess.run([forktax, "--dump-options"], check=True, capture_output=True, text=True).stdout
    return [line.split("\t") for line in said.splitlines()]


def cases_of_options(rows):
    """All options of each command; the values of one of each kind; behind one with a value, what is traced."""
    for command in sorted({row[0] for row in rows}):
        names = [f"--{row[2]}" for row in rows if row[0] == command and row[2]]
        yield f"forktax {command} --", names + ["..."]
    of_kind = {}
    for row in rows:
        of_kind.setdefault((row[5], row[4], bool(row[1])), row)
    found = {"file": ["log.strace"], "directory": ["saved.d"], "user": ["root"], "program": ["ft-traced-tool"]}
    begins = {"file": "lo", "directory": "sav", "user": "roo", "program": "ft-tr"}
    for (kind, optional, _), (command, letter, name, _, _, _, words, _) in of_kind.items():
        values = words.split()
        if kind in found:
            begin, values = begins[kind], found[kind]
        elif kind in ("words", "list"):
            begin = values[-1][:2]
            values = [value for value in values if value.startswith(begin)]
        else:
            continue
        ways = [f"--{name}="] + [f"--{name} "] * (not optional) + [f"-{letter} "] * (bool(letter) and not optional)
        for way in ways:
            yield f"forktax {command} {way}{begin}", values
            if kind == "list":
                first = words.split()[0]
                yield f"forktax {command} {way}{first},{begin}", [f"{first},{value}" for value in values]


def cases_behind_options(rows):
    letter, name = [next(row[i] for row in rows if row[0] == "run" and row[i] and row[5] and not row[4]) for i in (1, 2)]
    for option in (f"-{letter} 7", f"-{letter}7", f"--{name} 7", f"--{name}=7"):
        yield f"forktax run {option} ft-traced-tool ban", ["banana"]


def make_files():
    for name in ("saved.json", "log.strace", "$(touch harm).json", "`touch harm`.json"):
        with open(name, "w", encoding="utf-8"):
            pass
    os.mkdir("saved.d")
    os.mkdir("bin")
    with open("bin/ft-traced-tool", "w", encoding="utf-8") as file:
        file.write("#!/bin/sh\n")
    os.chmod("bin/ft-traced-tool", 0o755)


def wrong(shell, cases):
    for typed, expected in cases:
        offered = {word.rstrip("/=") for word in shell.offers(typed)}
        wanted = {word for word in expected if word != "..."}
        if not (wanted <= offered if "..." in expected else wanted == offered):
            yield f"{typed!r}: offered {sorted(offered)[:20]}, wanted {sorted(expected)}; not {sorted(wanted - offered)}"
    if os.path.exists("harm"):
        yield "the name of a file was executed"


def main():
    forktax, (name, *alone) = os.path.abspath(sys.argv[1]), sys.argv[2].split("-")
    script = f"{os.path.dirname(forktax)}/completion/{SCRIPTS[name]}"
    if not shutil.which(name) or name == "bash" and not alone and not os.path.exists(shells.LIBRARY):
        print(f"skipped: {name}, or its library of completions, is not installed")
        sys.exit(77)
    problems = []
    for check in [name, "-n"], ["shellcheck"]:
        if (check[0] == name or name == "bash" and shutil.which(check[0])) and \
                subprocess.run([*check, script], check=False).returncode:
            problems.append(f"{' '.join(check)}: {script}")
    with tempfile.TemporaryDirectory(prefix="forktax-completion-") as directory:
        os.chdir(directory)
        make_files()
        there = {**os.environ, "PATH": f"{directory}/bin:{os.environ['PATH']}", "HOME": directory, "TERM": "dumb",
                 "LC_ALL": "C.UTF-8", "XDG_CONFIG_HOME": directory, "XDG_DATA_HOME": directory, "COLUMNS": "4000"}
        shell = {"bash": shells.Bash, "zsh": shells.Zsh, "fish": shells.Fish}[name](there, script, *[""] * len(alone))
        rows = options(forktax)
        cases = CASES + list(cases_of_options(rows))
        if not alone:  # bash alone knows nothing of the arguments of others
            cases += TRACED + list(cases_behind_options(rows))
        problems += wrong(shell, cases)
        os.chdir("/")
    print("\n".join(problems) or f"all {len(cases)} lines are offered what they should")
    sys.exit(bool(problems))


main()
