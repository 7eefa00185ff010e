# SPDX-License-Identifier: GPL-2.0-or-later
"""script_advice.py FORKTAX SAMPLES WITNESS [NAME]: what `explain` advises for lines of scripts is done, and counted.

Of each pair (script_pairs.py): the advice is there, for that line; the script that it leads to prints the same; what both
create, counted by strace -f, differs by as many processes as predicted. What the faults differ by, counted by wait4,
lies in the predicted interval. Times are for tests/bench/script-predictions.
"""
import json
import os
import shutil
import subprocess
import sys

from check import Check, skip
from runs import Tools
from script_pairs import EXECUTIONS, PAIRS, Scripts, pair

LINE = 5 # of the scripts

# bash understands them, and so the reader must not say otherwise: what these lines create, by strace.
SILENT = [
    pair("a function named cat", "L11", 'x=$(cat "$f")', setup="cat() { :; }"),
    pair("operands", None, 'x=$(cat "$f" "$f")'),
    pair("a pattern", None, "x=$(echo \"$v\" | sed 's/o*/0/')"),
    pair("a trap", None, 'x=$(cat "$f" "$f" | sort 2>/dev/null)', setup="trap : EXIT"),
    # What the new line would do in another way: no advice.
    pair("dirname of $0, which may have no slash", None, 'x=$(dirname "$0")'),
    pair("expr that tells a number from a word", None, 'x=$(expr "$v" + 1) || x=word'),
    pair("expr that tells 0", None, 'if x=$(expr "$i" - 3); then x=more; else x=same; fi'),
    pair("seq that counts down to nothing", None, 'for k in $(seq 3 1); do x=$k; done'),
    pair("a zero, which ends printf -v", None, "x=$(printf 'a\\0b')"),
    pair("a group in sed", None, "x=$(grep a \"$f\" | sed 's/\\(a\\):/\\1/')"),
    pair("sed with a class", None, "x=$(echo \"$v\" | sed 's/[a-o]/0/')"),
    pair("sed that takes what matched", None, "x=$(echo \"$v\" | sed 's/o/<&>/')"),
    pair("sed, the second", None, "x=$(echo \"$v\" | sed 's/o/0/2')"),
    pair("sed in another locale", None, "x=$(echo \"$v\" | LC_ALL=C sed 's/o/0/')"),
    pair("tr of a range", None, 'x=$(echo "$v" | tr a-o A-O)'),
    pair("cut of several fields", None, 'x=$(echo "$v" | cut -d/ -f1,3)'),
    pair("a subshell that counts", None, '( : $((n++)); tr a b <"$f"; echo c ) >"$out"; x=$(<"$out")$n'),
    pair("a subshell with a default", None, '( : ${m:=1}; tr a b <"$f"; echo c ) >"$out"; x=$(<"$out")$m'),
    pair("a subshell elsewhere", None, '( cd /; tr a b </dev/null; pwd ) >"$out"; x=$(<"$out")'),
    pair("a loop whose program reads its input", None, 'while read -r x; do cat >/dev/null; done <"$f"'),
    pair("cat that copies its own input", None, 'x=$(cat <"$f" | tr a b)', setup="set -o pipefail"),
    pair("not each time", None, '[ "$i" -gt 5 ] && x=$(uname -s; uname -m)'),
]


def explain(tools, script):
    result = tools.execute([tools.forktax, "explain", "--no-try", "--json", "bash", script])
    if result.returncode:
        sys.exit(f"explain {script}: {result.stderr.decode()}")
    return json.loads(result.stdout)


def advice_for(run, rule):
    return [one for one in run["lines"]["advice"] if one["rule"] == rule]


