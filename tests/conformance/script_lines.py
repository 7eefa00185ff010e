# SPDX-License-Identifier: GPL-2.0-or-later
"""script_lines.py FORKTAX SAMPLES WITNESS [BASH...]: forks by line of bash scripts that are made at random.

How often a statement forks says strace, of a script that has only that statement. A made script has such
statements at known lines: at the top, in functions, in a file that is sourced, in loops, in subshells. So the forks
of each line are known without forktax. BASH is another bash: "chroot DIRECTORY /bin/bash", say.
"""
import os
import random
import shutil
import sys
from collections import Counter

import balance
from check import Check, skip
from runs import Tools, forks_by_strace

BASH = sys.argv[4:] or ["bash"]
STATEMENTS = 60
SCRIPTS = 5

# Of one line each. The last command of a subshell may be executed without a fork, so ":" ends them.
KINDS = [
    "/bin/true",
    "x=$(:)",
    "x=$(/bin/true)",
    "x=$(/bin/true 2>/dev/null)",
    "x=$(printf x | cat)",
    "x=$(</dev/null)",
    "x=`/bin/true`",
    "(:)",
    "( /bin/true; : )",
    ": | :",
    "printf x | cat >/dev/null",
    "/bin/true & wait",
    "[ -n \"$(/bin/true)\" ] || :",
    "cat <(:) >/dev/null",
    "case $(printf y) in y) /bin/true;; esac",
    "if /bin/false; then :; else /bin/true; fi",
    "eval '/bin/true; x=$(:)'",
    "for i in 1 2 3; do /bin/true; done",
    "while ! /bin/true; do :; done",
    "x=$(x=$(:); /bin/true; :)",
    "read -r x < <(printf y) || :",
    "cat <<<$(printf y) >/dev/null",
    "[[ $(printf y) == y ]]",
    "x=$((1 + $(printf 1)))",
    "declare y=$(printf 1)",
    "/bin/true && /bin/true || /bin/false",
    "! /bin/true",
    "time /bin/true 2>/dev/null",
]


def write(tools, name, lines):
    path = tools.path(name)
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    return path


def make_scripts(tools, seed, forks):
    """Returns the path of the main script and the forks of each (file, line, function)."""
    choice = random.Random(seed)
    main, sourced, functions = [], [], []
    expected = Counter()
    paths = {"main": tools.path(f"main{seed}.sh"), "sourced": tools.path(f"sourced{seed}.sh")}

    def add(lines, file, function, times):
        kind = choice.choice(KINDS)
        lines.append(kind)
        expected[paths[file], len(lines), function] += forks[kind] * times

    for i in range(5):
        calls = choice.randrange(4)
        main.append(f"f{i}() {{")
        for _ in range(choice.randrange(1, 6)):
            add(main, "main", f"f{i}", calls)
            main += [""] * choice.randrange(3)
        main.append(":; }")
        functions.append((f"f{i}", calls))
    for _ in range(8):
        add(sourced, "sourced", None, 2)
    for _ in range(2):
        main.append(f". {paths['sourced']}")
    for _ in range(STATEMENTS):
        where = choice.randrange(4)
        if where == 0:
            times = choice.randrange(1, 4)
            main.append(f"for n in {' '.join('x' * times)}; do")
            add(main, "main", None, times)
            main.append("done")
        elif where == 1:
            main.append("(")
            subshell = len(main)
            add(main, "main", None, 1)
            main.append(":)")
            # Which line bash executes when it forks for a subshell of several lines is its own affair.
            expected[paths["main"], (subshell, len(main)), None] += 1
        else:
            main += ["# a comment"] * choice.randrange(2)
            add(main, "main", None, 1)
    for name, calls in functions:
        main += [name] * calls
    write(tools, os.path.basename(paths["sourced"]), sourced)
    return write(tools, os.path.basename(paths["main"]), main), expected


