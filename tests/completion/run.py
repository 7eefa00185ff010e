#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
# ctest: needs:bash-completion needs:zsh needs:fish needs:shellcheck
"""run.py FORKTAX SUBJECT: does completion offer what it should? SUBJECT: answers (of forktax
itself), scripts (are they sound?), installed (does each shell find its own?), bash, bash-alone
(without the package bash-completion), zsh, fish."""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

import shells

SCRIPTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../user/cmd/completion")
SKIPPED = 77
LIBRARY = "/usr/share/bash-completion/bash_completion"

# What is typed, and what is offered: all of it; "...": at least that. Every shell has to.
CASES = [
    ("forktax ", ["run", "compare", "explain", "bench", "report", "doctor", "help", "..."]),
    ("forktax re", ["report"]),
    ("forktax --v", ["--version"]),
    ("forktax --completion z", ["zsh"]),
    ("forktax bench ", ["fork", "serve", "spawn"]),
    ("forktax bench sp", ["spawn"]),
    ("forktax help ben", ["bench"]),
    ("forktax help bench sp", ["spawn"]),
    ("forktax run --sor", ["--sort="]),
    ("forktax run --no-as", ["--no-aslr"]),
    ("forktax run --sort=m", ["--sort=min-time", "--sort=max-time"]),
    ("forktax run --sort ca", ["calls"]),
    ("forktax run -TS er", ["errors"]),
    ("forktax compare -S na", ["name"]),
    ("forktax compare -S ti", []),
    ("forktax run -e openat,readl", ["openat,readlink", "openat,readlinkat"]),
    ("forktax run -e readlink,readl", ["readlink,readlinkat"]),
    ("forktax run -e %fi", ["%file"]),
    ("forktax run -e !readl", ["!readlink", "!readlinkat"]),
    ("forktax run -e '!pivot", ["!pivot_root"]),
    ("forktax report 'with", ["with blank.json"]),
    ("forktax run -e status=fai", ["status=failed"]),
    ("forktax run --trace=vf", ["--trace=vfork"]),
    ("forktax run --status unf", ["unfinished"]),
    ("forktax run --source=e", ["--source=ebpf"]),
    ("forktax report --color al", ["always"]),
    ("forktax bench spawn --methods vfork,pos", ["vfork,posix_spawn"]),
    ("forktax bench fork --cpu a", ["any"]),
    ("forktax bench serve --models pref", ["prefork"]),
    ("forktax run --json --cs", []),  # these exclude each other
    ("forktax doctor x", []),
    ("forktax run --rounds", []),
    ("forktax report sav", ["saved.json", "saved.html", "saved.d/"]),
    ("forktax report ", ["saved.json", "saved.html", "saved.d/", "..."]),
    ("forktax run -S ", ["time", "nothing", "..."]),
    ("forktax report lo", ["log.strace"]),  # for want of something better
    ("forktax report saved.json x", []),
    ("forktax report wi", ["with blank.json"]),
    ("forktax run -o log", ["log.strace"]),
    ("forktax run --output=log", ["--output=log.strace"]),
    ("forktax bench fork --loops sav", ["saved.d/"]),
    ("forktax run -u roo", ["root"]),
    ("forktax explain --against ft-tr", ["ft-traced-tool"]),
    ("forktax workers --load ft-tr", ["ft-traced-tool"]),
    ("forktax compare ft-tr", ["ft-traced-tool"]),
    ("forktax compare log", ["log.strace", "..."]),
    ("sudo forktax run --sort=err", ["--sort=errors"]),
    ("sudo forktax run -q ft-traced-tool ap", ["apple"]),
    ("forktax run -q ft-tr", ["ft-traced-tool"]),
    ("forktax run -q ft-traced-tool ap", ["apple"]),
    ("forktax run --sort=time -- ft-traced-tool ban", ["banana"]),
    ("forktax explain --runs 7 ft-traced-tool ban", ["banana"]),
    ("forktax explain --runs=7 ft-traced-tool ban", ["banana"]),
]


def wrong(shell, cases):
    """What is offered otherwise than it should, as lines."""
    for typed, expected in cases:
        offered = shell.offers(typed)
        offered = {word.rstrip("/") for word in offered}
        wanted = {word.rstrip("/") for word in expected if word != "..."}
        if not (wanted <= offered if "..." in expected else wanted == offered):
            yield f"{typed!r}: offered {sorted(offered)[:20]}, wanted {sorted(expected)}"


