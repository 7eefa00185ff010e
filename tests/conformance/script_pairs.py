# SPDX-License-Identifier: GPL-2.0-or-later
"""Pairs of scripts: a line as people write it, and as the advice of `forktax explain` says.

Both scripts execute the line so many times, and print what came of it, which must be the same. Where the advice has
the new line in full, it is taken from there; a pair that has `after` needs more than a line to change.
"""
import collections
import os
import re
import subprocess

from runs import forks_by_strace

EXECUTIONS = 25

# `before` and `after` are {} of the loop; `loop` False: the line is there once, as it loops itself.
Pair = collections.namedtuple("Pair", "name rule line setup result after")


def pair(name, rule, line, result='"$x"', setup="", after=None):
    return Pair(name, rule, line, setup, result, after)


PAIRS = [
    pair("cat of a file", "L1", 'x=$(cat "$f")'),
    pair("cat of $f", "L1", "x=$(cat $f)"),
    pair("cat in quotes", "L1", 'x="<$(cat "$f")>"'),
    pair("cat by backquotes", "L1", "x=`cat $f`"),
    pair("cat in a condition", "L1", 'if [ "$(cat "$f")" = "a:b" ]; then x=yes; else x=no; fi'),
    pair("cat of a missing file", "L1", 'x=$(cat nofile) || x=$x$?'),
    pair("cat of a file with zeros", "L1", 'x=$(cat zeros)'),
    pair("cat of a file without an end", "L1", 'x=$(cat lines)', setup="set -e"),
    pair("sed, first", "L2", "x=$(echo \"$v\" | sed 's/o/0/')"),
    pair("sed, all", "L2", "x=$(echo \"$v\" | sed s/o/0/g)"),
    pair("sed, end", "L2", "x=$(echo \"$v\" | sed 's/\\.c$//')"),
    pair("sed, begin", "L2", "x=$(printf '%s\\n' \"$v\" | sed 's|^src|obj|')"),
    pair("sed, slashes", "L2", "x=$(echo \"$v\" | sed 's|/|_|g')"),
    pair("sed, a string as input", "L2", 'x=$(sed s/o/0/ <<<"$v")'),
    pair("tr", "L2", 'x=$(echo "$v" | tr / :)'),
    pair("tr -d", "L2", 'x=$(echo "$v" | tr -d o)'),
    pair("cut", "L2", 'x=$(echo "$v" | cut -d/ -f1)'),
    pair("awk", "L2", "x=$(echo \"$v\" | awk -F/ '{print $1}')"),
    pair("basename", "L3", 'x=$(basename "$v")'),
    pair("basename with suffix", "L3", 'x=$(basename "$v" .c)'),
    pair("dirname", "L3", 'x=$(dirname "$v")'),
    pair("both", "L3", 'x="$(dirname "$v") $(basename "$v")"'),
    pair("expr", "L4", "x=`expr $i + 1`"),
    pair("expr, product", "L4", "x=$(expr \"$i\" \\* 3)"),
    pair("seq", "L5", 'for k in $(seq 2 "$n"); do x=$x$k; done', setup="x="),
    pair("seq of numbers", "L5", 'for k in $(seq 2 5); do x=$x$k; done; x=$x$k', setup="x="),
    pair("cat to a program", "L6", 'cat "$f" | tr a b >"$out"; x=$(<"$out")'),
    pair("cat to a program in $( )", "L6", 'x=$(cat "$f" | wc -c)'),
    pair("redirection in $( )", "L7", "x=$(uname -s 2>/dev/null)"),
    pair("input in $( )", "L7", 'x=$(tr a b <"$f")'),
    pair("grep | cut", "L8", "x=$(grep a \"$f\" | cut -d: -f2)", after="x=$(awk -F: '/a/ {print $2}' \"$f\")"),
    pair("grep | sed | cut", "L8", "x=$(grep a \"$f\" | sed s/b/c/ | cut -d: -f2)",
         after="x=$(awk -F: '/a/ {sub(/b/, \"c\"); print $2}' \"$f\")"),
    pair("printf", "L10", "x=$(printf '%03d' \"$i\")"),
    pair("pwd", "L10", "x=$(pwd)"),
    pair("pwd in a name", "L10", "x=$(pwd)_old"),
    pair("a here-document", "L14", 'cat >"$out" <<EOF\nv is $v\nEOF\nx=$(<"$out")',
         after="printf '%s\\n' \"v is $v\" >\"$out\"; x=$(<\"$out\")"),
    pair("function", "L11", 'x=$(twice "$i")', setup="twice() { echo $((2 * $1)); }",
         after='twice "$i"; x=$REPLY'),
    pair("subshell", "L12", '( tr a b <"$f"; echo c ) >"$out"; x=$(<"$out")'),
    pair("a builtin by its path", "L13", 'if /usr/bin/[ "$i" -gt 5 ]; then x=more; else x=less; fi'),
]

OTHER_SETUP = {"function": "twice() { REPLY=$((2 * $1)); }"}


class Scripts:
    """Writes and counts scripts in a directory."""

    def __init__(self, directory):
        self.directory = directory
        with open(os.path.join(directory, "f"), "w", encoding="utf-8") as file:
            file.write("a:b\n")
        with open(os.path.join(directory, "zeros"), "wb") as file:
            file.write(b"a\0b\n")
        with open(os.path.join(directory, "lines"), "w", encoding="utf-8") as file:
            file.write("\na\n\nb c\n\n")

    def write(self, name, pair_, line, setup=None, executions=EXECUTIONS):
        path = os.path.join(self.directory, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"cd {self.directory}\nf=f out=out v=src/foo/oo.c n=4 REPLY=\n{setup or pair_.setup}\n"
                       f"for ((i = 1; i <= {executions}; i++)); do\n{line}\necho {pair_.result}\ndone\n")
        return path

    def before(self, pair_, **more):
        return self.write("before.sh", pair_, pair_.line, **more)

    def after(self, pair_, advice, **more):
        """As the advice says."""
        line = pair_.after
        if not line:
            line = re.fullmatch(r"Write: (.*) \(now: (.*)\)", advice["action"]).group(1)
        return self.write("after.sh", pair_, line, setup=OTHER_SETUP.get(pair_.name), **more)

    def forks(self, script, shell="bash"):
        """By strace."""
        return forks_by_strace([shell, script], os.path.join(self.directory, "forks.log"))

    @staticmethod
    def output(script):
        return subprocess.run(["bash", script], stdin=subprocess.DEVNULL, check=True, capture_output=True).stdout

    @staticmethod
    def usage(script):
        """Faults and ns of CPU and wall, of the shell and all children that were waited for."""
        child = subprocess.Popen(["bash", script], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = status
        return usage.ru_minflt + usage.ru_majflt, (usage.ru_utime + usage.ru_stime) * 1e9