def check_pair(check, tools, scripts, one):
    check.context = one.name
    before = scripts.before(one)
    run = explain(tools, before)
    given = advice_for(run, one.rule)
    check.equal("pieces of advice of that rule", len(given), 1)
    if not given:
        return
    check.equal("line", given[0]["place"], f"{before}:{LINE}")
    check.equal("forks, by strace", run["totals"]["forks"], scripts.forks(before))
    after = scripts.after(one, given[0])
    check.equal("what it prints", scripts.output(after), scripts.output(before))
    saved = scripts.forks(before) - scripts.forks(after)
    predicted = given[0]["predicted"]
    check.equal("processes saved", predicted["processes"]["value"], saved)
    check.equal("at least one each time", saved >= EXECUTIONS, True)
    faults = scripts.usage(before)[0] - scripts.usage(after)[0]
    low, high = predicted["faults"]["low"], predicted["faults"]["high"]
    print(f"{one.name}: {saved} processes; faults saved {faults}, predicted {low:.0f}..{high:.0f}")
    check.equal(f"{faults} faults are in {low:.0f}..{high:.0f}", low <= faults <= high, True)


def check_silent(check, tools, scripts, one):
    """No rule but that of the pair."""
    check.context = one.name
    run = explain(tools, scripts.before(one))
    rules = [given["rule"] for given in run["lines"]["advice"] if given["rule"] != "L9"]
    check.equal("advice", rules, [one.rule] if one.rule else [])


def check_sh(check, tools, scripts):
    """A script for sh may be executed by other shells, which read $(<file) as an empty text: only what all do."""
    check.context = "a script for sh"
    lines = 'x=$(cat "$f")\ny=$(basename "$v")'
    for head, expected in (("#!/bin/sh -e\n", ["L3"]), ("#!/usr/bin/env sh\n", ["L3"]), ("#!/bin/bash\n", ["L1", "L3"]),
                           ("", ["L1", "L3"])):
        path = scripts.write("sh.sh", pair("", None, ""), lines)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        with open(path, "w", encoding="utf-8") as file:
            file.write(head + text)
        rules = sorted(given["rule"] for given in explain(tools, path)["lines"]["advice"] if given["rule"] != "L9")
        check.equal(f"rules with {head!r}", rules, expected)


def check_often(check, tools, scripts):
    """At most: one start for all files."""
    check.context = "rm of each file"
    before = scripts.write("rm.sh", pair("", None, ""), 'rm -f "$out$i"')
    after = scripts.write("rm1.sh", pair("", None, ""), 'files+=("$out$i")')
    with open(after, "a", encoding="utf-8") as file:
        file.write('rm -f "${files[@]}"\n')
    given = advice_for(explain(tools, before), "L9")
    check.equal("pieces of advice", len(given), 1)
    saved = scripts.forks(before) - scripts.forks(after)
    check.equal("processes saved", given[0]["predicted"]["processes"]["value"], saved)
    check.equal("at least", given[0]["predicted"]["processes"]["low"], 0)


POSIX = """#!/bin/bash
i=0
while [ "$i" -lt 200 ]; do
	i=$((i + 1))
	x=$(echo "$i" | tr 1 2)
done
readlink "/proc/$$/exe" >>SHELLS
echo "$x"
ls /nonexistent/file
exit 3
"""
# In place of "exit 3": what dash does in another way, or what only bash understands.
NOT_FOR_DASH = [("an array", "x=(a b); exit 3", False), ("a condition", "[[ $x ]]; exit 3", False),
                ("a number that differs each time", "echo $$; exit 3", True),
                ("a name of the shell in an error", "cd /nonexistent; exit 3", True),
                ("no such syntax", "if x; exit 3", False)]


def dash_advice(check, tools, scripts, text, *options, asked=True):
    """The advice L15, and whether dash has executed the script."""
    shells = os.path.join(tools.scratch, "shells")
    path = os.path.join(tools.scratch, "posix.sh")
    with open(shells, "w", encoding="utf-8"), open(path, "w", encoding="utf-8") as file:
        file.write(text.replace("SHELLS", shells))
    result = tools.execute([tools.forktax, "explain", "-i", "--json", *["--try-dash"] * asked, *options, "bash", path])
    check.equal("exit status", result.returncode, 0)
    with open(shells, encoding="utf-8") as file:
        ran = any(line.endswith("/dash\n") for line in file)
    run = json.loads(result.stdout)
    return [one for one in (run["lines"] or {"advice": []})["advice"] if one["rule"] == "L15"], ran, path


