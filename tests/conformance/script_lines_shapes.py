# SPDX-License-Identifier: GPL-2.0-or-later
"""script_lines_shapes.py FORKTAX SAMPLES WITNESS CASE: shapes of scripts in which an interpreter counts other lines.

Each command that forks a program has the number of its line among its arguments, so strace sees which line each program
is from. A line that forktax calls exact must be that; one below another must not stand above it; where the number may be
wrong, no line is named. bash's own LINENO, and make --trace, say the wrong ones in some of these shapes.
"""
import json
import os
import pty
import re
import subprocess
import sys
import threading
from collections import Counter

from check import Check
from runs import Tools

PROGRAM = re.compile(r'execve\("/bin/(?:true|cat)", \["[^"]*", "L(\d+)"')


def write(tools, name, text):
    """<here> is the number of the line."""
    path = tools.path(name)
    lines = [line.replace("<here>", f"/bin/true L{number}") for number, line in enumerate(text.split("\n"), 1)]
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines))
    os.chmod(path, 0o755)
    return path


def executed_by_line(tools, command):
    """By strace: how often the program of each line was executed."""
    log = tools.path("execs.log")
    subprocess.run(["strace", "-f", "-q", "-s", "200", "-e", "trace=execve", "-e", "signal=none", "-o", log, *command],
                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    with open(log, encoding="utf-8", errors="replace") as file:
        return Counter(int(found[1]) for found in map(PROGRAM.search, file) if found)


def rows_of(tools, command):
    _, run = tools.trace(command, "--lines", directory=tools.path(""))
    exes = run.saved["exes"]
    rows = run.saved["lines"]["rows"]
    for row in rows:
        row["program"] = None if row["fate_exe"] is None else os.path.basename(exes[row["fate_exe"]]["path"])
    return rows


def programs_by(rows, certainty, key):
    found = Counter()
    for row in rows:
        if row["program"] == "true" and row["certainty"] == certainty and row["source"] != "unknown":
            found[row[key]] += row["children"]
    return found


def check_exact(check, rows, expected):
    """All programs, each at its line."""
    check.equal_counts("programs by exact line", programs_by(rows, "exact", "line"), expected)
    check.equal("programs without an exact line",
                [row for row in rows if row["program"] == "true" and row["certainty"] != "exact"], [])


COMPOUND = """f() {
    :
    for x in 1 2; do <here>; done | cat
    while read -r x; do
        <here>
    done <<<1 | cat
    { <here>
      <here>; :; } &
    wait
    if <here>; then :; fi | cat
    x=$(<here>)
}
f
if :; then
    for x in 1 2; do <here>; done | cat
    :
fi
( <here>
  <here>; : )
"""


def check_compound(check, tools):
    """Where a compound command of a function forks, LINENO still is that of the function."""
    script = write(tools, "compound.sh", COMPOUND)
    command = ["bash", script]
    rows = rows_of(tools, command)
    check_exact(check, rows, executed_by_line(tools, command))
    # What forks at the line of the function's head, or of its call, has another one.
    check.equal("forks at the head of the function", [row for row in rows if row["line"] in (1, 13)], [])


INTERACTIVE = """# a comment
# another

f() {
    local x
    x=$(<here>)
    for x in 1 2; do <here>; done | cat
    [[ $(<here>) ]]
    <here>
}
f
<here>
"""


def check_interactive(check, tools):
    """bash -i counts lines of a function from its beginning."""
    script = write(tools, "interactive.sh", INTERACTIVE)
    command = ["bash", "--norc", "-i", script]
    rows = rows_of(tools, command)
    check_exact(check, rows, executed_by_line(tools, command))


COMPLETION = """# words of a command

_words() {
    local all
    all=$(<here>; echo one two)
    COMPREPLY=($(compgen -W "$all" -- "$2"))
    <here>
}
complete -F _words words
"""


def check_completion(check, tools):
    """A function that readline calls, in a shell at a terminal."""
    script = write(tools, "completion.sh", COMPLETION)
    controller, terminal = pty.openpty()
    out = tools.path("completion.json")
    with subprocess.Popen([tools.forktax, "run", "--lines", "--json", "-o", out, "--", "bash", "--norc", "-i"],
                          stdin=terminal, stdout=terminal, stderr=terminal, start_new_session=True) as shell:
        os.close(terminal)
        os.write(controller, f". {script}\nwords \t\n\x15exit\n".encode())
        threading.Thread(target=drain, args=(controller,), daemon=True).start()
        shell.wait(timeout=60)
    with open(out, encoding="utf-8") as file:
        rows = json.load(file)["lines"]["rows"]
    of_function = [row for row in rows if row["function"] == "_words"]
    check.that(of_function, "the completion was not called")
    check.equal("lines of the completion", {row["line"] for row in of_function} - {5, 6, 7}, set())
    check.equal("its file", {row["file"] for row in of_function}, {script})


def drain(controller):
    try:
        while os.read(controller, 4096):
            pass
    except OSError:
        pass


ENVIRONMENT = """f() {
    x=$(/bin/true)
    /bin/true
}
g() { /bin/true; /bin/true; }
export -f f g
bash -c 'f; g; :'
bash -c 'h() { /bin/true; }
h
/bin/true; :'
"""


def check_environment(check, tools):
    """Their text is not that of a file, and no trap has run. Functions of -c are not from the environment."""
    rows = rows_of(tools, ["bash", write(tools, "environment.sh", ENVIRONMENT)])
    check.equal_counts("programs of functions from the environment",
                       programs_by(rows, "of the environment", "function"), Counter({"f": 2, "g": 2}))
    check.equal("traps", [row for row in rows if row["certainty"] == "in a trap"], [])
    check.equal_counts("programs of -c", programs_by([row for row in rows if row["source"] == "commands"], "exact", "line"),
                       Counter({1: 1, 3: 1}))
    check.equal("texts of -c", {row["text"] for row in rows if row["function"] == "h"}, {"h() { /bin/true; }"})


EVALUATED = """eval '<here>'
x=$(
    <here>
    <here>
    : )
eval '<here>
<here>
e() {
    /bin/true L0
}
'
e
f() {
    x=$(
        <here>
        g; :
    )
    eval g
}
g() {
    <here>
}
f
eval "$(printf 'h() {\\n:\\n/bin/true L0\\n}\\n')"
h
. ./sourced.sh
cat <<END
$(<here>; :)
END
"""


def check_evaluated(check, tools):
    """bash counts lines of these texts on from the line of the command, where that ends."""
    script = write(tools, "evaluated.sh", EVALUATED)
    write(tools, "sourced.sh", "\n\n<here>\n")
    rows = rows_of(tools, ["bash", script])
    truth = {row: text for row, text in enumerate(EVALUATED.split("\n"), 1)}
    for row in rows:
        if row["program"] != "true" or row["file"] != script:
            continue
        check.that(row["certainty"] in ("exact", "below", "unsure"), f"{row}")
        check.that(row["certainty"] != "unsure" or (row["line"] == 0 and not row["text"]), f"not sure, but named: {row}")
        # The lines 2 to 5 are one command, and so are 14 to 17, 27 to 29.
        if row["certainty"] == "exact":
            check.that("<here>" in truth[row["line"]] or row["line"] in (5, 17, 27), f"called exact: {row}")
    check.equal_counts("programs of g", Counter({row["line"]: row["children"] for row in rows if row["function"] == "g"}),
                       Counter({21: 2}))
    check.equal("functions that eval made",
                {(row["function"], row["certainty"]) for row in rows if row["function"] in ("e", "h")},
                {("e", "unsure"), ("h", "unsure")})
    check.equal("sourced", {(row["line"], row["certainty"]) for row in rows if (row["file"] or "").endswith("sourced.sh")},
                {(3, "exact")})


TRAPS = """trap '/bin/true; :' EXIT
trap '/bin/true' USR1
set -E
trap 'x=$(/bin/true)' ERR
kill -USR1 $$
false
trap - ERR
trap '/bin/true' DEBUG
:
trap - DEBUG
<here>
"""


def check_traps(check, tools):
    script = write(tools, "traps.sh", TRAPS)
    rows = rows_of(tools, ["bash", script])
    check.equal_counts("programs by exact line", programs_by(rows, "exact", "line"), Counter({11: 1}))
    # EXIT, USR1, ERR; DEBUG before lines 9 and 10.
    check.equal_counts("programs in traps", programs_by(rows, "in a trap", "line"), Counter({0: 5}))


MAKEFILE = """all: a b c d e two
define T
$(1):
	@/bin/true of template $(1); :
	@/bin/true again; :
endef

$(eval $(call T,a))
c:
	@<here>; :

# none
	@<here>; :
ifneq (a,b)
	@<here>; :
endif
d: ; @<here>; :
e:
	$(run)
define run
@/bin/true; :
@/bin/true; :
endef
X := $(shell <here>; :)
$(eval Y := $$(shell <here>; :))
define Z
V := 1
W := $$(shell /bin/true; :)
endef
two: ; @<here>; :
include parts.mk
$(foreach t,x y,$(eval $(call T,$(t))))
all: x y
$(eval $(Z))
"""


def check_make(check, tools):
    """The lines of a rule that eval made count on from that of the eval: those are lines of other rules."""
    path = write(tools, "Makefile", MAKEFILE)
    write(tools, "parts.mk", "b:\n\t@<here>; :\n")
    for options in ([], ["-j2"]):
        check.context = f"make {' '.join(options)}"
        rows = [row for row in rows_of(tools, ["make", *options]) if row["language"] == "make"]
        found = Counter()
        for row in rows:
            found[os.path.basename(row["file"]), row["certainty"], row["line"]] += row["children"]
        lines = Counter({("Makefile", "exact", line): 1 for line in (10, 13, 15, 17, 24, 25, 30)})
        lines += Counter({("Makefile", "exact", 19): 2, ("parts.mk", "exact", 2): 1, ("Makefile", "below", 8): 2,
                          ("Makefile", "unsure", 0): 5})  # of x and y, and W: which eval made them is not known
        check.equal_counts("forks by line", found, lines)
        texts = MAKEFILE.split("\n")
        for row in rows:
            if row["file"] == path and row["line"]:
                text = texts[row["line"] - 1].replace("<here>", f"/bin/true L{row['line']}")
                check.equal("text", row["text"], text.strip())


def check_headline(check, tools):
    """A few known lines among many that are not are no answer; the answer then says why they are not."""
    script = write(tools, "loop", "for i in 1 2 3 4 5 6 7 8 9 10; do /bin/true; done\nbash ./one.sh\n")
    write(tools, "one.sh", "x=$(/bin/true); :\n")
    result = subprocess.run([tools.forktax, "run", "--lines", "--show=lines", "dash", script],
                            cwd=tools.path(""), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=True)
    text = " ".join(result.stdout.split())
    check.that("1 of 12 forks has a known line; the others are not known: 11 by dash, whose lines forktax cannot read." in text,
               f"headline: {text[:300]}")
    check.that("forks most" not in text, "a known line is named")


CASES = {name[len("check_"):]: function for name, function in globals().items() if name.startswith("check_")
         and name != "check_exact"}


def main():
    tools, check = Tools(*sys.argv[1:4]), Check()
    CASES[sys.argv[4]](check, tools)
    check.finish()


main()
