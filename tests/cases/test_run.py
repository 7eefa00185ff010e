# SPDX-License-Identifier: GPL-2.0-or-later
"""What takes the time of a whole run, by shape: does the first screen name it, and save what the remedy saves here?"""
import os
import re
import resource
import shutil
import subprocess

from savings import Savings
from support import needs, needs_root

LINES = 24
CLOSING = """
import os, resource, sys
most = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
for _ in range(8):
    pid = os.fork()
    if not pid:
        for fd in range(3, most):
            try:
                os.close(fd)
            except OSError:
                pass
        os._exit(0)
    os.waitpid(pid, 0)
"""
PER_LINE = """
for word in $(seq 60); do
  x=$(sed -n "${word}p" words)
  y=$x$word
done
for word in $(seq 15); do x=$(head -c 3 words); done
"""
HOOK = """
for word in $(seq 30); do
  a=$({} -n "${{word}}p" words)
  b=$({} -n "${{word}}0p" words)
  c=$({} -n "1${{word}}p" words)
  d=$({} -n "2${{word}}p" words)
done
"""
PER_LINE_CURED = "mapfile -t lines <words\nfor word in $(seq 15); do x=$(head -c 3 words); done\n"
WAITING = """
( sleep 0.1; : >ready ) &
while ! [ -e ready ]; do
  sleep {pause}
done
rm ready; wait
"""
ENVIRONMENT = "for name in A B C; do export $name=$(uname -r | tr a-z A-Z)$(basename /a/b); done\n"
ASKED = "import json, subprocess, sys\nfor i in range(30000): json.dumps({'i': i})\nprint('alias ll=\\'ls -l\\'')\n"
PROFILE = "for i in 1 2 3 4 5 6 7 8; do x=$(head -c $i $HOME/words); done\n"
LOGINS = "my $x = `bash {} -c '. ./work.sh; :'` for 1 .. 6;"
STEPS = "for i in 1 2 3 4 5 6; do bash -c :; done\n"


