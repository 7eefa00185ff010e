# SPDX-License-Identifier: GPL-2.0-or-later
# ctest: needs:zsh
"""script_lines_zsh.py FORKTAX SAMPLES WITNESS: forks by line of a zsh script.

Before each fork zsh itself says where it is (%x and %I of its prompts). strace counts the forks.
"""
import shutil
import sys
from collections import Counter

import balance
from check import Check, skip
from runs import Tools, forks_by_strace

NOTE = 'print -rP -- "%x\t%I" >>$PLACES'
SOURCED = f"\n{NOTE}; /bin/true\nother() {{\n  # it lies in this file\n  {NOTE}; /bin/true\n}}\n"
SCRIPT = f"""# a comment
f() {{
  local i
  for i in 1 2 3; do
    {NOTE}; x=$(/bin/echo $i)
  done
  repeat 2 {{ {NOTE}; /bin/true; }}
}}
f; f
{NOTE}; (/bin/true; :)
. ./sourced.zsh
other
{NOTE}; /bin/true |
  while read x; do :; done
{NOTE}; eval /bin/true
function g {{ {NOTE}; /bin/true & wait; }}
g
"""
# What no line is known of, and what a copy of zsh forks for itself.
ODD = "f() {\n  eval '/bin/true\n/bin/true'\n}\nf\nx=$(\n  /bin/true\n  /bin/true\n  /bin/true\n)\n"


def rows_of(run):
    found = Counter()
    for row in run.saved["lines"]["rows"]:
        found[row["file"], row["line"], row["certainty"]] += row["children"]
    return found


def main():
    tools, check, zsh = Tools(*sys.argv[1:4]), Check(), shutil.which("zsh")
    if not zsh:
        skip("zsh is missing")
    for name, text in (("script.zsh", SCRIPT), ("sourced.zsh", SOURCED), ("odd.zsh", ODD)):
        with open(tools.path(name), "w", encoding="ascii") as file:
            file.write(text)
    command = ["env", "-C", tools.path(""), "PLACES=places", zsh, "-f", "script.zsh"]
    _, run = tools.trace(command, "--lines")
    with open(tools.path("places"), encoding="ascii") as file:
        expected = Counter((name, int(line), "exact") for name, line in (text.rstrip("\n").split("\t") for text in file))
    # The copy that ( ) is forks once more, at the same line.
    expected["script.zsh", SCRIPT.split("\n").index(f"{NOTE}; (/bin/true; :)") + 1, "exact"] += 1
    balance.check_balance(check, run)
    check.equal_counts("forks by line", rows_of(run), expected)
    check.equal("forks, by strace", sum(rows_of(run).values()), forks_by_strace(command, tools.path("forks.log")))
    check.equal("languages", {row["language"] for row in run.saved["lines"]["rows"]}, {"zsh"})
    check.equal("functions", {row["function"] for row in run.saved["lines"]["rows"]} - {None}, {"f", "g", "other"})
    _, run = tools.trace([zsh, "-f", tools.path("odd.zsh")], "--lines")
    check.equal_counts("odd forks by line", rows_of(run),
                       Counter({(tools.path("odd.zsh"), 2, "exact"): 1, (tools.path("odd.zsh"), 0, "unsure"): 1,
                                (tools.path("odd.zsh"), 6, "exact"): 1, (tools.path("odd.zsh"), 6, "below"): 2}))
    check.finish()


main()