def forks_of_forktax(run):
    forks = Counter()
    for row in run.saved["lines"]["rows"]:
        forks[row["file"], row["line"], row["function"]] += row["children"]
    return forks


def match_subshells(expected, found):
    """Adds the fork of a subshell of several lines to one of them which has more than it should."""
    whole = Counter({key: count for key, count in expected.items() if not isinstance(key[1], tuple) and count})
    for (file, lines, function), count in expected.items():
        if isinstance(lines, tuple):
            for line in range(lines[0], lines[1] + 1):
                if found[file, line, function] > whole[file, line, function]:
                    whole[file, line, function] += count
                    break
    return whole


def texts_of(path):
    with open(path, encoding="utf-8") as file:
        return [line.strip() for line in file.read().split("\n")]


def check_texts_of_rows(check, run):
    """The text of each row is that of the line in the file, as another program reads it."""
    rows = [row for row in run.saved["lines"]["rows"] if row["file"]]
    texts = {path: texts_of(path) for path in {row["file"] for row in rows}}
    check.equal("texts of lines", [row["text"] for row in rows],
                [texts[row["file"]][row["line"] - 1] for row in rows])


def check_scripts(check, tools, forks):
    for seed in range(SCRIPTS):
        script, expected = make_scripts(tools, seed, forks)
        check.context = f"script {seed}"
        command = [*BASH, script]
        total = forks_by_strace([*BASH, script], tools.path("forks.log"))
        _, run = tools.trace(command, "--lines")
        balance.check_balance(check, run)
        found = forks_of_forktax(run)
        check.equal("forks, by strace", sum(found.values()), total)
        check.equal("forks without a line", sum(count for key, count in found.items() if not key[1]), 0)
        check.equal_counts("forks by line", found, match_subshells(expected, found))
        check_texts_of_rows(check, run)


def texts_by_state(tools, script):
    """The states of the files, by the ends of their names, and the texts of the rows that have one."""
    _, run = tools.trace([*BASH, script], "--lines", directory=tools.path(""))
    states = {os.path.basename(file["name"]): file["text"] for file in run.saved["lines"]["files"]}
    return states, sorted({row["text"] for row in run.saved["lines"]["rows"] if row["text"]})


def check_texts(check, tools):
    """A text is shown only if the file is as it was when the shell opened it."""
    fork = "x=$(:)"
    for name, line in (("lib/below.sh", fork), ("twin.sh", ":"), ("lib/twin.sh", f"{fork} # lib"), ("a/b/c/far.sh", fork)):
        os.makedirs(os.path.dirname(tools.path(name)), exist_ok=True)
        write(tools, name, [line])
    quiet = write(tools, "quiet.sh", ["", f"  {fork}  # \t", fork + "; :" + "x" * 2000])
    sourced = tools.path("made.sh")
    cases = {
        "unchanged": ([f". {quiet}"], {"quiet.sh": "read"}, [f"{fork}  #", (fork + "; :" + "x" * 2000)[:1024] + "..."]),
        "made by the script": ([f"echo '{fork}' >{sourced}", f". {sourced}"], {"made.sh": "read"}, [fork]),
        "changes while it runs": ([fork, f"sleep 0.05; echo '#' >>{tools.path('case.sh')}", ":"],
                                  {"case.sh": "changed"}, []),
        "changes its size not": ([fork, f"sleep 0.05; touch {tools.path('case.sh')}"], {"case.sh": "changed"}, []),
        "is deleted": ([fork, f"rm {tools.path('case.sh')}"], {"case.sh": "gone"}, []),
        "is replaced": ([fork, f"cp {tools.path('case.sh')} {tools.path('copy')}; mv {tools.path('copy')} {tools.path('case.sh')}"],
                        {"case.sh": "changed"}, []),
        "two of one name": ([f"mkdir -p {tools.path('one')} {tools.path('two')}",
                             f"for d in one two; do cd {tools.path('')}/$d; echo '{fork}' >both.sh; . ./both.sh; done"],
                            {"both.sh": "several files"}, []),
        "sources a file beside it": (["cd " + tools.path("") + "/lib", ". ./below.sh"], {"below.sh": "read"}, [fork]),
        "sources another of that name than ours": (["cd " + tools.path("") + "/lib", ". ./twin.sh"], {"twin.sh": "read"},
                                                   [f"{fork} # lib"]),
        "sources a file far away": (["cd " + tools.path("") + "/a/b/c", ". ./far.sh"], {"far.sh": "gone"}, []),
        "from a pipe": ([f". /dev/stdin < <(echo '{fork}')"], {"stdin": "unseen"}, []),
    }
    for name, (lines, states, texts) in cases.items():
        check.context = f"text of a script that {name}"
        script = write(tools, "case.sh", lines)
        found_states, found_texts = texts_by_state(tools, script)
        for file, state in states.items():
            check.equal(f"state of {file}", found_states.get(file), state)
        found_texts = [text for text in found_texts if text not in [line.strip() for line in lines]] \
            if "case.sh" not in states else found_texts
        check.equal("texts", found_texts, sorted(texts))


