# SPDX-License-Identifier: GPL-2.0-or-later
"""A terminal of 80x24 shows the answer without scrolling: a sentence with its number, before any table."""
import fcntl
import os
import pty
import re
import shutil
import struct
import subprocess
import sys
import termios

from support import NOBODY, Case, needs, needs_root
import support

ROWS, COLUMNS = 24, 80
POOL = """
import os, time
data = bytearray(4 << 20)
for _ in range(2):
    if not os.fork():
        data[:1 << 20] = bytes(1 << 20)
        os.write(1, b"ready\\n")
        time.sleep(600)
os.write(1, b"ready\\n")
time.sleep(600)
"""
SCRIPT = """\
for word in a b c d; do
  name=$(basename "$word.txt")
  size=$(echo "$name")
done
ls / >/dev/null
date >/dev/null
id -u >/dev/null
grep -c x /etc/passwd >/dev/null
sleep 0
"""


class FirstScreen(Case):
    def screen(self, *arguments, stream="stdout"):
        """The lines that the terminal shows first of it; the prompt of the shell takes the last one."""
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        child = subprocess.Popen([support.FORKTAX, *arguments], stdin=slave, close_fds=True,
                                 env={**os.environ, "TERM": "xterm", "NO_COLOR": "1"},
                                 **{"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, stream: slave})
        os.close(slave)
        shown = b""
        while True:
            try:
                more = os.read(master, 65536)
            except OSError:  # EIO: nobody has the terminal open any more
                break
            if not more:
                break
            shown += more
        os.close(master)
        self.assertEqual(child.wait(), 0, shown)
        text = re.sub(r"\x1b\[[0-9;]*m", "", shown.decode()).replace("\r\n", "\n")
        lines = text.split("\n")[:ROWS - 1]
        for before, line in zip([""] + lines, lines):
            if not before.endswith(":"):  # else it is a command, to be copied as one line
                self.assertLessEqual(len(line), COLUMNS, text)
        return lines

    def assert_answers(self, pattern, *arguments, stream="stdout"):
        """The sentence ends before the first table: a line of dashes, or of bars."""
        head = []
        for line in self.screen(*arguments, stream=stream):
            if line.startswith(("--", "  fork:")):
                break
            head.append(line)
        self.assertRegex(" ".join(" ".join(head).split()), pattern)

    def assert_fits(self, *arguments, stream="stdout", prefix=()):
        """The answer is one screen of 40 lines, with the warnings above it."""
        report = self.finish(self.start(*arguments, prefix=prefix))
        text = getattr(report, {"stdout": "out", "stderr": "err"}[stream])
        self.assertEqual(report.status, 0, report)
        self.assertLessEqual(text.count(b"\n"), 40, text)
        return " ".join(text.decode().split())

    def assert_fits_terminal(self, *arguments, command=None, rows=100):
        """The same of the report on a terminal of 80 columns, which breaks more rows; commands are not broken."""
        terminal = support.Terminal(*arguments, rows=rows, columns=80, streams=("stdout", "stderr"), command=command,
                                    NO_COLOR="1")
        status, shown = terminal.rest()
        self.assertEqual(status, 0, shown)
        text = re.sub(r"[^\n]*\x1b\[K", "", shown.decode().replace("\r\n", "\n"))  # progress, which is deleted
        head = text.rfind("\nMore:")  # below it, a screen that has scrolled has the head again
        self.assertLessEqual(text.count("\n", 0, head), 39, text)
        for line in text.split("\n"):
            self.assertTrue(len(line) <= 80 or line.startswith("  forktax "), line)
        return " ".join(text.split())

    def of_a_user(self):
        """forktax, executed by one who may not use eBPF."""
        os.chmod(shutil.copy(support.FORKTAX, "forktax"), 0o755)
        return ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "./forktax"]

    def script(self):
        """Seven lines of it fork. Its path takes most of 80 columns."""
        directory = os.path.join(os.getcwd(), *["directory"] * 3)
        os.makedirs(directory)
        path = os.path.join(directory, "script.sh")
        with open(path, "w") as script:
            script.write(SCRIPT)
        return path

    @needs_root
    @needs("bash")
    def test_script(self):
        """Its files and lines fit, and what makes it slow; a screen of 24 lines scrolls, and has the same."""
        path = self.script()
        for rows in (24, 40):
            counted = self.assert_fits_terminal("run", "--files", "--lines", "bash", path, rows=rows)
            self.assertRegex(counted, r"script\.sh:2 forks most: 4 of 13 forks.* Forks by line of the script.*"
                                      r" script\.sh:2 .* Files \(\d+ of \d+: --files=all\).* Searches \(")
            explained = self.assert_fits_terminal("explain", "--no-try", "bash", path, rows=rows)
            self.assertRegex(explained, r"(Each of \d+ forks|One fork) of .* Forks by line of the script; .* script\.sh:\d .* "
                                        r"Causes of the overhead: ")
            self.assertIn("Where the time of the run goes", explained)
            self.assertNotRegex(explained, r"\d /\S+script\.sh:\d ")  # a row of the table
            start = self.assert_fits_terminal("explain", "--startup", "--no-try", "bash", path, rows=rows)
            self.assertRegex(start, r"^The start takes .* Phases of the start, .* Causes of the time until it ends, ")

    @needs_root
    @needs("bash")
    def test_calls_beside_lines(self):
        """Calls leave their place only if there is none: not beside lines alone, nor if they were asked for."""
        path = self.script()
        self.assertNotIn("% calls", self.assert_fits("run", "--files", "--lines", "bash", path, stream="stderr"))
        self.assertIn("% calls", self.assert_fits("run", "--lines", "bash", path, stream="stderr"))
        asked = self.finish(self.start("run", "--files", "--lines", "-e", "openat", "bash", path))
        self.assertIn(b"% calls", asked.err)

    @needs_root
    @needs("bash")
    def test_scripts_of_one_name(self):
        """Their directories tell them apart."""
        path = self.script()
        other = os.path.join(os.getcwd(), "script.sh")
        with open(other, "w") as script:
            script.write(f"( : )\n( : )\n. {path}\n")
        text = self.finish(self.start("run", "--lines", "bash", other)).err.decode()
        self.assertIn(f" {other}:1 ", text)
        self.assertIn(f" {path}:3 ", text)

    @needs_root
    @needs("setpriv", "strace", "bash")
    def test_script_of_a_user(self):
        """strace shows the files; it does not see lines, and explains no forks: the message says how to go on."""
        path, command = self.script(), self.of_a_user()
        for rows in (24, 40):
            self.assert_fits_terminal("run", "--files", "bash", path, command=command, rows=rows)
            self.assert_fits_terminal("explain", "--startup", "bash", path, command=command, rows=rows)
        for options, words in ((["--files", "--lines"], "--lines"), (["-k", "--tree-times"], "-k, --tree-times")):
            refused = subprocess.run([*command, "run", *options, "bash", path], capture_output=True, text=True)
            self.assertEqual(refused.returncode, 125)
            self.assertTrue(refused.stderr.endswith(f"; or leave out {words}, to count by strace\n"), refused.stderr)

    @needs_root
    def test_files(self):
        text = self.assert_fits("run", "--files", "sh", "-c", "ls / | cat >/dev/null; :", stream="stderr")
        self.assertRegex(text, r"Files \(\d+ of \d+: --files=all\)")

    @needs_root
    @needs("setpriv", "strace")
    def test_files_of_a_user(self):
        """A warning and a note more than by eBPF. The names of seven locales are searched in several directories."""
        script = "for i in 1 2 3 4 5 6 7; do LC_ALL=xx_$i.UTF-8 PATH=/nowhere/$i:$PATH ls / 2>&1; done >/dev/null"
        text = self.assert_fits_terminal("run", "--files", "sh", "-c", script, command=self.of_a_user())
        self.assertRegex(text, r"^forktax run: counted by strace: .*Files \(\d+ of \d+: --files=all\).*"
                               r"Searches \(\d+ of \d+: --files=all\).*note: page faults")

    def test_usage(self):
        self.assert_answers("Shows why a command forks or starts slowly", "--help")

    @needs_root
    def test_doctor(self):
        self.assert_answers(r"^forktax can trace commands here by (eBPF|strace)", "doctor")

    @needs_root
    def test_forks(self):
        """The loop makes 20 forks, so that is what has to stand there; on a busy machine behind what it waits for."""
        self.assert_answers(r"^(The largest part of the run time .*, without .* of waiting for a CPU .* is .*\. )?"
                            r"Each of 20 forks of \S+ (takes [\d.]+ (us|ms) \(not traced\)\. As traced, with "
                            r"the page faults that follow, it )?costs [\d.]+ (us|ms) of overhead",
                            "explain", "--no-try", self.sample("forkloop"), "-n", "20")

    @needs_root
    def test_start(self):
        self.assert_answers(r"^true never forks\. Its start takes [\d.]+ (us|ms) before main\(\)",
                            "explain", "--startup", "--no-try", self.sample("true"))

    @needs_root
    def test_binding_at_start(self):
        self.assert_answers(r"^Whether LD_BIND_NOW=1 pays off for this command is unknown: "
                            r"there is 1 timed run, and an interval takes 6 \(-n 6\)",
                            "bindnow", "-n", "1", "--traced-runs", "1", self.sample("forkloop"), "-n", "5")

    @needs_root
    def test_two_commands(self):
        """forkloop makes system calls and faults for each of its children; true has none."""
        self.assert_answers(r"makes \d+ system calls and \d+ page faults instead of \d+ and \d+",
                            "compare", "--no-time", self.sample("true"), self.sample("forkloop"))

    @needs_root
    def test_counts(self):
        self.assert_answers(r"exit 0, [\d.]+ (us|ms|s): \d+ system calls .*, \d+ page faults .*, 5 forks",
                            "run", self.sample("forkloop"), "-n", "5", stream="stderr")

    @needs_root
    @needs("python3")
    def test_pool(self):
        pool = subprocess.Popen([sys.executable, "-c", POOL], stdout=subprocess.PIPE)
        try:
            for _ in range(3):
                self.assertEqual(pool.stdout.readline(), b"ready\n")
            self.assert_answers(rf"\(pid {pool.pid}\) and 2 workers use [\d.]+ MiB \(PSS\)\. [\d.]+ MiB of that exist once\. "
                                r"One more worker costs [\d.]+ MiB, as each does on average: above all copies",
                                "workers", "-p", str(pool.pid))
        finally:
            for pid in support.children(pool.pid):
                os.kill(pid, 9)
            pool.kill()
            pool.wait()
            pool.stdout.close()