@needs_root
@needs("bash", "sed")
class Run(Savings):
    def setUp(self):
        super().setUp()
        with open("words", "w", encoding="ascii") as file:
            file.writelines(f"word {i}\n" for i in range(100))

    def write(self, name, text):
        with open(name, "w", encoding="utf-8") as file:
            file.write(text)
        return name

    def explain(self, *words, env=None, options=("--no-try",), **keywords):
        """The first screen, in one line; and the advice on the run, by rule."""
        environment = {**os.environ, "COLUMNS": "80", **(env or {})}
        result = self.forktax("explain", *options, "--json", "-o", "run.json", *words, env=environment, **keywords)
        self.assertEqual(result.status, 0, result)
        shown = self.forktax("report", "run.json", env=environment).out.decode()
        saved = self.saved()
        screen = re.sub(r"\s+", " ", " ".join(shown.split("\n")[:LINES]))
        return screen, {advice["rule"]: advice for advice in saved.get("run_advice", ())}

    @needs("python3")
    def test_storm_of_calls(self):
        self.write("closing.py", CLOSING)
        words = ["/usr/bin/python3", "closing.py"]
        screen, advice = self.explain(*words, options=(), preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (20000, 20000)))
        self.assertRegex(screen, r"^Children of python3: \d+ close\(\) calls each, all failing with EBADF, "
                                 r"up to the limit of open files \(20000\)")
        self.assertRegex(screen, r"Best advice: close what is open: close_range\(2\)")
        self.assertNotRegex(screen, r"Best advice: use posix_spawn")
        strace = subprocess.run(["prlimit", "--nofile=20000", "strace", "-f", "-c", "-e", "trace=close", *words],
                                check=True, capture_output=True, text=True).stderr
        errors = int(re.search(r"(\d+) +(\d+) close$", strace, re.M).group(2))
        said = int(re.search(r"(\d+) close\(\)", screen).group(1))
        self.assertLessEqual(abs(said - errors / 8), 3)
        self.assertIn("R1", advice)

    def test_few_failing_calls(self):
        self.write("closing.py", CLOSING)
        few = self.explain("/usr/bin/python3", "closing.py",
                           preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (400, 400)))
        self.assertNotIn("R1", few[1])

    def test_line_of_a_script(self):
        script, cured = self.write("each.sh", PER_LINE), self.write("cured.sh", PER_LINE_CURED)
        screen, advice = self.explain("bash", script)
        self.assertRegex(screen, r"each\.sh:3 takes [0-9.]+ m?s of the [0-9.]+ m?s: it starts sed 60 times")
        self.assertRegex(screen, r"Best advice: start fewer programs in each\.sh:3")
        self.assertGreater(self.share_said(advice["R9"]), self.share_saved(["bash", script], ["bash", cured]) - 0.3)

    def test_lines_with_the_same_program(self):
        script, cured = self.write("hook.sh", HOOK.format(*["sed"] * 4)), self.write("cured.sh", PER_LINE_CURED)
        screen, advice = self.explain("bash", script)
        self.assertRegex(screen, r"hook\.sh:\d and 3 more lines take [0-9.]+ m?s of the [0-9.]+ m?s: they start sed 120 times")
        self.assertRegex(screen, r"Best advice: start fewer programs in hook\.sh:\d and 3 more lines")
        self.assertGreater(self.share_said(advice["R9"]), self.share_saved(["bash", script], ["bash", cured]) - 0.3)

    def test_lines_with_other_programs(self):
        for name in "abcd":
            shutil.copy("/usr/bin/sed", name)
        screen, _ = self.explain("bash", self.write("hook.sh", HOOK.format("./a", "./b", "./c", "./d")))
        self.assertNotIn("more line", screen)

    def test_work_in_a_line(self):
        """Programs that work are no reason to start fewer of them."""
        script = self.write("work.sh", "for i in $(seq 12); do x=$(sed -n 's/[a-m]*$/&&/gp' big | wc -l); done\n")
        self.write("big", "the quick brown fox jumps over the lazy dog\n" * 20000)
        self.assertNotIn("R9", self.explain("bash", script)[1])

    def test_pause(self):
        script, cured = self.write("wait.sh", WAITING.format(pause=1)), self.write("cured.sh", WAITING.format(pause=0.01))
        screen, advice = self.explain("bash", script)
        self.assertRegex(screen, r"The run waits for a timer: sleep in wait\.sh:4 takes")
        self.assertRegex(screen, r"Best advice: make the pause in wait\.sh:4 shorter")
        self.assertLess(self.timed(["bash", cured]) + 0.5, self.timed(["bash", script]))
        self.assertGreater(advice["R11"]["predicted"]["ns"]["high"], 0.7e9)

    def timed(self, words):
        before = os.times().elapsed
        subprocess.run(words, check=True)
        return os.times().elapsed - before

    @needs("perl")
    def test_work_of_one_process(self):
        """Of what never forks, too, the answer says what it does."""
        screen, advice = self.explain("perl", "-e", "my $x = 0; $x += $_ for 1 .. 3_000_000; print $x")
        self.assertRegex(screen, r"perl never forks\. .*? From main\(\) on it takes [\d.]+ m?s, above all (waiting .*?, then )?"
                                 r"perl's own code \([\d.]+ % of the run( without waiting for a CPU)?\)\.")
        self.assertEqual(advice, {})

    @needs("perl")
    def test_work_after_a_launcher(self):
        """The start of what executes another program is not what the run takes, unless that other one does little."""
        work = ("perl", "-e", "my $x = 0; $x += $_ for 1 .. 3_000_000; print $x")
        self.assertRegex(self.explain("env", *work)[0], r"^The largest part of the run time .*? perl's own code.*? env never "
                                                        r"forks\. .* until it executes another program\..* Where the time of the run")
        self.assertRegex(self.explain("env", "true")[0], r"^env never forks\.")

    def test_the_command_itself_sleeps(self):
        self.assertEqual(self.explain("sleep", "0.3")[1], {})

    @needs("tr", "basename")
    def test_script_of_the_environment(self):
        environment = {"BASH_ENV": os.path.abspath(self.write("env.sh", ENVIRONMENT))}
        script = self.write("steps.sh", STEPS)
        screen, advice = self.explain("bash", script, env=environment, options=())
        self.assertRegex(screen, r"BASH_ENV makes each of 7 starts of bash execute env\.sh first")
        self.assertRegex(screen, r"Best advice: leave BASH_ENV out \(env -u BASH_ENV\)")
        saved = self.share_saved(["bash", script], ["bash", script], environment)
        self.assertGreater(saved, 0.3)
        self.assertGreater(self.share_said(advice["R12"]), saved - 0.3)
        self.assertNotIn("R12", self.explain("bash", script)[1])

    def test_operand_in_the_environment(self):
        """A script that is asked for is not the environment's."""
        script = self.write("steps.sh", ENVIRONMENT * 3)
        self.assertNotIn("R12", self.explain("bash", script, env={"SCRIPT": script})[1])

    # ctest: all needs:ruby
    @needs("ruby")
    def test_module_of_the_environment(self):
        """What RUBYOPT makes each ruby load; only a trial tells what that takes, so nothing is said without one."""
        self.write("heavy.rb", "200_000.times { |i| i.to_s }\n")
        self.write("tools.rb", "3.times { |i| system('ruby', '--disable-gems', '-e', i.to_s) }\n")
        words = ["ruby", "--disable-gems", "tools.rb"]
        environment = {"RUBYOPT": "-I. -rheavy"}
        advice = self.explain(*words, env=environment, options=())[1]["R12"]
        self.assertEqual(advice["evidence"], "RUBYOPT makes ruby load heavy first: 4 starts.")
        self.assertIn("leave RUBYOPT out (env -u RUBYOPT)", advice["action"])
        self.assertEqual((advice["tried_with"], advice["tried"][:13]), ("RUBYOPT", "wall time of "))
        saved = self.share_saved(words, words, environment, {"RUBYOPT": "-I."})
        self.assertGreater(saved, 0.2)
        self.assertGreater(advice["measured"]["ns"]["value"], 0)
        self.assertNotIn("RUBYOPT", self.explain(*words, env=environment)[0])
        self.assertNotIn("R12", self.explain(*words, env={"RUBYOPT": "-W0"}, options=())[1])

    def test_line_of_a_start_file(self):
        """A start file starts a script that starts many programs: the line of that file is named, and not those of the script."""
        self.write("tool", "#!/bin/bash\nfor i in $(seq 60); do\n\t/bin/true\ndone\n")
        os.chmod("tool", 0o755)
        self.write(".profile", "# mine\n./tool >kept\n")
        words, environment = ["bash", "-l", "-c", ":"], {"HOME": os.getcwd()}
        screen, advice = self.explain(*words, env=environment)
        self.assertRegex(screen, r"^At its start bash waits for what \S*\.profile starts, above all \S*\.profile:2: "
                                 r"\./tool >kept: .*? of the .*?Best advice: start it when it is first needed")
        saved = self.share_saved(words, words, environment, {"HOME": "/"})
        self.assertGreater(self.share_said(advice["R16"]), saved - 0.2)
        for innocent in (["./tool"], ["-c", "exec ./tool again"], ["-c", "./tool; ./tool"]):
            self.assertNotIn("R16", self.explain("bash", "-l", *innocent, env={"HOME": "/"})[1])

    @needs("python3")
    def test_output_that_a_start_waits_for(self):
        """A start file evaluates what a program prints, each time; and who starts that program, where that is no advice."""
        self.write("tool", f"#!/usr/bin/python3\n{ASKED}")
        os.chmod("tool", 0o755)
        self.write(".profile", 'eval "$(./tool init)"\n')
        words, environment = ["bash", "-l", "-c", ":"], {"HOME": os.getcwd()}
        screen, advice = self.explain(*words, env=environment)
        self.assertRegex(screen, r"^At its start bash waits for the output of python3 \./tool init at \S*\.profile:1: "
                                 r".*? of the .*?Best advice: keep what it prints in a file that the start of bash reads")
        predicted = advice["R16"]["predicted"]["ns"]
        wall = self.saved()["wall_ns"]
        self.assertNotIn("R16", self.explain("bash", "-c", ". ./.profile", env=environment)[1])
        screen, others = self.explain("bash", "-l", "-c", "x=$(./tool init); y=$x", env={"HOME": "/"})
        self.assertNotIn("R16", others)
        self.assertRegex(screen, r"^The largest part of the run time .*? (is|then) python3's own code .*?\. "
                                 r"bash starts it.*: python3 \./tool init\.")
        with open(".profile.kept", "w", encoding="ascii") as kept:
            subprocess.run(["./tool", "init"], stdout=kept, check=True)
        os.mkdir("kept")
        os.rename(".profile.kept", "kept/.profile")
        saved = self.share_saved(words, words, environment, {"HOME": os.path.abspath("kept")})
        self.assertGreater(saved, 0.5)
        self.assertLess(predicted["low"] / wall - 0.2, saved)
        self.assertGreater(predicted["high"] / wall + 0.2, saved)

    @needs("perl")
    def test_start_files_for_single_commands(self):
        self.write(".bash_profile", PROFILE)
        self.write("work.sh", "x=$(uname -s)\n")
        home = {"HOME": os.getcwd()}
        words, cured = (["perl", "-e", LOGINS.format(option)] for option in ("--login", ""))
        screen, advice = self.explain(*words, env=home)
        self.assertRegex(screen, r"(perl|sh) starts bash 6 times so that it reads start files first \(bash --login -c '\. \./work\.sh; :'\): "
                                 r"what these start takes [0-9.]+ m?s of the [0-9.]+ m?s, above all \.bash_profile\.")
        self.assertRegex(screen, r"Best advice: start bash without --login, -l and -i there")
        self.assertGreater(self.share_of_busy(advice["R25"]), self.share_saved(words, cured, home, home) - 0.2)

    @needs("perl")
    def test_start_files_that_start_nothing(self):
        """What /etc/profile starts is little beside the commands; and without --login nothing reads the start files."""
        home = {"HOME": os.getcwd()}
        self.write("work.sh", "for i in {1..50}; do x=$(head -c $i words); done\n")
        self.assertNotIn("R25", self.explain("perl", "-e", LOGINS.format("--login"), env=home)[1])
        self.write(".bash_profile", PROFILE)
        self.assertNotIn("R25", self.explain("perl", "-e", LOGINS.format("--noprofile"), env=home)[1])

    @needs("python3", "strace")
    def test_bill_of_a_window(self):
        """Of processes that run already waiting stands apart; of a log what is between calls, too, if it has times."""
        self.write("forking.py", "import os, time\nwhile os.fork():\n    os.wait()\n    time.sleep(0.05)\n")
        with subprocess.Popen(["/usr/bin/python3", "forking.py"]) as running:
            attached = self.forktax("explain", "--duration=1", "-p", str(running.pid))
            running.kill()
        words = " ".join(attached.out.decode().split()) # lines end anywhere
        self.assertRegex(words, r"In [0-9.]+ % of the .*? these processes ran, above all .*?"
                         r"In [0-9.]+ % all of them waited, above all for a timer, in clock_nanosleep\(\) of python3")
        subprocess.run(["strace", "-f", "-ttt", "-T", "-o", "log", "sleep", "0.2"], check=True)
        words = " ".join(self.forktax("report", "log").out.decode().split())
        self.assertRegex(words, r"were in calls, above all .*? they were between calls, with .*? all of them waited, "
                         r"above all for a timer, in ")
        subprocess.run(["strace", "-f", "-o", "log", "sleep", "0.2"], check=True)
        self.assertNotIn("Where the time", self.forktax("report", "log").out.decode())

    def test_subshells(self):
        screen, advice = self.explain("bash", "-c", "for i in $(seq 200); do (:); done")
        self.assertRegex(screen, r"bash forks 200 subshells that execute no program")
        self.assertRegex(screen, r"Best advice: use \{ \.\.\.; \} instead of \( \.\.\. \)")
        saved = self.share_saved(["bash", "-c", "for i in $(seq 200); do (:); done"],
                                 ["bash", "-c", "for i in $(seq 200); do { :; }; done"])
        self.assertGreater(saved, 0.5)
        self.assertGreater(self.share_said(advice["R14"]), saved - 0.2)

    def test_subshells_of_functions(self):
        """Functions that answer by their output, in a file that the script reads: its line is named."""
        function = 'get() {\n\tlocal x=$(eval "echo \\$$1")\n\techo "$x"\n}\n'
        self.write("functions.sh", function)
        self.write("cured.sh", "get() {\n\teval \"x=\\$$1\"\n}\n")
        words, cured = (["bash", self.write(f"use-{file}", f"a=1; . ./{file}\nfor i in {{1..200}}; do {call}; done\n")]
                        for file, call in (("functions.sh", "x=$(get a)"), ("cured.sh", "get a")))
        screen, advice = self.explain(*words)
        self.assertRegex(screen, r"bash forks 400 subshells that execute no program, above all at (\S*functions\.sh:2 in get\(\)|"
                                 r"use-functions\.sh:2): to fork them takes")
        self.assertGreater(self.share_said(advice["R14"]), self.share_saved(words, cured) - 0.1)

    @needs("perl")
    def test_commands_that_do_not_exist(self):
        """A start file defines a handler for these, and what it reads then looks by calling them whether they are there."""
        handler = "command_not_found_handle() {\n\tperl -MPOSIX -e 'exit 127' \"$1\"\n}\n"
        look = "for name in f77 f95 g77; do\n\t$name-no --version >kept 2>&1 || :\n\t$name-nor -v || :\ndone\n"
        self.write("before", handler + look)
        self.write("after", look + handler)
        words, cured = (["bash", "-c", f". ./{file}"] for file in ("before", "after"))
        screen, advice = self.explain(*words)
        self.assertRegex(screen, r"^Commands that do not exist are called, and bash starts perl for them 6 times, at \S*before:2 in "
                                 r"command_not_found_handle\(\): that takes .*? Best advice: define command_not_found_handle after all")
        self.assertGreater(self.share_said(advice["R28"]), self.share_saved(words, cured) - 0.2)
        self.assertNotIn("R28", self.explain(*cured)[1])
        self.write("innocent", handler.replace("command_not_found_handle", "answer") + look.replace("$name-no", "answer $name"))
        self.assertNotIn("R28", self.explain("bash", "-c", ". ./innocent")[1])

    def test_innocent(self):
        self.write("Makefile", "all: a b\na b:\n\ttouch $@\n.PHONY: all a b\n")
        for command in (["ls", "-l", "/usr/bin"], ["find", "/usr/share/doc", "-name", "x"], ["make", "-s"],
                        ["/usr/bin/python3", "-c", "pass"], ["sh", "-c", "seq 1000 | sed s/1/2/ | sort | uniq -c | wc -l"],
                        ["grep", "-c", "x", "words"], ["tar", "cf", "/dev/null", "/usr/include"], ["perl", "-e", "print 1"]):
            with self.subTest(command):
                self.assertEqual(self.explain(*command, options=("-i", "--no-try"))[1], {})
