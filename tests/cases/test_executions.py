# SPDX-License-Identifier: GPL-2.0-or-later
"""Programs that are started again to say the same, for each operand, or for what the shell can do: the advice of explain,
beside what the remedy saves. It is applied here: programs are counted, and both are timed in turns."""
import os
import statistics
import subprocess
import time

import support
from support import needs, needs_root

ROUNDS = 5
SLACK = 0.12  # of the run: what a busy machine does to times of a few runs

MAKEFILE = """
export VERSION {assign} $(shell cat VERSION)
export SYSTEM {assign} $(shell uname -sr | sed -e 's/ /-/')
all: one two three four five six seven eight
one two three four five six seven eight:
	@test -n "$(VERSION)$(SYSTEM)"
.PHONY: all one two three four five six seven eight
"""
AGAIN = """
describe() {{ {body}; }}
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30; do
  name=$(describe)
done
"""
NAMES = """
n=0
while [ $n -lt 80 ]; do
  name={name}
  n=$((n + 1))
done
"""
PREFIXES = """
for entry in {words}; do
  key={key}
done
"""
# A filter whose start takes long, and one whose input does.
COLUMN = "BEGIN { while (i < 400000) i++ } { print $n }"
COLUMNS = "BEGIN { while (i < 400000) i++ } { for (n = 1; n <= 12; n++) print $n }"
LIBRARIES = """
import ctypes, ctypes.util
for name in ("nowhere", "nothing", "noone", "never"):
    {look}
"""
CALL = "try: ctypes.CDLL(f'lib{name}.so.1')\n    except OSError: pass"
MUCH = "{ for (i = 0; i < 200; i++) s += i * n } END { print s }"
WORDS = " ".join(f"APP_{i}" for i in range(80))

INNOCENT_SHELLS = {
    "a program for each number": ["sh", "-c", "for i in $(seq 100); do /bin/true $i; done"],
    "filters with other inputs": ["sh", "-c", "for i in 1 2 3 4 5 6 7 8 9 10 11 12; do seq $i$i$i | sed s/1/2/ | tail -n 1; done"],
    "the same filter with other inputs": ["sh", "-c", "for i in $(seq 30); do x=$(head -c ${i}00 big | sed s/^1//); done"],
    "what changes": ["bash", "-c", "for i in $(seq 30); do echo $i >state; x=$(grep . state; :); done"],
    "what differs by directory": ["sh", "-c", "for i in 1 2 3 4; do for d in a b c d; do (cd $d; x=$(ls); :); done; done"],
    "the same for its effect": ["sh", "-c", "for i in $(seq 30); do touch file; rm -f file; done"],
    "subshells": ["bash", "-c", "for i in $(seq 100); do (:); done"],
    "polling": ["sh", "-c", "for i in 1 2 3 4 5 6; do sleep 0.02; done"],
}
INNOCENT_FILES = {
    "an answer for each file": ["bash", "-c", "for f in tree/*; do x=$(stat -c %s $f); done"],
    "an action that tests": ["find", "tree", "-type", "f", "-exec", "grep", "-q", "x", "{}", ";", "-print"],
    "many files at once": ["find", "tree", "-type", "f", "-exec", "chmod", "644", "{}", "+"],
    "in parallel": ["sh", "-c", "find tree -type f | xargs -n 1 -P 2 chmod 644"],
    "in parallel, options in one word": ["sh", "-c", "find tree -type f -print0 | xargs -0P2 -n1 chmod 644"],
    "a shell that decides": ["find", "tree", "-type", "f", "-exec", "sh", "-c", 'test -s "$1"', "sh", "{}", ";", "-print"],
    "a shell for all": ["find", "tree", "-type", "f", "-exec", "sh", "-c", 'for x; do test -s "$x"; done', "sh", "{}", "+"],
    "shells with much to do": ["find", "tree", "-name", "[12]*", "-exec", "sh", "-c",
                               "n=0; while [ $n -lt 60000 ]; do n=$((n + 1)); done", "sh", "{}", ";"],
    "sed of a file": ["bash", "-c", "for f in tree/*; do x=$(sed -n 1p $f); done"],
    "a filter of much": ["bash", "-c", f"for i in {{1..8}}; do x=$(cat big | awk -v n=$i '{MUCH}'); done"],
    "a copy of much": ["bash", "-c", "for i in $(seq 12); do x=$(head -c ${i}000 big | tr 1-5 a-e); done"],
}
INNOCENT_BUILDS = {
    "configure": ["sh", "configure"],
    "make": ["make", "-s", "-f", "Other"],
    "the version of one": ["git", "--version"],
    "compilers": ["/usr/bin/python3", "-c", "import subprocess\nfor n in range(12): subprocess.run(['cc', '-c', f'{n % 6}.c'])"],
    "some questions": ["sh", "-c", "for i in 1 2 3 4 5; do git show --no-index $i; git diff --no-index VERSION big; done; :"],
    "scripts of a runtime": ["sh", "-c", "for i in 1 2 3 4 5 6; do perl work$i.pl; done"],
}
CONFIGURE = """
for check in $(seq 12); do
  echo "int main(void) { return $check; }" >conftest.c
  rm -f conftest.o conftest
  if cc -c conftest.c 2>conftest.err; then result=yes; else result=no; fi
  cat conftest.err >>config.log
  test -s conftest.o || result=no
  rm -f conftest.c conftest.err
done
"""