def check_dash(check, tools, scripts):
    """A script that both shells run gets the advice, with the processes that strace counts; others are not run by it."""
    if not shutil.which("dash"):
        return
    check.context = "dash"
    given, ran, path = dash_advice(check, tools, scripts, POSIX, "-n", "9")
    check.equal("pieces of advice", len(given), 1)
    check.equal("dash has run it", ran, True)
    if given:
        forks = {shell: scripts.forks(path, shell) for shell in ("bash", "dash")}
        check.equal("processes", f"{forks['bash']} processes by bash, and {forks['dash']} by dash" in given[0]["evidence"],
                    True)
        check.equal("saves time", given[0]["measured"]["ns"]["low"] > 0, True)
    given, ran, _ = dash_advice(check, tools, scripts, POSIX, "--no-try")
    check.equal("advice, and dash has run it, with --no-try", (given, ran), ([], False))
    for first, wanted in (("", False), ("#!/bin/bash\n", False), ("#!/bin/sh\n", True)):
        check.context = f"dash, not asked for, {first!r}"
        _, ran, _ = dash_advice(check, tools, scripts, first + POSIX, "-n", "1", asked=False)
        check.equal("dash has run it", ran, wanted)
    for name, line, runs in NOT_FOR_DASH:
        check.context = f"dash, {name}"
        given, ran, _ = dash_advice(check, tools, scripts, POSIX.replace("exit 3", line), "-n", "1", "--traced-runs", "0")
        check.equal("advice, and dash has run it", (given, ran), ([], runs))


def check_screen(check, tools, scripts):
    """The answer and a table name the line, and what to write is there in full with -v."""
    check.context = "screen"
    before = scripts.write("screen.sh", pair("", None, ""), 'x=$(basename "$v")')
    brief = tools.execute([tools.forktax, "explain", "--no-try", "bash", before]).stdout.decode()
    check.equal("lines of the screen, at most 40", len(brief.splitlines()) <= 40, True)
    several = scripts.write("lines.sh", pair("", None, ""), 'x=$(basename "$v")\ny=$(uname -n 2>/dev/null)\n'
                            'echo "$v" | sed s/a/b/ >/dev/null\nls >/dev/null\nz=$(expr $n + 1)')
    screen = tools.execute([tools.forktax, "explain", "--no-try", "bash", os.path.basename(several)]).stdout.decode()
    check.equal("lines of the screen of several lines and programs, at most 40", len(screen.splitlines()) <= 40, True)
    words = " ".join(brief.split())
    check.equal("best advice", "use ${x##*/} and ${x%/*}; predicted, in all executions of the line: "
                f"{EXECUTIONS} processes fewer" in words, True)
    check.equal("table", "Advice for lines of scripts" in brief, True)
    full = tools.execute([tools.forktax, "explain", "--no-try", "--show=advice", "bash", before]).stdout.decode()
    check.equal("what to write", "Write: x=${v##*/} (now: x=$(basename \"$v\"))" in " ".join(full.split()), True)


def main():
    tools = Tools(*sys.argv[1:4])
    if not shutil.which("bash"):
        skip("bash is not installed")
    version = subprocess.run(["bash", "-c", 'echo "$((100 * BASH_VERSINFO[0] + BASH_VERSINFO[1]))"'],
                             check=True, stdout=subprocess.PIPE).stdout
    if int(version) < 502:
        skip("needs bash 5.2: older ones fork for $(<file)")
    check, scripts = Check(), Scripts(tools.scratch)
    wanted = sys.argv[4] if len(sys.argv) > 4 else ""
    for one in PAIRS:
        if wanted in one.name:
            check_pair(check, tools, scripts, one)
    if not wanted:
        for one in SILENT:
            check_silent(check, tools, scripts, one)
        check_sh(check, tools, scripts)
        check_dash(check, tools, scripts)
        check_often(check, tools, scripts)
        check_screen(check, tools, scripts)
    check.finish()


main()