def make_files():
    for name in ("saved.json", "saved.html", "log.strace", "with blank.json",
                 "$(touch harm).json", "`touch harm`.json"):
        with open(name, "w", encoding="utf-8"):
            pass
    os.mkdir("saved.d")
    os.mkdir("bin")
    for program in ("ft-traced-tool", "sudo"):  # shells complete what there is
        with open(f"bin/{program}", "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n")
        os.chmod(f"bin/{program}", 0o755)


def environment(forktax):
    path = f"{os.path.dirname(forktax)}:{os.path.abspath('bin')}:{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "HOME": os.getcwd(), "TERM": "dumb", "LC_ALL": "C.UTF-8",
            "HISTFILE": "/dev/null", "XDG_CONFIG_HOME": os.getcwd(), "XDG_DATA_HOME": os.getcwd(),
            "COLUMNS": "4000"}


def judge(shell):
    sleeper = subprocess.Popen(["sleep", "600"])
    try:
        pid = str(sleeper.pid)
        problems = list(wrong(shell, CASES + [
            (f"forktax run -p {pid[:-1]}", [pid, "..."]),
            (f"forktax workers --attach={pid[:-1]}", [f"--attach={pid}", "..."]),
            (f"forktax run -p 1,{pid[:-1]}", [f"1,{pid}", "..."])]))
        shell.offers("forktax report ")
        if os.path.exists("harm"):
            problems.append("the name of a file was executed")
        return problems
    finally:
        sleeper.kill()
        sleeper.wait()
        shell.close()


def of_bash(forktax, with_library):
    if with_library and not os.path.exists(LIBRARY):
        return None
    bash = shells.Bash(environment(forktax), f"{SCRIPTS}/forktax.bash", with_library)
    if with_library:
        return judge(bash)
    # Alone bash knows nothing of the arguments of others.
    for case in [case for case in CASES if re.search("ft-traced-tool |^sudo", case[0])]:
        CASES.remove(case)
    CASES.append(("forktax run -q ft-traced-tool log", ["log.strace"]))
    return judge(bash)


def of_zsh(forktax):
    return judge(shells.Zsh(environment(forktax), SCRIPTS)) if shutil.which("zsh") else None


def of_fish(forktax):
    if not shutil.which("fish"):
        return None
    return judge(shells.Fish(environment(forktax), f"{SCRIPTS}/forktax.fish"))


def of_scripts(forktax):
    """They parse, shellcheck finds nothing, and what is printed is what is installed."""
    problems = []
    for shell, name, check in (("bash", "forktax.bash", ["shellcheck"]),
                               ("bash", "forktax.bash", ["bash", "-n"]),
                               ("zsh", "_forktax", ["zsh", "-n"]),
                               ("fish", "forktax.fish", ["fish", "-n"])):
        path = f"{SCRIPTS}/{name}"
        with open(path, "rb") as file:
            if subprocess.run([forktax, "--completion", shell], check=True,
                              capture_output=True).stdout != file.read():
                problems.append(f"--completion {shell} is not {name}")
        if not shutil.which(check[0]):
            print(f"not installed: {check[0]}")
        elif subprocess.run([*check, path], check=False).returncode:
            problems.append(f"{' '.join(check)}: {name}")
    for wrong_shell in ("tcsh", ""):
        refused = subprocess.run([forktax, f"--completion={wrong_shell}"], check=False,
                                 capture_output=True)
        if refused.returncode != 2 or b"must be bash, zsh or fish" not in refused.stderr:
            problems.append(f"--completion={wrong_shell} is not refused")
    return problems


def answer(forktax, *words):
    reply = subprocess.run([forktax, "--complete", *words], check=True, capture_output=True, text=True)
    return [line.split("\t") for line in reply.stdout.splitlines()]


def wrong_processes(forktax):
    """This process gives itself a name that would be a line of its own, and move the cursor."""
    with open("/proc/self/comm", "w", encoding="utf-8") as file:
        file.write("a\tb\n7\t\x1b[J")
    _, *values = answer(forktax, "run", "-p", "")
    named = dict(value for value in values if len(value) == 2)
    if len(named) != len(values) or not all(pid.isdigit() for pid in named):
        yield f"processes are not one a line: {values}"
    if "\x1b" in "".join(named.values()):
        yield "the name of a process is not escaped"
    if os.geteuid() == 0 and not named.get(str(os.getpid()), "").startswith("a\\x09b"):
        yield f"this process is not offered as what it is: {named.get(str(os.getpid()))!r}"
    if "2" in named and open("/proc/2/comm", encoding="utf-8").read() == "kthreadd\n":
        yield "a thread of the kernel is offered"