@needs_root
class Executions(support.Case):
    def setUp(self):
        super().setUp()
        os.mkdir("tree")
        for name in ("a", "b", "c", "d"):
            os.mkdir(name)
            self.write(f"{name}/same", "")
        for number in range(60):
            with open(f"tree/{number}", "w", encoding="ascii") as file:
                file.write(f"{number}\n")
        self.write("VERSION", "1.2.3\n")
        self.write("big", "123456789\n" * 4000)
        self.write("configure", CONFIGURE)
        for number in range(6):
            self.write(f"{number}.c", f"int f{number}(void) {{ return {number}; }}\n")
        for number in range(1, 7):
            self.write(f"work{number}.pl", f"my $x = {number}; $x += $_ for 1 .. 300_000;\n")
        self.write("Other", "all: 0.o 1.o 2.o 3.o 4.o 5.o\n")

    @staticmethod
    def write(name, text):
        with open(name, "w", encoding="ascii") as file:
            file.write(text)
        return name

    def explain(self, command, *options):
        result = self.forktax("explain", "--json", "-q", "-o", "explained.json", *options, "--", *command)
        self.assertEqual(result.status, 0, result)
        run = self.saved("explained.json")
        return run, {advice["rule"]: advice for advice in run.get("run_advice", [])}

    @staticmethod
    def timed(command):
        begin = time.monotonic()
        subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True)
        return time.monotonic() - begin

    def programs_of(self, command):
        return self.trace(*command)["totals"]["execs"]

    def check_remedy(self, command, remedy, rule, words, fewer, options=("--no-try",)):
        """What is advised, and that the remedy saves so many programs, and time within the interval, as shares of the run."""
        run, advised = self.explain(command, *options)
        self.assertIn(rule, advised, advised.keys())
        advice = advised[rule]
        for word in words:
            self.assertIn(word, advice["evidence"] + " " + advice["action"])
        self.assertEqual(self.programs_of(command) - self.programs_of(remedy), fewer)
        pairs = [(self.timed(command), self.timed(remedy)) for _ in range(ROUNDS)]
        saved = statistics.median(1 - after / before for before, after in pairs)
        wall = run["bill"]["untraced_wall_ns"] or run["bill"]["wall_ns"]
        low, high = (advice["predicted"]["ns"][end] / wall for end in ("low", "high"))
        print(f"{advice['evidence']} predicted {low:.2f}..{high:.2f} of the run, the remedy saves {saved:.2f}")
        self.assertLessEqual(low - SLACK, saved)
        self.assertLessEqual(saved, high + SLACK)
        result = self.forktax("report", "explained.json", env={**os.environ, "COLUMNS": "80"})
        first = b" ".join(result.out.splitlines()[:24]).decode()
        self.assertIn("Best advice:", first)

    @needs("make")
    def test_make_runs_a_function_again(self):
        command = ["make", "-s", "-f", self.write("again.mk", MAKEFILE.format(assign="="))]
        remedy = ["make", "-s", "-f", self.write("once.mk", MAKEFILE.format(assign=":="))]
        once, again = self.programs_of(remedy), self.programs_of(command)
        self.check_remedy(command, remedy, "R3", ["16 times", "again.mk:", ":="], again - once)
        self.assertGreater(again - once, 40)

    def test_a_shell_keeps_nothing(self):
        command = ["bash", self.write("again.sh", AGAIN.format(body="uname -sr"))]
        remedy = ["bash", self.write("once.sh", "kept=$(uname -sr)\n" + AGAIN.format(body='echo "$kept"'))]
        self.check_remedy(command, remedy, "R3", ["uname -sr runs 30 times", "again.sh:4", "variable"], 29)

    def test_one_process_for_each_file(self):
        command = ["find", "tree", "-type", "f", "-exec", "chmod", "644", "{}", ";"]
        self.check_remedy(command, [*command[:-1], "+"], "R4", ["chmod 60 times", "-exec chmod 644 {} +"], 59, ())

    def test_one_process_for_each_line(self):
        command = ["sh", "-c", "find tree -type f | xargs -n 1 chmod 644"]
        self.check_remedy(command, ["sh", "-c", "find tree -type f | xargs chmod 644"], "R4",
                          ["xargs starts chmod 60 times", "without -n"], 59)

    def test_one_shell_for_each_file(self):
        def command(script, end):
            return ["find", "tree", "-type", "f", "-exec", "sh", "-c", script, "sh", "{}", end]

        self.check_remedy(command('test -s "$1"', ";"), command('for x; do test -s "$x"; done', "+"), "R4",
                          ["find starts sh 60 times", "-exec sh -c 'for x; do ...; done' sh {} +"], 59)

    def test_one_shell_for_each_line(self):
        def command(options, script):
            return ["bash", "-c", f"printf '%s\\0' tree/* | xargs {options} sh -c '{script}' sh"]

        self.check_remedy(command("-0n1", 'test -s "$1"'), command("-0", 'for x; do test -s "$x"; done'), "R4",
                          ["xargs starts sh 60 times", "xargs sh -c 'for x; do ...; done' sh, without -n"], 59)

    def test_one_process_for_each_turn_of_a_loop(self):
        command = ["bash", self.write("loop.sh", "for f in tree/*; do\n  touch -m \"$f\"\ndone\n")]
        self.check_remedy(command, ["bash", self.write("all.sh", "touch -m tree/*\n")], "R4",
                          ["touch 60 times", "loop.sh:2", "operands"], 59)

    @needs("perl", "make")
    def test_a_runtime_for_each_file(self):
        self.write("lint.pl", "use JSON::PP; use POSIX; for (@ARGV) { open my $h, '<', $_ or die; decode_json('[1]'); }\n")
        self.write("files", "".join(f"tree/{i}\n" for i in range(30)))
        command = ["bash", self.write("each.sh", "while read -r file; do\n  perl lint.pl \"$file\"\ndone <files\n")]
        self.check_remedy(command, ["bash", self.write("all.sh", "perl lint.pl $(<files)\n")], "R26",
                          ["each.sh:2) starts perl 30 times", "start perl once for all of them, if lint.pl can do that"], 29)

    @needs("dash", "awk")
    def test_a_filter_for_each_value(self):
        line = "a b c d e f g h i j k l"
        command = ["dash", self.write("each.sh", f"for i in $(seq 12); do x=$(echo '{line}' | awk -v n=$i '{COLUMN}'); done\n")]
        self.check_remedy(command, ["dash", self.write("all.sh", f"seq 12 >/dev/null; x=$(echo '{line}' | awk '{COLUMNS}')\n")],
                          "R26", ["dash (named in each.sh:1) starts awk 12 times", "awk once for all of them, if it can do that"], 11)

    @needs("gcc", "objdump")
    def test_libraries_by_their_file(self):
        find, call = (self.write(name, LIBRARIES.format(look=look))
                      for name, look in (("find.py", "ctypes.util.find_library(name)"), ("call.py", CALL)))
        self.check_remedy(["/usr/bin/python3", find], ["/usr/bin/python3", call], "R30",
                          ["find.py:4", "load libraries by the name or path of their file"], 20)

    @needs("git")
    def test_one_git_for_each_object(self):
        for words in (["init", "-q"], ["add", "tree"], ["-c", "user.name=a", "-c", "user.email=b", "commit", "-qm", "c"]):
            subprocess.run(["git", *words], check=True)
        each = "for f in $(git ls-files); do x=$(git {words} HEAD:$f); done\n"
        remedy = ["bash", self.write("batch.sh", "x=$(git ls-files | sed s/^/HEAD:/ | git cat-file --batch)\n")]
        for number, words in enumerate(("show", "cat-file blob")):
            command = ["bash", self.write(f"{number}.sh", each.format(words=words))]
            self.check_remedy(command, remedy, "R30", [f"starts git 61 times, at {number}.sh:1", "git cat-file --batch"], 58)

    @needs("sqlite3")
    def test_one_sqlite_for_each_statement(self):
        self.check_remedy(["bash", self.write("each.sh", "for i in {1..40}; do\n  x=$(sqlite3 db \"select $i\")\ndone\n")],
                          ["bash", self.write("all.sh", "for i in {1..40}; do echo \"select $i;\"; done | sqlite3 db\n")], "R30",
                          ["starts sqlite3 40 times, at each.sh:2", "one sqlite3 all statements"], 39)

    def test_names_by_a_program(self):
        command = ["bash", self.write("names.sh", NAMES.format(name='$(basename "/a/b/c$n.d")'))]
        remedy = ["bash", self.write("own.sh", NAMES.format(name='"${n##*/}"'))]
        self.check_remedy(command, remedy, "R10", ["names.sh:4 starts basename 80 times", "${x##*/}"], 80, ())

    @needs("dash")
    def test_names_by_a_program_under_dash(self):
        command = ["dash", self.write("names.sh", NAMES.format(name='$(dirname "/a/b/c$n.d")'))]
        remedy = ["dash", self.write("own.sh", NAMES.format(name='"${n%/*}"'))]
        self.check_remedy(command, remedy, "R10", ["dash starts dirname 80 times", "${x%/*}",
                                                   "It is named in names.sh:4."], 80)

    @needs("dash")
    def test_prefixes_by_sed(self):
        command = ["dash", self.write("keys.sh", PREFIXES.format(words=WORDS, key='$(echo "$entry" | sed s/^APP_//)'))]
        remedy = ["dash", self.write("own.sh", PREFIXES.format(words=WORDS, key='"${entry#APP_}"'))]
        self.check_remedy(command, remedy, "R10", ["dash starts sed 80 times", "${x#APP_}"], 80)

    @needs("dash", "awk")
    def test_an_answer_for_each_under_dash(self):
        """No table has what is asked, dash tells no line; the script names it in one."""
        self.write("limits", "5 6 7\n")
        each = "# awk looks\nn=0\nwhile [ $n -lt 60 ]; do\n  x=$(awk -v n=$n '{ print n + $1 }' limits)\n  n=$((n + 1))\ndone\n"
        once = "x=$(awk '{ for (n = 0; n < 60; n++) print n + $1 }' limits)\n"
        self.check_remedy(["dash", self.write("each.sh", each)], ["dash", self.write("once.sh", once)], "R30",
                          ["dash starts awk 60 times, named in each.sh:4, such as", "start awk less often: once for all"], 59)

    def test_innocent_shells(self):
        self.check_innocents(INNOCENT_SHELLS)

    def test_innocent_files(self):
        self.check_innocents(INNOCENT_FILES)

    @needs("git", "make", "cc")
    def test_innocent_builds(self):
        self.check_innocents(INNOCENT_BUILDS)

    def check_innocents(self, innocents):
        for name, command in innocents.items():
            with self.subTest(name):
                _, advised = self.explain(command, "--no-try")
                self.assertFalse({"R3", "R4", "R10", "R26", "R30"} & advised.keys(),
                                 [advice["evidence"] for advice in advised.values()])