def check_traps(check, tools):
    """In a trap LINENO is that of the trap's text: the line is not known."""
    check.context = "traps"
    script = write(tools, "traps.sh", ["trap 'x=$(:)' USR1", "f() { x=$(:); }", "trap f EXIT", "kill -USR1 $$", "x=$(:)"])
    _, run = tools.trace([*BASH, script], "--lines")
    check.equal_counts("forks by line", forks_of_forktax(run),
                       Counter({(script, 0, None): 1, (script, 0, "f"): 1, (script, 5, None): 1}))


def check_no_file(check, tools):
    """Commands of -c have lines, but no file; other programs have neither."""
    check.context = "no file"
    _, run = tools.trace([*BASH, "-c", ":\nx=$(:)\nsh -c '/bin/true; :'\n:"], "--lines")
    rows = Counter()
    for row in run.saved["lines"]["rows"]:
        rows[row["source"], row["line"], row["file"]] += row["children"]
    check.equal_counts("forks by line", rows, Counter({("commands", 2, None): 1, ("commands", 3, None): 1,
                                                       ("unknown", 0, None): 1}))
    check.equal("texts", {row["line"]: row["text"] for row in run.saved["lines"]["rows"]},
                {0: None, 2: "x=$(:)", 3: "sh -c '/bin/true; :'"})


def check_several_commands(check, tools):
    """Those of several -c stay apart; those that are too long, and of standard input, have lines, but no text."""
    check.context = "commands"
    long = "x=$(:) #" + "x" * 5000
    _, run = tools.trace([*BASH, "-e", "-c", f"bash -c 'x=$(:); :'\nbash -c '{long}'\nbash <<<'x=$(:)'\n:"], "--lines")
    rows = sorted((row["line"], (row["text"] or "")[:20], row["children"]) for row in run.saved["lines"]["rows"]
                  if row["fate_exe"] is None)
    check.equal("commands that fork", [row for row in rows if row[1]], [(1, "x=$(:); :", 1)])
    check.equal("commands without a text", sum(row[2] for row in rows if not row[1]), 2)


def main():
    tools = Tools(*sys.argv[1:4])
    if not shutil.which("bash"):
        skip("bash is not installed")
    check = Check()
    forks = {}
    for kind in KINDS:
        forks[kind] = forks_by_strace([*BASH, write(tools, "one.sh", [kind, kind, ":"])], tools.path("forks.log")) / 2
        check.equal(f"whole forks of {kind!r}", forks[kind] % 1, 0)
    check_scripts(check, tools, {kind: int(count) for kind, count in forks.items()})
    check_traps(check, tools)
    check_no_file(check, tools)
    check_several_commands(check, tools)
    check_texts(check, tools)
    check.finish()


main()