def of_answers(forktax):
    """Every option with an argument has a kind of value that shells can complete; every other has none.
    Those of a choice have words, and what takes operands says which."""
    problems = []
    dumped = subprocess.run([forktax, "--dump-options"], check=True, capture_output=True, text=True)
    for line in dumped.stdout.splitlines():
        command, letter, name, argument, _, kind, *_ = line.split("\t")
        option = f"--{name}" if name else f"-{letter}"
        if bool(argument) != bool(kind):
            problems.append(f"{command} {option}: argument {argument!r}, but kind {kind!r}")
        if not argument:
            continue
        (what, start, _), *values = answer(forktax, *command.split(), f"{option}=")
        if what == "unknown" or start != f"{option}=":
            problems.append(f"{command} {option}: {what} {start!r}; is kind {kind!r} in values.c?")
        if what in ("words", "list") and not values:
            problems.append(f"{command} {option}: there are no {what}")
    named = subprocess.run([forktax, "--dump-commands"], check=True, capture_output=True, text=True)
    for line in named.stdout.splitlines():
        command, _, *forms = line.split("\t")
        takes = any(word in form for form in forms
                    for word in ("COMMAND [", "'COMMAND", " FILE", "'COMMAND A'"))
        offers = answer(forktax, *command.split(), "x")[0][0] != "nothing"
        if takes != offers and command != "bench":
            problems.append(f"{command}: operands of {forms} are {'' if offers else 'not '}completed")
    for words in (["run", "-e", "a\tb"], ["run", "x\ny"], [], ["nonsense", ""], ["\x1b"],
                  ["run", "--nonsense", "x"], ["run", "--=", ""], ["bench", "--help", ""]):
        answer(forktax, *words)
    return problems + list(wrong_processes(forktax))


def install(forktax):
    """The program, completion and manual, where cmake --install puts them below ./prefix."""
    build = os.path.dirname(os.path.dirname(forktax))
    for part in ("user", "docs"):
        subprocess.run(["cmake", "-D", f"CMAKE_INSTALL_PREFIX={os.path.abspath('prefix')}", "-P",
                        f"{build}/{part}/cmake_install.cmake"], check=True, stdout=subprocess.DEVNULL)
    return os.path.abspath("prefix/bin/forktax")


def of_installed(forktax):
    """Each shell finds its script where it looks for scripts."""
    forktax, share = install(forktax), os.path.abspath("prefix/share")
    functions = os.path.dirname(glob.glob(f"{share}/zsh/*/_forktax")[0])  # FORKTAX_ZSH_FUNCTIONS
    there = {**environment(forktax), "XDG_DATA_DIRS": f"{share}:/usr/local/share:/usr/share"}
    makers = {
        "bash": lambda: shells.Bash(there, None, True),
        "zsh": lambda: shells.Zsh(there, functions),
        "fish": lambda: shells.Fish(there, None),
    }
    problems = []
    for name, make in makers.items():
        if not shutil.which(name) or name == "bash" and not os.path.exists(LIBRARY):
            print(f"not installed: {name}, or its library of completions")
            continue
        shell = make()
        problems += [f"{name}: {problem}" for problem in wrong(shell, CASES[:4])]
        shell.close()
    return problems


def main():
    forktax, subject = os.path.abspath(sys.argv[1]), sys.argv[2]
    subjects = {"answers": of_answers, "scripts": of_scripts, "installed": of_installed,
                "zsh": of_zsh, "fish": of_fish,
                "bash": lambda forktax: of_bash(forktax, True),
                "bash-alone": lambda forktax: of_bash(forktax, False)}
    with tempfile.TemporaryDirectory(prefix="forktax-completion-") as directory:
        os.chdir(directory)
        make_files()
        problems = subjects[subject](forktax)
        os.chdir("/")
    if problems is None:
        print(f"skipped: {'bash-completion' if subject == 'bash' else subject} is not installed")
        sys.exit(SKIPPED)
    print("\n".join(problems) or "all is offered as it should")
    sys.exit(bool(problems))


main()
